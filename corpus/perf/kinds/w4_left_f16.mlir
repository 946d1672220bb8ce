// weights of four bits packed along K, as the left operand
cuda_tile.module @m {
  entry @w4_left_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %w: tile<ptr<i8>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %c: tile<ptr<f16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %w8 = assume div_by<16>, %w : tile<ptr<i8>>
    %v9 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %c15 = assume div_by<16>, %c : tile<ptr<f16>>
    %v16 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %c15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %b22, %b23, %b24 = get_tile_block_id : tile<i32>
    %pv25 = make_partition_view %tv7 : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv26 = make_partition_view %tv14 : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %v27 = constant <i32: 0> : tile<i32>
    %v28 = constant <i32: 64> : tile<i32>
    %v29 = divi %v4, %v28 signed rounding<positive_inf> : tile<i32>
    %v30 = constant <f32: 0.0> : tile<64x32xf32>
    %v31 = constant <i32: 1> : tile<i32>
    %f34 = for %i32 in (%v27 to %v29, step %v31) : tile<i32> iter_values(%c33 = %v30) -> (tile<64x32xf32>) {
      %v35, %t36 = load_view_tko weak %pv26[%b22, %i32] token = %tok : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<64x32xi8>, token
      %v37 = constant <i8: 4> : tile<64x32xi8>
      %v38 = shli %v35, %v37  : tile<64x32xi8>
      %v39 = constant <i8: 4> : tile<64x32xi8>
      %v40 = shri %v38, %v39 signed : tile<64x32xi8>
      %v41 = constant <i8: 4> : tile<64x32xi8>
      %v42 = shri %v35, %v41 signed : tile<64x32xi8>
      %v43 = reshape %v40 : tile<64x32xi8> -> tile<64x32x1xi8>
      %v44 = reshape %v42 : tile<64x32xi8> -> tile<64x32x1xi8>
      %v45 = cat %v43, %v44 dim = 2 : tile<64x32x1xi8>, tile<64x32x1xi8> -> tile<64x32x2xi8>
      %v46 = reshape %v45 : tile<64x32x2xi8> -> tile<64x64xi8>
      %v47 = itof %v46 signed : tile<64x64xi8> -> tile<64x64xf16>
      %v48, %t49 = load_view_tko weak %pv25[%b23, %i32] token = %tok : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x64xf16>, token
      %v50 = permute %v48 [1, 0] : tile<32x64xf16> -> tile<64x32xf16>
      %v51 = mmaf %v47, %v50, %c33  : tile<64x64xf16>, tile<64x32xf16>, tile<64x32xf32>
      continue %v51 : tile<64x32xf32>
    }
    %v52 = ftof %f34  : tile<64x32xf32> -> tile<64x32xf16>
    %pv53 = make_partition_view %tv21 : partition_view<tile=(64x32), tensor_view<?x?xf16, strides=[?,1]>>
    %t54 = store_view_tko weak %v52, %pv53[%b22, %b23] token = %tok : tile<64x32xf16>, partition_view<tile=(64x32), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
