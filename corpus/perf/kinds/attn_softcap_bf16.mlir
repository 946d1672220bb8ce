// attention softcap
cuda_tile.module @m {
  entry @attn_softcap_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %scale: tile<f32>) {
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
    %pv44 = make_partition_view %tv10 : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv45 = make_partition_view %tv20 : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv46 = make_partition_view %tv30 : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv47 = make_partition_view %tv40 : partition_view<tile=(1x128x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v48 = constant <i32: 0> : tile<i32>
    %v49, %t50 = load_view_tko weak %pv44[%b42, %b41, %v48] token = %tok : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xbf16>, token
    %v51 = reshape %v49 : tile<1x128x128xbf16> -> tile<128x128xbf16>
    %v52 = constant <f32: 1.442695> : tile<f32>
    %v53 = mulf %scale, %v52  : tile<f32>
    %v54 = constant <i32: 128> : tile<i32>
    %v55 = muli %b41, %v54  : tile<i32>
    %v56 = reshape %v55 : tile<i32> -> tile<1xi32>
    %v57 = broadcast %v56 : tile<1xi32> -> tile<128xi32>
    %v58 = iota : tile<128xi32>
    %v59 = addi %v57, %v58  : tile<128xi32>
    %v60 = reshape %v59 : tile<128xi32> -> tile<128x1xi32>
    %v61 = constant <i32: 128> : tile<i32>
    %v62 = divi %v13, %v61 signed rounding<positive_inf> : tile<i32>
    %v63 = constant <i32: 0> : tile<i32>
    %v64 = constant <f32: 0xFF800000> : tile<128x1xf32>
    %v65 = constant <f32: 0.0> : tile<128x1xf32>
    %v66 = constant <f32: 0.0> : tile<128x128xf32>
    %v67 = constant <i32: 1> : tile<i32>
    %f72:3 = for %i68 in (%v63 to %v62, step %v67) : tile<i32> iter_values(%c69 = %v64, %c70 = %v65, %c71 = %v66) -> (tile<128x1xf32>, tile<128x1xf32>, tile<128x128xf32>) {
      %v73 = constant <i32: 0> : tile<i32>
      %v74, %t75 = load_view_tko weak %pv45[%b42, %i68, %v73] token = %tok : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xbf16>, token
      %v76 = reshape %v74 : tile<1x128x128xbf16> -> tile<128x128xbf16>
      %v77 = permute %v76 [1, 0] : tile<128x128xbf16> -> tile<128x128xbf16>
      %v78 = constant <f32: 0.0> : tile<128x128xf32>
      %v79 = mmaf %v51, %v77, %v78  : tile<128x128xbf16>, tile<128x128xbf16>, tile<128x128xf32>
      %v80 = reshape %v53 : tile<f32> -> tile<1x1xf32>
      %v81 = broadcast %v80 : tile<1x1xf32> -> tile<128x128xf32>
      %v82 = mulf %v79, %v81  : tile<128x128xf32>
      %v83 = constant <f32: 0.033> : tile<128x128xf32>
      %v84 = mulf %v82, %v83  : tile<128x128xf32>
      %v85 = tanh %v84 rounding<approx> : tile<128x128xf32>
      %v86 = constant <f32: 30.0> : tile<128x128xf32>
      %v87 = mulf %v85, %v86  : tile<128x128xf32>
      %v88 = constant <i32: 128> : tile<i32>
      %v89 = muli %i68, %v88  : tile<i32>
      %v90 = reshape %v89 : tile<i32> -> tile<1xi32>
      %v91 = broadcast %v90 : tile<1xi32> -> tile<128xi32>
      %v92 = iota : tile<128xi32>
      %v93 = addi %v91, %v92  : tile<128xi32>
      %v94 = reshape %v93 : tile<128xi32> -> tile<1x128xi32>
      %v95 = reshape %v13 : tile<i32> -> tile<1x1xi32>
      %v96 = broadcast %v95 : tile<1x1xi32> -> tile<1x128xi32>
      %v97 = cmpi less_than %v94, %v96, signed : tile<1x128xi32> -> tile<1x128xi1>
      %v98 = broadcast %v97 : tile<1x128xi1> -> tile<128x128xi1>
      %v99 = constant <f32: 0xFF800000> : tile<128x128xf32>
      %v100 = select %v98, %v87, %v99 : tile<128x128xi1>, tile<128x128xf32>
      %v101 = reduce %v100 dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%l102: tile<f32>, %r103: tile<f32>) {
        %y104 = maxf %l102, %r103 : tile<f32>
        yield %y104 : tile<f32>
      }
      %v105 = reshape %v101 : tile<128xf32> -> tile<128x1xf32>
      %v106 = maxf %c69, %v105  : tile<128x1xf32>
      %v107 = broadcast %v106 : tile<128x1xf32> -> tile<128x128xf32>
      %v108 = subf %v100, %v107  : tile<128x128xf32>
      %v109 = exp2 %v108 flush_to_zero : tile<128x128xf32>
      %v110 = subf %c69, %v106  : tile<128x1xf32>
      %v111 = exp2 %v110 flush_to_zero : tile<128x1xf32>
      %v112 = mulf %c70, %v111  : tile<128x1xf32>
      %v113 = reduce %v109 dim=1 identities=[0.0 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%l114: tile<f32>, %r115: tile<f32>) {
        %y116 = addf %l114, %r115 : tile<f32>
        yield %y116 : tile<f32>
      }
      %v117 = reshape %v113 : tile<128xf32> -> tile<128x1xf32>
      %v118 = addf %v112, %v117  : tile<128x1xf32>
      %v119 = broadcast %v111 : tile<128x1xf32> -> tile<128x128xf32>
      %v120 = mulf %c71, %v119  : tile<128x128xf32>
      %v121 = constant <i32: 0> : tile<i32>
      %v122, %t123 = load_view_tko weak %pv46[%b42, %i68, %v121] token = %tok : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xbf16>, token
      %v124 = reshape %v122 : tile<1x128x128xbf16> -> tile<128x128xbf16>
      %v125 = ftof %v109  : tile<128x128xf32> -> tile<128x128xbf16>
      %v126 = mmaf %v125, %v124, %v120  : tile<128x128xbf16>, tile<128x128xbf16>, tile<128x128xf32>
      continue %v106, %v118, %v126 : tile<128x1xf32>, tile<128x1xf32>, tile<128x128xf32>
    }
    %v127 = broadcast %f72#1 : tile<128x1xf32> -> tile<128x128xf32>
    %v128 = divf %f72#2, %v127 rounding<approx> flush_to_zero : tile<128x128xf32>
    %v129 = ftof %v128  : tile<128x128xf32> -> tile<128x128xbf16>
    %v130 = reshape %v129 : tile<128x128xbf16> -> tile<1x128x128xbf16>
    %v131 = constant <i32: 0> : tile<i32>
    %t132 = store_view_tko weak %v130, %pv47[%b42, %b41, %v131] token = %tok : tile<1x128x128xbf16>, partition_view<tile=(1x128x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
