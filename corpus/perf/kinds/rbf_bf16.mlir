// kernel of squared distances: exp(-g |x - y|^2)
cuda_tile.module @m {
  entry @rbf_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %y: tile<ptr<bf16>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_s0: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>, %g: tile<f32>) {
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
    %o15 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %o15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b22, %b23, %b24 = get_tile_block_id : tile<i32>
    %pv25 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv26 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v27 = constant <i32: 0> : tile<i32>
    %v28 = constant <i32: 64> : tile<i32>
    %v29 = divi %v4, %v28 signed rounding<positive_inf> : tile<i32>
    %v30 = constant <f32: 0.0> : tile<128x64xf32>
    %v31 = constant <f32: 0.0> : tile<128x1xf32>
    %v32 = constant <f32: 0.0> : tile<64x1xf32>
    %v33 = constant <i32: 1> : tile<i32>
    %f38:3 = for %i34 in (%v27 to %v29, step %v33) : tile<i32> iter_values(%c35 = %v30, %c36 = %v31, %c37 = %v32) -> (tile<128x64xf32>, tile<128x1xf32>, tile<64x1xf32>) {
      %v39, %t40 = load_view_tko weak %pv25[%b22, %i34] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %v41, %t42 = load_view_tko weak %pv26[%b23, %i34] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v43 = ftof %v39  : tile<128x64xbf16> -> tile<128x64xf32>
      %v44 = ftof %v41  : tile<64x64xbf16> -> tile<64x64xf32>
      %v45 = permute %v41 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v46 = mmaf %v39, %v45, %c35  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      %v47 = mulf %v43, %v43  : tile<128x64xf32>
      %v48 = reduce %v47 dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l49: tile<f32>, %r50: tile<f32>) {
        %y51 = addf %l49, %r50 : tile<f32>
        yield %y51 : tile<f32>
      }
      %v52 = reshape %v48 : tile<128xf32> -> tile<128x1xf32>
      %v53 = addf %c36, %v52  : tile<128x1xf32>
      %v54 = mulf %v44, %v44  : tile<64x64xf32>
      %v55 = reduce %v54 dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l56: tile<f32>, %r57: tile<f32>) {
        %y58 = addf %l56, %r57 : tile<f32>
        yield %y58 : tile<f32>
      }
      %v59 = reshape %v55 : tile<64xf32> -> tile<64x1xf32>
      %v60 = addf %c37, %v59  : tile<64x1xf32>
      continue %v46, %v53, %v60 : tile<128x64xf32>, tile<128x1xf32>, tile<64x1xf32>
    }
    %v61 = permute %f38#2 [1, 0] : tile<64x1xf32> -> tile<1x64xf32>
    %v62 = broadcast %f38#1 : tile<128x1xf32> -> tile<128x64xf32>
    %v63 = broadcast %v61 : tile<1x64xf32> -> tile<128x64xf32>
    %v64 = addf %v62, %v63  : tile<128x64xf32>
    %v65 = constant <f32: 2.0> : tile<128x64xf32>
    %v66 = mulf %f38#0, %v65  : tile<128x64xf32>
    %v67 = subf %v64, %v66  : tile<128x64xf32>
    %v68 = reshape %g : tile<f32> -> tile<1x1xf32>
    %v69 = broadcast %v68 : tile<1x1xf32> -> tile<128x64xf32>
    %v70 = mulf %v67, %v69  : tile<128x64xf32>
    %v71 = exp2 %v70 flush_to_zero : tile<128x64xf32>
    %v72 = ftof %v71  : tile<128x64xf32> -> tile<128x64xbf16>
    %pv73 = make_partition_view %tv21 : partition_view<tile=(128x64), tensor_view<?x?xbf16, strides=[?,1]>>
    %t74 = store_view_tko weak %v72, %pv73[%b22, %b23] token = %tok : tile<128x64xbf16>, partition_view<tile=(128x64), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
