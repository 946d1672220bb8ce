// cell of four gates
cuda_tile.module @m {
  entry @lstm_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %w: tile<ptr<f16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_2: tile<i32>, %w_s0: tile<i32>, %w_s1: tile<i32>, %b: tile<ptr<f16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<f16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>, %h: tile<ptr<f16>>, %h_0: tile<i32>, %h_1: tile<i32>, %h_s0: tile<i32>, %co: tile<ptr<f16>>, %co_0: tile<i32>, %co_1: tile<i32>, %co_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %w8 = assume div_by<16>, %w : tile<ptr<f16>>
    %v9 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v11 = assume bounded<0, ?>, %w_2 : tile<i32>
    %v12 = assume div_by<16>, %v11 : tile<i32>
    %v13 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %v15 = assume bounded<0, ?>, %w_s1 : tile<i32>
    %v16 = assume div_by<16>, %v15 : tile<i32>
    %tv17 = make_tensor_view %w8, shape = [%v9, %v10, %v12], strides = [%v14, %v16, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %b18 = assume div_by<16>, %b : tile<ptr<f16>>
    %v19 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v20 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v21 = assume div_by<16>, %v20 : tile<i32>
    %v22 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v23 = assume div_by<16>, %v22 : tile<i32>
    %tv24 = make_tensor_view %b18, shape = [%v19, %v21], strides = [%v23, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %c25 = assume div_by<16>, %c : tile<ptr<f16>>
    %v26 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v27 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v28 = assume div_by<16>, %v27 : tile<i32>
    %v29 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v30 = assume div_by<16>, %v29 : tile<i32>
    %tv31 = make_tensor_view %c25, shape = [%v26, %v28], strides = [%v30, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %h32 = assume div_by<16>, %h : tile<ptr<f16>>
    %v33 = assume bounded<0, ?>, %h_0 : tile<i32>
    %v34 = assume bounded<0, ?>, %h_1 : tile<i32>
    %v35 = assume div_by<16>, %v34 : tile<i32>
    %v36 = assume bounded<0, ?>, %h_s0 : tile<i32>
    %v37 = assume div_by<16>, %v36 : tile<i32>
    %tv38 = make_tensor_view %h32, shape = [%v33, %v35], strides = [%v37, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %co39 = assume div_by<16>, %co : tile<ptr<f16>>
    %v40 = assume bounded<0, ?>, %co_0 : tile<i32>
    %v41 = assume bounded<0, ?>, %co_1 : tile<i32>
    %v42 = assume div_by<16>, %v41 : tile<i32>
    %v43 = assume bounded<0, ?>, %co_s0 : tile<i32>
    %v44 = assume div_by<16>, %v43 : tile<i32>
    %tv45 = make_tensor_view %co39, shape = [%v40, %v42], strides = [%v44, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %b46, %b47, %b48 = get_tile_block_id : tile<i32>
    %pv49 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv50 = make_partition_view %tv17 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v51 = constant <i32: 64> : tile<i32>
    %v52 = divi %v4, %v51 signed rounding<positive_inf> : tile<i32>
    %v53 = constant <i32: 0> : tile<i32>
    %v54 = constant <f32: 0.0> : tile<64x64xf32>
    %v55 = constant <i32: 1> : tile<i32>
    %f61:4 = for %i56 in (%v53 to %v52, step %v55) : tile<i32> iter_values(%c57 = %v54, %c58 = %v54, %c59 = %v54, %c60 = %v54) -> (tile<64x64xf32>, tile<64x64xf32>, tile<64x64xf32>, tile<64x64xf32>) {
      %v62, %t63 = load_view_tko weak %pv49[%b46, %i56] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %v64 = constant <i32: 0> : tile<i32>
      %v65, %t66 = load_view_tko weak %pv50[%v64, %i56, %b47] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %v67 = reshape %v65 : tile<1x64x64xf16> -> tile<64x64xf16>
      %v68 = mmaf %v62, %v67, %c57  : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %v69 = constant <i32: 1> : tile<i32>
      %v70, %t71 = load_view_tko weak %pv50[%v69, %i56, %b47] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %v72 = reshape %v70 : tile<1x64x64xf16> -> tile<64x64xf16>
      %v73 = mmaf %v62, %v72, %c58  : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %v74 = constant <i32: 2> : tile<i32>
      %v75, %t76 = load_view_tko weak %pv50[%v74, %i56, %b47] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %v77 = reshape %v75 : tile<1x64x64xf16> -> tile<64x64xf16>
      %v78 = mmaf %v62, %v77, %c59  : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %v79 = constant <i32: 3> : tile<i32>
      %v80, %t81 = load_view_tko weak %pv50[%v79, %i56, %b47] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %v82 = reshape %v80 : tile<1x64x64xf16> -> tile<64x64xf16>
      %v83 = mmaf %v62, %v82, %c60  : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %v68, %v73, %v78, %v83 : tile<64x64xf32>, tile<64x64xf32>, tile<64x64xf32>, tile<64x64xf32>
    }
    %pv84 = make_partition_view %tv24 : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v85 = constant <i32: 0> : tile<i32>
    %v86, %t87 = load_view_tko weak %pv84[%v85, %b47] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<1x64xf16>, token
    %v88 = ftof %v86  : tile<1x64xf16> -> tile<1x64xf32>
    %v89 = broadcast %v88 : tile<1x64xf32> -> tile<64x64xf32>
    %v90 = addf %f61#0, %v89  : tile<64x64xf32>
    %v91 = constant <i32: 1> : tile<i32>
    %v92, %t93 = load_view_tko weak %pv84[%v91, %b47] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<1x64xf16>, token
    %v94 = ftof %v92  : tile<1x64xf16> -> tile<1x64xf32>
    %v95 = broadcast %v94 : tile<1x64xf32> -> tile<64x64xf32>
    %v96 = addf %f61#1, %v95  : tile<64x64xf32>
    %v97 = constant <i32: 2> : tile<i32>
    %v98, %t99 = load_view_tko weak %pv84[%v97, %b47] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<1x64xf16>, token
    %v100 = ftof %v98  : tile<1x64xf16> -> tile<1x64xf32>
    %v101 = broadcast %v100 : tile<1x64xf32> -> tile<64x64xf32>
    %v102 = addf %f61#2, %v101  : tile<64x64xf32>
    %v103 = constant <i32: 3> : tile<i32>
    %v104, %t105 = load_view_tko weak %pv84[%v103, %b47] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<1x64xf16>, token
    %v106 = ftof %v104  : tile<1x64xf16> -> tile<1x64xf32>
    %v107 = broadcast %v106 : tile<1x64xf32> -> tile<64x64xf32>
    %v108 = addf %f61#3, %v107  : tile<64x64xf32>
    %v109 = constant <f32: 1.0> : tile<64x64xf32>
    %v110 = constant <f32: 1.0> : tile<64x64xf32>
    %v111 = negf %v96  : tile<64x64xf32>
    %v112 = exp %v111  : tile<64x64xf32>
    %v113 = addf %v110, %v112  : tile<64x64xf32>
    %v114 = divf %v109, %v113  : tile<64x64xf32>
    %pv115 = make_partition_view %tv31 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v116, %t117 = load_view_tko weak %pv115[%b46, %b47] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %v118 = ftof %v116  : tile<64x64xf16> -> tile<64x64xf32>
    %v119 = mulf %v114, %v118  : tile<64x64xf32>
    %v120 = constant <f32: 1.0> : tile<64x64xf32>
    %v121 = constant <f32: 1.0> : tile<64x64xf32>
    %v122 = negf %v90  : tile<64x64xf32>
    %v123 = exp %v122  : tile<64x64xf32>
    %v124 = addf %v121, %v123  : tile<64x64xf32>
    %v125 = divf %v120, %v124  : tile<64x64xf32>
    %v126 = tanh %v102  : tile<64x64xf32>
    %v127 = mulf %v125, %v126  : tile<64x64xf32>
    %v128 = addf %v119, %v127  : tile<64x64xf32>
    %v129 = constant <f32: 1.0> : tile<64x64xf32>
    %v130 = constant <f32: 1.0> : tile<64x64xf32>
    %v131 = negf %v108  : tile<64x64xf32>
    %v132 = exp %v131  : tile<64x64xf32>
    %v133 = addf %v130, %v132  : tile<64x64xf32>
    %v134 = divf %v129, %v133  : tile<64x64xf32>
    %v135 = tanh %v128  : tile<64x64xf32>
    %v136 = mulf %v134, %v135  : tile<64x64xf32>
    %v137 = ftof %v128  : tile<64x64xf32> -> tile<64x64xf16>
    %pv138 = make_partition_view %tv45 : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>
    %t139 = store_view_tko weak %v137, %pv138[%b46, %b47] token = %tok : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    %v140 = ftof %v136  : tile<64x64xf32> -> tile<64x64xf16>
    %pv141 = make_partition_view %tv38 : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>
    %t142 = store_view_tko weak %v140, %pv141[%b46, %b47] token = %tok : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
