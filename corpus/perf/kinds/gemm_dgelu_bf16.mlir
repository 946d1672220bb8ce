// gradient through a gelu whose input is loaded
cuda_tile.module @m {
  entry @gemm_dgelu_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>, %x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %b8 = assume div_by<16>, %b : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %b8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %c15 = assume div_by<16>, %c : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %c15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %x22 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v23 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %x22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b29, %b30, %b31 = get_tile_block_id : tile<i32>
    %pv32 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv33 = make_partition_view %tv14 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v34 = constant <i32: 0> : tile<i32>
    %v35 = constant <i32: 64> : tile<i32>
    %v36 = divi %v4, %v35 signed rounding<positive_inf> : tile<i32>
    %v37 = constant <f32: 0.0> : tile<128x128xf32>
    %v38 = constant <i32: 1> : tile<i32>
    %f41 = for %i39 in (%v34 to %v36, step %v38) : tile<i32> iter_values(%c40 = %v37) -> (tile<128x128xf32>) {
      %v42, %t43 = load_view_tko weak %pv32[%b29, %i39] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %v44, %t45 = load_view_tko weak %pv33[%i39, %b30] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %v46 = mmaf %v42, %v44, %c40  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %v46 : tile<128x128xf32>
    }
    %pv47 = make_partition_view %tv28 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %v48, %t49 = load_view_tko weak %pv47[%b29, %b30] token = %tok : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x128xbf16>, token
    %v50 = ftof %v48  : tile<128x128xbf16> -> tile<128x128xf32>
    %v51 = constant <f32: 1.0> : tile<128x128xf32>
    %v52 = constant <f32: -2.4554669> : tile<128x128xf32>
    %v53 = mulf %v50, %v52  : tile<128x128xf32>
    %v54 = exp2 %v53 flush_to_zero : tile<128x128xf32>
    %v55 = constant <f32: 1.0> : tile<128x128xf32>
    %v56 = addf %v54, %v55  : tile<128x128xf32>
    %v57 = divf %v51, %v56 rounding<approx> flush_to_zero : tile<128x128xf32>
    %v58 = constant <f32: 1.702> : tile<128x128xf32>
    %v59 = mulf %v50, %v58  : tile<128x128xf32>
    %v60 = constant <f32: 1.0> : tile<128x128xf32>
    %v61 = subf %v60, %v57  : tile<128x128xf32>
    %v62 = mulf %v59, %v61  : tile<128x128xf32>
    %v63 = constant <f32: 1.0> : tile<128x128xf32>
    %v64 = addf %v62, %v63  : tile<128x128xf32>
    %v65 = mulf %v57, %v64  : tile<128x128xf32>
    %v66 = mulf %f41, %v65  : tile<128x128xf32>
    %v67 = ftof %v66  : tile<128x128xf32> -> tile<128x128xbf16>
    %pv68 = make_partition_view %tv21 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t69 = store_view_tko weak %v67, %pv68[%b29, %b30] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
