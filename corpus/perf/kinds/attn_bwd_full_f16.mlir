// gradient of attention, that of q added up by atomics
cuda_tile.module @m {
  entry @attn_bwd_full_f16(%q: tile<ptr<f16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<f16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<f16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %do: tile<ptr<f16>>, %do_0: tile<i32>, %do_1: tile<i32>, %do_2: tile<i32>, %do_s0: tile<i32>, %do_s1: tile<i32>, %l: tile<ptr<f32>>, %l_0: tile<i32>, %l_1: tile<i32>, %l_s0: tile<i32>, %de: tile<ptr<f32>>, %de_0: tile<i32>, %de_1: tile<i32>, %de_s0: tile<i32>, %dk: tile<ptr<f16>>, %dk_0: tile<i32>, %dk_1: tile<i32>, %dk_2: tile<i32>, %dk_s0: tile<i32>, %dk_s1: tile<i32>, %dv: tile<ptr<f16>>, %dv_0: tile<i32>, %dv_1: tile<i32>, %dv_2: tile<i32>, %dv_s0: tile<i32>, %dv_s1: tile<i32>, %dq: tile<ptr<f32>>, %sc: tile<f32>) {
    %q1 = assume div_by<16>, %q : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %q_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %q_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %q_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %q_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %q_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %q1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %k11 = assume div_by<16>, %k : tile<ptr<f16>>
    %v12 = assume bounded<0, ?>, %k_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %k_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %k_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %k_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %k_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %k11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %v21 = assume div_by<16>, %v : tile<ptr<f16>>
    %v22 = assume bounded<0, ?>, %v_0 : tile<i32>
    %v23 = assume bounded<0, ?>, %v_1 : tile<i32>
    %v24 = assume bounded<0, ?>, %v_2 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %v_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %v28 = assume bounded<0, ?>, %v_s1 : tile<i32>
    %v29 = assume div_by<16>, %v28 : tile<i32>
    %tv30 = make_tensor_view %v21, shape = [%v22, %v23, %v25], strides = [%v27, %v29, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %do31 = assume div_by<16>, %do : tile<ptr<f16>>
    %v32 = assume bounded<0, ?>, %do_0 : tile<i32>
    %v33 = assume bounded<0, ?>, %do_1 : tile<i32>
    %v34 = assume bounded<0, ?>, %do_2 : tile<i32>
    %v35 = assume div_by<16>, %v34 : tile<i32>
    %v36 = assume bounded<0, ?>, %do_s0 : tile<i32>
    %v37 = assume div_by<16>, %v36 : tile<i32>
    %v38 = assume bounded<0, ?>, %do_s1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %tv40 = make_tensor_view %do31, shape = [%v32, %v33, %v35], strides = [%v37, %v39, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %l41 = assume div_by<16>, %l : tile<ptr<f32>>
    %v42 = assume bounded<0, ?>, %l_0 : tile<i32>
    %v43 = assume bounded<0, ?>, %l_1 : tile<i32>
    %v44 = assume div_by<16>, %v43 : tile<i32>
    %v45 = assume bounded<0, ?>, %l_s0 : tile<i32>
    %v46 = assume div_by<16>, %v45 : tile<i32>
    %tv47 = make_tensor_view %l41, shape = [%v42, %v44], strides = [%v46, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %de48 = assume div_by<16>, %de : tile<ptr<f32>>
    %v49 = assume bounded<0, ?>, %de_0 : tile<i32>
    %v50 = assume bounded<0, ?>, %de_1 : tile<i32>
    %v51 = assume div_by<16>, %v50 : tile<i32>
    %v52 = assume bounded<0, ?>, %de_s0 : tile<i32>
    %v53 = assume div_by<16>, %v52 : tile<i32>
    %tv54 = make_tensor_view %de48, shape = [%v49, %v51], strides = [%v53, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %dk55 = assume div_by<16>, %dk : tile<ptr<f16>>
    %v56 = assume bounded<0, ?>, %dk_0 : tile<i32>
    %v57 = assume bounded<0, ?>, %dk_1 : tile<i32>
    %v58 = assume bounded<0, ?>, %dk_2 : tile<i32>
    %v59 = assume div_by<16>, %v58 : tile<i32>
    %v60 = assume bounded<0, ?>, %dk_s0 : tile<i32>
    %v61 = assume div_by<16>, %v60 : tile<i32>
    %v62 = assume bounded<0, ?>, %dk_s1 : tile<i32>
    %v63 = assume div_by<16>, %v62 : tile<i32>
    %tv64 = make_tensor_view %dk55, shape = [%v56, %v57, %v59], strides = [%v61, %v63, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %dv65 = assume div_by<16>, %dv : tile<ptr<f16>>
    %v66 = assume bounded<0, ?>, %dv_0 : tile<i32>
    %v67 = assume bounded<0, ?>, %dv_1 : tile<i32>
    %v68 = assume bounded<0, ?>, %dv_2 : tile<i32>
    %v69 = assume div_by<16>, %v68 : tile<i32>
    %v70 = assume bounded<0, ?>, %dv_s0 : tile<i32>
    %v71 = assume div_by<16>, %v70 : tile<i32>
    %v72 = assume bounded<0, ?>, %dv_s1 : tile<i32>
    %v73 = assume div_by<16>, %v72 : tile<i32>
    %tv74 = make_tensor_view %dv65, shape = [%v66, %v67, %v69], strides = [%v71, %v73, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %dq75 = assume div_by<16>, %dq : tile<ptr<f32>>
    %tok = make_token : token
    %b76, %b77, %b78 = get_tile_block_id : tile<i32>
    %pv79 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v80 = constant <i32: 0> : tile<i32>
    %v81, %t82 = load_view_tko weak %pv79[%b77, %b76, %v80] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
    %v83 = reshape %v81 : tile<1x64x64xf16> -> tile<64x64xf16>
    %pv84 = make_partition_view %tv30 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v85 = constant <i32: 0> : tile<i32>
    %v86, %t87 = load_view_tko weak %pv84[%b77, %b76, %v85] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
    %v88 = reshape %v86 : tile<1x64x64xf16> -> tile<64x64xf16>
    %pv89 = make_partition_view %tv10 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv90 = make_partition_view %tv40 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv91 = make_partition_view %tv47 : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %pv92 = make_partition_view %tv54 : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v93 = constant <i32: 64> : tile<i32>
    %v94 = divi %v3, %v93 signed rounding<positive_inf> : tile<i32>
    %v95 = iota : tile<64xi32>
    %v96 = reshape %v95 : tile<64xi32> -> tile<64x1xi32>
    %v97 = iota : tile<64xi32>
    %v98 = reshape %v97 : tile<64xi32> -> tile<1x64xi32>
    %v99 = constant <i32: 0> : tile<i32>
    %v100 = constant <f32: 0.0> : tile<64x64xf32>
    %v101 = constant <f32: 0.0> : tile<64x64xf32>
    %v102 = constant <i32: 1> : tile<i32>
    %f106:2 = for %i103 in (%v99 to %v94, step %v102) : tile<i32> iter_values(%c104 = %v100, %c105 = %v101) -> (tile<64x64xf32>, tile<64x64xf32>) {
      %v107 = constant <i32: 0> : tile<i32>
      %v108, %t109 = load_view_tko weak %pv89[%b77, %i103, %v107] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %v110 = reshape %v108 : tile<1x64x64xf16> -> tile<64x64xf16>
      %v111 = constant <i32: 0> : tile<i32>
      %v112, %t113 = load_view_tko weak %pv90[%b77, %i103, %v111] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %v114 = reshape %v112 : tile<1x64x64xf16> -> tile<64x64xf16>
      %v115, %t116 = load_view_tko weak %pv91[%b77, %i103] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
      %v117 = reshape %v115 : tile<1x64xf32> -> tile<64x1xf32>
      %v118, %t119 = load_view_tko weak %pv92[%b77, %i103] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
      %v120 = reshape %v118 : tile<1x64xf32> -> tile<64x1xf32>
      %v121 = permute %v83 [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %v122 = constant <f32: 0.0> : tile<64x64xf32>
      %v123 = mmaf %v110, %v121, %v122  : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %v124 = reshape %sc : tile<f32> -> tile<1x1xf32>
      %v125 = broadcast %v124 : tile<1x1xf32> -> tile<64x64xf32>
      %v126 = mulf %v123, %v125  : tile<64x64xf32>
      %v127 = broadcast %v117 : tile<64x1xf32> -> tile<64x64xf32>
      %v128 = subf %v126, %v127  : tile<64x64xf32>
      %v129 = exp2 %v128 flush_to_zero : tile<64x64xf32>
      %v130 = ftof %v129  : tile<64x64xf32> -> tile<64x64xf16>
      %v131 = permute %v130 [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %v132 = mmaf %v131, %v114, %c105  : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %v133 = permute %v88 [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %v134 = constant <f32: 0.0> : tile<64x64xf32>
      %v135 = mmaf %v114, %v133, %v134  : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %v136 = broadcast %v120 : tile<64x1xf32> -> tile<64x64xf32>
      %v137 = subf %v135, %v136  : tile<64x64xf32>
      %v138 = mulf %v129, %v137  : tile<64x64xf32>
      %v139 = ftof %v138  : tile<64x64xf32> -> tile<64x64xf16>
      %v140 = permute %v139 [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %v141 = mmaf %v140, %v110, %c104  : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %v142 = constant <f32: 0.0> : tile<64x64xf32>
      %v143 = mmaf %v139, %v83, %v142  : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %v144 = constant <i32: 64> : tile<i32>
      %v145 = muli %i103, %v144  : tile<i32>
      %v146 = reshape %v145 : tile<i32> -> tile<1x1xi32>
      %v147 = broadcast %v146 : tile<1x1xi32> -> tile<64x1xi32>
      %v148 = addi %v96, %v147  : tile<64x1xi32>
      %v149 = muli %b77, %v3  : tile<i32>
      %v150 = reshape %v149 : tile<i32> -> tile<1x1xi32>
      %v151 = broadcast %v150 : tile<1x1xi32> -> tile<64x1xi32>
      %v152 = addi %v148, %v151  : tile<64x1xi32>
      %v153 = broadcast %v152 : tile<64x1xi32> -> tile<64x64xi32>
      %v154 = constant <i32: 64> : tile<64x64xi32>
      %v155 = muli %v153, %v154  : tile<64x64xi32>
      %v156 = broadcast %v98 : tile<1x64xi32> -> tile<64x64xi32>
      %v157 = addi %v155, %v156  : tile<64x64xi32>
      %v158 = reshape %dq75 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
      %v159 = broadcast %v158 : tile<1x1xptr<f32>> -> tile<64x64xptr<f32>>
      %p160 = offset %v159, %v157 : tile<64x64xptr<f32>>, tile<64x64xi32> -> tile<64x64xptr<f32>>
      %v161, %t162 = atomic_rmw_tko relaxed device %p160, addf, %v143 token=%tok : tile<64x64xptr<f32>>, tile<64x64xf32> -> tile<64x64xf32>, token
      continue %v141, %v132 : tile<64x64xf32>, tile<64x64xf32>
    }
    %v163 = ftof %f106#0  : tile<64x64xf32> -> tile<64x64xf16>
    %v164 = reshape %v163 : tile<64x64xf16> -> tile<1x64x64xf16>
    %pv165 = make_partition_view %tv64 : partition_view<tile=(1x64x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v166 = constant <i32: 0> : tile<i32>
    %t167 = store_view_tko weak %v164, %pv165[%b77, %b76, %v166] token = %tok : tile<1x64x64xf16>, partition_view<tile=(1x64x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> token
    %v168 = ftof %f106#1  : tile<64x64xf32> -> tile<64x64xf16>
    %v169 = reshape %v168 : tile<64x64xf16> -> tile<1x64x64xf16>
    %pv170 = make_partition_view %tv74 : partition_view<tile=(1x64x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v171 = constant <i32: 0> : tile<i32>
    %t172 = store_view_tko weak %v169, %pv170[%b77, %b76, %v171] token = %tok : tile<1x64x64xf16>, partition_view<tile=(1x64x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
