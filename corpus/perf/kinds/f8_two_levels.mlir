// 8-bit floats, sums of several steps added with their scale
cuda_tile.module @m {
  entry @f8_two_levels(%a: tile<ptr<f8E4M3FN>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<f8E4M3FN>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %sa: tile<ptr<f32>>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
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
    %o16 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v17 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v18 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %v20 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v21 = assume div_by<16>, %v20 : tile<i32>
    %tv22 = make_tensor_view %o16, shape = [%v17, %v19], strides = [%v21, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b23, %b24, %b25 = get_tile_block_id : tile<i32>
    %pv26 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %pv27 = make_partition_view %tv14 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %v28 = constant <i32: 256> : tile<i32>
    %v29 = divi %v4, %v28 signed rounding<positive_inf> : tile<i32>
    %v30 = constant <i32: 0> : tile<i32>
    %v31 = constant <f32: 0.0> : tile<128x128xf32>
    %v32 = constant <i32: 1> : tile<i32>
    %f35 = for %i33 in (%v30 to %v29, step %v32) : tile<i32> iter_values(%c34 = %v31) -> (tile<128x128xf32>) {
      %v36 = constant <i32: 0> : tile<i32>
      %v37 = constant <i32: 4> : tile<i32>
      %v38 = constant <f32: 0.0> : tile<128x128xf32>
      %v39 = constant <i32: 1> : tile<i32>
      %f42 = for %i40 in (%v36 to %v37, step %v39) : tile<i32> iter_values(%c41 = %v38) -> (tile<128x128xf32>) {
        %v43 = constant <i32: 4> : tile<i32>
        %v44 = muli %i33, %v43  : tile<i32>
        %v45 = addi %v44, %i40  : tile<i32>
        %v46, %t47 = load_view_tko weak %pv26[%b23, %v45] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x64xf8E4M3FN>, token
        %v48, %t49 = load_view_tko weak %pv27[%b24, %v45] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x64xf8E4M3FN>, token
        %v50 = permute %v48 [1, 0] : tile<128x64xf8E4M3FN> -> tile<64x128xf8E4M3FN>
        %v51 = mmaf %v46, %v50, %c41  : tile<128x64xf8E4M3FN>, tile<64x128xf8E4M3FN>, tile<128x128xf32>
        continue %v51 : tile<128x128xf32>
      }
      %p52 = offset %sa15, %i33 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %v53, %t54 = load_ptr_tko weak %p52 token=%tok : tile<ptr<f32>> -> tile<f32>, token
      %v55 = reshape %v53 : tile<f32> -> tile<1x1xf32>
      %v56 = broadcast %v55 : tile<1x1xf32> -> tile<128x128xf32>
      %v57 = mulf %f42, %v56  : tile<128x128xf32>
      %v58 = addf %c34, %v57  : tile<128x128xf32>
      continue %v58 : tile<128x128xf32>
    }
    %v59 = ftof %f35  : tile<128x128xf32> -> tile<128x128xbf16>
    %pv60 = make_partition_view %tv22 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t61 = store_view_tko weak %v59, %pv60[%b23, %b24] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
