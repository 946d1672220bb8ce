// persistent scaled product
cuda_tile.module @m {
  entry @persist_mxf8(%a: tile<ptr<f8E4M3FN>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<f8E4M3FN>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %sa: tile<ptr<f8E8M0FNU>>, %sa_0: tile<i32>, %sa_1: tile<i32>, %sa_s0: tile<i32>, %sb: tile<ptr<f8E8M0FNU>>, %sb_0: tile<i32>, %sb_1: tile<i32>, %sb_s0: tile<i32>, %o: tile<ptr<f32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
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
    %sa15 = assume div_by<16>, %sa : tile<ptr<f8E8M0FNU>>
    %v16 = assume bounded<0, ?>, %sa_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %sa_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %sa_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %sa15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf8E8M0FNU, strides=[?,1]>
    %sb22 = assume div_by<16>, %sb : tile<ptr<f8E8M0FNU>>
    %v23 = assume bounded<0, ?>, %sb_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %sb_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %sb_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %sb22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf8E8M0FNU, strides=[?,1]>
    %o29 = assume div_by<16>, %o : tile<ptr<f32>>
    %v30 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %o29, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b36, %b37, %b38 = get_tile_block_id : tile<i32>
    %g39, %g40, %g41 = get_num_tile_blocks : tile<i32>
    %pv42 = make_partition_view %tv7 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %pv43 = make_partition_view %tv14 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %pv44 = make_partition_view %tv21 : partition_view<tile=(128x4), padding_value = zero, tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>
    %pv45 = make_partition_view %tv28 : partition_view<tile=(128x4), padding_value = zero, tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>
    %v46 = constant <i32: 128> : tile<i32>
    %v47 = divi %v2, %v46 signed rounding<positive_inf> : tile<i32>
    %v48 = constant <i32: 128> : tile<i32>
    %v49 = divi %v9, %v48 signed rounding<positive_inf> : tile<i32>
    %v50 = muli %v47, %v49  : tile<i32>
    for %i51 in (%b36 to %v50, step %g39) : tile<i32> {
      %v53 = divi %i51, %v49 signed : tile<i32>
      %v54 = remi %i51, %v49 signed : tile<i32>
      %v55 = constant <i32: 0> : tile<i32>
      %v56 = constant <i32: 128> : tile<i32>
      %v57 = divi %v4, %v56 signed rounding<positive_inf> : tile<i32>
      %v58 = constant <f32: 0.0> : tile<128x128xf32>
      %v59 = constant <i32: 1> : tile<i32>
      %f62 = for %i60 in (%v55 to %v57, step %v59) : tile<i32> iter_values(%c61 = %v58) -> (tile<128x128xf32>) {
        %v63, %t64 = load_view_tko weak %pv42[%v53, %i60] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
        %v65, %t66 = load_view_tko weak %pv43[%v54, %i60] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
        %v67 = permute %v65 [1, 0] : tile<128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
        %v68, %t69 = load_view_tko weak %pv44[%v53, %i60] token = %tok : partition_view<tile=(128x4), padding_value = zero, tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
        %v70, %t71 = load_view_tko weak %pv45[%v54, %i60] token = %tok : partition_view<tile=(128x4), padding_value = zero, tensor_view<?x?xf8E8M0FNU, strides=[?,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
        %v72 = permute %v70 [1, 0] : tile<128x4xf8E8M0FNU> -> tile<4x128xf8E8M0FNU>
        %v73 = mmaf_scaled %v63, %v67, %c61, %v68, %v72 : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
        continue %v73 : tile<128x128xf32>
      }
      %pv74 = make_partition_view %tv35 : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
      %t75 = store_view_tko weak %f62, %pv74[%v53, %v54] token = %tok : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
