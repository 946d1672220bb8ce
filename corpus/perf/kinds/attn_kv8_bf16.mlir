// attention kv8
cuda_tile.module @m {
  entry @attn_kv8_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<f8E4M3FN>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<f8E4M3FN>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %scale: tile<f32>) {
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
    %k11 = assume div_by<16>, %k : tile<ptr<f8E4M3FN>>
    %v12 = assume bounded<0, ?>, %k_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %k_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %k_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %k_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %k_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %k11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>
    %v21 = assume div_by<16>, %v : tile<ptr<f8E4M3FN>>
    %v22 = assume bounded<0, ?>, %v_0 : tile<i32>
    %v23 = assume bounded<0, ?>, %v_1 : tile<i32>
    %v24 = assume bounded<0, ?>, %v_2 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %v_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %v28 = assume bounded<0, ?>, %v_s1 : tile<i32>
    %v29 = assume div_by<16>, %v28 : tile<i32>
    %tv30 = make_tensor_view %v21, shape = [%v22, %v23, %v25], strides = [%v27, %v29, 1] : tile<i32> -> tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>
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
    %pv44 = make_partition_view %tv10 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv45 = make_partition_view %tv20 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>
    %pv46 = make_partition_view %tv30 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>
    %pv47 = make_partition_view %tv40 : partition_view<tile=(1x64x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v48 = constant <i32: 4> : tile<i32>
    %v49 = divi %b42, %v48 signed : tile<i32>
    %v50 = constant <i32: 0> : tile<i32>
    %v51, %t52 = load_view_tko weak %pv44[%b42, %b41, %v50] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xbf16>, token
    %v53 = reshape %v51 : tile<1x64x128xbf16> -> tile<64x128xbf16>
    %v54 = constant <f32: 1.442695> : tile<f32>
    %v55 = mulf %scale, %v54  : tile<f32>
    %v56 = constant <i32: 64> : tile<i32>
    %v57 = muli %b41, %v56  : tile<i32>
    %v58 = reshape %v57 : tile<i32> -> tile<1xi32>
    %v59 = broadcast %v58 : tile<1xi32> -> tile<64xi32>
    %v60 = iota : tile<64xi32>
    %v61 = addi %v59, %v60  : tile<64xi32>
    %v62 = reshape %v61 : tile<64xi32> -> tile<64x1xi32>
    %v63 = constant <i32: 64> : tile<i32>
    %v64 = divi %v13, %v63 signed rounding<positive_inf> : tile<i32>
    %v65 = constant <i32: 0> : tile<i32>
    %v66 = constant <f32: 0xFF800000> : tile<64x1xf32>
    %v67 = constant <f32: 0.0> : tile<64x1xf32>
    %v68 = constant <f32: 0.0> : tile<64x128xf32>
    %v69 = constant <i32: 1> : tile<i32>
    %f74:3 = for %i70 in (%v65 to %v64, step %v69) : tile<i32> iter_values(%c71 = %v66, %c72 = %v67, %c73 = %v68) -> (tile<64x1xf32>, tile<64x1xf32>, tile<64x128xf32>) {
      %v75 = constant <i32: 0> : tile<i32>
      %v76, %t77 = load_view_tko weak %pv45[%v49, %i70, %v75] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xf8E4M3FN>, token
      %v78 = reshape %v76 : tile<1x64x128xf8E4M3FN> -> tile<64x128xf8E4M3FN>
      %v79 = permute %v78 [1, 0] : tile<64x128xf8E4M3FN> -> tile<128x64xf8E4M3FN>
      %v80 = ftof %v79  : tile<128x64xf8E4M3FN> -> tile<128x64xbf16>
      %v81 = constant <f32: 0.0> : tile<64x64xf32>
      %v82 = mmaf %v53, %v80, %v81  : tile<64x128xbf16>, tile<128x64xbf16>, tile<64x64xf32>
      %v83 = reshape %v55 : tile<f32> -> tile<1x1xf32>
      %v84 = broadcast %v83 : tile<1x1xf32> -> tile<64x64xf32>
      %v85 = mulf %v82, %v84  : tile<64x64xf32>
      %v86 = constant <i32: 64> : tile<i32>
      %v87 = muli %i70, %v86  : tile<i32>
      %v88 = reshape %v87 : tile<i32> -> tile<1xi32>
      %v89 = broadcast %v88 : tile<1xi32> -> tile<64xi32>
      %v90 = iota : tile<64xi32>
      %v91 = addi %v89, %v90  : tile<64xi32>
      %v92 = reshape %v91 : tile<64xi32> -> tile<1x64xi32>
      %v93 = reshape %v13 : tile<i32> -> tile<1x1xi32>
      %v94 = broadcast %v93 : tile<1x1xi32> -> tile<1x64xi32>
      %v95 = cmpi less_than %v92, %v94, signed : tile<1x64xi32> -> tile<1x64xi1>
      %v96 = broadcast %v95 : tile<1x64xi1> -> tile<64x64xi1>
      %v97 = constant <f32: 0xFF800000> : tile<64x64xf32>
      %v98 = select %v96, %v85, %v97 : tile<64x64xi1>, tile<64x64xf32>
      %v99 = reduce %v98 dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l100: tile<f32>, %r101: tile<f32>) {
        %y102 = maxf %l100, %r101 : tile<f32>
        yield %y102 : tile<f32>
      }
      %v103 = reshape %v99 : tile<64xf32> -> tile<64x1xf32>
      %v104 = maxf %c71, %v103  : tile<64x1xf32>
      %v105 = broadcast %v104 : tile<64x1xf32> -> tile<64x64xf32>
      %v106 = subf %v98, %v105  : tile<64x64xf32>
      %v107 = exp2 %v106 flush_to_zero : tile<64x64xf32>
      %v108 = subf %c71, %v104  : tile<64x1xf32>
      %v109 = exp2 %v108 flush_to_zero : tile<64x1xf32>
      %v110 = mulf %c72, %v109  : tile<64x1xf32>
      %v111 = reduce %v107 dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l112: tile<f32>, %r113: tile<f32>) {
        %y114 = addf %l112, %r113 : tile<f32>
        yield %y114 : tile<f32>
      }
      %v115 = reshape %v111 : tile<64xf32> -> tile<64x1xf32>
      %v116 = addf %v110, %v115  : tile<64x1xf32>
      %v117 = broadcast %v109 : tile<64x1xf32> -> tile<64x128xf32>
      %v118 = mulf %c73, %v117  : tile<64x128xf32>
      %v119 = constant <i32: 0> : tile<i32>
      %v120, %t121 = load_view_tko weak %pv46[%v49, %i70, %v119] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xf8E4M3FN>, token
      %v122 = reshape %v120 : tile<1x64x128xf8E4M3FN> -> tile<64x128xf8E4M3FN>
      %v123 = ftof %v122  : tile<64x128xf8E4M3FN> -> tile<64x128xbf16>
      %v124 = ftof %v107  : tile<64x64xf32> -> tile<64x64xbf16>
      %v125 = mmaf %v124, %v123, %v118  : tile<64x64xbf16>, tile<64x128xbf16>, tile<64x128xf32>
      continue %v104, %v116, %v125 : tile<64x1xf32>, tile<64x1xf32>, tile<64x128xf32>
    }
    %v126 = broadcast %f74#1 : tile<64x1xf32> -> tile<64x128xf32>
    %v127 = divf %f74#2, %v126 rounding<approx> flush_to_zero : tile<64x128xf32>
    %v128 = ftof %v127  : tile<64x128xf32> -> tile<64x128xbf16>
    %v129 = reshape %v128 : tile<64x128xbf16> -> tile<1x64x128xbf16>
    %v130 = constant <i32: 0> : tile<i32>
    %t131 = store_view_tko weak %v129, %pv47[%b42, %b41, %v130] token = %tok : tile<1x64x128xbf16>, partition_view<tile=(1x64x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
