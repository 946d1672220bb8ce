// attention of a head, then its part of the output projection, added atomically
cuda_tile.module @m {
  entry @attn_out_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %o: tile<ptr<f32>>, %n: tile<i32>, %sc: tile<f32>) {
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
    %w31 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v32 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v33 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %v35 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v36 = assume div_by<16>, %v35 : tile<i32>
    %tv37 = make_tensor_view %w31, shape = [%v32, %v34], strides = [%v36, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %o38 = assume div_by<16>, %o : tile<ptr<f32>>
    %tok = make_token : token
    %b39, %b40, %b41 = get_tile_block_id : tile<i32>
    %pv42 = make_partition_view %tv10 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v43 = constant <i32: 0> : tile<i32>
    %v44, %t45 = load_view_tko weak %pv42[%b40, %b39, %v43] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
    %v46 = reshape %v44 : tile<1x64x64xbf16> -> tile<64x64xbf16>
    %pv47 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv48 = make_partition_view %tv30 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv49 = make_partition_view %tv37 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v50 = constant <f32: 1.442695> : tile<f32>
    %v51 = mulf %sc, %v50  : tile<f32>
    %v52 = constant <i32: 0> : tile<i32>
    %v53 = constant <i32: 64> : tile<i32>
    %v54 = divi %v13, %v53 signed rounding<positive_inf> : tile<i32>
    %v55 = constant <f32: -1.0e30> : tile<64x1xf32>
    %v56 = constant <f32: 0.0> : tile<64x1xf32>
    %v57 = constant <f32: 0.0> : tile<64x64xf32>
    %v58 = constant <i32: 1> : tile<i32>
    %f63:3 = for %i59 in (%v52 to %v54, step %v58) : tile<i32> iter_values(%c60 = %v55, %c61 = %v56, %c62 = %v57) -> (tile<64x1xf32>, tile<64x1xf32>, tile<64x64xf32>) {
      %v64 = constant <i32: 0> : tile<i32>
      %v65, %t66 = load_view_tko weak %pv47[%b40, %i59, %v64] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v67 = reshape %v65 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v68 = permute %v67 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v69 = constant <f32: 0.0> : tile<64x64xf32>
      %v70 = mmaf %v46, %v68, %v69  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v71 = reshape %v51 : tile<f32> -> tile<1x1xf32>
      %v72 = broadcast %v71 : tile<1x1xf32> -> tile<64x64xf32>
      %v73 = mulf %v70, %v72  : tile<64x64xf32>
      %v74 = reduce %v73 dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l75: tile<f32>, %r76: tile<f32>) {
        %y77 = maxf %l75, %r76 : tile<f32>
        yield %y77 : tile<f32>
      }
      %v78 = reshape %v74 : tile<64xf32> -> tile<64x1xf32>
      %v79 = maxf %c60, %v78  : tile<64x1xf32>
      %v80 = broadcast %v79 : tile<64x1xf32> -> tile<64x64xf32>
      %v81 = subf %v73, %v80  : tile<64x64xf32>
      %v82 = exp2 %v81 flush_to_zero : tile<64x64xf32>
      %v83 = subf %c60, %v79  : tile<64x1xf32>
      %v84 = exp2 %v83 flush_to_zero : tile<64x1xf32>
      %v85 = mulf %c61, %v84  : tile<64x1xf32>
      %v86 = reduce %v82 dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l87: tile<f32>, %r88: tile<f32>) {
        %y89 = addf %l87, %r88 : tile<f32>
        yield %y89 : tile<f32>
      }
      %v90 = reshape %v86 : tile<64xf32> -> tile<64x1xf32>
      %v91 = addf %v85, %v90  : tile<64x1xf32>
      %v92 = broadcast %v84 : tile<64x1xf32> -> tile<64x64xf32>
      %v93 = mulf %c62, %v92  : tile<64x64xf32>
      %v94 = ftof %v82  : tile<64x64xf32> -> tile<64x64xbf16>
      %v95 = constant <i32: 0> : tile<i32>
      %v96, %t97 = load_view_tko weak %pv48[%b40, %i59, %v95] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v98 = reshape %v96 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v99 = mmaf %v94, %v98, %v93  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      continue %v79, %v91, %v99 : tile<64x1xf32>, tile<64x1xf32>, tile<64x64xf32>
    }
    %v100 = broadcast %f63#1 : tile<64x1xf32> -> tile<64x64xf32>
    %v101 = divf %f63#2, %v100  : tile<64x64xf32>
    %v102 = ftof %v101  : tile<64x64xf32> -> tile<64x64xbf16>
    %v103 = constant <i32: 0> : tile<i32>
    %v104 = constant <i32: 64> : tile<i32>
    %v105 = divi %v34, %v104 signed rounding<positive_inf> : tile<i32>
    %v106 = constant <i32: 1> : tile<i32>
    for %i107 in (%v103 to %v105, step %v106) : tile<i32> {
      %v109, %t110 = load_view_tko weak %pv49[%b40, %i107] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v111 = constant <f32: 0.0> : tile<64x64xf32>
      %v112 = mmaf %v102, %v109, %v111  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v113 = constant <i32: 64> : tile<i32>
      %v114 = muli %b39, %v113  : tile<i32>
      %v115 = reshape %v114 : tile<i32> -> tile<1xi32>
      %v116 = broadcast %v115 : tile<1xi32> -> tile<64xi32>
      %v117 = iota : tile<64xi32>
      %v118 = addi %v116, %v117  : tile<64xi32>
      %v119 = constant <i32: 64> : tile<i32>
      %v120 = muli %i107, %v119  : tile<i32>
      %v121 = reshape %v120 : tile<i32> -> tile<1xi32>
      %v122 = broadcast %v121 : tile<1xi32> -> tile<64xi32>
      %v123 = iota : tile<64xi32>
      %v124 = addi %v122, %v123  : tile<64xi32>
      %v125 = reshape %v118 : tile<64xi32> -> tile<64x1xi32>
      %v126 = reshape %n : tile<i32> -> tile<1x1xi32>
      %v127 = broadcast %v126 : tile<1x1xi32> -> tile<64x1xi32>
      %v128 = muli %v125, %v127  : tile<64x1xi32>
      %v129 = reshape %v124 : tile<64xi32> -> tile<1x64xi32>
      %v130 = broadcast %v128 : tile<64x1xi32> -> tile<64x64xi32>
      %v131 = broadcast %v129 : tile<1x64xi32> -> tile<64x64xi32>
      %v132 = addi %v130, %v131  : tile<64x64xi32>
      %v133 = reshape %o38 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
      %v134 = broadcast %v133 : tile<1x1xptr<f32>> -> tile<64x64xptr<f32>>
      %p135 = offset %v134, %v132 : tile<64x64xptr<f32>>, tile<64x64xi32> -> tile<64x64xptr<f32>>
      %v136, %t137 = atomic_rmw_tko relaxed device %p135, addf, %v112 token=%tok : tile<64x64xptr<f32>>, tile<64x64xf32> -> tile<64x64xf32>, token
      continue
    }
    return
  }
}
