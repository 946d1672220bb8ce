// attention, blocks take several tiles
cuda_tile.module @m {
  entry @attn_persist_f16(%q: tile<ptr<f16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<f16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<f16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<f16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>) {
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
    %tok = make_token : token
    %b41, %b42, %b43 = get_tile_block_id : tile<i32>
    %g44, %g45, %g46 = get_num_tile_blocks : tile<i32>
    %pv47 = make_partition_view %tv10 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv48 = make_partition_view %tv20 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv49 = make_partition_view %tv30 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv50 = make_partition_view %tv40 : partition_view<tile=(1x128x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v51 = constant <i32: 128> : tile<i32>
    %v52 = divi %v3, %v51 signed rounding<positive_inf> : tile<i32>
    %v53 = muli %v52, %v2  : tile<i32>
    for %i54 in (%b41 to %v53, step %g44) : tile<i32> {
      %v56 = divi %i54, %v52 signed : tile<i32>
      %v57 = remi %i54, %v52 signed : tile<i32>
      %v58 = constant <i32: 0> : tile<i32>
      %v59, %t60 = load_view_tko weak %pv47[%v56, %v57, %v58] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xf16>, token
      %v61 = reshape %v59 : tile<1x128x64xf16> -> tile<128x64xf16>
      %v62 = constant <i32: 128> : tile<i32>
      %v63 = muli %v57, %v62  : tile<i32>
      %v64 = reshape %v63 : tile<i32> -> tile<1x1xi32>
      %v65 = broadcast %v64 : tile<1x1xi32> -> tile<128x1xi32>
      %v66 = iota : tile<128xi32>
      %v67 = reshape %v66 : tile<128xi32> -> tile<128x1xi32>
      %v68 = addi %v65, %v67  : tile<128x1xi32>
      %v69 = constant <i32: 0> : tile<i32>
      %v70 = constant <i32: 1> : tile<i32>
      %v71 = addi %v57, %v70  : tile<i32>
      %v72 = constant <i32: 128> : tile<i32>
      %v73 = muli %v71, %v72  : tile<i32>
      %v74 = constant <i32: 128> : tile<i32>
      %v75 = divi %v73, %v74 signed rounding<positive_inf> : tile<i32>
      %v76 = constant <f32: -1.0e30> : tile<128x1xf32>
      %v77 = constant <f32: 0.0> : tile<128x1xf32>
      %v78 = constant <f32: 0.0> : tile<128x64xf32>
      %v79 = constant <i32: 1> : tile<i32>
      %f84:3 = for %i80 in (%v69 to %v75, step %v79) : tile<i32> iter_values(%c81 = %v76, %c82 = %v77, %c83 = %v78) -> (tile<128x1xf32>, tile<128x1xf32>, tile<128x64xf32>) {
        %v85 = constant <i32: 0> : tile<i32>
        %v86, %t87 = load_view_tko weak %pv48[%v56, %i80, %v85] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xf16>, token
        %v88 = reshape %v86 : tile<1x128x64xf16> -> tile<128x64xf16>
        %v89 = permute %v88 [1, 0] : tile<128x64xf16> -> tile<64x128xf16>
        %v90 = constant <f32: 0.0> : tile<128x128xf32>
        %v91 = mmaf %v61, %v89, %v90  : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
        %v92 = constant <f32: 0.1803368> : tile<128x128xf32>
        %v93 = mulf %v91, %v92  : tile<128x128xf32>
        %v94 = constant <i32: 128> : tile<i32>
        %v95 = muli %i80, %v94  : tile<i32>
        %v96 = reshape %v95 : tile<i32> -> tile<1x1xi32>
        %v97 = broadcast %v96 : tile<1x1xi32> -> tile<1x128xi32>
        %v98 = iota : tile<128xi32>
        %v99 = reshape %v98 : tile<128xi32> -> tile<1x128xi32>
        %v100 = addi %v97, %v99  : tile<1x128xi32>
        %v101 = broadcast %v68 : tile<128x1xi32> -> tile<128x128xi32>
        %v102 = broadcast %v100 : tile<1x128xi32> -> tile<128x128xi32>
        %v103 = cmpi greater_than_or_equal %v101, %v102, signed : tile<128x128xi32> -> tile<128x128xi1>
        %v104 = constant <f32: -1.0e30> : tile<128x128xf32>
        %v105 = select %v103, %v93, %v104 : tile<128x128xi1>, tile<128x128xf32>
        %v106 = reduce %v105 dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
        (%l107: tile<f32>, %r108: tile<f32>) {
          %y109 = maxf %l107, %r108 : tile<f32>
          yield %y109 : tile<f32>
        }
        %v110 = reshape %v106 : tile<128xf32> -> tile<128x1xf32>
        %v111 = maxf %c81, %v110  : tile<128x1xf32>
        %v112 = broadcast %v111 : tile<128x1xf32> -> tile<128x128xf32>
        %v113 = subf %v105, %v112  : tile<128x128xf32>
        %v114 = exp2 %v113 flush_to_zero : tile<128x128xf32>
        %v115 = subf %c81, %v111  : tile<128x1xf32>
        %v116 = exp2 %v115 flush_to_zero : tile<128x1xf32>
        %v117 = mulf %c82, %v116  : tile<128x1xf32>
        %v118 = reduce %v114 dim=1 identities=[0.0 : f32] : tile<128x128xf32> -> tile<128xf32>
        (%l119: tile<f32>, %r120: tile<f32>) {
          %y121 = addf %l119, %r120 : tile<f32>
          yield %y121 : tile<f32>
        }
        %v122 = reshape %v118 : tile<128xf32> -> tile<128x1xf32>
        %v123 = addf %v117, %v122  : tile<128x1xf32>
        %v124 = ftof %v114  : tile<128x128xf32> -> tile<128x128xf16>
        %v125 = constant <i32: 0> : tile<i32>
        %v126, %t127 = load_view_tko weak %pv49[%v56, %i80, %v125] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xf16>, token
        %v128 = reshape %v126 : tile<1x128x64xf16> -> tile<128x64xf16>
        %v129 = broadcast %v116 : tile<128x1xf32> -> tile<128x64xf32>
        %v130 = mulf %c83, %v129  : tile<128x64xf32>
        %v131 = mmaf %v124, %v128, %v130  : tile<128x128xf16>, tile<128x64xf16>, tile<128x64xf32>
        continue %v111, %v123, %v131 : tile<128x1xf32>, tile<128x1xf32>, tile<128x64xf32>
      }
      %v132 = broadcast %f84#1 : tile<128x1xf32> -> tile<128x64xf32>
      %v133 = divf %f84#2, %v132  : tile<128x64xf32>
      %v134 = ftof %v133  : tile<128x64xf32> -> tile<128x64xf16>
      %v135 = reshape %v134 : tile<128x64xf16> -> tile<1x128x64xf16>
      %v136 = constant <i32: 0> : tile<i32>
      %t137 = store_view_tko weak %v135, %pv50[%v56, %v57, %v136] token = %tok : tile<1x128x64xf16>, partition_view<tile=(1x128x64), tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
