// 8-bit floats, scales of rows and of blocks of 128, two-level sums
cuda_tile.module @m {
  entry @gemm_f8_blocks(%a: tile<ptr<f8E4M3FN>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<f8E4M3FN>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %sa: tile<ptr<f32>>, %sa_0: tile<i32>, %sa_1: tile<i32>, %sa_s0: tile<i32>, %sb: tile<ptr<f32>>, %sb_0: tile<i32>, %sb_1: tile<i32>, %sb_s0: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f8E4M3FN>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %b8 = assume div_by<16>, %b : tile<ptr<f8E4M3FN>>
    %v9 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %b8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %sa15 = assume div_by<16>, %sa : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %sa_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %sa_1 : tile<i32>
    %v18 = assume div_by<1>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %sa_s0 : tile<i32>
    %v20 = assume div_by<1>, %v19 : tile<i32>
    %tv21 = make_tensor_view %sa15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %sb22 = assume div_by<16>, %sb : tile<ptr<f32>>
    %v23 = assume bounded<0, ?>, %sb_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %sb_1 : tile<i32>
    %v25 = assume div_by<1>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %sb_s0 : tile<i32>
    %v27 = assume div_by<1>, %v26 : tile<i32>
    %tv28 = make_tensor_view %sb22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o29 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v30 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %o29, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b36, %b37, %b38 = get_tile_block_id : tile<i32>
    %pv39 = make_partition_view %tv7 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %pv40 = make_partition_view %tv14 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %pv41 = make_partition_view %tv21 : partition_view<tile=(128x1), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %pv42 = make_partition_view %tv28 : partition_view<tile=(1x1), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v43 = constant <i32: 0> : tile<i32>
    %v44 = constant <i32: 128> : tile<i32>
    %v45 = divi %v4, %v44 signed rounding<positive_inf> : tile<i32>
    %v46 = constant <f32: 0.0> : tile<128x128xf32>
    %v47 = constant <i32: 1> : tile<i32>
    %f50 = for %i48 in (%v43 to %v45, step %v47) : tile<i32> iter_values(%c49 = %v46) -> (tile<128x128xf32>) {
      %v51, %t52 = load_view_tko weak %pv39[%b36, %i48] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %v53, %t54 = load_view_tko weak %pv40[%b37, %i48] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %v55 = permute %v53 [1, 0] : tile<128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %v56 = constant <f32: 0.0> : tile<128x128xf32>
      %v57 = mmaf %v51, %v55, %v56  : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>
      %v58, %t59 = load_view_tko weak %pv41[%b36, %i48] token = %tok : partition_view<tile=(128x1), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<128x1xf32>, token
      %v60, %t61 = load_view_tko weak %pv42[%b37, %i48] token = %tok : partition_view<tile=(1x1), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x1xf32>, token
      %v62 = broadcast %v60 : tile<1x1xf32> -> tile<128x1xf32>
      %v63 = mulf %v58, %v62  : tile<128x1xf32>
      %v64 = broadcast %v63 : tile<128x1xf32> -> tile<128x128xf32>
      %v65 = mulf %v57, %v64  : tile<128x128xf32>
      %v66 = addf %c49, %v65  : tile<128x128xf32>
      continue %v66 : tile<128x128xf32>
    }
    %v67 = ftof %f50  : tile<128x128xf32> -> tile<128x128xbf16>
    %pv68 = make_partition_view %tv35 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t69 = store_view_tko weak %v67, %pv68[%b36, %b37] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
