// MLA decode: latent keys are the values, too; a rotated part beside them
cuda_tile.module @m {
  entry @mla_bf16_16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %qr: tile<ptr<bf16>>, %qr_0: tile<i32>, %qr_1: tile<i32>, %qr_2: tile<i32>, %qr_s0: tile<i32>, %qr_s1: tile<i32>, %kv: tile<ptr<bf16>>, %kv_0: tile<i32>, %kv_1: tile<i32>, %kv_2: tile<i32>, %kv_s0: tile<i32>, %kv_s1: tile<i32>, %kr: tile<ptr<bf16>>, %kr_0: tile<i32>, %kr_1: tile<i32>, %kr_2: tile<i32>, %kr_s0: tile<i32>, %kr_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %scale: tile<f32>) {
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
    %qr11 = assume div_by<16>, %qr : tile<ptr<bf16>>
    %v12 = assume bounded<0, ?>, %qr_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %qr_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %qr_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %qr_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %qr_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %qr11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %kv21 = assume div_by<16>, %kv : tile<ptr<bf16>>
    %v22 = assume bounded<0, ?>, %kv_0 : tile<i32>
    %v23 = assume bounded<0, ?>, %kv_1 : tile<i32>
    %v24 = assume bounded<0, ?>, %kv_2 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %kv_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %v28 = assume bounded<0, ?>, %kv_s1 : tile<i32>
    %v29 = assume div_by<16>, %v28 : tile<i32>
    %tv30 = make_tensor_view %kv21, shape = [%v22, %v23, %v25], strides = [%v27, %v29, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %kr31 = assume div_by<16>, %kr : tile<ptr<bf16>>
    %v32 = assume bounded<0, ?>, %kr_0 : tile<i32>
    %v33 = assume bounded<0, ?>, %kr_1 : tile<i32>
    %v34 = assume bounded<0, ?>, %kr_2 : tile<i32>
    %v35 = assume div_by<16>, %v34 : tile<i32>
    %v36 = assume bounded<0, ?>, %kr_s0 : tile<i32>
    %v37 = assume div_by<16>, %v36 : tile<i32>
    %v38 = assume bounded<0, ?>, %kr_s1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %tv40 = make_tensor_view %kr31, shape = [%v32, %v33, %v35], strides = [%v37, %v39, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %o41 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v42 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v43 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v44 = assume bounded<0, ?>, %o_2 : tile<i32>
    %v45 = assume div_by<16>, %v44 : tile<i32>
    %v46 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v47 = assume div_by<16>, %v46 : tile<i32>
    %v48 = assume bounded<0, ?>, %o_s1 : tile<i32>
    %v49 = assume div_by<16>, %v48 : tile<i32>
    %tv50 = make_tensor_view %o41, shape = [%v42, %v43, %v45], strides = [%v47, %v49, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %tok = make_token : token
    %b51, %b52, %b53 = get_tile_block_id : tile<i32>
    %pv54 = make_partition_view %tv10 : partition_view<tile=(1x16x512), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v55 = constant <i32: 0> : tile<i32>
    %v56 = constant <i32: 0> : tile<i32>
    %v57, %t58 = load_view_tko weak %pv54[%b52, %v55, %v56] token = %tok : partition_view<tile=(1x16x512), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x16x512xbf16>, token
    %v59 = reshape %v57 : tile<1x16x512xbf16> -> tile<16x512xbf16>
    %pv60 = make_partition_view %tv20 : partition_view<tile=(1x16x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v61 = constant <i32: 0> : tile<i32>
    %v62 = constant <i32: 0> : tile<i32>
    %v63, %t64 = load_view_tko weak %pv60[%b52, %v61, %v62] token = %tok : partition_view<tile=(1x16x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x16x64xbf16>, token
    %v65 = reshape %v63 : tile<1x16x64xbf16> -> tile<16x64xbf16>
    %pv66 = make_partition_view %tv30 : partition_view<tile=(1x64x512), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv67 = make_partition_view %tv40 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v68 = constant <f32: 1.442695> : tile<f32>
    %v69 = mulf %scale, %v68  : tile<f32>
    %v70 = constant <i32: 0> : tile<i32>
    %v71 = constant <i32: 64> : tile<i32>
    %v72 = divi %v23, %v71 signed rounding<positive_inf> : tile<i32>
    %v73 = constant <f32: 0xFF800000> : tile<16x1xf32>
    %v74 = constant <f32: 0.0> : tile<16x1xf32>
    %v75 = constant <f32: 0.0> : tile<16x512xf32>
    %v76 = constant <i32: 1> : tile<i32>
    %f81:3 = for %i77 in (%v70 to %v72, step %v76) : tile<i32> iter_values(%c78 = %v73, %c79 = %v74, %c80 = %v75) -> (tile<16x1xf32>, tile<16x1xf32>, tile<16x512xf32>) {
      %v82 = constant <i32: 0> : tile<i32>
      %v83, %t84 = load_view_tko weak %pv66[%b52, %i77, %v82] token = %tok : partition_view<tile=(1x64x512), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x512xbf16>, token
      %v85 = reshape %v83 : tile<1x64x512xbf16> -> tile<64x512xbf16>
      %v86 = constant <i32: 0> : tile<i32>
      %v87, %t88 = load_view_tko weak %pv67[%b52, %i77, %v86] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v89 = reshape %v87 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v90 = permute %v85 [1, 0] : tile<64x512xbf16> -> tile<512x64xbf16>
      %v91 = constant <f32: 0.0> : tile<16x64xf32>
      %v92 = mmaf %v59, %v90, %v91  : tile<16x512xbf16>, tile<512x64xbf16>, tile<16x64xf32>
      %v93 = permute %v89 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v94 = mmaf %v65, %v93, %v92  : tile<16x64xbf16>, tile<64x64xbf16>, tile<16x64xf32>
      %v95 = reshape %v69 : tile<f32> -> tile<1x1xf32>
      %v96 = broadcast %v95 : tile<1x1xf32> -> tile<16x64xf32>
      %v97 = mulf %v94, %v96  : tile<16x64xf32>
      %v98 = constant <i32: 64> : tile<i32>
      %v99 = muli %i77, %v98  : tile<i32>
      %v100 = reshape %v99 : tile<i32> -> tile<1xi32>
      %v101 = broadcast %v100 : tile<1xi32> -> tile<64xi32>
      %v102 = iota : tile<64xi32>
      %v103 = addi %v101, %v102  : tile<64xi32>
      %v104 = reshape %v103 : tile<64xi32> -> tile<1x64xi32>
      %v105 = reshape %v23 : tile<i32> -> tile<1x1xi32>
      %v106 = broadcast %v105 : tile<1x1xi32> -> tile<1x64xi32>
      %v107 = cmpi less_than %v104, %v106, signed : tile<1x64xi32> -> tile<1x64xi1>
      %v108 = broadcast %v107 : tile<1x64xi1> -> tile<16x64xi1>
      %v109 = constant <f32: 0xFF800000> : tile<16x64xf32>
      %v110 = select %v108, %v97, %v109 : tile<16x64xi1>, tile<16x64xf32>
      %v111 = reduce %v110 dim=1 identities=[0xFF800000 : f32] : tile<16x64xf32> -> tile<16xf32>
      (%l112: tile<f32>, %r113: tile<f32>) {
        %y114 = maxf %l112, %r113 : tile<f32>
        yield %y114 : tile<f32>
      }
      %v115 = reshape %v111 : tile<16xf32> -> tile<16x1xf32>
      %v116 = maxf %c78, %v115  : tile<16x1xf32>
      %v117 = broadcast %v116 : tile<16x1xf32> -> tile<16x64xf32>
      %v118 = subf %v110, %v117  : tile<16x64xf32>
      %v119 = exp2 %v118 flush_to_zero : tile<16x64xf32>
      %v120 = subf %c78, %v116  : tile<16x1xf32>
      %v121 = exp2 %v120 flush_to_zero : tile<16x1xf32>
      %v122 = mulf %c79, %v121  : tile<16x1xf32>
      %v123 = reduce %v119 dim=1 identities=[0.0 : f32] : tile<16x64xf32> -> tile<16xf32>
      (%l124: tile<f32>, %r125: tile<f32>) {
        %y126 = addf %l124, %r125 : tile<f32>
        yield %y126 : tile<f32>
      }
      %v127 = reshape %v123 : tile<16xf32> -> tile<16x1xf32>
      %v128 = addf %v122, %v127  : tile<16x1xf32>
      %v129 = broadcast %v121 : tile<16x1xf32> -> tile<16x512xf32>
      %v130 = mulf %c80, %v129  : tile<16x512xf32>
      %v131 = ftof %v119  : tile<16x64xf32> -> tile<16x64xbf16>
      %v132 = mmaf %v131, %v85, %v130  : tile<16x64xbf16>, tile<64x512xbf16>, tile<16x512xf32>
      continue %v116, %v128, %v132 : tile<16x1xf32>, tile<16x1xf32>, tile<16x512xf32>
    }
    %v133 = broadcast %f81#1 : tile<16x1xf32> -> tile<16x512xf32>
    %v134 = divf %f81#2, %v133 rounding<approx> flush_to_zero : tile<16x512xf32>
    %v135 = ftof %v134  : tile<16x512xf32> -> tile<16x512xbf16>
    %v136 = reshape %v135 : tile<16x512xbf16> -> tile<1x16x512xbf16>
    %pv137 = make_partition_view %tv50 : partition_view<tile=(1x16x512), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v138 = constant <i32: 0> : tile<i32>
    %v139 = constant <i32: 0> : tile<i32>
    %t140 = store_view_tko weak %v136, %pv137[%b52, %v138, %v139] token = %tok : tile<1x16x512xbf16>, partition_view<tile=(1x16x512), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
