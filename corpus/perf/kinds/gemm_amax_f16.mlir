// GEMM with epilogue amax
cuda_tile.module @m {
  entry @gemm_amax_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<f16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<f8E4M3FN>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b8 = assume div_by<16>, %b : tile<ptr<f16>>
    %v9 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %b8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %c15 = assume div_by<16>, %c : tile<ptr<f8E4M3FN>>
    %v16 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %c15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %tok = make_token : token
    %b22, %b23, %b24 = get_tile_block_id : tile<i32>
    %pv25 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv26 = make_partition_view %tv14 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv27 = make_partition_view %tv21 : partition_view<tile=(128x128), tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %v28 = constant <i32: 64> : tile<i32>
    %v29 = divi %v4, %v28 signed rounding<positive_inf> : tile<i32>
    %v30 = constant <f32: 0.0> : tile<128x128xf32>
    %v31 = constant <i32: 0> : tile<i32>
    %v32 = constant <i32: 1> : tile<i32>
    %f35 = for %i33 in (%v31 to %v29, step %v32) : tile<i32> iter_values(%c34 = %v30) -> (tile<128x128xf32>) {
      %v36, %t37 = load_view_tko weak %pv25[%b22, %i33] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %v38, %t39 = load_view_tko weak %pv26[%i33, %b23] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %v40 = mmaf %v36, %v38, %c34  : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %v40 : tile<128x128xf32>
    }
    %v41 = absf %f35  : tile<128x128xf32>
    %v42 = reduce %v41 dim=1 identities=[0.0 : f32] : tile<128x128xf32> -> tile<128xf32>
    (%l43: tile<f32>, %r44: tile<f32>) {
      %y45 = maxf %l43, %r44 : tile<f32>
      yield %y45 : tile<f32>
    }
    %v46 = reshape %v42 : tile<128xf32> -> tile<128x1xf32>
    %v47 = constant <f32: 0.0001> : tile<128x1xf32>
    %v48 = maxf %v46, %v47  : tile<128x1xf32>
    %v49 = constant <f32: 448.0> : tile<128x1xf32>
    %v50 = divf %v49, %v48  : tile<128x1xf32>
    %v51 = broadcast %v50 : tile<128x1xf32> -> tile<128x128xf32>
    %v52 = mulf %f35, %v51  : tile<128x128xf32>
    %v53 = ftof %v52  : tile<128x128xf32> -> tile<128x128xf8E4M3FN>
    %t54 = store_view_tko weak %v53, %pv27[%b22, %b23] token = %tok : tile<128x128xf8E4M3FN>, partition_view<tile=(128x128), tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
