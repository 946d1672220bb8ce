// gated recurrent cell
cuda_tile.module @m {
  entry @gru_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %h: tile<ptr<bf16>>, %h_0: tile<i32>, %h_1: tile<i32>, %h_s0: tile<i32>, %w0: tile<ptr<bf16>>, %w0_0: tile<i32>, %w0_1: tile<i32>, %w0_s0: tile<i32>, %w1: tile<ptr<bf16>>, %w1_0: tile<i32>, %w1_1: tile<i32>, %w1_s0: tile<i32>, %w2: tile<ptr<bf16>>, %w2_0: tile<i32>, %w2_1: tile<i32>, %w2_s0: tile<i32>, %u0: tile<ptr<bf16>>, %u0_0: tile<i32>, %u0_1: tile<i32>, %u0_s0: tile<i32>, %u1: tile<ptr<bf16>>, %u1_0: tile<i32>, %u1_1: tile<i32>, %u1_s0: tile<i32>, %u2: tile<ptr<bf16>>, %u2_0: tile<i32>, %u2_1: tile<i32>, %u2_s0: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %h8 = assume div_by<16>, %h : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %h_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %h_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %h_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %h8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w015 = assume div_by<16>, %w0 : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %w0_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %w0_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %w0_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %w015, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w122 = assume div_by<16>, %w1 : tile<ptr<bf16>>
    %v23 = assume bounded<0, ?>, %w1_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %w1_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %w1_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %w122, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w229 = assume div_by<16>, %w2 : tile<ptr<bf16>>
    %v30 = assume bounded<0, ?>, %w2_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %w2_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %w2_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %w229, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %u036 = assume div_by<16>, %u0 : tile<ptr<bf16>>
    %v37 = assume bounded<0, ?>, %u0_0 : tile<i32>
    %v38 = assume bounded<0, ?>, %u0_1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %v40 = assume bounded<0, ?>, %u0_s0 : tile<i32>
    %v41 = assume div_by<16>, %v40 : tile<i32>
    %tv42 = make_tensor_view %u036, shape = [%v37, %v39], strides = [%v41, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %u143 = assume div_by<16>, %u1 : tile<ptr<bf16>>
    %v44 = assume bounded<0, ?>, %u1_0 : tile<i32>
    %v45 = assume bounded<0, ?>, %u1_1 : tile<i32>
    %v46 = assume div_by<16>, %v45 : tile<i32>
    %v47 = assume bounded<0, ?>, %u1_s0 : tile<i32>
    %v48 = assume div_by<16>, %v47 : tile<i32>
    %tv49 = make_tensor_view %u143, shape = [%v44, %v46], strides = [%v48, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %u250 = assume div_by<16>, %u2 : tile<ptr<bf16>>
    %v51 = assume bounded<0, ?>, %u2_0 : tile<i32>
    %v52 = assume bounded<0, ?>, %u2_1 : tile<i32>
    %v53 = assume div_by<16>, %v52 : tile<i32>
    %v54 = assume bounded<0, ?>, %u2_s0 : tile<i32>
    %v55 = assume div_by<16>, %v54 : tile<i32>
    %tv56 = make_tensor_view %u250, shape = [%v51, %v53], strides = [%v55, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %o57 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v58 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v59 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v60 = assume div_by<16>, %v59 : tile<i32>
    %v61 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v62 = assume div_by<16>, %v61 : tile<i32>
    %tv63 = make_tensor_view %o57, shape = [%v58, %v60], strides = [%v62, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b64, %b65, %b66 = get_tile_block_id : tile<i32>
    %pv67 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv68 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv69 = make_partition_view %tv21 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv70 = make_partition_view %tv28 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv71 = make_partition_view %tv35 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv72 = make_partition_view %tv42 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv73 = make_partition_view %tv49 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv74 = make_partition_view %tv56 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v75 = constant <i32: 0> : tile<i32>
    %v76 = constant <i32: 64> : tile<i32>
    %v77 = divi %v4, %v76 signed rounding<positive_inf> : tile<i32>
    %v78 = constant <f32: 0.0> : tile<64x64xf32>
    %v79 = constant <f32: 0.0> : tile<64x64xf32>
    %v80 = constant <f32: 0.0> : tile<64x64xf32>
    %v81 = constant <f32: 0.0> : tile<64x64xf32>
    %v82 = constant <i32: 1> : tile<i32>
    %f88:4 = for %i83 in (%v75 to %v77, step %v82) : tile<i32> iter_values(%c84 = %v78, %c85 = %v79, %c86 = %v80, %c87 = %v81) -> (tile<64x64xf32>, tile<64x64xf32>, tile<64x64xf32>, tile<64x64xf32>) {
      %v89, %t90 = load_view_tko weak %pv67[%b64, %i83] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v91, %t92 = load_view_tko weak %pv68[%b64, %i83] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v93, %t94 = load_view_tko weak %pv72[%i83, %b65] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v95, %t96 = load_view_tko weak %pv69[%i83, %b65] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v97 = mmaf %v89, %v95, %c84  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v98 = mmaf %v91, %v93, %v97  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v99, %t100 = load_view_tko weak %pv73[%i83, %b65] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v101, %t102 = load_view_tko weak %pv70[%i83, %b65] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v103 = mmaf %v89, %v101, %c85  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v104 = mmaf %v91, %v99, %v103  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v105, %t106 = load_view_tko weak %pv71[%i83, %b65] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v107 = mmaf %v89, %v105, %c86  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v108, %t109 = load_view_tko weak %pv74[%i83, %b65] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v110 = mmaf %v91, %v108, %c87  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      continue %v98, %v104, %v107, %v110 : tile<64x64xf32>, tile<64x64xf32>, tile<64x64xf32>, tile<64x64xf32>
    }
    %v111 = constant <f32: 1.0> : tile<64x64xf32>
    %v112 = constant <f32: 1.0> : tile<64x64xf32>
    %v113 = negf %f88#0  : tile<64x64xf32>
    %v114 = exp %v113  : tile<64x64xf32>
    %v115 = addf %v112, %v114  : tile<64x64xf32>
    %v116 = divf %v111, %v115  : tile<64x64xf32>
    %v117 = constant <f32: 1.0> : tile<64x64xf32>
    %v118 = constant <f32: 1.0> : tile<64x64xf32>
    %v119 = negf %f88#1  : tile<64x64xf32>
    %v120 = exp %v119  : tile<64x64xf32>
    %v121 = addf %v118, %v120  : tile<64x64xf32>
    %v122 = divf %v117, %v121  : tile<64x64xf32>
    %v123 = mulf %v116, %f88#3  : tile<64x64xf32>
    %v124 = addf %f88#2, %v123  : tile<64x64xf32>
    %v125 = tanh %v124  : tile<64x64xf32>
    %pv126 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v127, %t128 = load_view_tko weak %pv126[%b64, %b65] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
    %v129 = ftof %v127  : tile<64x64xbf16> -> tile<64x64xf32>
    %v130 = constant <f32: 1.0> : tile<64x64xf32>
    %v131 = subf %v130, %v122  : tile<64x64xf32>
    %v132 = mulf %v131, %v125  : tile<64x64xf32>
    %v133 = mulf %v122, %v129  : tile<64x64xf32>
    %v134 = addf %v132, %v133  : tile<64x64xf32>
    %v135 = ftof %v134  : tile<64x64xf32> -> tile<64x64xbf16>
    %pv136 = make_partition_view %tv63 : partition_view<tile=(64x64), tensor_view<?x?xbf16, strides=[?,1]>>
    %t137 = store_view_tko weak %v135, %pv136[%b64, %b65] token = %tok : tile<64x64xbf16>, partition_view<tile=(64x64), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
