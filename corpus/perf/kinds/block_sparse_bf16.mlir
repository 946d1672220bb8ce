// block-sparse attention: a list says which blocks of keys
cuda_tile.module @m {
  entry @block_sparse_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %lst: tile<ptr<i32>>, %lst_0: tile<i32>, %lst_1: tile<i32>, %lst_s0: tile<i32>, %cnt: tile<ptr<i32>>, %cnt_0: tile<i32>, %scale: tile<f32>) {
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
    %lst41 = assume div_by<16>, %lst : tile<ptr<i32>>
    %v42 = assume bounded<0, ?>, %lst_0 : tile<i32>
    %v43 = assume bounded<0, ?>, %lst_1 : tile<i32>
    %v44 = assume div_by<16>, %v43 : tile<i32>
    %v45 = assume bounded<0, ?>, %lst_s0 : tile<i32>
    %v46 = assume div_by<16>, %v45 : tile<i32>
    %tv47 = make_tensor_view %lst41, shape = [%v42, %v44], strides = [%v46, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?,1]>
    %cnt48 = assume div_by<16>, %cnt : tile<ptr<i32>>
    %v49 = assume bounded<0, ?>, %cnt_0 : tile<i32>
    %v50 = assume div_by<16>, %v49 : tile<i32>
    %tv51 = make_tensor_view %cnt48, shape = [%v50], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %tok = make_token : token
    %b52, %b53, %b54 = get_tile_block_id : tile<i32>
    %pv55 = make_partition_view %tv10 : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v56 = constant <i32: 0> : tile<i32>
    %v57, %t58 = load_view_tko weak %pv55[%b53, %b52, %v56] token = %tok : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xbf16>, token
    %v59 = reshape %v57 : tile<1x128x128xbf16> -> tile<128x128xbf16>
    %pv60 = make_partition_view %tv20 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv61 = make_partition_view %tv30 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v62 = constant <f32: 1.442695> : tile<f32>
    %v63 = mulf %scale, %v62  : tile<f32>
    %pv64 = make_partition_view %tv47 : partition_view<tile=(1x1), tensor_view<?x?xi32, strides=[?,1]>>
    %pv65 = make_partition_view %tv51 : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
    %v66, %t67 = load_view_tko weak %pv65[%b52] token = %tok : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %v68 = reshape %v66 : tile<1xi32> -> tile<i32>
    %v69 = constant <i32: 0> : tile<i32>
    %v70 = constant <f32: -1.0e30> : tile<128x1xf32>
    %v71 = constant <f32: 0.0> : tile<128x1xf32>
    %v72 = constant <f32: 0.0> : tile<128x128xf32>
    %v73 = constant <i32: 1> : tile<i32>
    %f78:3 = for %i74 in (%v69 to %v68, step %v73) : tile<i32> iter_values(%c75 = %v70, %c76 = %v71, %c77 = %v72) -> (tile<128x1xf32>, tile<128x1xf32>, tile<128x128xf32>) {
      %v79, %t80 = load_view_tko weak %pv64[%b52, %i74] token = %tok : partition_view<tile=(1x1), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> tile<1x1xi32>, token
      %v81 = reshape %v79 : tile<1x1xi32> -> tile<i32>
      %v82 = constant <i32: 0> : tile<i32>
      %v83, %t84 = load_view_tko weak %pv60[%b53, %v81, %v82] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xbf16>, token
      %v85 = reshape %v83 : tile<1x64x128xbf16> -> tile<64x128xbf16>
      %v86 = permute %v85 [1, 0] : tile<64x128xbf16> -> tile<128x64xbf16>
      %v87 = constant <f32: 0.0> : tile<128x64xf32>
      %v88 = mmaf %v59, %v86, %v87  : tile<128x128xbf16>, tile<128x64xbf16>, tile<128x64xf32>
      %v89 = reshape %v63 : tile<f32> -> tile<1x1xf32>
      %v90 = broadcast %v89 : tile<1x1xf32> -> tile<128x64xf32>
      %v91 = mulf %v88, %v90  : tile<128x64xf32>
      %v92 = reduce %v91 dim=1 identities=[0xFF800000 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l93: tile<f32>, %r94: tile<f32>) {
        %y95 = maxf %l93, %r94 : tile<f32>
        yield %y95 : tile<f32>
      }
      %v96 = reshape %v92 : tile<128xf32> -> tile<128x1xf32>
      %v97 = maxf %c75, %v96  : tile<128x1xf32>
      %v98 = broadcast %v97 : tile<128x1xf32> -> tile<128x64xf32>
      %v99 = subf %v91, %v98  : tile<128x64xf32>
      %v100 = exp2 %v99 flush_to_zero : tile<128x64xf32>
      %v101 = subf %c75, %v97  : tile<128x1xf32>
      %v102 = exp2 %v101 flush_to_zero : tile<128x1xf32>
      %v103 = mulf %c76, %v102  : tile<128x1xf32>
      %v104 = reduce %v100 dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l105: tile<f32>, %r106: tile<f32>) {
        %y107 = addf %l105, %r106 : tile<f32>
        yield %y107 : tile<f32>
      }
      %v108 = reshape %v104 : tile<128xf32> -> tile<128x1xf32>
      %v109 = addf %v103, %v108  : tile<128x1xf32>
      %v110 = broadcast %v102 : tile<128x1xf32> -> tile<128x128xf32>
      %v111 = mulf %c77, %v110  : tile<128x128xf32>
      %v112 = ftof %v100  : tile<128x64xf32> -> tile<128x64xbf16>
      %v113 = constant <i32: 0> : tile<i32>
      %v114, %t115 = load_view_tko weak %pv61[%b53, %v81, %v113] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xbf16>, token
      %v116 = reshape %v114 : tile<1x64x128xbf16> -> tile<64x128xbf16>
      %v117 = mmaf %v112, %v116, %v111  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %v97, %v109, %v117 : tile<128x1xf32>, tile<128x1xf32>, tile<128x128xf32>
    }
    %v118 = broadcast %f78#1 : tile<128x1xf32> -> tile<128x128xf32>
    %v119 = divf %f78#2, %v118 rounding<approx> flush_to_zero : tile<128x128xf32>
    %v120 = ftof %v119  : tile<128x128xf32> -> tile<128x128xbf16>
    %v121 = reshape %v120 : tile<128x128xbf16> -> tile<1x128x128xbf16>
    %pv122 = make_partition_view %tv40 : partition_view<tile=(1x128x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v123 = constant <i32: 0> : tile<i32>
    %t124 = store_view_tko weak %v121, %pv122[%b53, %b52, %v123] token = %tok : tile<1x128x128xbf16>, partition_view<tile=(1x128x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
