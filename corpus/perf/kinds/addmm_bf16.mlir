// alpha A B + beta C, C in bf16
cuda_tile.module @m {
  entry @addmm_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>, %r: tile<ptr<bf16>>, %r_0: tile<i32>, %r_1: tile<i32>, %r_s0: tile<i32>, %al: tile<f32>, %be: tile<f32>) {
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
    %r22 = assume div_by<16>, %r : tile<ptr<bf16>>
    %v23 = assume bounded<0, ?>, %r_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %r_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %r_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %r22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
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
    %v47 = reshape %al : tile<f32> -> tile<1x1xf32>
    %v48 = broadcast %v47 : tile<1x1xf32> -> tile<128x128xf32>
    %v49 = mulf %f41, %v48  : tile<128x128xf32>
    %pv50 = make_partition_view %tv28 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %v51, %t52 = load_view_tko weak %pv50[%b29, %b30] token = %tok : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x128xbf16>, token
    %v53 = ftof %v51  : tile<128x128xbf16> -> tile<128x128xf32>
    %v54 = reshape %be : tile<f32> -> tile<1x1xf32>
    %v55 = broadcast %v54 : tile<1x1xf32> -> tile<128x128xf32>
    %v56 = mulf %v53, %v55  : tile<128x128xf32>
    %v57 = addf %v49, %v56  : tile<128x128xf32>
    %v58 = ftof %v57  : tile<128x128xf32> -> tile<128x128xbf16>
    %pv59 = make_partition_view %tv21 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t60 = store_view_tko weak %v58, %pv59[%b29, %b30] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
