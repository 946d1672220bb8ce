// group norm with silu, two passes
cuda_tile.module @m {
  entry @groupnorm_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_2: tile<i32>, %x_s0: tile<i32>, %x_s1: tile<i32>, %y: tile<ptr<bf16>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_2: tile<i32>, %y_s0: tile<i32>, %y_s1: tile<i32>, %inv: tile<f32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %x_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %x_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %x1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %y11 = assume div_by<16>, %y : tile<ptr<bf16>>
    %v12 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %y_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %y_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %y_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %y_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %y11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %tok = make_token : token
    %b21, %b22, %b23 = get_tile_block_id : tile<i32>
    %pv24 = make_partition_view %tv10 : partition_view<tile=(1x4x512), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv25 = make_partition_view %tv20 : partition_view<tile=(1x4x512), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v26 = constant <i32: 512> : tile<i32>
    %v27 = divi %v5, %v26 signed rounding<positive_inf> : tile<i32>
    %v28 = constant <i32: 0> : tile<i32>
    %v29 = constant <f32: 0.0> : tile<4x512xf32>
    %v30 = constant <i32: 1> : tile<i32>
    %f34:2 = for %i31 in (%v28 to %v27, step %v30) : tile<i32> iter_values(%c32 = %v29, %c33 = %v29) -> (tile<4x512xf32>, tile<4x512xf32>) {
      %v35, %t36 = load_view_tko weak %pv24[%b21, %b22, %i31] token = %tok : partition_view<tile=(1x4x512), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x4x512xbf16>, token
      %v37 = ftof %v35  : tile<1x4x512xbf16> -> tile<1x4x512xf32>
      %v38 = reshape %v37 : tile<1x4x512xf32> -> tile<4x512xf32>
      %v39 = addf %c32, %v38  : tile<4x512xf32>
      %v40 = mulf %v38, %v38  : tile<4x512xf32>
      %v41 = addf %c33, %v40  : tile<4x512xf32>
      continue %v39, %v41 : tile<4x512xf32>, tile<4x512xf32>
    }
    %v42 = reshape %inv : tile<f32> -> tile<1x1xf32>
    %v43 = reduce %f34#0 dim=1 identities=[0.0 : f32] : tile<4x512xf32> -> tile<4xf32>
    (%l44: tile<f32>, %r45: tile<f32>) {
      %y46 = addf %l44, %r45 : tile<f32>
      yield %y46 : tile<f32>
    }
    %v47 = reshape %v43 : tile<4xf32> -> tile<4x1xf32>
    %v48 = reduce %v47 dim=0 identities=[0.0 : f32] : tile<4x1xf32> -> tile<1xf32>
    (%l49: tile<f32>, %r50: tile<f32>) {
      %y51 = addf %l49, %r50 : tile<f32>
      yield %y51 : tile<f32>
    }
    %v52 = reshape %v48 : tile<1xf32> -> tile<1x1xf32>
    %v53 = mulf %v52, %v42  : tile<1x1xf32>
    %v54 = reduce %f34#1 dim=1 identities=[0.0 : f32] : tile<4x512xf32> -> tile<4xf32>
    (%l55: tile<f32>, %r56: tile<f32>) {
      %y57 = addf %l55, %r56 : tile<f32>
      yield %y57 : tile<f32>
    }
    %v58 = reshape %v54 : tile<4xf32> -> tile<4x1xf32>
    %v59 = reduce %v58 dim=0 identities=[0.0 : f32] : tile<4x1xf32> -> tile<1xf32>
    (%l60: tile<f32>, %r61: tile<f32>) {
      %y62 = addf %l60, %r61 : tile<f32>
      yield %y62 : tile<f32>
    }
    %v63 = reshape %v59 : tile<1xf32> -> tile<1x1xf32>
    %v64 = mulf %v63, %v42  : tile<1x1xf32>
    %v65 = mulf %v53, %v53  : tile<1x1xf32>
    %v66 = subf %v64, %v65  : tile<1x1xf32>
    %v67 = constant <f32: 0.00001> : tile<1x1xf32>
    %v68 = addf %v66, %v67  : tile<1x1xf32>
    %v69 = rsqrt %v68  : tile<1x1xf32>
    %v70 = constant <i32: 0> : tile<i32>
    %v71 = constant <i32: 1> : tile<i32>
    for %i72 in (%v70 to %v27, step %v71) : tile<i32> {
      %v74, %t75 = load_view_tko weak %pv24[%b21, %b22, %i72] token = %tok : partition_view<tile=(1x4x512), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x4x512xbf16>, token
      %v76 = ftof %v74  : tile<1x4x512xbf16> -> tile<1x4x512xf32>
      %v77 = reshape %v76 : tile<1x4x512xf32> -> tile<4x512xf32>
      %v78 = broadcast %v53 : tile<1x1xf32> -> tile<4x512xf32>
      %v79 = subf %v77, %v78  : tile<4x512xf32>
      %v80 = broadcast %v69 : tile<1x1xf32> -> tile<4x512xf32>
      %v81 = mulf %v79, %v80  : tile<4x512xf32>
      %v82 = constant <f32: -1.442695> : tile<4x512xf32>
      %v83 = mulf %v81, %v82  : tile<4x512xf32>
      %v84 = exp2 %v83 flush_to_zero : tile<4x512xf32>
      %v85 = constant <f32: 1.0> : tile<4x512xf32>
      %v86 = addf %v84, %v85  : tile<4x512xf32>
      %v87 = divf %v81, %v86 rounding<approx> flush_to_zero : tile<4x512xf32>
      %v88 = ftof %v87  : tile<4x512xf32> -> tile<4x512xbf16>
      %v89 = reshape %v88 : tile<4x512xbf16> -> tile<1x4x512xbf16>
      %t90 = store_view_tko weak %v89, %pv25[%b21, %b22, %i72] token = %tok : tile<1x4x512xbf16>, partition_view<tile=(1x4x512), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
