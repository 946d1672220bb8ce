// weights of four bits, two per byte along K, scales per group
cuda_tile.module @m {
  entry @w4_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %w: tile<ptr<i8>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %s: tile<ptr<f16>>, %s_0: tile<i32>, %s_1: tile<i32>, %s_s0: tile<i32>, %c: tile<ptr<f16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %w8 = assume div_by<16>, %w : tile<ptr<i8>>
    %v9 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %s15 = assume div_by<16>, %s : tile<ptr<f16>>
    %v16 = assume bounded<0, ?>, %s_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %s_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %s_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %s15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %c22 = assume div_by<16>, %c : tile<ptr<f16>>
    %v23 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %c22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %b29, %b30, %b31 = get_tile_block_id : tile<i32>
    %pv32 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv33 = make_partition_view %tv14 : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %pv34 = make_partition_view %tv21 : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v35 = constant <i32: 0> : tile<i32>
    %v36 = constant <i32: 64> : tile<i32>
    %v37 = divi %v4, %v36 signed rounding<positive_inf> : tile<i32>
    %v38 = constant <f32: 0.0> : tile<64x128xf32>
    %v39 = constant <i32: 1> : tile<i32>
    %f42 = for %i40 in (%v35 to %v37, step %v39) : tile<i32> iter_values(%c41 = %v38) -> (tile<64x128xf32>) {
      %v43, %t44 = load_view_tko weak %pv33[%i40, %b30] token = %tok : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<32x128xi8>, token
      %v45 = constant <i8: 4> : tile<32x128xi8>
      %v46 = shli %v43, %v45  : tile<32x128xi8>
      %v47 = constant <i8: 4> : tile<32x128xi8>
      %v48 = shri %v46, %v47 signed : tile<32x128xi8>
      %v49 = constant <i8: 4> : tile<32x128xi8>
      %v50 = shri %v43, %v49 signed : tile<32x128xi8>
      %v51 = reshape %v48 : tile<32x128xi8> -> tile<32x1x128xi8>
      %v52 = reshape %v50 : tile<32x128xi8> -> tile<32x1x128xi8>
      %v53 = cat %v51, %v52 dim = 1 : tile<32x1x128xi8>, tile<32x1x128xi8> -> tile<32x2x128xi8>
      %v54 = reshape %v53 : tile<32x2x128xi8> -> tile<64x128xi8>
      %v55 = itof %v54 signed : tile<64x128xi8> -> tile<64x128xf16>
      %v56, %t57 = load_view_tko weak %pv34[%i40, %b30] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<1x128xf16>, token
      %v58 = broadcast %v56 : tile<1x128xf16> -> tile<64x128xf16>
      %v59 = mulf %v55, %v58  : tile<64x128xf16>
      %v60, %t61 = load_view_tko weak %pv32[%b29, %i40] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %v62 = mmaf %v60, %v59, %c41  : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
      continue %v62 : tile<64x128xf32>
    }
    %v63 = ftof %f42  : tile<64x128xf32> -> tile<64x128xf16>
    %pv64 = make_partition_view %tv28 : partition_view<tile=(64x128), tensor_view<?x?xf16, strides=[?,1]>>
    %t65 = store_view_tko weak %v63, %pv64[%b29, %b30] token = %tok : tile<64x128xf16>, partition_view<tile=(64x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
