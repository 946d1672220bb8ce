// causal depthwise convolution of four taps, silu
cuda_tile.module @m {
  entry @depthwise_conv_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w8 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %o15 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %o15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b22, %b23, %b24 = get_tile_block_id : tile<i32>
    %v25 = constant <i32: 32> : tile<i32>
    %v26 = muli %b22, %v25  : tile<i32>
    %v27 = reshape %v26 : tile<i32> -> tile<1xi32>
    %v28 = broadcast %v27 : tile<1xi32> -> tile<32xi32>
    %v29 = iota : tile<32xi32>
    %v30 = addi %v28, %v29  : tile<32xi32>
    %v31 = constant <i32: 128> : tile<i32>
    %v32 = muli %b23, %v31  : tile<i32>
    %v33 = reshape %v32 : tile<i32> -> tile<1xi32>
    %v34 = broadcast %v33 : tile<1xi32> -> tile<128xi32>
    %v35 = iota : tile<128xi32>
    %v36 = addi %v34, %v35  : tile<128xi32>
    %v37 = constant <f32: 0.0> : tile<32x128xf32>
    %pv38 = make_partition_view %tv14 : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v39 = constant <i32: 3> : tile<32xi32>
    %v40 = subi %v30, %v39  : tile<32xi32>
    %v41 = constant <i32: 0> : tile<32xi32>
    %v42 = cmpi greater_than_or_equal %v40, %v41, signed : tile<32xi32> -> tile<32xi1>
    %v43 = reshape %v42 : tile<32xi1> -> tile<32x1xi1>
    %v44 = broadcast %v43 : tile<32x1xi1> -> tile<32x128xi1>
    %v45 = reshape %v2 : tile<i32> -> tile<1xi32>
    %v46 = broadcast %v45 : tile<1xi32> -> tile<32xi32>
    %v47 = cmpi less_than %v40, %v46, signed : tile<32xi32> -> tile<32xi1>
    %v48 = reshape %v47 : tile<32xi1> -> tile<32x1xi1>
    %v49 = broadcast %v48 : tile<32x1xi1> -> tile<32x128xi1>
    %v50 = reshape %v4 : tile<i32> -> tile<1xi32>
    %v51 = broadcast %v50 : tile<1xi32> -> tile<128xi32>
    %v52 = cmpi less_than %v36, %v51, signed : tile<128xi32> -> tile<128xi1>
    %v53 = reshape %v52 : tile<128xi1> -> tile<1x128xi1>
    %v54 = broadcast %v53 : tile<1x128xi1> -> tile<32x128xi1>
    %v55 = andi %v44, %v49  : tile<32x128xi1>
    %v56 = andi %v55, %v54  : tile<32x128xi1>
    %v57 = reshape %v40 : tile<32xi32> -> tile<32x1xi32>
    %v58 = reshape %v6 : tile<i32> -> tile<1x1xi32>
    %v59 = broadcast %v58 : tile<1x1xi32> -> tile<32x1xi32>
    %v60 = muli %v57, %v59  : tile<32x1xi32>
    %v61 = reshape %v36 : tile<128xi32> -> tile<1x128xi32>
    %v62 = broadcast %v60 : tile<32x1xi32> -> tile<32x128xi32>
    %v63 = broadcast %v61 : tile<1x128xi32> -> tile<32x128xi32>
    %v64 = addi %v62, %v63  : tile<32x128xi32>
    %v65 = reshape %x1 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %v66 = broadcast %v65 : tile<1x1xptr<bf16>> -> tile<32x128xptr<bf16>>
    %p67 = offset %v66, %v64 : tile<32x128xptr<bf16>>, tile<32x128xi32> -> tile<32x128xptr<bf16>>
    %v70 = constant <bf16: 0.0> : tile<32x128xbf16>
    %v68, %t69 = load_ptr_tko weak %p67, %v56, %v70 token=%tok : tile<32x128xptr<bf16>>, tile<32x128xi1>, tile<32x128xbf16> -> tile<32x128xbf16>, token
    %v71 = ftof %v68  : tile<32x128xbf16> -> tile<32x128xf32>
    %v72 = constant <i32: 0> : tile<i32>
    %v73, %t74 = load_view_tko weak %pv38[%v72, %b23] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x128xbf16>, token
    %v75 = ftof %v73  : tile<1x128xbf16> -> tile<1x128xf32>
    %v76 = broadcast %v75 : tile<1x128xf32> -> tile<32x128xf32>
    %v77 = mulf %v71, %v76  : tile<32x128xf32>
    %v78 = addf %v37, %v77  : tile<32x128xf32>
    %v79 = constant <i32: 2> : tile<32xi32>
    %v80 = subi %v30, %v79  : tile<32xi32>
    %v81 = constant <i32: 0> : tile<32xi32>
    %v82 = cmpi greater_than_or_equal %v80, %v81, signed : tile<32xi32> -> tile<32xi1>
    %v83 = reshape %v82 : tile<32xi1> -> tile<32x1xi1>
    %v84 = broadcast %v83 : tile<32x1xi1> -> tile<32x128xi1>
    %v85 = reshape %v2 : tile<i32> -> tile<1xi32>
    %v86 = broadcast %v85 : tile<1xi32> -> tile<32xi32>
    %v87 = cmpi less_than %v80, %v86, signed : tile<32xi32> -> tile<32xi1>
    %v88 = reshape %v87 : tile<32xi1> -> tile<32x1xi1>
    %v89 = broadcast %v88 : tile<32x1xi1> -> tile<32x128xi1>
    %v90 = reshape %v4 : tile<i32> -> tile<1xi32>
    %v91 = broadcast %v90 : tile<1xi32> -> tile<128xi32>
    %v92 = cmpi less_than %v36, %v91, signed : tile<128xi32> -> tile<128xi1>
    %v93 = reshape %v92 : tile<128xi1> -> tile<1x128xi1>
    %v94 = broadcast %v93 : tile<1x128xi1> -> tile<32x128xi1>
    %v95 = andi %v84, %v89  : tile<32x128xi1>
    %v96 = andi %v95, %v94  : tile<32x128xi1>
    %v97 = reshape %v80 : tile<32xi32> -> tile<32x1xi32>
    %v98 = reshape %v6 : tile<i32> -> tile<1x1xi32>
    %v99 = broadcast %v98 : tile<1x1xi32> -> tile<32x1xi32>
    %v100 = muli %v97, %v99  : tile<32x1xi32>
    %v101 = reshape %v36 : tile<128xi32> -> tile<1x128xi32>
    %v102 = broadcast %v100 : tile<32x1xi32> -> tile<32x128xi32>
    %v103 = broadcast %v101 : tile<1x128xi32> -> tile<32x128xi32>
    %v104 = addi %v102, %v103  : tile<32x128xi32>
    %v105 = reshape %x1 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %v106 = broadcast %v105 : tile<1x1xptr<bf16>> -> tile<32x128xptr<bf16>>
    %p107 = offset %v106, %v104 : tile<32x128xptr<bf16>>, tile<32x128xi32> -> tile<32x128xptr<bf16>>
    %v110 = constant <bf16: 0.0> : tile<32x128xbf16>
    %v108, %t109 = load_ptr_tko weak %p107, %v96, %v110 token=%tok : tile<32x128xptr<bf16>>, tile<32x128xi1>, tile<32x128xbf16> -> tile<32x128xbf16>, token
    %v111 = ftof %v108  : tile<32x128xbf16> -> tile<32x128xf32>
    %v112 = constant <i32: 1> : tile<i32>
    %v113, %t114 = load_view_tko weak %pv38[%v112, %b23] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x128xbf16>, token
    %v115 = ftof %v113  : tile<1x128xbf16> -> tile<1x128xf32>
    %v116 = broadcast %v115 : tile<1x128xf32> -> tile<32x128xf32>
    %v117 = mulf %v111, %v116  : tile<32x128xf32>
    %v118 = addf %v78, %v117  : tile<32x128xf32>
    %v119 = constant <i32: 1> : tile<32xi32>
    %v120 = subi %v30, %v119  : tile<32xi32>
    %v121 = constant <i32: 0> : tile<32xi32>
    %v122 = cmpi greater_than_or_equal %v120, %v121, signed : tile<32xi32> -> tile<32xi1>
    %v123 = reshape %v122 : tile<32xi1> -> tile<32x1xi1>
    %v124 = broadcast %v123 : tile<32x1xi1> -> tile<32x128xi1>
    %v125 = reshape %v2 : tile<i32> -> tile<1xi32>
    %v126 = broadcast %v125 : tile<1xi32> -> tile<32xi32>
    %v127 = cmpi less_than %v120, %v126, signed : tile<32xi32> -> tile<32xi1>
    %v128 = reshape %v127 : tile<32xi1> -> tile<32x1xi1>
    %v129 = broadcast %v128 : tile<32x1xi1> -> tile<32x128xi1>
    %v130 = reshape %v4 : tile<i32> -> tile<1xi32>
    %v131 = broadcast %v130 : tile<1xi32> -> tile<128xi32>
    %v132 = cmpi less_than %v36, %v131, signed : tile<128xi32> -> tile<128xi1>
    %v133 = reshape %v132 : tile<128xi1> -> tile<1x128xi1>
    %v134 = broadcast %v133 : tile<1x128xi1> -> tile<32x128xi1>
    %v135 = andi %v124, %v129  : tile<32x128xi1>
    %v136 = andi %v135, %v134  : tile<32x128xi1>
    %v137 = reshape %v120 : tile<32xi32> -> tile<32x1xi32>
    %v138 = reshape %v6 : tile<i32> -> tile<1x1xi32>
    %v139 = broadcast %v138 : tile<1x1xi32> -> tile<32x1xi32>
    %v140 = muli %v137, %v139  : tile<32x1xi32>
    %v141 = reshape %v36 : tile<128xi32> -> tile<1x128xi32>
    %v142 = broadcast %v140 : tile<32x1xi32> -> tile<32x128xi32>
    %v143 = broadcast %v141 : tile<1x128xi32> -> tile<32x128xi32>
    %v144 = addi %v142, %v143  : tile<32x128xi32>
    %v145 = reshape %x1 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %v146 = broadcast %v145 : tile<1x1xptr<bf16>> -> tile<32x128xptr<bf16>>
    %p147 = offset %v146, %v144 : tile<32x128xptr<bf16>>, tile<32x128xi32> -> tile<32x128xptr<bf16>>
    %v150 = constant <bf16: 0.0> : tile<32x128xbf16>
    %v148, %t149 = load_ptr_tko weak %p147, %v136, %v150 token=%tok : tile<32x128xptr<bf16>>, tile<32x128xi1>, tile<32x128xbf16> -> tile<32x128xbf16>, token
    %v151 = ftof %v148  : tile<32x128xbf16> -> tile<32x128xf32>
    %v152 = constant <i32: 2> : tile<i32>
    %v153, %t154 = load_view_tko weak %pv38[%v152, %b23] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x128xbf16>, token
    %v155 = ftof %v153  : tile<1x128xbf16> -> tile<1x128xf32>
    %v156 = broadcast %v155 : tile<1x128xf32> -> tile<32x128xf32>
    %v157 = mulf %v151, %v156  : tile<32x128xf32>
    %v158 = addf %v118, %v157  : tile<32x128xf32>
    %v159 = constant <i32: 0> : tile<32xi32>
    %v160 = subi %v30, %v159  : tile<32xi32>
    %v161 = constant <i32: 0> : tile<32xi32>
    %v162 = cmpi greater_than_or_equal %v160, %v161, signed : tile<32xi32> -> tile<32xi1>
    %v163 = reshape %v162 : tile<32xi1> -> tile<32x1xi1>
    %v164 = broadcast %v163 : tile<32x1xi1> -> tile<32x128xi1>
    %v165 = reshape %v2 : tile<i32> -> tile<1xi32>
    %v166 = broadcast %v165 : tile<1xi32> -> tile<32xi32>
    %v167 = cmpi less_than %v160, %v166, signed : tile<32xi32> -> tile<32xi1>
    %v168 = reshape %v167 : tile<32xi1> -> tile<32x1xi1>
    %v169 = broadcast %v168 : tile<32x1xi1> -> tile<32x128xi1>
    %v170 = reshape %v4 : tile<i32> -> tile<1xi32>
    %v171 = broadcast %v170 : tile<1xi32> -> tile<128xi32>
    %v172 = cmpi less_than %v36, %v171, signed : tile<128xi32> -> tile<128xi1>
    %v173 = reshape %v172 : tile<128xi1> -> tile<1x128xi1>
    %v174 = broadcast %v173 : tile<1x128xi1> -> tile<32x128xi1>
    %v175 = andi %v164, %v169  : tile<32x128xi1>
    %v176 = andi %v175, %v174  : tile<32x128xi1>
    %v177 = reshape %v160 : tile<32xi32> -> tile<32x1xi32>
    %v178 = reshape %v6 : tile<i32> -> tile<1x1xi32>
    %v179 = broadcast %v178 : tile<1x1xi32> -> tile<32x1xi32>
    %v180 = muli %v177, %v179  : tile<32x1xi32>
    %v181 = reshape %v36 : tile<128xi32> -> tile<1x128xi32>
    %v182 = broadcast %v180 : tile<32x1xi32> -> tile<32x128xi32>
    %v183 = broadcast %v181 : tile<1x128xi32> -> tile<32x128xi32>
    %v184 = addi %v182, %v183  : tile<32x128xi32>
    %v185 = reshape %x1 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %v186 = broadcast %v185 : tile<1x1xptr<bf16>> -> tile<32x128xptr<bf16>>
    %p187 = offset %v186, %v184 : tile<32x128xptr<bf16>>, tile<32x128xi32> -> tile<32x128xptr<bf16>>
    %v190 = constant <bf16: 0.0> : tile<32x128xbf16>
    %v188, %t189 = load_ptr_tko weak %p187, %v176, %v190 token=%tok : tile<32x128xptr<bf16>>, tile<32x128xi1>, tile<32x128xbf16> -> tile<32x128xbf16>, token
    %v191 = ftof %v188  : tile<32x128xbf16> -> tile<32x128xf32>
    %v192 = constant <i32: 3> : tile<i32>
    %v193, %t194 = load_view_tko weak %pv38[%v192, %b23] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x128xbf16>, token
    %v195 = ftof %v193  : tile<1x128xbf16> -> tile<1x128xf32>
    %v196 = broadcast %v195 : tile<1x128xf32> -> tile<32x128xf32>
    %v197 = mulf %v191, %v196  : tile<32x128xf32>
    %v198 = addf %v158, %v197  : tile<32x128xf32>
    %v199 = constant <f32: 1.0> : tile<32x128xf32>
    %v200 = constant <f32: -1.442695> : tile<32x128xf32>
    %v201 = mulf %v198, %v200  : tile<32x128xf32>
    %v202 = exp2 %v201 flush_to_zero : tile<32x128xf32>
    %v203 = constant <f32: 1.0> : tile<32x128xf32>
    %v204 = addf %v202, %v203  : tile<32x128xf32>
    %v205 = divf %v199, %v204 rounding<approx> flush_to_zero : tile<32x128xf32>
    %v206 = mulf %v198, %v205  : tile<32x128xf32>
    %v207 = ftof %v206  : tile<32x128xf32> -> tile<32x128xbf16>
    %pv208 = make_partition_view %tv21 : partition_view<tile=(32x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t209 = store_view_tko weak %v207, %pv208[%b22, %b23] token = %tok : tile<32x128xbf16>, partition_view<tile=(32x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
