// 3 x 3 convolution as products: a row of pixels, channels inside
cuda_tile.module @m {
  entry @conv3x3_f16(%x: tile<ptr<f16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_2: tile<i32>, %x_s0: tile<i32>, %x_s1: tile<i32>, %w: tile<ptr<f16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_2: tile<i32>, %w_s0: tile<i32>, %w_s1: tile<i32>, %y: tile<ptr<f16>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_2: tile<i32>, %y_s0: tile<i32>, %y_s1: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %x_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %x_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %x1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %w11 = assume div_by<16>, %w : tile<ptr<f16>>
    %v12 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %w_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %w_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %w11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %y21 = assume div_by<16>, %y : tile<ptr<f16>>
    %v22 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v23 = assume bounded<0, ?>, %y_1 : tile<i32>
    %v24 = assume bounded<0, ?>, %y_2 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %y_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %v28 = assume bounded<0, ?>, %y_s1 : tile<i32>
    %v29 = assume div_by<16>, %v28 : tile<i32>
    %tv30 = make_tensor_view %y21, shape = [%v22, %v23, %v25], strides = [%v27, %v29, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %tok = make_token : token
    %b31, %b32, %b33 = get_tile_block_id : tile<i32>
    %pv34 = make_partition_view %tv10 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv35 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v36 = constant <i32: 0> : tile<i32>
    %v37 = constant <i32: 9> : tile<i32>
    %v38 = constant <f32: 0.0> : tile<128x64xf32>
    %v39 = constant <i32: 1> : tile<i32>
    %f42 = for %i40 in (%v36 to %v37, step %v39) : tile<i32> iter_values(%c41 = %v38) -> (tile<128x64xf32>) {
      %v43 = constant <i32: 3> : tile<i32>
      %v44 = divi %i40, %v43 signed : tile<i32>
      %v45 = constant <i32: 0> : tile<i32>
      %v46 = constant <i32: 64> : tile<i32>
      %v47 = divi %v5, %v46 signed rounding<positive_inf> : tile<i32>
      %v48 = constant <i32: 1> : tile<i32>
      %f51 = for %i49 in (%v45 to %v47, step %v48) : tile<i32> iter_values(%c50 = %c41) -> (tile<128x64xf32>) {
        %v52 = addi %b31, %v44  : tile<i32>
        %v53, %t54 = load_view_tko weak %pv34[%v52, %b33, %i49] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xf16>, token
        %v55 = reshape %v53 : tile<1x128x64xf16> -> tile<128x64xf16>
        %v56, %t57 = load_view_tko weak %pv35[%i40, %i49, %b32] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
        %v58 = reshape %v56 : tile<1x64x64xf16> -> tile<64x64xf16>
        %v59 = mmaf %v55, %v58, %c50  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
        continue %v59 : tile<128x64xf32>
      }
      continue %f51 : tile<128x64xf32>
    }
    %v60 = constant <f32: 0.0> : tile<128x64xf32>
    %v61 = maxf %f42, %v60  : tile<128x64xf32>
    %v62 = ftof %v61  : tile<128x64xf32> -> tile<128x64xf16>
    %v63 = reshape %v62 : tile<128x64xf16> -> tile<1x128x64xf16>
    %pv64 = make_partition_view %tv30 : partition_view<tile=(1x128x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %t65 = store_view_tko weak %v63, %pv64[%b31, %b33, %b32] token = %tok : tile<1x128x64xf16>, partition_view<tile=(1x128x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
