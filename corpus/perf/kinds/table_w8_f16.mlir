// weights as bytes that look up a table
cuda_tile.module @m {
  entry @table_w8_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %w: tile<ptr<i8>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %tb: tile<ptr<f16>>, %o: tile<ptr<f16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
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
    %tb15 = assume div_by<16>, %tb : tile<ptr<f16>>
    %o16 = assume div_by<16>, %o : tile<ptr<f16>>
    %v17 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v18 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %v20 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v21 = assume div_by<16>, %v20 : tile<i32>
    %tv22 = make_tensor_view %o16, shape = [%v17, %v19], strides = [%v21, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %b23, %b24, %b25 = get_tile_block_id : tile<i32>
    %pv26 = make_partition_view %tv7 : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv27 = make_partition_view %tv14 : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %v28 = constant <i32: 32> : tile<i32>
    %v29 = divi %v4, %v28 signed rounding<positive_inf> : tile<i32>
    %v30 = constant <i32: 0> : tile<i32>
    %v31 = constant <f32: 0.0> : tile<128x64xf32>
    %v32 = constant <i32: 1> : tile<i32>
    %f35 = for %i33 in (%v30 to %v29, step %v32) : tile<i32> iter_values(%c34 = %v31) -> (tile<128x64xf32>) {
      %v36, %t37 = load_view_tko weak %pv26[%b23, %i33] token = %tok : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x32xf16>, token
      %v38, %t39 = load_view_tko weak %pv27[%i33, %b24] token = %tok : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<32x64xi8>, token
      %v40 = exti %v38 unsigned : tile<32x64xi8> -> tile<32x64xi32>
      %v41 = reshape %tb15 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
      %v42 = broadcast %v41 : tile<1x1xptr<f16>> -> tile<32x64xptr<f16>>
      %p43 = offset %v42, %v40 : tile<32x64xptr<f16>>, tile<32x64xi32> -> tile<32x64xptr<f16>>
      %v44, %t45 = load_ptr_tko weak %p43 token=%tok : tile<32x64xptr<f16>> -> tile<32x64xf16>, token
      %v46 = mmaf %v36, %v44, %c34  : tile<128x32xf16>, tile<32x64xf16>, tile<128x64xf32>
      continue %v46 : tile<128x64xf32>
    }
    %v47 = ftof %f35  : tile<128x64xf32> -> tile<128x64xf16>
    %pv48 = make_partition_view %tv22 : partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>
    %t49 = store_view_tko weak %v47, %pv48[%b23, %b24] token = %tok : tile<128x64xf16>, partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
