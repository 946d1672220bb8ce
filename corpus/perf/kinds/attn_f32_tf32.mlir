// attention in f32 memory, tf32 products
cuda_tile.module @m {
  entry @attn_f32_tf32(%q: tile<ptr<f32>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<f32>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<f32>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<f32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %scale: tile<f32>) {
    %q1 = assume div_by<16>, %q : tile<ptr<f32>>
    %v2 = assume bounded<0, ?>, %q_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %q_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %q_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %q_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %q_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %q1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xf32, strides=[?,?,1]>
    %k11 = assume div_by<16>, %k : tile<ptr<f32>>
    %v12 = assume bounded<0, ?>, %k_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %k_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %k_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %k_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %k_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %k11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xf32, strides=[?,?,1]>
    %v21 = assume div_by<16>, %v : tile<ptr<f32>>
    %v22 = assume bounded<0, ?>, %v_0 : tile<i32>
    %v23 = assume bounded<0, ?>, %v_1 : tile<i32>
    %v24 = assume bounded<0, ?>, %v_2 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %v_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %v28 = assume bounded<0, ?>, %v_s1 : tile<i32>
    %v29 = assume div_by<16>, %v28 : tile<i32>
    %tv30 = make_tensor_view %v21, shape = [%v22, %v23, %v25], strides = [%v27, %v29, 1] : tile<i32> -> tensor_view<?x?x?xf32, strides=[?,?,1]>
    %o31 = assume div_by<16>, %o : tile<ptr<f32>>
    %v32 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v33 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v34 = assume bounded<0, ?>, %o_2 : tile<i32>
    %v35 = assume div_by<16>, %v34 : tile<i32>
    %v36 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v37 = assume div_by<16>, %v36 : tile<i32>
    %v38 = assume bounded<0, ?>, %o_s1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %tv40 = make_tensor_view %o31, shape = [%v32, %v33, %v35], strides = [%v37, %v39, 1] : tile<i32> -> tensor_view<?x?x?xf32, strides=[?,?,1]>
    %tok = make_token : token
    %b41, %b42, %b43 = get_tile_block_id : tile<i32>
    %pv44 = make_partition_view %tv10 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf32, strides=[?,?,1]>>
    %v45 = constant <i32: 0> : tile<i32>
    %v46, %t47 = load_view_tko weak %pv44[%b42, %b41, %v45] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf32, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf32>, token
    %v48 = reshape %v46 : tile<1x64x64xf32> -> tile<64x64xf32>
    %v49 = ftof %v48  : tile<64x64xf32> -> tile<64x64xtf32>
    %pv50 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf32, strides=[?,?,1]>>
    %pv51 = make_partition_view %tv30 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf32, strides=[?,?,1]>>
    %v52 = constant <f32: 1.442695> : tile<f32>
    %v53 = mulf %scale, %v52  : tile<f32>
    %v54 = constant <i32: 0> : tile<i32>
    %v55 = constant <i32: 64> : tile<i32>
    %v56 = divi %v13, %v55 signed : tile<i32>
    %v57 = constant <f32: -1.0e30> : tile<64x1xf32>
    %v58 = constant <f32: 0.0> : tile<64x1xf32>
    %v59 = constant <f32: 0.0> : tile<64x64xf32>
    %v60 = constant <i32: 1> : tile<i32>
    %f65:3 = for %i61 in (%v54 to %v56, step %v60) : tile<i32> iter_values(%c62 = %v57, %c63 = %v58, %c64 = %v59) -> (tile<64x1xf32>, tile<64x1xf32>, tile<64x64xf32>) {
      %v66 = constant <i32: 0> : tile<i32>
      %v67, %t68 = load_view_tko weak %pv50[%b42, %i61, %v66] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf32, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf32>, token
      %v69 = reshape %v67 : tile<1x64x64xf32> -> tile<64x64xf32>
      %v70 = permute %v69 [1, 0] : tile<64x64xf32> -> tile<64x64xf32>
      %v71 = ftof %v70  : tile<64x64xf32> -> tile<64x64xtf32>
      %v72 = constant <f32: 0.0> : tile<64x64xf32>
      %v73 = mmaf %v49, %v71, %v72  : tile<64x64xtf32>, tile<64x64xtf32>, tile<64x64xf32>
      %v74 = reshape %v53 : tile<f32> -> tile<1x1xf32>
      %v75 = broadcast %v74 : tile<1x1xf32> -> tile<64x64xf32>
      %v76 = mulf %v73, %v75  : tile<64x64xf32>
      %v77 = reduce %v76 dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l78: tile<f32>, %r79: tile<f32>) {
        %y80 = maxf %l78, %r79 : tile<f32>
        yield %y80 : tile<f32>
      }
      %v81 = reshape %v77 : tile<64xf32> -> tile<64x1xf32>
      %v82 = maxf %c62, %v81  : tile<64x1xf32>
      %v83 = broadcast %v82 : tile<64x1xf32> -> tile<64x64xf32>
      %v84 = subf %v76, %v83  : tile<64x64xf32>
      %v85 = exp2 %v84 flush_to_zero : tile<64x64xf32>
      %v86 = subf %c62, %v82  : tile<64x1xf32>
      %v87 = exp2 %v86 flush_to_zero : tile<64x1xf32>
      %v88 = mulf %c63, %v87  : tile<64x1xf32>
      %v89 = reduce %v85 dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l90: tile<f32>, %r91: tile<f32>) {
        %y92 = addf %l90, %r91 : tile<f32>
        yield %y92 : tile<f32>
      }
      %v93 = reshape %v89 : tile<64xf32> -> tile<64x1xf32>
      %v94 = addf %v88, %v93  : tile<64x1xf32>
      %v95 = broadcast %v87 : tile<64x1xf32> -> tile<64x64xf32>
      %v96 = mulf %c64, %v95  : tile<64x64xf32>
      %v97 = ftof %v85  : tile<64x64xf32> -> tile<64x64xtf32>
      %v98 = constant <i32: 0> : tile<i32>
      %v99, %t100 = load_view_tko weak %pv51[%b42, %i61, %v98] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf32, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf32>, token
      %v101 = reshape %v99 : tile<1x64x64xf32> -> tile<64x64xf32>
      %v102 = ftof %v101  : tile<64x64xf32> -> tile<64x64xtf32>
      %v103 = mmaf %v97, %v102, %v96  : tile<64x64xtf32>, tile<64x64xtf32>, tile<64x64xf32>
      continue %v82, %v94, %v103 : tile<64x1xf32>, tile<64x1xf32>, tile<64x64xf32>
    }
    %v104 = broadcast %f65#1 : tile<64x1xf32> -> tile<64x64xf32>
    %v105 = divf %f65#2, %v104 rounding<approx> flush_to_zero : tile<64x64xf32>
    %v106 = reshape %v105 : tile<64x64xf32> -> tile<1x64x64xf32>
    %pv107 = make_partition_view %tv40 : partition_view<tile=(1x64x64), tensor_view<?x?x?xf32, strides=[?,?,1]>>
    %v108 = constant <i32: 0> : tile<i32>
    %t109 = store_view_tko weak %v106, %pv107[%b42, %b41, %v108] token = %tok : tile<1x64x64xf32>, partition_view<tile=(1x64x64), tensor_view<?x?x?xf32, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
