// linear attention with a decaying state, chunk by chunk (gated delta without the solve)
cuda_tile.module @m {
  entry @delta_state_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %g: tile<ptr<f32>>, %g_0: tile<i32>, %g_1: tile<i32>, %g_s0: tile<i32>) {
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
    %g41 = assume div_by<16>, %g : tile<ptr<f32>>
    %v42 = assume bounded<0, ?>, %g_0 : tile<i32>
    %v43 = assume bounded<0, ?>, %g_1 : tile<i32>
    %v44 = assume div_by<16>, %v43 : tile<i32>
    %v45 = assume bounded<0, ?>, %g_s0 : tile<i32>
    %v46 = assume div_by<16>, %v45 : tile<i32>
    %tv47 = make_tensor_view %g41, shape = [%v42, %v44], strides = [%v46, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b48, %b49, %b50 = get_tile_block_id : tile<i32>
    %pv51 = make_partition_view %tv10 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv52 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv53 = make_partition_view %tv30 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv54 = make_partition_view %tv40 : partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv55 = make_partition_view %tv47 : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v56 = constant <i32: 64> : tile<i32>
    %v57 = divi %v3, %v56 signed rounding<positive_inf> : tile<i32>
    %v58 = iota : tile<64xi32>
    %v59 = reshape %v58 : tile<64xi32> -> tile<64x1xi32>
    %v60 = iota : tile<64xi32>
    %v61 = reshape %v60 : tile<64xi32> -> tile<1x64xi32>
    %v62 = broadcast %v59 : tile<64x1xi32> -> tile<64x64xi32>
    %v63 = broadcast %v61 : tile<1x64xi32> -> tile<64x64xi32>
    %v64 = cmpi greater_than_or_equal %v62, %v63, signed : tile<64x64xi32> -> tile<64x64xi1>
    %v65 = constant <i32: 0> : tile<i32>
    %v66 = constant <f32: 0.0> : tile<64x64xf32>
    %v67 = constant <i32: 1> : tile<i32>
    %f70 = for %i68 in (%v65 to %v57, step %v67) : tile<i32> iter_values(%c69 = %v66) -> (tile<64x64xf32>) {
      %v71 = constant <i32: 0> : tile<i32>
      %v72, %t73 = load_view_tko weak %pv51[%b49, %i68, %v71] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v74 = reshape %v72 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v75 = constant <i32: 0> : tile<i32>
      %v76, %t77 = load_view_tko weak %pv52[%b49, %i68, %v75] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v78 = reshape %v76 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v79, %t80 = load_view_tko weak %pv53[%b49, %i68, %b48] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v81 = reshape %v79 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v82, %t83 = load_view_tko weak %pv55[%b49, %i68] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
      %v84 = scan %v82 dim=1 reverse=false identities=[0.0 : f32] : tile<1x64xf32> -> tile<1x64xf32>
      (%l85: tile<f32>, %r86: tile<f32>) {
        %y87 = addf %l85, %r86 : tile<f32>
        yield %y87 : tile<f32>
      }
      %v88 = permute %v84 [1, 0] : tile<1x64xf32> -> tile<64x1xf32>
      %v89, %t90 = load_view_tko weak %pv55[%b49, %i68] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
      %v91 = reduce %v89 dim=1 identities=[0.0 : f32] : tile<1x64xf32> -> tile<1xf32>
      (%l92: tile<f32>, %r93: tile<f32>) {
        %y94 = addf %l92, %r93 : tile<f32>
        yield %y94 : tile<f32>
      }
      %v95 = reshape %v91 : tile<1xf32> -> tile<1x1xf32>
      %v96 = permute %v78 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v97 = constant <f32: 0.0> : tile<64x64xf32>
      %v98 = mmaf %v74, %v96, %v97  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v99 = broadcast %v88 : tile<64x1xf32> -> tile<64x64xf32>
      %v100 = broadcast %v84 : tile<1x64xf32> -> tile<64x64xf32>
      %v101 = subf %v99, %v100  : tile<64x64xf32>
      %v102 = exp2 %v101 flush_to_zero : tile<64x64xf32>
      %v103 = mulf %v98, %v102  : tile<64x64xf32>
      %v104 = constant <f32: 0.0> : tile<64x64xf32>
      %v105 = select %v64, %v103, %v104 : tile<64x64xi1>, tile<64x64xf32>
      %v106 = ftof %v105  : tile<64x64xf32> -> tile<64x64xbf16>
      %v107 = ftof %c69  : tile<64x64xf32> -> tile<64x64xbf16>
      %v108 = constant <f32: 0.0> : tile<64x64xf32>
      %v109 = mmaf %v74, %v107, %v108  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v110 = exp2 %v88 flush_to_zero : tile<64x1xf32>
      %v111 = broadcast %v110 : tile<64x1xf32> -> tile<64x64xf32>
      %v112 = mulf %v109, %v111  : tile<64x64xf32>
      %v113 = mmaf %v106, %v81, %v112  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v114 = ftof %v113  : tile<64x64xf32> -> tile<64x64xbf16>
      %v115 = reshape %v114 : tile<64x64xbf16> -> tile<1x64x64xbf16>
      %t116 = store_view_tko weak %v115, %pv54[%b49, %i68, %b48] token = %tok : tile<1x64x64xbf16>, partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
      %v117 = ftof %v78  : tile<64x64xbf16> -> tile<64x64xf32>
      %v118 = permute %v95 [1, 0] : tile<1x1xf32> -> tile<1x1xf32>
      %v119 = broadcast %v118 : tile<1x1xf32> -> tile<64x1xf32>
      %v120 = subf %v119, %v88  : tile<64x1xf32>
      %v121 = exp2 %v120 flush_to_zero : tile<64x1xf32>
      %v122 = broadcast %v121 : tile<64x1xf32> -> tile<64x64xf32>
      %v123 = mulf %v117, %v122  : tile<64x64xf32>
      %v124 = ftof %v123  : tile<64x64xf32> -> tile<64x64xbf16>
      %v125 = permute %v124 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v126 = exp2 %v95 flush_to_zero : tile<1x1xf32>
      %v127 = broadcast %v126 : tile<1x1xf32> -> tile<64x64xf32>
      %v128 = mulf %c69, %v127  : tile<64x64xf32>
      %v129 = mmaf %v125, %v81, %v128  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      continue %v129 : tile<64x64xf32>
    }
    return
  }
}
