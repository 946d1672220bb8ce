// batched, with a residual
cuda_tile.module @m {
  entry @bmm_res_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_2: tile<i32>, %a_s0: tile<i32>, %a_s1: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_2: tile<i32>, %b_s0: tile<i32>, %b_s1: tile<i32>, %r: tile<ptr<bf16>>, %r_0: tile<i32>, %r_1: tile<i32>, %r_2: tile<i32>, %r_s0: tile<i32>, %r_s1: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_2: tile<i32>, %c_s0: tile<i32>, %c_s1: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %a_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %a_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %a1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %b11 = assume div_by<16>, %b : tile<ptr<bf16>>
    %v12 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %b_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %b_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %b11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %r21 = assume div_by<16>, %r : tile<ptr<bf16>>
    %v22 = assume bounded<0, ?>, %r_0 : tile<i32>
    %v23 = assume bounded<0, ?>, %r_1 : tile<i32>
    %v24 = assume bounded<0, ?>, %r_2 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %r_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %v28 = assume bounded<0, ?>, %r_s1 : tile<i32>
    %v29 = assume div_by<16>, %v28 : tile<i32>
    %tv30 = make_tensor_view %r21, shape = [%v22, %v23, %v25], strides = [%v27, %v29, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %c31 = assume div_by<16>, %c : tile<ptr<bf16>>
    %v32 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v33 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v34 = assume bounded<0, ?>, %c_2 : tile<i32>
    %v35 = assume div_by<16>, %v34 : tile<i32>
    %v36 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v37 = assume div_by<16>, %v36 : tile<i32>
    %v38 = assume bounded<0, ?>, %c_s1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %tv40 = make_tensor_view %c31, shape = [%v32, %v33, %v35], strides = [%v37, %v39, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %tok = make_token : token
    %b41, %b42, %b43 = get_tile_block_id : tile<i32>
    %pv44 = make_partition_view %tv10 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv45 = make_partition_view %tv20 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v46 = constant <i32: 0> : tile<i32>
    %v47 = constant <i32: 64> : tile<i32>
    %v48 = divi %v5, %v47 signed rounding<positive_inf> : tile<i32>
    %v49 = constant <f32: 0.0> : tile<128x128xf32>
    %v50 = constant <i32: 1> : tile<i32>
    %f53 = for %i51 in (%v46 to %v48, step %v50) : tile<i32> iter_values(%c52 = %v49) -> (tile<128x128xf32>) {
      %v54, %t55 = load_view_tko weak %pv44[%b43, %b41, %i51] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
      %v56 = reshape %v54 : tile<1x128x64xbf16> -> tile<128x64xbf16>
      %v57, %t58 = load_view_tko weak %pv45[%b43, %i51, %b42] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xbf16>, token
      %v59 = reshape %v57 : tile<1x64x128xbf16> -> tile<64x128xbf16>
      %v60 = mmaf %v56, %v59, %c52  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %v60 : tile<128x128xf32>
    }
    %v61 = reshape %f53 : tile<128x128xf32> -> tile<1x128x128xf32>
    %pv62 = make_partition_view %tv30 : partition_view<tile=(1x128x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v63, %t64 = load_view_tko weak %pv62[%b43, %b41, %b42] token = %tok : partition_view<tile=(1x128x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x128xbf16>, token
    %v65 = ftof %v63  : tile<1x128x128xbf16> -> tile<1x128x128xf32>
    %v66 = addf %v61, %v65  : tile<1x128x128xf32>
    %v67 = ftof %v66  : tile<1x128x128xf32> -> tile<1x128x128xbf16>
    %pv68 = make_partition_view %tv40 : partition_view<tile=(1x128x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %t69 = store_view_tko weak %v67, %pv68[%b43, %b41, %b42] token = %tok : tile<1x128x128xbf16>, partition_view<tile=(1x128x128), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
