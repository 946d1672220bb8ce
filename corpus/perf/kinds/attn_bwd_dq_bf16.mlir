// attention backward: queries stay, keys stream
cuda_tile.module @m {
  entry @attn_bwd_dq_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %do: tile<ptr<bf16>>, %do_0: tile<i32>, %do_1: tile<i32>, %do_2: tile<i32>, %do_s0: tile<i32>, %do_s1: tile<i32>, %lse: tile<ptr<f32>>, %lse_0: tile<i32>, %lse_1: tile<i32>, %lse_s0: tile<i32>, %dl: tile<ptr<f32>>, %dl_0: tile<i32>, %dl_1: tile<i32>, %dl_s0: tile<i32>, %dq: tile<ptr<bf16>>, %dq_0: tile<i32>, %dq_1: tile<i32>, %dq_2: tile<i32>, %dq_s0: tile<i32>, %dq_s1: tile<i32>, %scale: tile<f32>) {
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
    %do31 = assume div_by<16>, %do : tile<ptr<bf16>>
    %v32 = assume bounded<0, ?>, %do_0 : tile<i32>
    %v33 = assume bounded<0, ?>, %do_1 : tile<i32>
    %v34 = assume bounded<0, ?>, %do_2 : tile<i32>
    %v35 = assume div_by<16>, %v34 : tile<i32>
    %v36 = assume bounded<0, ?>, %do_s0 : tile<i32>
    %v37 = assume div_by<16>, %v36 : tile<i32>
    %v38 = assume bounded<0, ?>, %do_s1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %tv40 = make_tensor_view %do31, shape = [%v32, %v33, %v35], strides = [%v37, %v39, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
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
    %dq55 = assume div_by<16>, %dq : tile<ptr<bf16>>
    %v56 = assume bounded<0, ?>, %dq_0 : tile<i32>
    %v57 = assume bounded<0, ?>, %dq_1 : tile<i32>
    %v58 = assume bounded<0, ?>, %dq_2 : tile<i32>
    %v59 = assume div_by<16>, %v58 : tile<i32>
    %v60 = assume bounded<0, ?>, %dq_s0 : tile<i32>
    %v61 = assume div_by<16>, %v60 : tile<i32>
    %v62 = assume bounded<0, ?>, %dq_s1 : tile<i32>
    %v63 = assume div_by<16>, %v62 : tile<i32>
    %tv64 = make_tensor_view %dq55, shape = [%v56, %v57, %v59], strides = [%v61, %v63, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %tok = make_token : token
    %b65, %b66, %b67 = get_tile_block_id : tile<i32>
    %pv68 = make_partition_view %tv10 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v69 = constant <i32: 0> : tile<i32>
    %v70, %t71 = load_view_tko weak %pv68[%b66, %b65, %v69] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
    %v72 = reshape %v70 : tile<1x128x64xbf16> -> tile<128x64xbf16>
    %pv73 = make_partition_view %tv40 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v74 = constant <i32: 0> : tile<i32>
    %v75, %t76 = load_view_tko weak %pv73[%b66, %b65, %v74] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
    %v77 = reshape %v75 : tile<1x128x64xbf16> -> tile<128x64xbf16>
    %pv78 = make_partition_view %tv47 : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v79, %t80 = load_view_tko weak %pv78[%b66, %b65] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x128xf32>, token
    %v81 = permute %v79 [1, 0] : tile<1x128xf32> -> tile<128x1xf32>
    %pv82 = make_partition_view %tv54 : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v83, %t84 = load_view_tko weak %pv82[%b66, %b65] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x128xf32>, token
    %v85 = permute %v83 [1, 0] : tile<1x128xf32> -> tile<128x1xf32>
    %pv86 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv87 = make_partition_view %tv30 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v88 = constant <f32: 1.442695> : tile<f32>
    %v89 = mulf %scale, %v88  : tile<f32>
    %v90 = constant <i32: 0> : tile<i32>
    %v91 = constant <i32: 64> : tile<i32>
    %v92 = divi %v13, %v91 signed rounding<positive_inf> : tile<i32>
    %v93 = constant <f32: 0.0> : tile<128x64xf32>
    %v94 = constant <i32: 1> : tile<i32>
    %f97 = for %i95 in (%v90 to %v92, step %v94) : tile<i32> iter_values(%c96 = %v93) -> (tile<128x64xf32>) {
      %v98 = constant <i32: 0> : tile<i32>
      %v99, %t100 = load_view_tko weak %pv86[%b66, %i95, %v98] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v101 = reshape %v99 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v102 = constant <i32: 0> : tile<i32>
      %v103, %t104 = load_view_tko weak %pv87[%b66, %i95, %v102] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v105 = reshape %v103 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v106 = permute %v101 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v107 = constant <f32: 0.0> : tile<128x64xf32>
      %v108 = mmaf %v72, %v106, %v107  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      %v109 = reshape %v89 : tile<f32> -> tile<1x1xf32>
      %v110 = broadcast %v109 : tile<1x1xf32> -> tile<128x64xf32>
      %v111 = mulf %v108, %v110  : tile<128x64xf32>
      %v112 = broadcast %v81 : tile<128x1xf32> -> tile<128x64xf32>
      %v113 = subf %v111, %v112  : tile<128x64xf32>
      %v114 = exp2 %v113 flush_to_zero : tile<128x64xf32>
      %v115 = permute %v105 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v116 = constant <f32: 0.0> : tile<128x64xf32>
      %v117 = mmaf %v77, %v115, %v116  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      %v118 = broadcast %v85 : tile<128x1xf32> -> tile<128x64xf32>
      %v119 = subf %v117, %v118  : tile<128x64xf32>
      %v120 = mulf %v114, %v119  : tile<128x64xf32>
      %v121 = ftof %v120  : tile<128x64xf32> -> tile<128x64xbf16>
      %v122 = mmaf %v121, %v101, %c96  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      continue %v122 : tile<128x64xf32>
    }
    %v123 = reshape %scale : tile<f32> -> tile<1x1xf32>
    %v124 = broadcast %v123 : tile<1x1xf32> -> tile<128x64xf32>
    %v125 = mulf %f97, %v124  : tile<128x64xf32>
    %v126 = ftof %v125  : tile<128x64xf32> -> tile<128x64xbf16>
    %v127 = reshape %v126 : tile<128x64xbf16> -> tile<1x128x64xbf16>
    %pv128 = make_partition_view %tv64 : partition_view<tile=(1x128x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v129 = constant <i32: 0> : tile<i32>
    %t130 = store_view_tko weak %v127, %pv128[%b66, %b65, %v129] token = %tok : tile<1x128x64xbf16>, partition_view<tile=(1x128x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
