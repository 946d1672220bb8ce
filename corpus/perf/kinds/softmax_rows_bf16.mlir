// softmax, rows by the grid's step
cuda_tile.module @m {
  entry @softmax_rows_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %y: tile<ptr<bf16>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_s0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %y8 = assume div_by<16>, %y : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %y_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %y_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %y8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b15, %b16, %b17 = get_tile_block_id : tile<i32>
    %g18, %g19, %g20 = get_num_tile_blocks : tile<i32>
    %pv21 = make_partition_view %tv7 : partition_view<tile=(1x4096), padding_value = neg_inf, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv22 = make_partition_view %tv14 : partition_view<tile=(1x4096), tensor_view<?x?xbf16, strides=[?,1]>>
    for %i23 in (%b15 to %v2, step %g18) : tile<i32> {
      %v25 = constant <i32: 0> : tile<i32>
      %v26, %t27 = load_view_tko weak %pv21[%i23, %v25] token = %tok : partition_view<tile=(1x4096), padding_value = neg_inf, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x4096xbf16>, token
      %v28 = ftof %v26  : tile<1x4096xbf16> -> tile<1x4096xf32>
      %v29 = constant <f32: 1.442695> : tile<1x4096xf32>
      %v30 = mulf %v28, %v29  : tile<1x4096xf32>
      %v31 = reduce %v30 dim=1 identities=[0xFF800000 : f32] : tile<1x4096xf32> -> tile<1xf32>
      (%l32: tile<f32>, %r33: tile<f32>) {
        %y34 = maxf %l32, %r33 : tile<f32>
        yield %y34 : tile<f32>
      }
      %v35 = reshape %v31 : tile<1xf32> -> tile<1x1xf32>
      %v36 = broadcast %v35 : tile<1x1xf32> -> tile<1x4096xf32>
      %v37 = subf %v30, %v36  : tile<1x4096xf32>
      %v38 = exp2 %v37 flush_to_zero : tile<1x4096xf32>
      %v39 = reduce %v38 dim=1 identities=[0.0 : f32] : tile<1x4096xf32> -> tile<1xf32>
      (%l40: tile<f32>, %r41: tile<f32>) {
        %y42 = addf %l40, %r41 : tile<f32>
        yield %y42 : tile<f32>
      }
      %v43 = reshape %v39 : tile<1xf32> -> tile<1x1xf32>
      %v44 = broadcast %v43 : tile<1x1xf32> -> tile<1x4096xf32>
      %v45 = divf %v38, %v44 rounding<approx> flush_to_zero : tile<1x4096xf32>
      %v46 = ftof %v45  : tile<1x4096xf32> -> tile<1x4096xbf16>
      %v47 = constant <i32: 0> : tile<i32>
      %t48 = store_view_tko weak %v46, %pv22[%i23, %v47] token = %tok : tile<1x4096xbf16>, partition_view<tile=(1x4096), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
