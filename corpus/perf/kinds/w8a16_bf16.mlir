// weights i8, K inside, a scale per column
cuda_tile.module @m {
  entry @w8a16_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %w: tile<ptr<i8>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %s: tile<ptr<bf16>>, %s_0: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w8 = assume div_by<16>, %w : tile<ptr<i8>>
    %v9 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %s15 = assume div_by<16>, %s : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %s_0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %tv18 = make_tensor_view %s15, shape = [%v17], strides = [1] : tile<i32> -> tensor_view<?xbf16, strides=[1]>
    %c19 = assume div_by<16>, %c : tile<ptr<bf16>>
    %v20 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v21 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v22 = assume div_by<16>, %v21 : tile<i32>
    %v23 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v24 = assume div_by<16>, %v23 : tile<i32>
    %tv25 = make_tensor_view %c19, shape = [%v20, %v22], strides = [%v24, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b26, %b27, %b28 = get_tile_block_id : tile<i32>
    %pv29 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv30 = make_partition_view %tv14 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %v31 = constant <i32: 0> : tile<i32>
    %v32 = constant <i32: 64> : tile<i32>
    %v33 = divi %v4, %v32 signed rounding<positive_inf> : tile<i32>
    %v34 = constant <f32: 0.0> : tile<64x128xf32>
    %v35 = constant <i32: 1> : tile<i32>
    %f38 = for %i36 in (%v31 to %v33, step %v35) : tile<i32> iter_values(%c37 = %v34) -> (tile<64x128xf32>) {
      %v39, %t40 = load_view_tko weak %pv29[%b26, %i36] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v41, %t42 = load_view_tko weak %pv30[%b27, %i36] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x64xi8>, token
      %v43 = itof %v41 signed : tile<128x64xi8> -> tile<128x64xbf16>
      %v44 = permute %v43 [1, 0] : tile<128x64xbf16> -> tile<64x128xbf16>
      %v45 = mmaf %v39, %v44, %c37  : tile<64x64xbf16>, tile<64x128xbf16>, tile<64x128xf32>
      continue %v45 : tile<64x128xf32>
    }
    %pv46 = make_partition_view %tv18 : partition_view<tile=(128), tensor_view<?xbf16, strides=[1]>>
    %v47, %t48 = load_view_tko weak %pv46[%b27] token = %tok : partition_view<tile=(128), tensor_view<?xbf16, strides=[1]>>, tile<i32> -> tile<128xbf16>, token
    %v49 = ftof %v47  : tile<128xbf16> -> tile<128xf32>
    %v50 = reshape %v49 : tile<128xf32> -> tile<1x128xf32>
    %v51 = broadcast %v50 : tile<1x128xf32> -> tile<64x128xf32>
    %v52 = mulf %f38, %v51  : tile<64x128xf32>
    %v53 = ftof %v52  : tile<64x128xf32> -> tile<64x128xbf16>
    %pv54 = make_partition_view %tv25 : partition_view<tile=(64x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t55 = store_view_tko weak %v53, %pv54[%b26, %b27] token = %tok : tile<64x128xbf16>, partition_view<tile=(64x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
