// decode, heads of a group as rows, a part of the keys each block: partial sums and their logarithms
cuda_tile.module @m {
  entry @gqa_split_f16_8(%q: tile<ptr<f16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<f16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<f16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<f32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %lse: tile<ptr<f32>>, %lse_0: tile<i32>, %lse_1: tile<i32>, %lse_s0: tile<i32>, %scale: tile<f32>, %per: tile<i32>) {
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
    %o31 = assume div_by<16>, %o : tile<ptr<f32>>
    %v32 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v33 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v34 = assume bounded<0, ?>, %o_2 : tile<i32>
    %v35 = assume div_by<16>, %v34 : tile<i32>
    %v36 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v37 = assume div_by<16>, %v36 : tile<i32>
    %v38 = assume bounded<0, ?>, %o_s1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %tv40 = make_tensor_view %o31, shape = [%v32, %v33, %v35], strides = [%v37, %v39, 1] : tile<i32> -> tensor_view<?x?x?xf32, strides=[?,?,1]>
    %lse41 = assume div_by<16>, %lse : tile<ptr<f32>>
    %v42 = assume bounded<0, ?>, %lse_0 : tile<i32>
    %v43 = assume bounded<0, ?>, %lse_1 : tile<i32>
    %v44 = assume div_by<16>, %v43 : tile<i32>
    %v45 = assume bounded<0, ?>, %lse_s0 : tile<i32>
    %v46 = assume div_by<16>, %v45 : tile<i32>
    %tv47 = make_tensor_view %lse41, shape = [%v42, %v44], strides = [%v46, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %v48 = assume bounded<0, ?>, %per : tile<i32>
    %tok = make_token : token
    %b49, %b50, %b51 = get_tile_block_id : tile<i32>
    %pv52 = make_partition_view %tv10 : partition_view<tile=(1x8x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v53 = constant <i32: 0> : tile<i32>
    %v54 = constant <i32: 0> : tile<i32>
    %v55, %t56 = load_view_tko weak %pv52[%b50, %v53, %v54] token = %tok : partition_view<tile=(1x8x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x8x64xf16>, token
    %v57 = reshape %v55 : tile<1x8x64xf16> -> tile<8x64xf16>
    %pv58 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv59 = make_partition_view %tv30 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v60 = constant <f32: 1.442695> : tile<f32>
    %v61 = mulf %scale, %v60  : tile<f32>
    %v62 = muli %b49, %v48  : tile<i32>
    %v63 = addi %v62, %v48  : tile<i32>
    %v64 = constant <i32: 64> : tile<i32>
    %v65 = divi %v13, %v64 signed rounding<positive_inf> : tile<i32>
    %v66 = mini %v63, %v65 signed : tile<i32>
    %v67 = constant <f32: -1.0e30> : tile<8x1xf32>
    %v68 = constant <f32: 0.0> : tile<8x1xf32>
    %v69 = constant <f32: 0.0> : tile<8x64xf32>
    %v70 = constant <i32: 1> : tile<i32>
    %f75:3 = for %i71 in (%v62 to %v66, step %v70) : tile<i32> iter_values(%c72 = %v67, %c73 = %v68, %c74 = %v69) -> (tile<8x1xf32>, tile<8x1xf32>, tile<8x64xf32>) {
      %v76 = constant <i32: 0> : tile<i32>
      %v77, %t78 = load_view_tko weak %pv58[%b50, %i71, %v76] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %v79 = reshape %v77 : tile<1x64x64xf16> -> tile<64x64xf16>
      %v80 = permute %v79 [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %v81 = constant <f32: 0.0> : tile<8x64xf32>
      %v82 = mmaf %v57, %v80, %v81  : tile<8x64xf16>, tile<64x64xf16>, tile<8x64xf32>
      %v83 = reshape %v61 : tile<f32> -> tile<1x1xf32>
      %v84 = broadcast %v83 : tile<1x1xf32> -> tile<8x64xf32>
      %v85 = mulf %v82, %v84  : tile<8x64xf32>
      %v86 = constant <i32: 64> : tile<i32>
      %v87 = muli %i71, %v86  : tile<i32>
      %v88 = reshape %v87 : tile<i32> -> tile<1xi32>
      %v89 = broadcast %v88 : tile<1xi32> -> tile<64xi32>
      %v90 = iota : tile<64xi32>
      %v91 = addi %v89, %v90  : tile<64xi32>
      %v92 = reshape %v91 : tile<64xi32> -> tile<1x64xi32>
      %v93 = reshape %v13 : tile<i32> -> tile<1x1xi32>
      %v94 = broadcast %v93 : tile<1x1xi32> -> tile<1x64xi32>
      %v95 = cmpi less_than %v92, %v94, signed : tile<1x64xi32> -> tile<1x64xi1>
      %v96 = broadcast %v95 : tile<1x64xi1> -> tile<8x64xi1>
      %v97 = constant <f32: 0xFF800000> : tile<8x64xf32>
      %v98 = select %v96, %v85, %v97 : tile<8x64xi1>, tile<8x64xf32>
      %v99 = reduce %v98 dim=1 identities=[0xFF800000 : f32] : tile<8x64xf32> -> tile<8xf32>
      (%l100: tile<f32>, %r101: tile<f32>) {
        %y102 = maxf %l100, %r101 : tile<f32>
        yield %y102 : tile<f32>
      }
      %v103 = reshape %v99 : tile<8xf32> -> tile<8x1xf32>
      %v104 = maxf %c72, %v103  : tile<8x1xf32>
      %v105 = broadcast %v104 : tile<8x1xf32> -> tile<8x64xf32>
      %v106 = subf %v98, %v105  : tile<8x64xf32>
      %v107 = exp2 %v106 flush_to_zero : tile<8x64xf32>
      %v108 = subf %c72, %v104  : tile<8x1xf32>
      %v109 = exp2 %v108 flush_to_zero : tile<8x1xf32>
      %v110 = mulf %c73, %v109  : tile<8x1xf32>
      %v111 = reduce %v107 dim=1 identities=[0.0 : f32] : tile<8x64xf32> -> tile<8xf32>
      (%l112: tile<f32>, %r113: tile<f32>) {
        %y114 = addf %l112, %r113 : tile<f32>
        yield %y114 : tile<f32>
      }
      %v115 = reshape %v111 : tile<8xf32> -> tile<8x1xf32>
      %v116 = addf %v110, %v115  : tile<8x1xf32>
      %v117 = broadcast %v109 : tile<8x1xf32> -> tile<8x64xf32>
      %v118 = mulf %c74, %v117  : tile<8x64xf32>
      %v119 = ftof %v107  : tile<8x64xf32> -> tile<8x64xf16>
      %v120 = constant <i32: 0> : tile<i32>
      %v121, %t122 = load_view_tko weak %pv59[%b50, %i71, %v120] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %v123 = reshape %v121 : tile<1x64x64xf16> -> tile<64x64xf16>
      %v124 = mmaf %v119, %v123, %v118  : tile<8x64xf16>, tile<64x64xf16>, tile<8x64xf32>
      continue %v104, %v116, %v124 : tile<8x1xf32>, tile<8x1xf32>, tile<8x64xf32>
    }
    %g125, %g126, %g127 = get_num_tile_blocks : tile<i32>
    %v128 = muli %b49, %g126  : tile<i32>
    %v129 = addi %v128, %b50  : tile<i32>
    %v130 = broadcast %f75#1 : tile<8x1xf32> -> tile<8x64xf32>
    %v131 = divf %f75#2, %v130 rounding<approx> flush_to_zero : tile<8x64xf32>
    %v132 = reshape %v131 : tile<8x64xf32> -> tile<1x8x64xf32>
    %pv133 = make_partition_view %tv40 : partition_view<tile=(1x8x64), tensor_view<?x?x?xf32, strides=[?,?,1]>>
    %v134 = constant <i32: 0> : tile<i32>
    %v135 = constant <i32: 0> : tile<i32>
    %t136 = store_view_tko weak %v132, %pv133[%v129, %v134, %v135] token = %tok : tile<1x8x64xf32>, partition_view<tile=(1x8x64), tensor_view<?x?x?xf32, strides=[?,?,1]>>, tile<i32> -> token
    %v137 = log2 %f75#1  : tile<8x1xf32>
    %v138 = addf %f75#0, %v137  : tile<8x1xf32>
    %v139 = reshape %v138 : tile<8x1xf32> -> tile<1x8xf32>
    %pv140 = make_partition_view %tv47 : partition_view<tile=(1x8), tensor_view<?x?xf32, strides=[?,1]>>
    %v141 = constant <i32: 0> : tile<i32>
    %t142 = store_view_tko weak %v139, %pv140[%v129, %v141] token = %tok : tile<1x8xf32>, partition_view<tile=(1x8), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
