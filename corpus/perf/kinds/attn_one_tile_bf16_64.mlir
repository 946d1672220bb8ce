// attention over one tile of keys
cuda_tile.module @m {
  entry @attn_one_tile_bf16_64(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %scale: tile<f32>) {
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
    %v45 = constant <i32: 0> : tile<i32>
    %v46, %t47 = load_view_tko weak %pv44[%b42, %b41, %v45] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
    %v48 = reshape %v46 : tile<1x64x64xbf16> -> tile<64x64xbf16>
    %v49 = constant <i32: 0> : tile<i32>
    %pv50 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v51 = constant <i32: 0> : tile<i32>
    %v52, %t53 = load_view_tko weak %pv50[%b42, %v49, %v51] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
    %v54 = reshape %v52 : tile<1x64x64xbf16> -> tile<64x64xbf16>
    %v55 = constant <i32: 0> : tile<i32>
    %pv56 = make_partition_view %tv30 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v57 = constant <i32: 0> : tile<i32>
    %v58, %t59 = load_view_tko weak %pv56[%b42, %v55, %v57] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
    %v60 = reshape %v58 : tile<1x64x64xbf16> -> tile<64x64xbf16>
    %v61 = permute %v54 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
    %v62 = constant <f32: 0.0> : tile<64x64xf32>
    %v63 = mmaf %v48, %v61, %v62  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
    %v64 = constant <f32: 1.442695> : tile<f32>
    %v65 = mulf %scale, %v64  : tile<f32>
    %v66 = reshape %v65 : tile<f32> -> tile<1x1xf32>
    %v67 = broadcast %v66 : tile<1x1xf32> -> tile<64x64xf32>
    %v68 = mulf %v63, %v67  : tile<64x64xf32>
    %v69 = reduce %v68 dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32>
    (%l70: tile<f32>, %r71: tile<f32>) {
      %y72 = maxf %l70, %r71 : tile<f32>
      yield %y72 : tile<f32>
    }
    %v73 = reshape %v69 : tile<64xf32> -> tile<64x1xf32>
    %v74 = broadcast %v73 : tile<64x1xf32> -> tile<64x64xf32>
    %v75 = subf %v68, %v74  : tile<64x64xf32>
    %v76 = exp2 %v75 flush_to_zero : tile<64x64xf32>
    %v77 = reduce %v76 dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
    (%l78: tile<f32>, %r79: tile<f32>) {
      %y80 = addf %l78, %r79 : tile<f32>
      yield %y80 : tile<f32>
    }
    %v81 = reshape %v77 : tile<64xf32> -> tile<64x1xf32>
    %v82 = ftof %v76  : tile<64x64xf32> -> tile<64x64xbf16>
    %v83 = constant <f32: 0.0> : tile<64x64xf32>
    %v84 = mmaf %v82, %v60, %v83  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
    %v85 = broadcast %v81 : tile<64x1xf32> -> tile<64x64xf32>
    %v86 = divf %v84, %v85 rounding<approx> flush_to_zero : tile<64x64xf32>
    %v87 = ftof %v86  : tile<64x64xf32> -> tile<64x64xbf16>
    %v88 = reshape %v87 : tile<64x64xbf16> -> tile<1x64x64xbf16>
    %pv89 = make_partition_view %tv40 : partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v90 = constant <i32: 0> : tile<i32>
    %t91 = store_view_tko weak %v88, %pv89[%b42, %b41, %v90] token = %tok : tile<1x64x64xbf16>, partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
