// complex product: four real ones, two sums
cuda_tile.module @m {
  entry @complex_f16(%ar: tile<ptr<f16>>, %ar_0: tile<i32>, %ar_1: tile<i32>, %ar_s0: tile<i32>, %ai: tile<ptr<f16>>, %ai_0: tile<i32>, %ai_1: tile<i32>, %ai_s0: tile<i32>, %br: tile<ptr<f16>>, %br_0: tile<i32>, %br_1: tile<i32>, %br_s0: tile<i32>, %bi: tile<ptr<f16>>, %bi_0: tile<i32>, %bi_1: tile<i32>, %bi_s0: tile<i32>, %cr: tile<ptr<f32>>, %cr_0: tile<i32>, %cr_1: tile<i32>, %cr_s0: tile<i32>, %ci: tile<ptr<f32>>, %ci_0: tile<i32>, %ci_1: tile<i32>, %ci_s0: tile<i32>) {
    %ar1 = assume div_by<16>, %ar : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %ar_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %ar_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %ar_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %ar1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %ai8 = assume div_by<16>, %ai : tile<ptr<f16>>
    %v9 = assume bounded<0, ?>, %ai_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %ai_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %ai_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %ai8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %br15 = assume div_by<16>, %br : tile<ptr<f16>>
    %v16 = assume bounded<0, ?>, %br_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %br_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %br_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %br15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %bi22 = assume div_by<16>, %bi : tile<ptr<f16>>
    %v23 = assume bounded<0, ?>, %bi_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %bi_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %bi_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %bi22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %cr29 = assume div_by<16>, %cr : tile<ptr<f32>>
    %v30 = assume bounded<0, ?>, %cr_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %cr_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %cr_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %cr29, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %ci36 = assume div_by<16>, %ci : tile<ptr<f32>>
    %v37 = assume bounded<0, ?>, %ci_0 : tile<i32>
    %v38 = assume bounded<0, ?>, %ci_1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %v40 = assume bounded<0, ?>, %ci_s0 : tile<i32>
    %v41 = assume div_by<16>, %v40 : tile<i32>
    %tv42 = make_tensor_view %ci36, shape = [%v37, %v39], strides = [%v41, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b43, %b44, %b45 = get_tile_block_id : tile<i32>
    %pv46 = make_partition_view %tv7 : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv47 = make_partition_view %tv14 : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv48 = make_partition_view %tv21 : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv49 = make_partition_view %tv28 : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v50 = constant <i32: 0> : tile<i32>
    %v51 = constant <i32: 32> : tile<i32>
    %v52 = divi %v4, %v51 signed rounding<positive_inf> : tile<i32>
    %v53 = constant <f32: 0.0> : tile<64x64xf32>
    %v54 = constant <i32: 1> : tile<i32>
    %f58:2 = for %i55 in (%v50 to %v52, step %v54) : tile<i32> iter_values(%c56 = %v53, %c57 = %v53) -> (tile<64x64xf32>, tile<64x64xf32>) {
      %v59, %t60 = load_view_tko weak %pv46[%b43, %i55] token = %tok : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %v61, %t62 = load_view_tko weak %pv47[%b43, %i55] token = %tok : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %v63, %t64 = load_view_tko weak %pv48[%i55, %b44] token = %tok : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x64xf16>, token
      %v65, %t66 = load_view_tko weak %pv49[%i55, %b44] token = %tok : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x64xf16>, token
      %v67 = mmaf %v59, %v63, %c56  : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      %v68 = negf %v61  : tile<64x32xf16>
      %v69 = mmaf %v68, %v65, %v67  : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      %v70 = mmaf %v59, %v65, %c57  : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      %v71 = mmaf %v61, %v63, %v70  : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %v69, %v71 : tile<64x64xf32>, tile<64x64xf32>
    }
    %pv72 = make_partition_view %tv35 : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %t73 = store_view_tko weak %f58#0, %pv72[%b43, %b44] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %pv74 = make_partition_view %tv42 : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %t75 = store_view_tko weak %f58#1, %pv74[%b43, %b44] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
