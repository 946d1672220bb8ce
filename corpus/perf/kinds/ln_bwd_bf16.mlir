// layer norm backward, weights' gradient by atomics
cuda_tile.module @m {
  entry @ln_bwd_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %dy: tile<ptr<bf16>>, %dy_0: tile<i32>, %dy_1: tile<i32>, %dy_s0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %mu: tile<ptr<f32>>, %mu_0: tile<i32>, %rs: tile<ptr<f32>>, %rs_0: tile<i32>, %dx: tile<ptr<bf16>>, %dx_0: tile<i32>, %dx_1: tile<i32>, %dx_s0: tile<i32>, %dw: tile<ptr<f32>>, %inv: tile<f32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %dy8 = assume div_by<16>, %dy : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %dy_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %dy_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %dy_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %dy8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w15 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %tv18 = make_tensor_view %w15, shape = [%v17], strides = [1] : tile<i32> -> tensor_view<?xbf16, strides=[1]>
    %mu19 = assume div_by<16>, %mu : tile<ptr<f32>>
    %v20 = assume bounded<0, ?>, %mu_0 : tile<i32>
    %v21 = assume div_by<16>, %v20 : tile<i32>
    %tv22 = make_tensor_view %mu19, shape = [%v21], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %rs23 = assume div_by<16>, %rs : tile<ptr<f32>>
    %v24 = assume bounded<0, ?>, %rs_0 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %tv26 = make_tensor_view %rs23, shape = [%v25], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %dx27 = assume div_by<16>, %dx : tile<ptr<bf16>>
    %v28 = assume bounded<0, ?>, %dx_0 : tile<i32>
    %v29 = assume bounded<0, ?>, %dx_1 : tile<i32>
    %v30 = assume div_by<16>, %v29 : tile<i32>
    %v31 = assume bounded<0, ?>, %dx_s0 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %tv33 = make_tensor_view %dx27, shape = [%v28, %v30], strides = [%v32, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %dw34 = assume div_by<16>, %dw : tile<ptr<f32>>
    %tok = make_token : token
    %b35, %b36, %b37 = get_tile_block_id : tile<i32>
    %pv38 = make_partition_view %tv7 : partition_view<tile=(4x1024), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v39 = constant <i32: 0> : tile<i32>
    %v40, %t41 = load_view_tko weak %pv38[%b35, %v39] token = %tok : partition_view<tile=(4x1024), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<4x1024xbf16>, token
    %v42 = ftof %v40  : tile<4x1024xbf16> -> tile<4x1024xf32>
    %pv43 = make_partition_view %tv14 : partition_view<tile=(4x1024), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v44 = constant <i32: 0> : tile<i32>
    %v45, %t46 = load_view_tko weak %pv43[%b35, %v44] token = %tok : partition_view<tile=(4x1024), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<4x1024xbf16>, token
    %v47 = ftof %v45  : tile<4x1024xbf16> -> tile<4x1024xf32>
    %pv48 = make_partition_view %tv18 : partition_view<tile=(1024), padding_value = zero, tensor_view<?xbf16, strides=[1]>>
    %v49 = constant <i32: 0> : tile<i32>
    %v50, %t51 = load_view_tko weak %pv48[%v49] token = %tok : partition_view<tile=(1024), padding_value = zero, tensor_view<?xbf16, strides=[1]>>, tile<i32> -> tile<1024xbf16>, token
    %v52 = ftof %v50  : tile<1024xbf16> -> tile<1024xf32>
    %v53 = reshape %v52 : tile<1024xf32> -> tile<1x1024xf32>
    %pv54 = make_partition_view %tv22 : partition_view<tile=(4), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %v55, %t56 = load_view_tko weak %pv54[%b35] token = %tok : partition_view<tile=(4), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %v57 = reshape %v55 : tile<4xf32> -> tile<4x1xf32>
    %pv58 = make_partition_view %tv26 : partition_view<tile=(4), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %v59, %t60 = load_view_tko weak %pv58[%b35] token = %tok : partition_view<tile=(4), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %v61 = reshape %v59 : tile<4xf32> -> tile<4x1xf32>
    %v62 = broadcast %v57 : tile<4x1xf32> -> tile<4x1024xf32>
    %v63 = subf %v42, %v62  : tile<4x1024xf32>
    %v64 = broadcast %v61 : tile<4x1xf32> -> tile<4x1024xf32>
    %v65 = mulf %v63, %v64  : tile<4x1024xf32>
    %v66 = broadcast %v53 : tile<1x1024xf32> -> tile<4x1024xf32>
    %v67 = mulf %v47, %v66  : tile<4x1024xf32>
    %v68 = mulf %v65, %v67  : tile<4x1024xf32>
    %v69 = reduce %v68 dim=1 identities=[0.0 : f32] : tile<4x1024xf32> -> tile<4xf32>
    (%l70: tile<f32>, %r71: tile<f32>) {
      %y72 = addf %l70, %r71 : tile<f32>
      yield %y72 : tile<f32>
    }
    %v73 = reshape %v69 : tile<4xf32> -> tile<4x1xf32>
    %v74 = reshape %inv : tile<f32> -> tile<1x1xf32>
    %v75 = broadcast %v74 : tile<1x1xf32> -> tile<4x1xf32>
    %v76 = mulf %v73, %v75  : tile<4x1xf32>
    %v77 = reduce %v67 dim=1 identities=[0.0 : f32] : tile<4x1024xf32> -> tile<4xf32>
    (%l78: tile<f32>, %r79: tile<f32>) {
      %y80 = addf %l78, %r79 : tile<f32>
      yield %y80 : tile<f32>
    }
    %v81 = reshape %v77 : tile<4xf32> -> tile<4x1xf32>
    %v82 = reshape %inv : tile<f32> -> tile<1x1xf32>
    %v83 = broadcast %v82 : tile<1x1xf32> -> tile<4x1xf32>
    %v84 = mulf %v81, %v83  : tile<4x1xf32>
    %v85 = broadcast %v76 : tile<4x1xf32> -> tile<4x1024xf32>
    %v86 = mulf %v65, %v85  : tile<4x1024xf32>
    %v87 = broadcast %v84 : tile<4x1xf32> -> tile<4x1024xf32>
    %v88 = addf %v86, %v87  : tile<4x1024xf32>
    %v89 = subf %v67, %v88  : tile<4x1024xf32>
    %v90 = broadcast %v61 : tile<4x1xf32> -> tile<4x1024xf32>
    %v91 = mulf %v89, %v90  : tile<4x1024xf32>
    %v92 = ftof %v91  : tile<4x1024xf32> -> tile<4x1024xbf16>
    %pv93 = make_partition_view %tv33 : partition_view<tile=(4x1024), tensor_view<?x?xbf16, strides=[?,1]>>
    %v94 = constant <i32: 0> : tile<i32>
    %t95 = store_view_tko weak %v92, %pv93[%b35, %v94] token = %tok : tile<4x1024xbf16>, partition_view<tile=(4x1024), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    %v96 = iota : tile<1024xi32>
    %v97 = reshape %dw34 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v98 = broadcast %v97 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %p99 = offset %v98, %v96 : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %v100 = mulf %v47, %v65  : tile<4x1024xf32>
    %v101 = reduce %v100 dim=0 identities=[0.0 : f32] : tile<4x1024xf32> -> tile<1024xf32>
    (%l102: tile<f32>, %r103: tile<f32>) {
      %y104 = addf %l102, %r103 : tile<f32>
      yield %y104 : tile<f32>
    }
    %v105, %t106 = atomic_rmw_tko relaxed device %p99, addf, %v101 token=%tok : tile<1024xptr<f32>>, tile<1024xf32> -> tile<1024xf32>, token
    return
  }
}
