// attention paged
cuda_tile.module @m {
  entry @attn_paged_f16(%q: tile<ptr<f16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<f16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<f16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<f16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %scale: tile<f32>, %pages: tile<ptr<i32>>) {
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
    %o31 = assume div_by<16>, %o : tile<ptr<f16>>
    %v32 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v33 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v34 = assume bounded<0, ?>, %o_2 : tile<i32>
    %v35 = assume div_by<16>, %v34 : tile<i32>
    %v36 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v37 = assume div_by<16>, %v36 : tile<i32>
    %v38 = assume bounded<0, ?>, %o_s1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %tv40 = make_tensor_view %o31, shape = [%v32, %v33, %v35], strides = [%v37, %v39, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %pages41 = assume div_by<16>, %pages : tile<ptr<i32>>
    %tok = make_token : token
    %b42, %b43, %b44 = get_tile_block_id : tile<i32>
    %pv45 = make_partition_view %tv10 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv46 = make_partition_view %tv20 : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv47 = make_partition_view %tv30 : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv48 = make_partition_view %tv40 : partition_view<tile=(1x64x128), tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v49 = constant <i32: 4> : tile<i32>
    %v50 = divi %b43, %v49 signed : tile<i32>
    %v51 = constant <i32: 0> : tile<i32>
    %v52, %t53 = load_view_tko weak %pv45[%b43, %b42, %v51] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xf16>, token
    %v54 = reshape %v52 : tile<1x64x128xf16> -> tile<64x128xf16>
    %v55 = constant <f32: 1.442695> : tile<f32>
    %v56 = mulf %scale, %v55  : tile<f32>
    %v57 = constant <i32: 64> : tile<i32>
    %v58 = muli %b42, %v57  : tile<i32>
    %v59 = reshape %v58 : tile<i32> -> tile<1xi32>
    %v60 = broadcast %v59 : tile<1xi32> -> tile<64xi32>
    %v61 = iota : tile<64xi32>
    %v62 = addi %v60, %v61  : tile<64xi32>
    %v63 = reshape %v62 : tile<64xi32> -> tile<64x1xi32>
    %v64 = constant <i32: 128> : tile<i32>
    %v65 = divi %v13, %v64 signed rounding<positive_inf> : tile<i32>
    %v66 = constant <i32: 0> : tile<i32>
    %v67 = constant <f32: 0xFF800000> : tile<64x1xf32>
    %v68 = constant <f32: 0.0> : tile<64x1xf32>
    %v69 = constant <f32: 0.0> : tile<64x128xf32>
    %v70 = constant <i32: 1> : tile<i32>
    %f75:3 = for %i71 in (%v66 to %v65, step %v70) : tile<i32> iter_values(%c72 = %v67, %c73 = %v68, %c74 = %v69) -> (tile<64x1xf32>, tile<64x1xf32>, tile<64x128xf32>) {
      %v76 = reshape %i71 : tile<i32> -> tile<1xi32>
      %v77 = reshape %pages41 : tile<ptr<i32>> -> tile<1xptr<i32>>
      %p78 = offset %v77, %v76 : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
      %v79, %t80 = load_ptr_tko weak %p78 token=%tok : tile<1xptr<i32>> -> tile<1xi32>, token
      %v81 = reshape %v79 : tile<1xi32> -> tile<i32>
      %v82 = constant <i32: 0> : tile<i32>
      %v83 = constant <i32: 0> : tile<i32>
      %v84, %t85 = load_view_tko weak %pv46[%v81, %v82, %v83] token = %tok : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xf16>, token
      %v86 = reshape %v84 : tile<1x128x128xf16> -> tile<128x128xf16>
      %v87 = permute %v86 [1, 0] : tile<128x128xf16> -> tile<128x128xf16>
      %v88 = constant <f32: 0.0> : tile<64x128xf32>
      %v89 = mmaf %v54, %v87, %v88  : tile<64x128xf16>, tile<128x128xf16>, tile<64x128xf32>
      %v90 = reshape %v56 : tile<f32> -> tile<1x1xf32>
      %v91 = broadcast %v90 : tile<1x1xf32> -> tile<64x128xf32>
      %v92 = mulf %v89, %v91  : tile<64x128xf32>
      %v93 = constant <i32: 128> : tile<i32>
      %v94 = muli %i71, %v93  : tile<i32>
      %v95 = reshape %v94 : tile<i32> -> tile<1xi32>
      %v96 = broadcast %v95 : tile<1xi32> -> tile<128xi32>
      %v97 = iota : tile<128xi32>
      %v98 = addi %v96, %v97  : tile<128xi32>
      %v99 = reshape %v98 : tile<128xi32> -> tile<1x128xi32>
      %v100 = reshape %v13 : tile<i32> -> tile<1x1xi32>
      %v101 = broadcast %v100 : tile<1x1xi32> -> tile<1x128xi32>
      %v102 = cmpi less_than %v99, %v101, signed : tile<1x128xi32> -> tile<1x128xi1>
      %v103 = broadcast %v102 : tile<1x128xi1> -> tile<64x128xi1>
      %v104 = constant <f32: 0xFF800000> : tile<64x128xf32>
      %v105 = select %v103, %v92, %v104 : tile<64x128xi1>, tile<64x128xf32>
      %v106 = reduce %v105 dim=1 identities=[0xFF800000 : f32] : tile<64x128xf32> -> tile<64xf32>
      (%l107: tile<f32>, %r108: tile<f32>) {
        %y109 = maxf %l107, %r108 : tile<f32>
        yield %y109 : tile<f32>
      }
      %v110 = reshape %v106 : tile<64xf32> -> tile<64x1xf32>
      %v111 = maxf %c72, %v110  : tile<64x1xf32>
      %v112 = broadcast %v111 : tile<64x1xf32> -> tile<64x128xf32>
      %v113 = subf %v105, %v112  : tile<64x128xf32>
      %v114 = exp2 %v113 flush_to_zero : tile<64x128xf32>
      %v115 = subf %c72, %v111  : tile<64x1xf32>
      %v116 = exp2 %v115 flush_to_zero : tile<64x1xf32>
      %v117 = mulf %c73, %v116  : tile<64x1xf32>
      %v118 = reduce %v114 dim=1 identities=[0.0 : f32] : tile<64x128xf32> -> tile<64xf32>
      (%l119: tile<f32>, %r120: tile<f32>) {
        %y121 = addf %l119, %r120 : tile<f32>
        yield %y121 : tile<f32>
      }
      %v122 = reshape %v118 : tile<64xf32> -> tile<64x1xf32>
      %v123 = addf %v117, %v122  : tile<64x1xf32>
      %v124 = broadcast %v116 : tile<64x1xf32> -> tile<64x128xf32>
      %v125 = mulf %c74, %v124  : tile<64x128xf32>
      %v126 = constant <i32: 0> : tile<i32>
      %v127 = constant <i32: 0> : tile<i32>
      %v128, %t129 = load_view_tko weak %pv47[%v81, %v126, %v127] token = %tok : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xf16>, token
      %v130 = reshape %v128 : tile<1x128x128xf16> -> tile<128x128xf16>
      %v131 = ftof %v114  : tile<64x128xf32> -> tile<64x128xf16>
      %v132 = mmaf %v131, %v130, %v125  : tile<64x128xf16>, tile<128x128xf16>, tile<64x128xf32>
      continue %v111, %v123, %v132 : tile<64x1xf32>, tile<64x1xf32>, tile<64x128xf32>
    }
    %v133 = broadcast %f75#1 : tile<64x1xf32> -> tile<64x128xf32>
    %v134 = divf %f75#2, %v133 rounding<approx> flush_to_zero : tile<64x128xf32>
    %v135 = ftof %v134  : tile<64x128xf32> -> tile<64x128xf16>
    %v136 = reshape %v135 : tile<64x128xf16> -> tile<1x64x128xf16>
    %v137 = constant <i32: 0> : tile<i32>
    %t138 = store_view_tko weak %v136, %pv48[%b43, %b42, %v137] token = %tok : tile<1x64x128xf16>, partition_view<tile=(1x64x128), tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
