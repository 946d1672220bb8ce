// softmax backward in two passes over a row
cuda_tile.module @m {
  entry @smbwd_bf16(%y: tile<ptr<bf16>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_s0: tile<i32>, %g: tile<ptr<bf16>>, %g_0: tile<i32>, %g_1: tile<i32>, %g_s0: tile<i32>, %dx: tile<ptr<bf16>>, %dx_0: tile<i32>, %dx_1: tile<i32>, %dx_s0: tile<i32>) {
    %y1 = assume div_by<16>, %y : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %y_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %y_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %y1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %g8 = assume div_by<16>, %g : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %g_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %g_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %g_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %g8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %dx15 = assume div_by<16>, %dx : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %dx_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %dx_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %dx_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %dx15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b22, %b23, %b24 = get_tile_block_id : tile<i32>
    %pv25 = make_partition_view %tv7 : partition_view<tile=(4x512), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv26 = make_partition_view %tv14 : partition_view<tile=(4x512), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv27 = make_partition_view %tv21 : partition_view<tile=(4x512), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v28 = constant <i32: 512> : tile<i32>
    %v29 = divi %v4, %v28 signed rounding<positive_inf> : tile<i32>
    %v30 = constant <i32: 0> : tile<i32>
    %v31 = constant <f32: 0.0> : tile<4x512xf32>
    %v32 = constant <i32: 1> : tile<i32>
    %f35 = for %i33 in (%v30 to %v29, step %v32) : tile<i32> iter_values(%c34 = %v31) -> (tile<4x512xf32>) {
      %v36, %t37 = load_view_tko weak %pv25[%b22, %i33] token = %tok : partition_view<tile=(4x512), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<4x512xbf16>, token
      %v38 = ftof %v36  : tile<4x512xbf16> -> tile<4x512xf32>
      %v39, %t40 = load_view_tko weak %pv26[%b22, %i33] token = %tok : partition_view<tile=(4x512), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<4x512xbf16>, token
      %v41 = ftof %v39  : tile<4x512xbf16> -> tile<4x512xf32>
      %v42 = mulf %v38, %v41  : tile<4x512xf32>
      %v43 = addf %c34, %v42  : tile<4x512xf32>
      continue %v43 : tile<4x512xf32>
    }
    %v44 = reduce %f35 dim=1 identities=[0.0 : f32] : tile<4x512xf32> -> tile<4xf32>
    (%l45: tile<f32>, %r46: tile<f32>) {
      %y47 = addf %l45, %r46 : tile<f32>
      yield %y47 : tile<f32>
    }
    %v48 = reshape %v44 : tile<4xf32> -> tile<4x1xf32>
    %v49 = constant <i32: 0> : tile<i32>
    %v50 = constant <i32: 1> : tile<i32>
    for %i51 in (%v49 to %v29, step %v50) : tile<i32> {
      %v53, %t54 = load_view_tko weak %pv25[%b22, %i51] token = %tok : partition_view<tile=(4x512), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<4x512xbf16>, token
      %v55 = ftof %v53  : tile<4x512xbf16> -> tile<4x512xf32>
      %v56, %t57 = load_view_tko weak %pv26[%b22, %i51] token = %tok : partition_view<tile=(4x512), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<4x512xbf16>, token
      %v58 = ftof %v56  : tile<4x512xbf16> -> tile<4x512xf32>
      %v59 = broadcast %v48 : tile<4x1xf32> -> tile<4x512xf32>
      %v60 = subf %v58, %v59  : tile<4x512xf32>
      %v61 = mulf %v55, %v60  : tile<4x512xf32>
      %v62 = ftof %v61  : tile<4x512xf32> -> tile<4x512xbf16>
      %t63 = store_view_tko weak %v62, %pv27[%b22, %i51] token = %tok : tile<4x512xbf16>, partition_view<tile=(4x512), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
