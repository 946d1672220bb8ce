// persistent product
cuda_tile.module @m {
  entry @persist_lens_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>, %ln: tile<ptr<i32>>) {
    %a1 = assume div_by<16>, %a : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %b8 = assume div_by<16>, %b : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %b8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %c15 = assume div_by<16>, %c : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %c15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %ln22 = assume div_by<16>, %ln : tile<ptr<i32>>
    %tok = make_token : token
    %b23, %b24, %b25 = get_tile_block_id : tile<i32>
    %g26, %g27, %g28 = get_num_tile_blocks : tile<i32>
    %pv29 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv30 = make_partition_view %tv14 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv31 = make_partition_view %tv21 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %v32 = constant <i32: 128> : tile<i32>
    %v33 = divi %v2, %v32 signed rounding<positive_inf> : tile<i32>
    %v34 = constant <i32: 128> : tile<i32>
    %v35 = divi %v11, %v34 signed rounding<positive_inf> : tile<i32>
    %v36 = constant <i32: 64> : tile<i32>
    %v37 = divi %v4, %v36 signed rounding<positive_inf> : tile<i32>
    %v38 = muli %v33, %v35  : tile<i32>
    for %i39 in (%b23 to %v38, step %g26) : tile<i32> {
      %v41 = divi %i39, %v35 signed : tile<i32>
      %v42 = remi %i39, %v35 signed : tile<i32>
      %v43 = reshape %i39 : tile<i32> -> tile<1xi32>
      %v44 = reshape %ln22 : tile<ptr<i32>> -> tile<1xptr<i32>>
      %p45 = offset %v44, %v43 : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
      %v46, %t47 = load_ptr_tko weak %p45 token=%tok : tile<1xptr<i32>> -> tile<1xi32>, token
      %v48 = reshape %v46 : tile<1xi32> -> tile<i32>
      %v49 = constant <i32: 0> : tile<i32>
      %v50 = constant <f32: 0.0> : tile<128x128xf32>
      %v51 = constant <i32: 1> : tile<i32>
      %f54 = for %i52 in (%v49 to %v48, step %v51) : tile<i32> iter_values(%c53 = %v50) -> (tile<128x128xf32>) {
        %v55, %t56 = load_view_tko weak %pv29[%v41, %i52] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
        %v57, %t58 = load_view_tko weak %pv30[%i52, %v42] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
        %v59 = mmaf %v55, %v57, %c53  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
        continue %v59 : tile<128x128xf32>
      }
      %v60 = ftof %f54  : tile<128x128xf32> -> tile<128x128xbf16>
      %t61 = store_view_tko weak %v60, %pv31[%v41, %v42] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
