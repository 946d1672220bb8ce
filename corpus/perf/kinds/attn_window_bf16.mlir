// attention window
cuda_tile.module @m {
  entry @attn_window_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %scale: tile<f32>, %win: tile<i32>) {
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
    %v41 = assume bounded<0, ?>, %win : tile<i32>
    %tok = make_token : token
    %b42, %b43, %b44 = get_tile_block_id : tile<i32>
    %pv45 = make_partition_view %tv10 : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv46 = make_partition_view %tv20 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv47 = make_partition_view %tv30 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv48 = make_partition_view %tv40 : partition_view<tile=(1x128x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v49 = constant <i32: 0> : tile<i32>
    %v50, %t51 = load_view_tko weak %pv45[%b43, %b42, %v49] token = %tok : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xbf16>, token
    %v52 = reshape %v50 : tile<1x128x128xbf16> -> tile<128x128xbf16>
    %v53 = constant <f32: 1.442695> : tile<f32>
    %v54 = mulf %scale, %v53  : tile<f32>
    %v55 = constant <i32: 128> : tile<i32>
    %v56 = muli %b42, %v55  : tile<i32>
    %v57 = reshape %v56 : tile<i32> -> tile<1xi32>
    %v58 = broadcast %v57 : tile<1xi32> -> tile<128xi32>
    %v59 = iota : tile<128xi32>
    %v60 = addi %v58, %v59  : tile<128xi32>
    %v61 = reshape %v60 : tile<128xi32> -> tile<128x1xi32>
    %v62 = constant <i32: 64> : tile<i32>
    %v63 = divi %v13, %v62 signed rounding<positive_inf> : tile<i32>
    %v64 = constant <i32: 0> : tile<i32>
    %v65 = constant <i32: 128> : tile<i32>
    %v66 = muli %b42, %v65  : tile<i32>
    %v67 = subi %v66, %v41  : tile<i32>
    %v68 = constant <i32: 0> : tile<i32>
    %v69 = maxi %v67, %v68 signed : tile<i32>
    %v70 = constant <i32: 64> : tile<i32>
    %v71 = divi %v69, %v70 signed : tile<i32>
    %v72 = constant <i32: 128> : tile<i32>
    %v73 = muli %b42, %v72  : tile<i32>
    %v74 = constant <i32: 128> : tile<i32>
    %v75 = addi %v73, %v74  : tile<i32>
    %v76 = constant <i32: 64> : tile<i32>
    %v77 = divi %v75, %v76 signed rounding<positive_inf> : tile<i32>
    %v78 = mini %v63, %v77 signed : tile<i32>
    %v79 = constant <f32: -1.0e30> : tile<128x1xf32>
    %v80 = constant <f32: 0.0> : tile<128x1xf32>
    %v81 = constant <f32: 0.0> : tile<128x128xf32>
    %v82 = constant <i32: 1> : tile<i32>
    %f87:3 = for %i83 in (%v71 to %v78, step %v82) : tile<i32> iter_values(%c84 = %v79, %c85 = %v80, %c86 = %v81) -> (tile<128x1xf32>, tile<128x1xf32>, tile<128x128xf32>) {
      %v88 = constant <i32: 0> : tile<i32>
      %v89, %t90 = load_view_tko weak %pv46[%b43, %i83, %v88] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xbf16>, token
      %v91 = reshape %v89 : tile<1x64x128xbf16> -> tile<64x128xbf16>
      %v92 = permute %v91 [1, 0] : tile<64x128xbf16> -> tile<128x64xbf16>
      %v93 = constant <f32: 0.0> : tile<128x64xf32>
      %v94 = mmaf %v52, %v92, %v93  : tile<128x128xbf16>, tile<128x64xbf16>, tile<128x64xf32>
      %v95 = reshape %v54 : tile<f32> -> tile<1x1xf32>
      %v96 = broadcast %v95 : tile<1x1xf32> -> tile<128x64xf32>
      %v97 = mulf %v94, %v96  : tile<128x64xf32>
      %v98 = constant <i32: 64> : tile<i32>
      %v99 = muli %i83, %v98  : tile<i32>
      %v100 = reshape %v99 : tile<i32> -> tile<1xi32>
      %v101 = broadcast %v100 : tile<1xi32> -> tile<64xi32>
      %v102 = iota : tile<64xi32>
      %v103 = addi %v101, %v102  : tile<64xi32>
      %v104 = reshape %v103 : tile<64xi32> -> tile<1x64xi32>
      %v105 = reshape %v13 : tile<i32> -> tile<1x1xi32>
      %v106 = broadcast %v105 : tile<1x1xi32> -> tile<1x64xi32>
      %v107 = cmpi less_than %v104, %v106, signed : tile<1x64xi32> -> tile<1x64xi1>
      %v108 = broadcast %v107 : tile<1x64xi1> -> tile<128x64xi1>
      %v109 = broadcast %v61 : tile<128x1xi32> -> tile<128x64xi32>
      %v110 = broadcast %v104 : tile<1x64xi32> -> tile<128x64xi32>
      %v111 = subi %v109, %v110  : tile<128x64xi32>
      %v112 = constant <i32: 0> : tile<128x64xi32>
      %v113 = cmpi greater_than_or_equal %v111, %v112, signed : tile<128x64xi32> -> tile<128x64xi1>
      %v114 = reshape %v41 : tile<i32> -> tile<1x1xi32>
      %v115 = broadcast %v114 : tile<1x1xi32> -> tile<128x64xi32>
      %v116 = cmpi less_than_or_equal %v111, %v115, signed : tile<128x64xi32> -> tile<128x64xi1>
      %v117 = andi %v113, %v116  : tile<128x64xi1>
      %v118 = andi %v108, %v117  : tile<128x64xi1>
      %v119 = constant <f32: -1.0e30> : tile<128x64xf32>
      %v120 = select %v118, %v97, %v119 : tile<128x64xi1>, tile<128x64xf32>
      %v121 = reduce %v120 dim=1 identities=[0xFF800000 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l122: tile<f32>, %r123: tile<f32>) {
        %y124 = maxf %l122, %r123 : tile<f32>
        yield %y124 : tile<f32>
      }
      %v125 = reshape %v121 : tile<128xf32> -> tile<128x1xf32>
      %v126 = maxf %c84, %v125  : tile<128x1xf32>
      %v127 = broadcast %v126 : tile<128x1xf32> -> tile<128x64xf32>
      %v128 = subf %v120, %v127  : tile<128x64xf32>
      %v129 = exp2 %v128 flush_to_zero : tile<128x64xf32>
      %v130 = subf %c84, %v126  : tile<128x1xf32>
      %v131 = exp2 %v130 flush_to_zero : tile<128x1xf32>
      %v132 = mulf %c85, %v131  : tile<128x1xf32>
      %v133 = reduce %v129 dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l134: tile<f32>, %r135: tile<f32>) {
        %y136 = addf %l134, %r135 : tile<f32>
        yield %y136 : tile<f32>
      }
      %v137 = reshape %v133 : tile<128xf32> -> tile<128x1xf32>
      %v138 = addf %v132, %v137  : tile<128x1xf32>
      %v139 = broadcast %v131 : tile<128x1xf32> -> tile<128x128xf32>
      %v140 = mulf %c86, %v139  : tile<128x128xf32>
      %v141 = constant <i32: 0> : tile<i32>
      %v142, %t143 = load_view_tko weak %pv47[%b43, %i83, %v141] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xbf16>, token
      %v144 = reshape %v142 : tile<1x64x128xbf16> -> tile<64x128xbf16>
      %v145 = ftof %v129  : tile<128x64xf32> -> tile<128x64xbf16>
      %v146 = mmaf %v145, %v144, %v140  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %v126, %v138, %v146 : tile<128x1xf32>, tile<128x1xf32>, tile<128x128xf32>
    }
    %v147 = broadcast %f87#1 : tile<128x1xf32> -> tile<128x128xf32>
    %v148 = divf %f87#2, %v147 rounding<approx> flush_to_zero : tile<128x128xf32>
    %v149 = ftof %v148  : tile<128x128xf32> -> tile<128x128xbf16>
    %v150 = reshape %v149 : tile<128x128xbf16> -> tile<1x128x128xbf16>
    %v151 = constant <i32: 0> : tile<i32>
    %t152 = store_view_tko weak %v150, %pv48[%b43, %b42, %v151] token = %tok : tile<1x128x128xbf16>, partition_view<tile=(1x128x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
