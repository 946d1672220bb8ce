// RMS norm with residual, quantised to f8 with a scale per row
cuda_tile.module @m {
  entry @rmsq_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %r: tile<ptr<bf16>>, %r_0: tile<i32>, %r_1: tile<i32>, %r_s0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %y: tile<ptr<f8E4M3FN>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_s0: tile<i32>, %s: tile<ptr<f32>>, %s_0: tile<i32>, %inv: tile<f32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %r8 = assume div_by<16>, %r : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %r_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %r_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %r_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %r8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w15 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %tv18 = make_tensor_view %w15, shape = [%v17], strides = [1] : tile<i32> -> tensor_view<?xbf16, strides=[1]>
    %y19 = assume div_by<16>, %y : tile<ptr<f8E4M3FN>>
    %v20 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v21 = assume bounded<0, ?>, %y_1 : tile<i32>
    %v22 = assume div_by<16>, %v21 : tile<i32>
    %v23 = assume bounded<0, ?>, %y_s0 : tile<i32>
    %v24 = assume div_by<16>, %v23 : tile<i32>
    %tv25 = make_tensor_view %y19, shape = [%v20, %v22], strides = [%v24, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %s26 = assume div_by<16>, %s : tile<ptr<f32>>
    %v27 = assume bounded<0, ?>, %s_0 : tile<i32>
    %v28 = assume div_by<16>, %v27 : tile<i32>
    %tv29 = make_tensor_view %s26, shape = [%v28], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tok = make_token : token
    %b30, %b31, %b32 = get_tile_block_id : tile<i32>
    %pv33 = make_partition_view %tv14 : partition_view<tile=(1x4096), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv34 = make_partition_view %tv7 : partition_view<tile=(1x4096), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v35 = constant <i32: 0> : tile<i32>
    %v36, %t37 = load_view_tko weak %pv34[%b30, %v35] token = %tok : partition_view<tile=(1x4096), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x4096xbf16>, token
    %v38 = ftof %v36  : tile<1x4096xbf16> -> tile<1x4096xf32>
    %v39 = constant <i32: 0> : tile<i32>
    %v40, %t41 = load_view_tko weak %pv33[%b30, %v39] token = %tok : partition_view<tile=(1x4096), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x4096xbf16>, token
    %v42 = ftof %v40  : tile<1x4096xbf16> -> tile<1x4096xf32>
    %v43 = addf %v38, %v42  : tile<1x4096xf32>
    %v44 = ftof %v43  : tile<1x4096xf32> -> tile<1x4096xbf16>
    %v45 = constant <i32: 0> : tile<i32>
    %t46 = store_view_tko weak %v44, %pv33[%b30, %v45] token = %tok : tile<1x4096xbf16>, partition_view<tile=(1x4096), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    %v47 = mulf %v43, %v43  : tile<1x4096xf32>
    %v48 = reduce %v47 dim=1 identities=[0.0 : f32] : tile<1x4096xf32> -> tile<1xf32>
    (%l49: tile<f32>, %r50: tile<f32>) {
      %y51 = addf %l49, %r50 : tile<f32>
      yield %y51 : tile<f32>
    }
    %v52 = reshape %v48 : tile<1xf32> -> tile<1x1xf32>
    %v53 = reshape %inv : tile<f32> -> tile<1x1xf32>
    %v54 = mulf %v52, %v53  : tile<1x1xf32>
    %v55 = constant <f32: 0.00001> : tile<1x1xf32>
    %v56 = addf %v54, %v55  : tile<1x1xf32>
    %v57 = rsqrt %v56  : tile<1x1xf32>
    %v58 = broadcast %v57 : tile<1x1xf32> -> tile<1x4096xf32>
    %v59 = mulf %v43, %v58  : tile<1x4096xf32>
    %pv60 = make_partition_view %tv18 : partition_view<tile=(4096), padding_value = zero, tensor_view<?xbf16, strides=[1]>>
    %v61 = constant <i32: 0> : tile<i32>
    %v62, %t63 = load_view_tko weak %pv60[%v61] token = %tok : partition_view<tile=(4096), padding_value = zero, tensor_view<?xbf16, strides=[1]>>, tile<i32> -> tile<4096xbf16>, token
    %v64 = ftof %v62  : tile<4096xbf16> -> tile<4096xf32>
    %v65 = reshape %v64 : tile<4096xf32> -> tile<1x4096xf32>
    %v66 = mulf %v59, %v65  : tile<1x4096xf32>
    %v67 = absf %v66  : tile<1x4096xf32>
    %v68 = reduce %v67 dim=1 identities=[0.0 : f32] : tile<1x4096xf32> -> tile<1xf32>
    (%l69: tile<f32>, %r70: tile<f32>) {
      %y71 = maxf %l69, %r70 : tile<f32>
      yield %y71 : tile<f32>
    }
    %v72 = reshape %v68 : tile<1xf32> -> tile<1x1xf32>
    %v73 = constant <f32: 0.0001> : tile<1x1xf32>
    %v74 = maxf %v72, %v73  : tile<1x1xf32>
    %v75 = constant <f32: 0.002232142857> : tile<1x1xf32>
    %v76 = mulf %v74, %v75  : tile<1x1xf32>
    %v77 = reshape %v76 : tile<1x1xf32> -> tile<1xf32>
    %pv78 = make_partition_view %tv29 : partition_view<tile=(1), tensor_view<?xf32, strides=[1]>>
    %t79 = store_view_tko weak %v77, %pv78[%b30] token = %tok : tile<1xf32>, partition_view<tile=(1), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    %v80 = broadcast %v76 : tile<1x1xf32> -> tile<1x4096xf32>
    %v81 = divf %v66, %v80  : tile<1x4096xf32>
    %v82 = ftof %v81  : tile<1x4096xf32> -> tile<1x4096xf8E4M3FN>
    %pv83 = make_partition_view %tv25 : partition_view<tile=(1x4096), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %v84 = constant <i32: 0> : tile<i32>
    %t85 = store_view_tko weak %v82, %pv83[%b30, %v84] token = %tok : tile<1x4096xf8E4M3FN>, partition_view<tile=(1x4096), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
