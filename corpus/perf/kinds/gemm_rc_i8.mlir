// GEMM with epilogue rc
cuda_tile.module @m {
  entry @gemm_rc_i8(%a: tile<ptr<i8>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<i8>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<f16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>, %sa: tile<ptr<f32>>, %sa_0: tile<i32>, %sb: tile<ptr<f32>>, %sb_0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<i8>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %b8 = assume div_by<16>, %b : tile<ptr<i8>>
    %v9 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %b8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %c15 = assume div_by<16>, %c : tile<ptr<f16>>
    %v16 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %c15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %sa22 = assume div_by<16>, %sa : tile<ptr<f32>>
    %v23 = assume bounded<0, ?>, %sa_0 : tile<i32>
    %v24 = assume div_by<16>, %v23 : tile<i32>
    %tv25 = make_tensor_view %sa22, shape = [%v24], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %sb26 = assume div_by<16>, %sb : tile<ptr<f32>>
    %v27 = assume bounded<0, ?>, %sb_0 : tile<i32>
    %v28 = assume div_by<16>, %v27 : tile<i32>
    %tv29 = make_tensor_view %sb26, shape = [%v28], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tok = make_token : token
    %b30, %b31, %b32 = get_tile_block_id : tile<i32>
    %pv33 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %pv34 = make_partition_view %tv14 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %pv35 = make_partition_view %tv21 : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
    %v36 = constant <i32: 64> : tile<i32>
    %v37 = divi %v4, %v36 signed rounding<positive_inf> : tile<i32>
    %v38 = constant <i32: 0> : tile<128x128xi32>
    %v39 = constant <i32: 0> : tile<i32>
    %v40 = constant <i32: 1> : tile<i32>
    %f43 = for %i41 in (%v39 to %v37, step %v40) : tile<i32> iter_values(%c42 = %v38) -> (tile<128x128xi32>) {
      %v44, %t45 = load_view_tko weak %pv33[%b30, %i41] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x64xi8>, token
      %v46, %t47 = load_view_tko weak %pv34[%b31, %i41] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x64xi8>, token
      %v48 = permute %v46 [1, 0] : tile<128x64xi8> -> tile<64x128xi8>
      %v49 = mmai %v44, %v48, %c42 signed signed : tile<128x64xi8>, tile<64x128xi8>, tile<128x128xi32>
      continue %v49 : tile<128x128xi32>
    }
    %v50 = itof %f43 signed : tile<128x128xi32> -> tile<128x128xf32>
    %pv51 = make_partition_view %tv25 : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>
    %v52, %t53 = load_view_tko weak %pv51[%b30] token = %tok : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %v54 = reshape %v52 : tile<128xf32> -> tile<128x1xf32>
    %v55 = broadcast %v54 : tile<128x1xf32> -> tile<128x128xf32>
    %v56 = mulf %v50, %v55  : tile<128x128xf32>
    %pv57 = make_partition_view %tv29 : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>
    %v58, %t59 = load_view_tko weak %pv57[%b31] token = %tok : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %v60 = reshape %v58 : tile<128xf32> -> tile<1x128xf32>
    %v61 = broadcast %v60 : tile<1x128xf32> -> tile<128x128xf32>
    %v62 = mulf %v56, %v61  : tile<128x128xf32>
    %v63 = ftof %v62  : tile<128x128xf32> -> tile<128x128xf16>
    %t64 = store_view_tko weak %v63, %pv35[%b30, %b31] token = %tok : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
