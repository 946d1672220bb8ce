// ragged groups: the group of a tile of rows comes from a list
cuda_tile.module @m {
  entry @ragged_groups_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_2: tile<i32>, %b_s0: tile<i32>, %b_s1: tile<i32>, %grp: tile<ptr<i32>>, %grp_0: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>) {
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
    %v11 = assume bounded<0, ?>, %b_2 : tile<i32>
    %v12 = assume div_by<16>, %v11 : tile<i32>
    %v13 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %v15 = assume bounded<0, ?>, %b_s1 : tile<i32>
    %v16 = assume div_by<16>, %v15 : tile<i32>
    %tv17 = make_tensor_view %b8, shape = [%v9, %v10, %v12], strides = [%v14, %v16, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %grp18 = assume div_by<16>, %grp : tile<ptr<i32>>
    %v19 = assume bounded<0, ?>, %grp_0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %grp18, shape = [%v20], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %c22 = assume div_by<16>, %c : tile<ptr<bf16>>
    %v23 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %c22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b29, %b30, %b31 = get_tile_block_id : tile<i32>
    %pv32 = make_partition_view %tv21 : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
    %v33, %t34 = load_view_tko weak %pv32[%b29] token = %tok : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %v35 = reshape %v33 : tile<1xi32> -> tile<i32>
    %pv36 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv37 = make_partition_view %tv17 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v38 = constant <i32: 0> : tile<i32>
    %v39 = constant <i32: 64> : tile<i32>
    %v40 = divi %v4, %v39 signed rounding<positive_inf> : tile<i32>
    %v41 = constant <f32: 0.0> : tile<128x128xf32>
    %v42 = constant <i32: 1> : tile<i32>
    %f45 = for %i43 in (%v38 to %v40, step %v42) : tile<i32> iter_values(%c44 = %v41) -> (tile<128x128xf32>) {
      %v46, %t47 = load_view_tko weak %pv36[%b29, %i43] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %v48, %t49 = load_view_tko weak %pv37[%v35, %b30, %i43] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
      %v50 = reshape %v48 : tile<1x128x64xbf16> -> tile<128x64xbf16>
      %v51 = permute %v50 [1, 0] : tile<128x64xbf16> -> tile<64x128xbf16>
      %v52 = mmaf %v46, %v51, %c44  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %v52 : tile<128x128xf32>
    }
    %v53 = ftof %f45  : tile<128x128xf32> -> tile<128x128xbf16>
    %pv54 = make_partition_view %tv28 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t55 = store_view_tko weak %v53, %pv54[%b29, %b30] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
