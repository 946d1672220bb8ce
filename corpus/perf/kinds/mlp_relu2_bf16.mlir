// a perceptron of two layers, hidden columns in the loop, whole weights
cuda_tile.module @m {
  entry @mlp_relu2_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %w1: tile<ptr<bf16>>, %w1_0: tile<i32>, %w1_1: tile<i32>, %w1_s0: tile<i32>, %w2: tile<ptr<bf16>>, %w2_0: tile<i32>, %w2_1: tile<i32>, %w2_s0: tile<i32>, %y: tile<ptr<bf16>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_s0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w18 = assume div_by<16>, %w1 : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %w1_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w1_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w1_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w18, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w215 = assume div_by<16>, %w2 : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %w2_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %w2_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %w2_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %w215, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %y22 = assume div_by<16>, %y : tile<ptr<bf16>>
    %v23 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %y_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %y_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %y22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b29, %b30, %b31 = get_tile_block_id : tile<i32>
    %pv32 = make_partition_view %tv7 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v33 = constant <i32: 0> : tile<i32>
    %v34, %t35 = load_view_tko weak %pv32[%b29, %v33] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x128xbf16>, token
    %pv36 = make_partition_view %tv14 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv37 = make_partition_view %tv21 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v38 = constant <i32: 0> : tile<i32>
    %v39 = constant <i32: 64> : tile<i32>
    %v40 = divi %v11, %v39 signed rounding<positive_inf> : tile<i32>
    %v41 = constant <f32: 0.0> : tile<128x128xf32>
    %v42 = constant <i32: 1> : tile<i32>
    %f45 = for %i43 in (%v38 to %v40, step %v42) : tile<i32> iter_values(%c44 = %v41) -> (tile<128x128xf32>) {
      %v46 = constant <i32: 0> : tile<i32>
      %v47, %t48 = load_view_tko weak %pv36[%v46, %i43] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %v49 = constant <f32: 0.0> : tile<128x64xf32>
      %v50 = mmaf %v34, %v47, %v49  : tile<128x128xbf16>, tile<128x64xbf16>, tile<128x64xf32>
      %v51 = constant <f32: 0.0> : tile<128x64xf32>
      %v52 = maxf %v50, %v51  : tile<128x64xf32>
      %v53 = mulf %v52, %v52  : tile<128x64xf32>
      %v54 = ftof %v53  : tile<128x64xf32> -> tile<128x64xbf16>
      %v55 = constant <i32: 0> : tile<i32>
      %v56, %t57 = load_view_tko weak %pv37[%i43, %v55] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %v58 = mmaf %v54, %v56, %c44  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %v58 : tile<128x128xf32>
    }
    %v59 = ftof %f45  : tile<128x128xf32> -> tile<128x128xbf16>
    %pv60 = make_partition_view %tv28 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %v61 = constant <i32: 0> : tile<i32>
    %t62 = store_view_tko weak %v59, %pv60[%b29, %v61] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
