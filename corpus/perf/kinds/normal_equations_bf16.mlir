// normal equations: two products of one left operand
cuda_tile.module @m {
  entry @normal_equations_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %o: tile<ptr<f32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>, %p: tile<ptr<f32>>, %p_0: tile<i32>, %p_1: tile<i32>, %p_s0: tile<i32>) {
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
    %o15 = assume div_by<16>, %o : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %o15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %p22 = assume div_by<16>, %p : tile<ptr<f32>>
    %v23 = assume bounded<0, ?>, %p_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %p_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %p_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %p22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b29, %b30, %b31 = get_tile_block_id : tile<i32>
    %pv32 = make_partition_view %tv7 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv33 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v34 = constant <i32: 64> : tile<i32>
    %v35 = divi %v2, %v34 signed rounding<positive_inf> : tile<i32>
    %v36 = constant <i32: 0> : tile<i32>
    %v37 = constant <f32: 0.0> : tile<128x128xf32>
    %v38 = constant <f32: 0.0> : tile<128x64xf32>
    %v39 = constant <i32: 1> : tile<i32>
    %f43:2 = for %i40 in (%v36 to %v35, step %v39) : tile<i32> iter_values(%c41 = %v37, %c42 = %v38) -> (tile<128x128xf32>, tile<128x64xf32>) {
      %v44 = constant <i32: 0> : tile<i32>
      %v45, %t46 = load_view_tko weak %pv32[%i40, %v44] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %v47 = permute %v45 [1, 0] : tile<64x128xbf16> -> tile<128x64xbf16>
      %v48 = mmaf %v47, %v45, %c41  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      %v49 = constant <i32: 0> : tile<i32>
      %v50, %t51 = load_view_tko weak %pv33[%i40, %v49] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v52 = mmaf %v47, %v50, %c42  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      continue %v48, %v52 : tile<128x128xf32>, tile<128x64xf32>
    }
    %pv53 = make_partition_view %tv21 : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %v54 = constant <i32: 0> : tile<i32>
    %v55 = constant <i32: 0> : tile<i32>
    %t56 = store_view_tko weak %f43#0, %pv53[%v54, %v55] token = %tok : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %pv57 = make_partition_view %tv28 : partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>
    %v58 = constant <i32: 0> : tile<i32>
    %v59 = constant <i32: 0> : tile<i32>
    %t60 = store_view_tko weak %f43#1, %pv57[%v58, %v59] token = %tok : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
