// causal depthwise convolution of four taps
cuda_tile.module @m {
  entry @conv1d_bf16(%x: tile<ptr<bf16>>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %y: tile<ptr<bf16>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_s0: tile<i32>, %l: tile<i32>, %ch: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %w2 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v3 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v4 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %tv8 = make_tensor_view %w2, shape = [%v3, %v5], strides = [%v7, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %y9 = assume div_by<16>, %y : tile<ptr<bf16>>
    %v10 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v11 = assume bounded<0, ?>, %y_1 : tile<i32>
    %v12 = assume div_by<16>, %v11 : tile<i32>
    %v13 = assume bounded<0, ?>, %y_s0 : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %tv15 = make_tensor_view %y9, shape = [%v10, %v12], strides = [%v14, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %v16 = assume bounded<0, ?>, %l : tile<i32>
    %v17 = assume bounded<0, ?>, %ch : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %tok = make_token : token
    %b19, %b20, %b21 = get_tile_block_id : tile<i32>
    %pv22 = make_partition_view %tv8 : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v23 = constant <i32: 32> : tile<i32>
    %v24 = muli %b19, %v23  : tile<i32>
    %v25 = reshape %v24 : tile<i32> -> tile<1xi32>
    %v26 = broadcast %v25 : tile<1xi32> -> tile<32xi32>
    %v27 = iota : tile<32xi32>
    %v28 = addi %v26, %v27  : tile<32xi32>
    %v29 = reshape %v28 : tile<32xi32> -> tile<32x1xi32>
    %v30 = constant <i32: 128> : tile<i32>
    %v31 = muli %b20, %v30  : tile<i32>
    %v32 = reshape %v31 : tile<i32> -> tile<1xi32>
    %v33 = broadcast %v32 : tile<1xi32> -> tile<128xi32>
    %v34 = iota : tile<128xi32>
    %v35 = addi %v33, %v34  : tile<128xi32>
    %v36 = reshape %v35 : tile<128xi32> -> tile<1x128xi32>
    %v37 = constant <i32: 3> : tile<32x1xi32>
    %v38 = subi %v29, %v37  : tile<32x1xi32>
    %v39 = constant <i32: 0> : tile<32x1xi32>
    %v40 = cmpi greater_than_or_equal %v38, %v39, signed : tile<32x1xi32> -> tile<32x1xi1>
    %v41 = broadcast %v40 : tile<32x1xi1> -> tile<32x128xi1>
    %v42 = reshape %v18 : tile<i32> -> tile<1x1xi32>
    %v43 = broadcast %v42 : tile<1x1xi32> -> tile<32x1xi32>
    %v44 = muli %v38, %v43  : tile<32x1xi32>
    %v45 = broadcast %v44 : tile<32x1xi32> -> tile<32x128xi32>
    %v46 = broadcast %v36 : tile<1x128xi32> -> tile<32x128xi32>
    %v47 = addi %v45, %v46  : tile<32x128xi32>
    %v48 = reshape %x1 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %v49 = broadcast %v48 : tile<1x1xptr<bf16>> -> tile<32x128xptr<bf16>>
    %p50 = offset %v49, %v47 : tile<32x128xptr<bf16>>, tile<32x128xi32> -> tile<32x128xptr<bf16>>
    %v53 = constant <bf16: 0.0> : tile<32x128xbf16>
    %v51, %t52 = load_ptr_tko weak %p50, %v41, %v53 token=%tok : tile<32x128xptr<bf16>>, tile<32x128xi1>, tile<32x128xbf16> -> tile<32x128xbf16>, token
    %v54 = ftof %v51  : tile<32x128xbf16> -> tile<32x128xf32>
    %v55 = constant <i32: 0> : tile<i32>
    %v56, %t57 = load_view_tko weak %pv22[%v55, %b20] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x128xbf16>, token
    %v58 = ftof %v56  : tile<1x128xbf16> -> tile<1x128xf32>
    %v59 = broadcast %v58 : tile<1x128xf32> -> tile<32x128xf32>
    %v60 = mulf %v54, %v59  : tile<32x128xf32>
    %v61 = constant <i32: 2> : tile<32x1xi32>
    %v62 = subi %v29, %v61  : tile<32x1xi32>
    %v63 = constant <i32: 0> : tile<32x1xi32>
    %v64 = cmpi greater_than_or_equal %v62, %v63, signed : tile<32x1xi32> -> tile<32x1xi1>
    %v65 = broadcast %v64 : tile<32x1xi1> -> tile<32x128xi1>
    %v66 = reshape %v18 : tile<i32> -> tile<1x1xi32>
    %v67 = broadcast %v66 : tile<1x1xi32> -> tile<32x1xi32>
    %v68 = muli %v62, %v67  : tile<32x1xi32>
    %v69 = broadcast %v68 : tile<32x1xi32> -> tile<32x128xi32>
    %v70 = broadcast %v36 : tile<1x128xi32> -> tile<32x128xi32>
    %v71 = addi %v69, %v70  : tile<32x128xi32>
    %v72 = reshape %x1 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %v73 = broadcast %v72 : tile<1x1xptr<bf16>> -> tile<32x128xptr<bf16>>
    %p74 = offset %v73, %v71 : tile<32x128xptr<bf16>>, tile<32x128xi32> -> tile<32x128xptr<bf16>>
    %v77 = constant <bf16: 0.0> : tile<32x128xbf16>
    %v75, %t76 = load_ptr_tko weak %p74, %v65, %v77 token=%tok : tile<32x128xptr<bf16>>, tile<32x128xi1>, tile<32x128xbf16> -> tile<32x128xbf16>, token
    %v78 = ftof %v75  : tile<32x128xbf16> -> tile<32x128xf32>
    %v79 = constant <i32: 1> : tile<i32>
    %v80, %t81 = load_view_tko weak %pv22[%v79, %b20] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x128xbf16>, token
    %v82 = ftof %v80  : tile<1x128xbf16> -> tile<1x128xf32>
    %v83 = broadcast %v82 : tile<1x128xf32> -> tile<32x128xf32>
    %v84 = mulf %v78, %v83  : tile<32x128xf32>
    %v85 = addf %v60, %v84  : tile<32x128xf32>
    %v86 = constant <i32: 1> : tile<32x1xi32>
    %v87 = subi %v29, %v86  : tile<32x1xi32>
    %v88 = constant <i32: 0> : tile<32x1xi32>
    %v89 = cmpi greater_than_or_equal %v87, %v88, signed : tile<32x1xi32> -> tile<32x1xi1>
    %v90 = broadcast %v89 : tile<32x1xi1> -> tile<32x128xi1>
    %v91 = reshape %v18 : tile<i32> -> tile<1x1xi32>
    %v92 = broadcast %v91 : tile<1x1xi32> -> tile<32x1xi32>
    %v93 = muli %v87, %v92  : tile<32x1xi32>
    %v94 = broadcast %v93 : tile<32x1xi32> -> tile<32x128xi32>
    %v95 = broadcast %v36 : tile<1x128xi32> -> tile<32x128xi32>
    %v96 = addi %v94, %v95  : tile<32x128xi32>
    %v97 = reshape %x1 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %v98 = broadcast %v97 : tile<1x1xptr<bf16>> -> tile<32x128xptr<bf16>>
    %p99 = offset %v98, %v96 : tile<32x128xptr<bf16>>, tile<32x128xi32> -> tile<32x128xptr<bf16>>
    %v102 = constant <bf16: 0.0> : tile<32x128xbf16>
    %v100, %t101 = load_ptr_tko weak %p99, %v90, %v102 token=%tok : tile<32x128xptr<bf16>>, tile<32x128xi1>, tile<32x128xbf16> -> tile<32x128xbf16>, token
    %v103 = ftof %v100  : tile<32x128xbf16> -> tile<32x128xf32>
    %v104 = constant <i32: 2> : tile<i32>
    %v105, %t106 = load_view_tko weak %pv22[%v104, %b20] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x128xbf16>, token
    %v107 = ftof %v105  : tile<1x128xbf16> -> tile<1x128xf32>
    %v108 = broadcast %v107 : tile<1x128xf32> -> tile<32x128xf32>
    %v109 = mulf %v103, %v108  : tile<32x128xf32>
    %v110 = addf %v85, %v109  : tile<32x128xf32>
    %v111 = constant <i32: 0> : tile<32x1xi32>
    %v112 = subi %v29, %v111  : tile<32x1xi32>
    %v113 = constant <i32: 0> : tile<32x1xi32>
    %v114 = cmpi greater_than_or_equal %v112, %v113, signed : tile<32x1xi32> -> tile<32x1xi1>
    %v115 = broadcast %v114 : tile<32x1xi1> -> tile<32x128xi1>
    %v116 = reshape %v18 : tile<i32> -> tile<1x1xi32>
    %v117 = broadcast %v116 : tile<1x1xi32> -> tile<32x1xi32>
    %v118 = muli %v112, %v117  : tile<32x1xi32>
    %v119 = broadcast %v118 : tile<32x1xi32> -> tile<32x128xi32>
    %v120 = broadcast %v36 : tile<1x128xi32> -> tile<32x128xi32>
    %v121 = addi %v119, %v120  : tile<32x128xi32>
    %v122 = reshape %x1 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %v123 = broadcast %v122 : tile<1x1xptr<bf16>> -> tile<32x128xptr<bf16>>
    %p124 = offset %v123, %v121 : tile<32x128xptr<bf16>>, tile<32x128xi32> -> tile<32x128xptr<bf16>>
    %v127 = constant <bf16: 0.0> : tile<32x128xbf16>
    %v125, %t126 = load_ptr_tko weak %p124, %v115, %v127 token=%tok : tile<32x128xptr<bf16>>, tile<32x128xi1>, tile<32x128xbf16> -> tile<32x128xbf16>, token
    %v128 = ftof %v125  : tile<32x128xbf16> -> tile<32x128xf32>
    %v129 = constant <i32: 3> : tile<i32>
    %v130, %t131 = load_view_tko weak %pv22[%v129, %b20] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x128xbf16>, token
    %v132 = ftof %v130  : tile<1x128xbf16> -> tile<1x128xf32>
    %v133 = broadcast %v132 : tile<1x128xf32> -> tile<32x128xf32>
    %v134 = mulf %v128, %v133  : tile<32x128xf32>
    %v135 = addf %v110, %v134  : tile<32x128xf32>
    %v136 = ftof %v135  : tile<32x128xf32> -> tile<32x128xbf16>
    %pv137 = make_partition_view %tv15 : partition_view<tile=(32x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t138 = store_view_tko weak %v136, %pv137[%b19, %b20] token = %tok : tile<32x128xbf16>, partition_view<tile=(32x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
