// attention backward: keys and values stay, queries stream
cuda_tile.module @m {
  entry @attn_bwd_dkv_f16_128(%q: tile<ptr<f16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<f16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<f16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %do: tile<ptr<f16>>, %do_0: tile<i32>, %do_1: tile<i32>, %do_2: tile<i32>, %do_s0: tile<i32>, %do_s1: tile<i32>, %lse: tile<ptr<f32>>, %lse_0: tile<i32>, %lse_1: tile<i32>, %lse_s0: tile<i32>, %dl: tile<ptr<f32>>, %dl_0: tile<i32>, %dl_1: tile<i32>, %dl_s0: tile<i32>, %dk: tile<ptr<f16>>, %dk_0: tile<i32>, %dk_1: tile<i32>, %dk_2: tile<i32>, %dk_s0: tile<i32>, %dk_s1: tile<i32>, %dv: tile<ptr<f16>>, %dv_0: tile<i32>, %dv_1: tile<i32>, %dv_2: tile<i32>, %dv_s0: tile<i32>, %dv_s1: tile<i32>, %scale: tile<f32>) {
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
    %lse41 = assume div_by<16>, %lse : tile<ptr<f32>>
    %v42 = assume bounded<0, ?>, %lse_0 : tile<i32>
    %v43 = assume bounded<0, ?>, %lse_1 : tile<i32>
    %v44 = assume div_by<16>, %v43 : tile<i32>
    %v45 = assume bounded<0, ?>, %lse_s0 : tile<i32>
    %v46 = assume div_by<16>, %v45 : tile<i32>
    %tv47 = make_tensor_view %lse41, shape = [%v42, %v44], strides = [%v46, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %dl48 = assume div_by<16>, %dl : tile<ptr<f32>>
    %v49 = assume bounded<0, ?>, %dl_0 : tile<i32>
    %v50 = assume bounded<0, ?>, %dl_1 : tile<i32>
    %v51 = assume div_by<16>, %v50 : tile<i32>
    %v52 = assume bounded<0, ?>, %dl_s0 : tile<i32>
    %v53 = assume div_by<16>, %v52 : tile<i32>
    %tv54 = make_tensor_view %dl48, shape = [%v49, %v51], strides = [%v53, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
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
    %tok = make_token : token
    %b75, %b76, %b77 = get_tile_block_id : tile<i32>
    %pv78 = make_partition_view %tv20 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v79 = constant <i32: 0> : tile<i32>
    %v80, %t81 = load_view_tko weak %pv78[%b76, %b75, %v79] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xf16>, token
    %v82 = reshape %v80 : tile<1x64x128xf16> -> tile<64x128xf16>
    %pv83 = make_partition_view %tv30 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v84 = constant <i32: 0> : tile<i32>
    %v85, %t86 = load_view_tko weak %pv83[%b76, %b75, %v84] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xf16>, token
    %v87 = reshape %v85 : tile<1x64x128xf16> -> tile<64x128xf16>
    %pv88 = make_partition_view %tv10 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv89 = make_partition_view %tv40 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv90 = make_partition_view %tv47 : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %pv91 = make_partition_view %tv54 : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v92 = constant <f32: 1.442695> : tile<f32>
    %v93 = mulf %scale, %v92  : tile<f32>
    %v94 = constant <i32: 0> : tile<i32>
    %v95 = constant <i32: 64> : tile<i32>
    %v96 = divi %v3, %v95 signed rounding<positive_inf> : tile<i32>
    %v97 = constant <f32: 0.0> : tile<64x128xf32>
    %v98 = constant <f32: 0.0> : tile<64x128xf32>
    %v99 = constant <i32: 1> : tile<i32>
    %f103:2 = for %i100 in (%v94 to %v96, step %v99) : tile<i32> iter_values(%c101 = %v97, %c102 = %v98) -> (tile<64x128xf32>, tile<64x128xf32>) {
      %v104 = constant <i32: 0> : tile<i32>
      %v105, %t106 = load_view_tko weak %pv88[%b76, %i100, %v104] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xf16>, token
      %v107 = reshape %v105 : tile<1x64x128xf16> -> tile<64x128xf16>
      %v108 = constant <i32: 0> : tile<i32>
      %v109, %t110 = load_view_tko weak %pv89[%b76, %i100, %v108] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xf16>, token
      %v111 = reshape %v109 : tile<1x64x128xf16> -> tile<64x128xf16>
      %v112, %t113 = load_view_tko weak %pv90[%b76, %i100] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
      %v114, %t115 = load_view_tko weak %pv91[%b76, %i100] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
      %v116 = permute %v107 [1, 0] : tile<64x128xf16> -> tile<128x64xf16>
      %v117 = constant <f32: 0.0> : tile<64x64xf32>
      %v118 = mmaf %v82, %v116, %v117  : tile<64x128xf16>, tile<128x64xf16>, tile<64x64xf32>
      %v119 = reshape %v93 : tile<f32> -> tile<1x1xf32>
      %v120 = broadcast %v119 : tile<1x1xf32> -> tile<64x64xf32>
      %v121 = mulf %v118, %v120  : tile<64x64xf32>
      %v122 = broadcast %v112 : tile<1x64xf32> -> tile<64x64xf32>
      %v123 = subf %v121, %v122  : tile<64x64xf32>
      %v124 = exp2 %v123 flush_to_zero : tile<64x64xf32>
      %v125 = ftof %v124  : tile<64x64xf32> -> tile<64x64xf16>
      %v126 = mmaf %v125, %v111, %c102  : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
      %v127 = permute %v111 [1, 0] : tile<64x128xf16> -> tile<128x64xf16>
      %v128 = constant <f32: 0.0> : tile<64x64xf32>
      %v129 = mmaf %v87, %v127, %v128  : tile<64x128xf16>, tile<128x64xf16>, tile<64x64xf32>
      %v130 = broadcast %v114 : tile<1x64xf32> -> tile<64x64xf32>
      %v131 = subf %v129, %v130  : tile<64x64xf32>
      %v132 = mulf %v124, %v131  : tile<64x64xf32>
      %v133 = ftof %v132  : tile<64x64xf32> -> tile<64x64xf16>
      %v134 = mmaf %v133, %v107, %c101  : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
      continue %v134, %v126 : tile<64x128xf32>, tile<64x128xf32>
    }
    %v135 = reshape %scale : tile<f32> -> tile<1x1xf32>
    %v136 = broadcast %v135 : tile<1x1xf32> -> tile<64x128xf32>
    %v137 = mulf %f103#0, %v136  : tile<64x128xf32>
    %v138 = ftof %v137  : tile<64x128xf32> -> tile<64x128xf16>
    %v139 = reshape %v138 : tile<64x128xf16> -> tile<1x64x128xf16>
    %pv140 = make_partition_view %tv64 : partition_view<tile=(1x64x128), tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v141 = constant <i32: 0> : tile<i32>
    %t142 = store_view_tko weak %v139, %pv140[%b76, %b75, %v141] token = %tok : tile<1x64x128xf16>, partition_view<tile=(1x64x128), tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> token
    %v143 = ftof %f103#1  : tile<64x128xf32> -> tile<64x128xf16>
    %v144 = reshape %v143 : tile<64x128xf16> -> tile<1x64x128xf16>
    %pv145 = make_partition_view %tv74 : partition_view<tile=(1x64x128), tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v146 = constant <i32: 0> : tile<i32>
    %t147 = store_view_tko weak %v144, %pv145[%b76, %b75, %v146] token = %tok : tile<1x64x128xf16>, partition_view<tile=(1x64x128), tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
