// SwiGLU up: two products of one left operand
cuda_tile.module @m {
  entry @swiglu_up_f16_64(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %w: tile<ptr<f16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %u: tile<ptr<f16>>, %u_0: tile<i32>, %u_1: tile<i32>, %u_s0: tile<i32>, %c: tile<ptr<f16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %w8 = assume div_by<16>, %w : tile<ptr<f16>>
    %v9 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %u15 = assume div_by<16>, %u : tile<ptr<f16>>
    %v16 = assume bounded<0, ?>, %u_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %u_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %u_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %u15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %c22 = assume div_by<16>, %c : tile<ptr<f16>>
    %v23 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %c22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %b29, %b30, %b31 = get_tile_block_id : tile<i32>
    %pv32 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv33 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv34 = make_partition_view %tv21 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v35 = constant <i32: 0> : tile<i32>
    %v36 = constant <i32: 64> : tile<i32>
    %v37 = divi %v4, %v36 signed rounding<positive_inf> : tile<i32>
    %v38 = constant <f32: 0.0> : tile<128x64xf32>
    %v39 = constant <f32: 0.0> : tile<128x64xf32>
    %v40 = constant <i32: 1> : tile<i32>
    %f44:2 = for %i41 in (%v35 to %v37, step %v40) : tile<i32> iter_values(%c42 = %v38, %c43 = %v39) -> (tile<128x64xf32>, tile<128x64xf32>) {
      %v45, %t46 = load_view_tko weak %pv32[%b29, %i41] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %v47, %t48 = load_view_tko weak %pv33[%b30, %i41] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %v49 = permute %v47 [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %v50 = mmaf %v45, %v49, %c42  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      %v51, %t52 = load_view_tko weak %pv34[%b30, %i41] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %v53 = permute %v51 [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %v54 = mmaf %v45, %v53, %c43  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %v50, %v54 : tile<128x64xf32>, tile<128x64xf32>
    }
    %v55 = constant <f32: 1.0> : tile<128x64xf32>
    %v56 = constant <f32: -1.442695> : tile<128x64xf32>
    %v57 = mulf %f44#0, %v56  : tile<128x64xf32>
    %v58 = exp2 %v57 flush_to_zero : tile<128x64xf32>
    %v59 = constant <f32: 1.0> : tile<128x64xf32>
    %v60 = addf %v58, %v59  : tile<128x64xf32>
    %v61 = divf %v55, %v60 rounding<approx> flush_to_zero : tile<128x64xf32>
    %v62 = mulf %f44#0, %v61  : tile<128x64xf32>
    %v63 = mulf %v62, %f44#1  : tile<128x64xf32>
    %v64 = ftof %v63  : tile<128x64xf32> -> tile<128x64xf16>
    %pv65 = make_partition_view %tv28 : partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>
    %t66 = store_view_tko weak %v64, %pv65[%b29, %b30] token = %tok : tile<128x64xf16>, partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
