// attention with a mask from memory and a sink
cuda_tile.module @m {
  entry @attn_mask_sink_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %mk: tile<ptr<i8>>, %mk_0: tile<i32>, %mk_1: tile<i32>, %mk_s0: tile<i32>, %sk: tile<ptr<f32>>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>) {
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
    %mk31 = assume div_by<16>, %mk : tile<ptr<i8>>
    %v32 = assume bounded<0, ?>, %mk_0 : tile<i32>
    %v33 = assume bounded<0, ?>, %mk_1 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %v35 = assume bounded<0, ?>, %mk_s0 : tile<i32>
    %v36 = assume div_by<16>, %v35 : tile<i32>
    %tv37 = make_tensor_view %mk31, shape = [%v32, %v34], strides = [%v36, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %sk38 = assume div_by<16>, %sk : tile<ptr<f32>>
    %o39 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v40 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v41 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v42 = assume bounded<0, ?>, %o_2 : tile<i32>
    %v43 = assume div_by<16>, %v42 : tile<i32>
    %v44 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v45 = assume div_by<16>, %v44 : tile<i32>
    %v46 = assume bounded<0, ?>, %o_s1 : tile<i32>
    %v47 = assume div_by<16>, %v46 : tile<i32>
    %tv48 = make_tensor_view %o39, shape = [%v40, %v41, %v43], strides = [%v45, %v47, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %tok = make_token : token
    %b49, %b50, %b51 = get_tile_block_id : tile<i32>
    %pv52 = make_partition_view %tv10 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v53 = constant <i32: 0> : tile<i32>
    %v54, %t55 = load_view_tko weak %pv52[%b50, %b49, %v53] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
    %v56 = reshape %v54 : tile<1x128x64xbf16> -> tile<128x64xbf16>
    %pv57 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv58 = make_partition_view %tv30 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv59 = make_partition_view %tv37 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %v60 = reshape %b50 : tile<i32> -> tile<1xi32>
    %v61 = reshape %sk38 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %p62 = offset %v61, %v60 : tile<1xptr<f32>>, tile<1xi32> -> tile<1xptr<f32>>
    %v63, %t64 = load_ptr_tko weak %p62 token=%tok : tile<1xptr<f32>> -> tile<1xf32>, token
    %v65 = reshape %v63 : tile<1xf32> -> tile<1x1xf32>
    %v66 = constant <f32: 1.4426950> : tile<1x1xf32>
    %v67 = mulf %v65, %v66  : tile<1x1xf32>
    %v68 = broadcast %v67 : tile<1x1xf32> -> tile<128x1xf32>
    %v69 = constant <i32: 0> : tile<i32>
    %v70 = constant <i32: 64> : tile<i32>
    %v71 = divi %v13, %v70 signed rounding<positive_inf> : tile<i32>
    %v72 = constant <f32: 1.0> : tile<128x1xf32>
    %v73 = constant <f32: 0.0> : tile<128x64xf32>
    %v74 = constant <i32: 1> : tile<i32>
    %f79:3 = for %i75 in (%v69 to %v71, step %v74) : tile<i32> iter_values(%c76 = %v68, %c77 = %v72, %c78 = %v73) -> (tile<128x1xf32>, tile<128x1xf32>, tile<128x64xf32>) {
      %v80 = constant <i32: 0> : tile<i32>
      %v81, %t82 = load_view_tko weak %pv57[%b50, %i75, %v80] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v83 = reshape %v81 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v84 = permute %v83 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v85 = constant <f32: 0.0> : tile<128x64xf32>
      %v86 = mmaf %v56, %v84, %v85  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      %v87 = constant <f32: 0.1803368> : tile<128x64xf32>
      %v88 = mulf %v86, %v87  : tile<128x64xf32>
      %v89, %t90 = load_view_tko weak %pv59[%b49, %i75] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x64xi8>, token
      %v91 = constant <i8: 0> : tile<128x64xi8>
      %v92 = cmpi not_equal %v89, %v91, signed : tile<128x64xi8> -> tile<128x64xi1>
      %v93 = constant <f32: -1.0e30> : tile<128x64xf32>
      %v94 = select %v92, %v88, %v93 : tile<128x64xi1>, tile<128x64xf32>
      %v95 = reduce %v94 dim=1 identities=[0xFF800000 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l96: tile<f32>, %r97: tile<f32>) {
        %y98 = maxf %l96, %r97 : tile<f32>
        yield %y98 : tile<f32>
      }
      %v99 = reshape %v95 : tile<128xf32> -> tile<128x1xf32>
      %v100 = maxf %c76, %v99  : tile<128x1xf32>
      %v101 = broadcast %v100 : tile<128x1xf32> -> tile<128x64xf32>
      %v102 = subf %v94, %v101  : tile<128x64xf32>
      %v103 = exp2 %v102 flush_to_zero : tile<128x64xf32>
      %v104 = subf %c76, %v100  : tile<128x1xf32>
      %v105 = exp2 %v104 flush_to_zero : tile<128x1xf32>
      %v106 = mulf %c77, %v105  : tile<128x1xf32>
      %v107 = reduce %v103 dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l108: tile<f32>, %r109: tile<f32>) {
        %y110 = addf %l108, %r109 : tile<f32>
        yield %y110 : tile<f32>
      }
      %v111 = reshape %v107 : tile<128xf32> -> tile<128x1xf32>
      %v112 = addf %v106, %v111  : tile<128x1xf32>
      %v113 = ftof %v103  : tile<128x64xf32> -> tile<128x64xbf16>
      %v114 = constant <i32: 0> : tile<i32>
      %v115, %t116 = load_view_tko weak %pv58[%b50, %i75, %v114] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v117 = reshape %v115 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v118 = broadcast %v105 : tile<128x1xf32> -> tile<128x64xf32>
      %v119 = mulf %c78, %v118  : tile<128x64xf32>
      %v120 = mmaf %v113, %v117, %v119  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      continue %v100, %v112, %v120 : tile<128x1xf32>, tile<128x1xf32>, tile<128x64xf32>
    }
    %v121 = broadcast %f79#1 : tile<128x1xf32> -> tile<128x64xf32>
    %v122 = divf %f79#2, %v121  : tile<128x64xf32>
    %v123 = ftof %v122  : tile<128x64xf32> -> tile<128x64xbf16>
    %v124 = reshape %v123 : tile<128x64xbf16> -> tile<1x128x64xbf16>
    %pv125 = make_partition_view %tv48 : partition_view<tile=(1x128x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v126 = constant <i32: 0> : tile<i32>
    %t127 = store_view_tko weak %v124, %pv125[%b50, %b49, %v126] token = %tok : tile<1x128x64xbf16>, partition_view<tile=(1x128x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
