// attention of 8-bit floats, result of bf16
cuda_tile.module @m {
  entry @attn_f8(%q: tile<ptr<f8E4M3FN>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<f8E4M3FN>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<f8E4M3FN>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %scale: tile<f32>) {
    %q1 = assume div_by<16>, %q : tile<ptr<f8E4M3FN>>
    %v2 = assume bounded<0, ?>, %q_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %q_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %q_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %q_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %q_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %q1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>
    %k11 = assume div_by<16>, %k : tile<ptr<f8E4M3FN>>
    %v12 = assume bounded<0, ?>, %k_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %k_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %k_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %k_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %k_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %k11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>
    %v21 = assume div_by<16>, %v : tile<ptr<f8E4M3FN>>
    %v22 = assume bounded<0, ?>, %v_0 : tile<i32>
    %v23 = assume bounded<0, ?>, %v_1 : tile<i32>
    %v24 = assume bounded<0, ?>, %v_2 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %v_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %v28 = assume bounded<0, ?>, %v_s1 : tile<i32>
    %v29 = assume div_by<16>, %v28 : tile<i32>
    %tv30 = make_tensor_view %v21, shape = [%v22, %v23, %v25], strides = [%v27, %v29, 1] : tile<i32> -> tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>
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
    %pv44 = make_partition_view %tv10 : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>
    %v45 = constant <i32: 0> : tile<i32>
    %v46, %t47 = load_view_tko weak %pv44[%b42, %b41, %v45] token = %tok : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xf8E4M3FN>, token
    %v48 = reshape %v46 : tile<1x128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
    %pv49 = make_partition_view %tv20 : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>
    %pv50 = make_partition_view %tv30 : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>
    %v51 = constant <f32: 1.442695> : tile<f32>
    %v52 = mulf %scale, %v51  : tile<f32>
    %v53 = constant <i32: 0> : tile<i32>
    %v54 = constant <i32: 128> : tile<i32>
    %v55 = divi %v13, %v54 signed : tile<i32>
    %v56 = constant <f32: -1.0e30> : tile<128x1xf32>
    %v57 = constant <f32: 0.0> : tile<128x1xf32>
    %v58 = constant <f32: 0.0> : tile<128x128xf32>
    %v59 = constant <i32: 1> : tile<i32>
    %f64:3 = for %i60 in (%v53 to %v55, step %v59) : tile<i32> iter_values(%c61 = %v56, %c62 = %v57, %c63 = %v58) -> (tile<128x1xf32>, tile<128x1xf32>, tile<128x128xf32>) {
      %v65 = constant <i32: 0> : tile<i32>
      %v66, %t67 = load_view_tko weak %pv49[%b42, %i60, %v65] token = %tok : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xf8E4M3FN>, token
      %v68 = reshape %v66 : tile<1x128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %v69 = permute %v68 [1, 0] : tile<128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %v70 = constant <f32: 0.0> : tile<128x128xf32>
      %v71 = mmaf %v48, %v69, %v70  : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>
      %v72 = reshape %v52 : tile<f32> -> tile<1x1xf32>
      %v73 = broadcast %v72 : tile<1x1xf32> -> tile<128x128xf32>
      %v74 = mulf %v71, %v73  : tile<128x128xf32>
      %v75 = reduce %v74 dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%l76: tile<f32>, %r77: tile<f32>) {
        %y78 = maxf %l76, %r77 : tile<f32>
        yield %y78 : tile<f32>
      }
      %v79 = reshape %v75 : tile<128xf32> -> tile<128x1xf32>
      %v80 = maxf %c61, %v79  : tile<128x1xf32>
      %v81 = broadcast %v80 : tile<128x1xf32> -> tile<128x128xf32>
      %v82 = subf %v74, %v81  : tile<128x128xf32>
      %v83 = exp2 %v82 flush_to_zero : tile<128x128xf32>
      %v84 = subf %c61, %v80  : tile<128x1xf32>
      %v85 = exp2 %v84 flush_to_zero : tile<128x1xf32>
      %v86 = mulf %c62, %v85  : tile<128x1xf32>
      %v87 = reduce %v83 dim=1 identities=[0.0 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%l88: tile<f32>, %r89: tile<f32>) {
        %y90 = addf %l88, %r89 : tile<f32>
        yield %y90 : tile<f32>
      }
      %v91 = reshape %v87 : tile<128xf32> -> tile<128x1xf32>
      %v92 = addf %v86, %v91  : tile<128x1xf32>
      %v93 = broadcast %v85 : tile<128x1xf32> -> tile<128x128xf32>
      %v94 = mulf %c63, %v93  : tile<128x128xf32>
      %v95 = ftof %v83  : tile<128x128xf32> -> tile<128x128xf8E4M3FN>
      %v96 = constant <i32: 0> : tile<i32>
      %v97, %t98 = load_view_tko weak %pv50[%b42, %v96, %i60] token = %tok : partition_view<tile=(1x128x128), padding_value = zero, tensor_view<?x?x?xf8E4M3FN, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xf8E4M3FN>, token
      %v99 = reshape %v97 : tile<1x128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %v100 = permute %v99 [1, 0] : tile<128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %v101 = mmaf %v95, %v100, %v94  : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>
      continue %v80, %v92, %v101 : tile<128x1xf32>, tile<128x1xf32>, tile<128x128xf32>
    }
    %v102 = broadcast %f64#1 : tile<128x1xf32> -> tile<128x128xf32>
    %v103 = divf %f64#2, %v102 rounding<approx> flush_to_zero : tile<128x128xf32>
    %v104 = ftof %v103  : tile<128x128xf32> -> tile<128x128xbf16>
    %v105 = reshape %v104 : tile<128x128xbf16> -> tile<1x128x128xbf16>
    %pv106 = make_partition_view %tv40 : partition_view<tile=(1x128x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v107 = constant <i32: 0> : tile<i32>
    %t108 = store_view_tko weak %v105, %pv106[%b42, %b41, %v107] token = %tok : tile<1x128x128xbf16>, partition_view<tile=(1x128x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
