// attention in two passes: row statistics, then weights that are stored, and P V
cuda_tile.module @m {
  entry @attn_weights_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_2: tile<i32>, %w_s0: tile<i32>, %w_s1: tile<i32>, %sc: tile<f32>) {
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
    %w41 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v42 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v43 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v44 = assume bounded<0, ?>, %w_2 : tile<i32>
    %v45 = assume div_by<16>, %v44 : tile<i32>
    %v46 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v47 = assume div_by<16>, %v46 : tile<i32>
    %v48 = assume bounded<0, ?>, %w_s1 : tile<i32>
    %v49 = assume div_by<16>, %v48 : tile<i32>
    %tv50 = make_tensor_view %w41, shape = [%v42, %v43, %v45], strides = [%v47, %v49, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %tok = make_token : token
    %b51, %b52, %b53 = get_tile_block_id : tile<i32>
    %pv54 = make_partition_view %tv10 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v55 = constant <i32: 0> : tile<i32>
    %v56, %t57 = load_view_tko weak %pv54[%b52, %b51, %v55] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
    %v58 = reshape %v56 : tile<1x64x64xbf16> -> tile<64x64xbf16>
    %pv59 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv60 = make_partition_view %tv30 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv61 = make_partition_view %tv50 : partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v62 = constant <i32: 64> : tile<i32>
    %v63 = divi %v13, %v62 signed rounding<positive_inf> : tile<i32>
    %v64 = constant <f32: 1.442695> : tile<f32>
    %v65 = mulf %sc, %v64  : tile<f32>
    %v66 = constant <i32: 0> : tile<i32>
    %v67 = constant <f32: -1.0e30> : tile<64x1xf32>
    %v68 = constant <f32: 0.0> : tile<64x1xf32>
    %v69 = constant <i32: 1> : tile<i32>
    %f73:2 = for %i70 in (%v66 to %v63, step %v69) : tile<i32> iter_values(%c71 = %v67, %c72 = %v68) -> (tile<64x1xf32>, tile<64x1xf32>) {
      %v74 = constant <i32: 0> : tile<i32>
      %v75, %t76 = load_view_tko weak %pv59[%b52, %i70, %v74] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v77 = reshape %v75 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v78 = permute %v77 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v79 = constant <f32: 0.0> : tile<64x64xf32>
      %v80 = mmaf %v58, %v78, %v79  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v81 = reshape %v65 : tile<f32> -> tile<1x1xf32>
      %v82 = broadcast %v81 : tile<1x1xf32> -> tile<64x64xf32>
      %v83 = mulf %v80, %v82  : tile<64x64xf32>
      %v84 = reduce %v83 dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l85: tile<f32>, %r86: tile<f32>) {
        %y87 = maxf %l85, %r86 : tile<f32>
        yield %y87 : tile<f32>
      }
      %v88 = reshape %v84 : tile<64xf32> -> tile<64x1xf32>
      %v89 = maxf %c71, %v88  : tile<64x1xf32>
      %v90 = subf %c71, %v89  : tile<64x1xf32>
      %v91 = exp2 %v90 flush_to_zero : tile<64x1xf32>
      %v92 = mulf %c72, %v91  : tile<64x1xf32>
      %v93 = broadcast %v89 : tile<64x1xf32> -> tile<64x64xf32>
      %v94 = subf %v83, %v93  : tile<64x64xf32>
      %v95 = exp2 %v94 flush_to_zero : tile<64x64xf32>
      %v96 = reduce %v95 dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l97: tile<f32>, %r98: tile<f32>) {
        %y99 = addf %l97, %r98 : tile<f32>
        yield %y99 : tile<f32>
      }
      %v100 = reshape %v96 : tile<64xf32> -> tile<64x1xf32>
      %v101 = addf %v92, %v100  : tile<64x1xf32>
      continue %v89, %v101 : tile<64x1xf32>, tile<64x1xf32>
    }
    %v102 = constant <f32: 1.0> : tile<64x1xf32>
    %v103 = divf %v102, %f73#1  : tile<64x1xf32>
    %v104 = constant <i32: 0> : tile<i32>
    %v105 = constant <f32: 0.0> : tile<64x64xf32>
    %v106 = constant <i32: 1> : tile<i32>
    %f109 = for %i107 in (%v104 to %v63, step %v106) : tile<i32> iter_values(%c108 = %v105) -> (tile<64x64xf32>) {
      %v110 = constant <i32: 0> : tile<i32>
      %v111, %t112 = load_view_tko weak %pv59[%b52, %i107, %v110] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v113 = reshape %v111 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v114 = permute %v113 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v115 = constant <f32: 0.0> : tile<64x64xf32>
      %v116 = mmaf %v58, %v114, %v115  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v117 = reshape %v65 : tile<f32> -> tile<1x1xf32>
      %v118 = broadcast %v117 : tile<1x1xf32> -> tile<64x64xf32>
      %v119 = mulf %v116, %v118  : tile<64x64xf32>
      %v120 = broadcast %f73#0 : tile<64x1xf32> -> tile<64x64xf32>
      %v121 = subf %v119, %v120  : tile<64x64xf32>
      %v122 = exp2 %v121 flush_to_zero : tile<64x64xf32>
      %v123 = broadcast %v103 : tile<64x1xf32> -> tile<64x64xf32>
      %v124 = mulf %v122, %v123  : tile<64x64xf32>
      %v125 = ftof %v124  : tile<64x64xf32> -> tile<64x64xbf16>
      %v126 = reshape %v125 : tile<64x64xbf16> -> tile<1x64x64xbf16>
      %t127 = store_view_tko weak %v126, %pv61[%b52, %b51, %i107] token = %tok : tile<1x64x64xbf16>, partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
      %v128 = constant <i32: 0> : tile<i32>
      %v129, %t130 = load_view_tko weak %pv60[%b52, %i107, %v128] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v131 = reshape %v129 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v132 = mmaf %v125, %v131, %c108  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      continue %v132 : tile<64x64xf32>
    }
    %v133 = ftof %f109  : tile<64x64xf32> -> tile<64x64xbf16>
    %v134 = reshape %v133 : tile<64x64xbf16> -> tile<1x64x64xbf16>
    %pv135 = make_partition_view %tv40 : partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v136 = constant <i32: 0> : tile<i32>
    %t137 = store_view_tko weak %v134, %pv135[%b52, %b51, %v136] token = %tok : tile<1x64x64xbf16>, partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
