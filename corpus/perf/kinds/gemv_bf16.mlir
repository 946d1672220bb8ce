// a row times a matrix, K inside
cuda_tile.module @m {
  entry @gemv_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %y: tile<ptr<bf16>>, %y_0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume div_by<16>, %v2 : tile<i32>
    %tv4 = make_tensor_view %x1, shape = [%v3], strides = [1] : tile<i32> -> tensor_view<?xbf16, strides=[1]>
    %w5 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v6 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v7 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v8 = assume div_by<16>, %v7 : tile<i32>
    %v9 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v10 = assume div_by<16>, %v9 : tile<i32>
    %tv11 = make_tensor_view %w5, shape = [%v6, %v8], strides = [%v10, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %y12 = assume div_by<16>, %y : tile<ptr<bf16>>
    %v13 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %tv15 = make_tensor_view %y12, shape = [%v14], strides = [1] : tile<i32> -> tensor_view<?xbf16, strides=[1]>
    %tok = make_token : token
    %b16, %b17, %b18 = get_tile_block_id : tile<i32>
    %pv19 = make_partition_view %tv4 : partition_view<tile=(256), padding_value = zero, tensor_view<?xbf16, strides=[1]>>
    %pv20 = make_partition_view %tv11 : partition_view<tile=(16x256), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v21 = constant <i32: 0> : tile<i32>
    %v22 = constant <i32: 256> : tile<i32>
    %v23 = divi %v8, %v22 signed rounding<positive_inf> : tile<i32>
    %v24 = constant <f32: 0.0> : tile<16x256xf32>
    %v25 = constant <i32: 1> : tile<i32>
    %f28 = for %i26 in (%v21 to %v23, step %v25) : tile<i32> iter_values(%c27 = %v24) -> (tile<16x256xf32>) {
      %v29, %t30 = load_view_tko weak %pv20[%b16, %i26] token = %tok : partition_view<tile=(16x256), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<16x256xbf16>, token
      %v31 = ftof %v29  : tile<16x256xbf16> -> tile<16x256xf32>
      %v32, %t33 = load_view_tko weak %pv19[%i26] token = %tok : partition_view<tile=(256), padding_value = zero, tensor_view<?xbf16, strides=[1]>>, tile<i32> -> tile<256xbf16>, token
      %v34 = ftof %v32  : tile<256xbf16> -> tile<256xf32>
      %v35 = reshape %v34 : tile<256xf32> -> tile<1x256xf32>
      %v36 = broadcast %v35 : tile<1x256xf32> -> tile<16x256xf32>
      %v37 = mulf %v31, %v36  : tile<16x256xf32>
      %v38 = addf %c27, %v37  : tile<16x256xf32>
      continue %v38 : tile<16x256xf32>
    }
    %v39 = reduce %f28 dim=1 identities=[0.0 : f32] : tile<16x256xf32> -> tile<16xf32>
    (%l40: tile<f32>, %r41: tile<f32>) {
      %y42 = addf %l40, %r41 : tile<f32>
      yield %y42 : tile<f32>
    }
    %v43 = reshape %v39 : tile<16xf32> -> tile<16x1xf32>
    %v44 = reshape %v43 : tile<16x1xf32> -> tile<16xf32>
    %v45 = ftof %v44  : tile<16xf32> -> tile<16xbf16>
    %pv46 = make_partition_view %tv15 : partition_view<tile=(16), tensor_view<?xbf16, strides=[1]>>
    %t47 = store_view_tko weak %v45, %pv46[%b16] token = %tok : tile<16xbf16>, partition_view<tile=(16), tensor_view<?xbf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
