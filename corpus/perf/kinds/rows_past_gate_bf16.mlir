// rows come in a loop past two tiles of weights, as of a gate
cuda_tile.module @m {
  entry @rows_past_gate_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
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
    %o15 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %o15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b22, %b23, %b24 = get_tile_block_id : tile<i32>
    %pv25 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v26 = constant <i32: 0> : tile<i32>
    %v27, %t28 = load_view_tko weak %pv25[%v26, %b23] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
    %one = constant <i32: 1> : tile<i32>
    %next = addi %b23, %one : tile<i32>
    %w2, %tw2 = load_view_tko weak %pv25[%v26, %next] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
    %pv29 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv30 = make_partition_view %tv21 : partition_view<tile=(64x64), tensor_view<?x?xbf16, strides=[?,1]>>
    %g31, %g32, %g33 = get_num_tile_blocks : tile<i32>
    %v34 = constant <i32: 64> : tile<i32>
    %v35 = divi %v2, %v34 signed rounding<positive_inf> : tile<i32>
    for %i36 in (%b22 to %v35, step %g31) : tile<i32> {
      %v38 = constant <i32: 0> : tile<i32>
      %v39, %t40 = load_view_tko weak %pv29[%i36, %v38] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v41 = constant <f32: 0.0> : tile<64x64xf32>
      %v42 = mmaf %v39, %v27, %v41  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %up = mmaf %v39, %w2, %v41  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %both = mulf %v42, %up : tile<64x64xf32>
      %v43 = ftof %both  : tile<64x64xf32> -> tile<64x64xbf16>
      %t44 = store_view_tko weak %v43, %pv30[%i36, %b23] token = %tok : tile<64x64xbf16>, partition_view<tile=(64x64), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
