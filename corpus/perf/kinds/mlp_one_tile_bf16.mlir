// two products of tiles that come once
cuda_tile.module @m {
  entry @mlp_one_tile_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %u: tile<ptr<bf16>>, %u_0: tile<i32>, %u_1: tile<i32>, %u_s0: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w8 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %u15 = assume div_by<16>, %u : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %u_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %u_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %u_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %u15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %o22 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v23 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %o22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b29, %b30, %b31 = get_tile_block_id : tile<i32>
    %pv32 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v33 = constant <i32: 0> : tile<i32>
    %v34, %t35 = load_view_tko weak %pv32[%b29, %v33] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
    %pv36 = make_partition_view %tv14 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v37 = constant <i32: 0> : tile<i32>
    %v38 = constant <i32: 0> : tile<i32>
    %v39, %t40 = load_view_tko weak %pv36[%v37, %v38] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
    %pv41 = make_partition_view %tv21 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v42 = constant <i32: 0> : tile<i32>
    %v43, %t44 = load_view_tko weak %pv41[%v42, %b30] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x128xbf16>, token
    %v45 = constant <f32: 0.0> : tile<128x128xf32>
    %v46 = mmaf %v34, %v39, %v45  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
    %v47 = constant <f32: 0.0> : tile<128x128xf32>
    %v48 = maxf %v46, %v47  : tile<128x128xf32>
    %v49 = ftof %v48  : tile<128x128xf32> -> tile<128x128xbf16>
    %v50 = constant <f32: 0.0> : tile<128x128xf32>
    %v51 = mmaf %v49, %v43, %v50  : tile<128x128xbf16>, tile<128x128xbf16>, tile<128x128xf32>
    %v52 = ftof %v51  : tile<128x128xf32> -> tile<128x128xbf16>
    %pv53 = make_partition_view %tv28 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t54 = store_view_tko weak %v52, %pv53[%b29, %b30] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
