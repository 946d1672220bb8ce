// retention: chunks with a decay, a state that is carried
cuda_tile.module @m {
  entry @retention_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %g: tile<f32>) {
    %q1 = assume div_by<16>, %q : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %q_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %q_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %q_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %q_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %q_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %q1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %k11 = assume div_by<16>, %k : tile<ptr<bf16>>
    %v12 = assume bounded<0, ?>, %k_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %k_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %k_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %k_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %k_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %k11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %v21 = assume div_by<16>, %v : tile<ptr<bf16>>
    %v22 = assume bounded<0, ?>, %v_0 : tile<i32>
    %v23 = assume bounded<0, ?>, %v_1 : tile<i32>
    %v24 = assume bounded<0, ?>, %v_2 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %v_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %v28 = assume bounded<0, ?>, %v_s1 : tile<i32>
    %v29 = assume div_by<16>, %v28 : tile<i32>
    %tv30 = make_tensor_view %v21, shape = [%v22, %v23, %v25], strides = [%v27, %v29, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %o31 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v32 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v33 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v34 = assume bounded<0, ?>, %o_2 : tile<i32>
    %v35 = assume div_by<16>, %v34 : tile<i32>
    %v36 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v37 = assume div_by<16>, %v36 : tile<i32>
    %v38 = assume bounded<0, ?>, %o_s1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %tv40 = make_tensor_view %o31, shape = [%v32, %v33, %v35], strides = [%v37, %v39, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %tok = make_token : token
    %b41, %b42, %b43 = get_tile_block_id : tile<i32>
    %pv44 = make_partition_view %tv10 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv45 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv46 = make_partition_view %tv30 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv47 = make_partition_view %tv40 : partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v48 = iota : tile<64xi32>
    %v49 = reshape %v48 : tile<64xi32> -> tile<64x1xi32>
    %v50 = iota : tile<64xi32>
    %v51 = reshape %v50 : tile<64xi32> -> tile<1x64xi32>
    %v52 = broadcast %v49 : tile<64x1xi32> -> tile<64x64xi32>
    %v53 = broadcast %v51 : tile<1x64xi32> -> tile<64x64xi32>
    %v54 = subi %v52, %v53  : tile<64x64xi32>
    %v55 = itof %v54 signed : tile<64x64xi32> -> tile<64x64xf32>
    %v56 = broadcast %v49 : tile<64x1xi32> -> tile<64x64xi32>
    %v57 = broadcast %v51 : tile<1x64xi32> -> tile<64x64xi32>
    %v58 = cmpi greater_than_or_equal %v56, %v57, signed : tile<64x64xi32> -> tile<64x64xi1>
    %v59 = reshape %g : tile<f32> -> tile<1x1xf32>
    %v60 = broadcast %v59 : tile<1x1xf32> -> tile<64x64xf32>
    %v61 = mulf %v55, %v60  : tile<64x64xf32>
    %v62 = exp2 %v61 flush_to_zero : tile<64x64xf32>
    %v63 = constant <f32: 0.0> : tile<64x64xf32>
    %v64 = select %v58, %v62, %v63 : tile<64x64xi1>, tile<64x64xf32>
    %v65 = constant <i32: 1> : tile<64x1xi32>
    %v66 = addi %v49, %v65  : tile<64x1xi32>
    %v67 = itof %v66 signed : tile<64x1xi32> -> tile<64x1xf32>
    %v68 = reshape %g : tile<f32> -> tile<1x1xf32>
    %v69 = broadcast %v68 : tile<1x1xf32> -> tile<64x1xf32>
    %v70 = mulf %v67, %v69  : tile<64x1xf32>
    %v71 = exp2 %v70 flush_to_zero : tile<64x1xf32>
    %v72 = constant <i32: 63> : tile<64x1xi32>
    %v73 = subi %v72, %v49  : tile<64x1xi32>
    %v74 = itof %v73 signed : tile<64x1xi32> -> tile<64x1xf32>
    %v75 = reshape %g : tile<f32> -> tile<1x1xf32>
    %v76 = broadcast %v75 : tile<1x1xf32> -> tile<64x1xf32>
    %v77 = mulf %v74, %v76  : tile<64x1xf32>
    %v78 = exp2 %v77 flush_to_zero : tile<64x1xf32>
    %v79 = constant <f32: 64.0> : tile<1x1xf32>
    %v80 = reshape %g : tile<f32> -> tile<1x1xf32>
    %v81 = mulf %v79, %v80  : tile<1x1xf32>
    %v82 = exp2 %v81 flush_to_zero : tile<1x1xf32>
    %v83 = constant <i32: 0> : tile<i32>
    %v84 = constant <i32: 64> : tile<i32>
    %v85 = divi %v3, %v84 signed rounding<positive_inf> : tile<i32>
    %v86 = constant <f32: 0.0> : tile<64x64xf32>
    %v87 = constant <i32: 1> : tile<i32>
    %f90 = for %i88 in (%v83 to %v85, step %v87) : tile<i32> iter_values(%c89 = %v86) -> (tile<64x64xf32>) {
      %v91 = constant <i32: 0> : tile<i32>
      %v92, %t93 = load_view_tko weak %pv44[%b41, %i88, %v91] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v94 = reshape %v92 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v95 = constant <i32: 0> : tile<i32>
      %v96, %t97 = load_view_tko weak %pv45[%b41, %i88, %v95] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v98 = reshape %v96 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v99 = constant <i32: 0> : tile<i32>
      %v100, %t101 = load_view_tko weak %pv46[%b41, %i88, %v99] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v102 = reshape %v100 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v103 = permute %v98 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v104 = constant <f32: 0.0> : tile<64x64xf32>
      %v105 = mmaf %v94, %v103, %v104  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v106 = mulf %v105, %v64  : tile<64x64xf32>
      %v107 = ftof %v106  : tile<64x64xf32> -> tile<64x64xbf16>
      %v108 = constant <f32: 0.0> : tile<64x64xf32>
      %v109 = mmaf %v107, %v102, %v108  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v110 = ftof %c89  : tile<64x64xf32> -> tile<64x64xbf16>
      %v111 = constant <f32: 0.0> : tile<64x64xf32>
      %v112 = mmaf %v94, %v110, %v111  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v113 = broadcast %v71 : tile<64x1xf32> -> tile<64x64xf32>
      %v114 = mulf %v112, %v113  : tile<64x64xf32>
      %v115 = addf %v109, %v114  : tile<64x64xf32>
      %v116 = ftof %v115  : tile<64x64xf32> -> tile<64x64xbf16>
      %v117 = reshape %v116 : tile<64x64xbf16> -> tile<1x64x64xbf16>
      %v118 = constant <i32: 0> : tile<i32>
      %t119 = store_view_tko weak %v117, %pv47[%b41, %i88, %v118] token = %tok : tile<1x64x64xbf16>, partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
      %v120 = ftof %v98  : tile<64x64xbf16> -> tile<64x64xf32>
      %v121 = broadcast %v78 : tile<64x1xf32> -> tile<64x64xf32>
      %v122 = mulf %v120, %v121  : tile<64x64xf32>
      %v123 = ftof %v122  : tile<64x64xf32> -> tile<64x64xbf16>
      %v124 = permute %v123 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v125 = broadcast %v82 : tile<1x1xf32> -> tile<64x64xf32>
      %v126 = mulf %c89, %v125  : tile<64x64xf32>
      %v127 = mmaf %v124, %v102, %v126  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      continue %v127 : tile<64x64xf32>
    }
    return
  }
}
