// linear attention, chunk by chunk
cuda_tile.module @m {
  entry @linear_attn_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>) {
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
    %tok = make_token : token
    %b41, %b42, %b43 = get_tile_block_id : tile<i32>
    %pv44 = make_partition_view %tv10 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv45 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv46 = make_partition_view %tv30 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv47 = make_partition_view %tv40 : partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v48 = constant <i32: 64> : tile<i32>
    %v49 = divi %v3, %v48 signed rounding<positive_inf> : tile<i32>
    %v50 = iota : tile<64xi32>
    %v51 = reshape %v50 : tile<64xi32> -> tile<64x1xi32>
    %v52 = iota : tile<64xi32>
    %v53 = reshape %v52 : tile<64xi32> -> tile<1x64xi32>
    %v54 = broadcast %v51 : tile<64x1xi32> -> tile<64x64xi32>
    %v55 = broadcast %v53 : tile<1x64xi32> -> tile<64x64xi32>
    %v56 = cmpi greater_than_or_equal %v54, %v55, signed : tile<64x64xi32> -> tile<64x64xi1>
    %v57 = constant <i32: 0> : tile<i32>
    %v58 = constant <f32: 0.0> : tile<64x64xf32>
    %v59 = constant <i32: 1> : tile<i32>
    %f62 = for %i60 in (%v57 to %v49, step %v59) : tile<i32> iter_values(%c61 = %v58) -> (tile<64x64xf32>) {
      %v63 = constant <i32: 0> : tile<i32>
      %v64, %t65 = load_view_tko weak %pv44[%b41, %i60, %v63] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v66 = reshape %v64 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v67 = constant <i32: 0> : tile<i32>
      %v68, %t69 = load_view_tko weak %pv45[%b41, %i60, %v67] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v70 = reshape %v68 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v71 = constant <i32: 0> : tile<i32>
      %v72, %t73 = load_view_tko weak %pv46[%b41, %i60, %v71] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
      %v74 = reshape %v72 : tile<1x64x64xbf16> -> tile<64x64xbf16>
      %v75 = permute %v70 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v76 = constant <f32: 0.0> : tile<64x64xf32>
      %v77 = mmaf %v66, %v75, %v76  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v78 = constant <f32: 0.0> : tile<64x64xf32>
      %v79 = select %v56, %v77, %v78 : tile<64x64xi1>, tile<64x64xf32>
      %v80 = ftof %v79  : tile<64x64xf32> -> tile<64x64xbf16>
      %v81 = ftof %c61  : tile<64x64xf32> -> tile<64x64xbf16>
      %v82 = constant <f32: 0.0> : tile<64x64xf32>
      %v83 = mmaf %v66, %v81, %v82  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v84 = mmaf %v80, %v74, %v83  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v85 = ftof %v84  : tile<64x64xf32> -> tile<64x64xbf16>
      %v86 = reshape %v85 : tile<64x64xbf16> -> tile<1x64x64xbf16>
      %v87 = constant <i32: 0> : tile<i32>
      %t88 = store_view_tko weak %v86, %pv47[%b41, %i60, %v87] token = %tok : tile<1x64x64xbf16>, partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
      %v89 = permute %v70 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v90 = mmaf %v89, %v74, %c61  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      continue %v90 : tile<64x64xf32>
    }
    return
  }
}
