// attention with a bias that is loaded
cuda_tile.module @m {
  entry @attn_bias_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_2: tile<i32>, %b_s0: tile<i32>, %b_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %scale: tile<f32>) {
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
    %b31 = assume div_by<16>, %b : tile<ptr<bf16>>
    %v32 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v33 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v34 = assume bounded<0, ?>, %b_2 : tile<i32>
    %v35 = assume div_by<16>, %v34 : tile<i32>
    %v36 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v37 = assume div_by<16>, %v36 : tile<i32>
    %v38 = assume bounded<0, ?>, %b_s1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %tv40 = make_tensor_view %b31, shape = [%v32, %v33, %v35], strides = [%v37, %v39, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
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
    %pv54 = make_partition_view %tv10 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v55 = constant <i32: 0> : tile<i32>
    %v56, %t57 = load_view_tko weak %pv54[%b52, %b51, %v55] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
    %v58 = reshape %v56 : tile<1x128x64xbf16> -> tile<128x64xbf16>
    %pv59 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv60 = make_partition_view %tv30 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv61 = make_partition_view %tv40 : partition_view<tile=(1x128x64), padding_value = neg_inf, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v62 = constant <f32: 1.442695> : tile<f32>
    %v63 = mulf %scale, %v62  : tile<f32>
    %v64 = constant <i32: 0> : tile<i32>
    %v65 = constant <i32: 64> : tile<i32>
    %v66 = divi %v13, %v65 signed rounding<positive_inf> : tile<i32>
    %v67 = constant <f32: -1.0e30> : tile<128x1xf32>
    %v68 = constant <f32: 0.0> : tile<128x1xf32>
    %v69 = constant <f32: 0.0> : tile<128x64xf32>
    %v70 = constant <i32: 1> : tile<i32>
    %f75:3 = for %i71 in (%v64 to %v66, step %v70) : tile<i32> iter_values(%c72 = %v67, %c73 = %v68, %c74 = %v69) -> (tile<128x1xf32>, tile<128x1xf32>, tile<128x64xf32>) {
      %v76 = constant <i32: 0> : tile<i32>
      %v77, %t78 = load_view_tko weak %pv59[%b52, %i71, %v76] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v79 = reshape %v77 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v80 = permute %v79 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v81 = constant <f32: 0.0> : tile<128x64xf32>
      %v82 = mmaf %v58, %v80, %v81  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      %v83 = reshape %v63 : tile<f32> -> tile<1x1xf32>
      %v84 = broadcast %v83 : tile<1x1xf32> -> tile<128x64xf32>
      %v85 = mulf %v82, %v84  : tile<128x64xf32>
      %v86, %t87 = load_view_tko weak %pv61[%b52, %b51, %i71] token = %tok : partition_view<tile=(1x128x64), padding_value = neg_inf, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
      %v88 = reshape %v86 : tile<1x128x64xbf16> -> tile<128x64xbf16>
      %v89 = ftof %v88  : tile<128x64xbf16> -> tile<128x64xf32>
      %v90 = addf %v85, %v89  : tile<128x64xf32>
      %v91 = reduce %v90 dim=1 identities=[0xFF800000 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l92: tile<f32>, %r93: tile<f32>) {
        %y94 = maxf %l92, %r93 : tile<f32>
        yield %y94 : tile<f32>
      }
      %v95 = reshape %v91 : tile<128xf32> -> tile<128x1xf32>
      %v96 = maxf %c72, %v95  : tile<128x1xf32>
      %v97 = broadcast %v96 : tile<128x1xf32> -> tile<128x64xf32>
      %v98 = subf %v90, %v97  : tile<128x64xf32>
      %v99 = exp2 %v98 flush_to_zero : tile<128x64xf32>
      %v100 = subf %c72, %v96  : tile<128x1xf32>
      %v101 = exp2 %v100 flush_to_zero : tile<128x1xf32>
      %v102 = mulf %c73, %v101  : tile<128x1xf32>
      %v103 = reduce %v99 dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l104: tile<f32>, %r105: tile<f32>) {
        %y106 = addf %l104, %r105 : tile<f32>
        yield %y106 : tile<f32>
      }
      %v107 = reshape %v103 : tile<128xf32> -> tile<128x1xf32>
      %v108 = addf %v102, %v107  : tile<128x1xf32>
      %v109 = broadcast %v101 : tile<128x1xf32> -> tile<128x64xf32>
      %v110 = mulf %c74, %v109  : tile<128x64xf32>
      %v111 = ftof %v99  : tile<128x64xf32> -> tile<128x64xbf16>
      %v112 = constant <i32: 0> : tile<i32>
      %v113, %t114 = load_view_tko weak %pv60[%b52, %i71, %v112] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v115 = reshape %v113 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v116 = mmaf %v111, %v115, %v110  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      continue %v96, %v108, %v116 : tile<128x1xf32>, tile<128x1xf32>, tile<128x64xf32>
    }
    %v117 = broadcast %f75#1 : tile<128x1xf32> -> tile<128x64xf32>
    %v118 = divf %f75#2, %v117 rounding<approx> flush_to_zero : tile<128x64xf32>
    %v119 = ftof %v118  : tile<128x64xf32> -> tile<128x64xbf16>
    %v120 = reshape %v119 : tile<128x64xbf16> -> tile<1x128x64xbf16>
    %pv121 = make_partition_view %tv50 : partition_view<tile=(1x128x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v122 = constant <i32: 0> : tile<i32>
    %t123 = store_view_tko weak %v120, %pv121[%b52, %b51, %v122] token = %tok : tile<1x128x64xbf16>, partition_view<tile=(1x128x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
