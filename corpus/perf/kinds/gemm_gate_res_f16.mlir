// times a gate, plus a residual
cuda_tile.module @m {
  entry @gemm_gate_res_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<f16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<f16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>, %r: tile<ptr<f16>>, %r_0: tile<i32>, %r_1: tile<i32>, %r_s0: tile<i32>, %q: tile<ptr<f16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_s0: tile<i32>) {
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
    %c15 = assume div_by<16>, %c : tile<ptr<f16>>
    %v16 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %c15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %r22 = assume div_by<16>, %r : tile<ptr<f16>>
    %v23 = assume bounded<0, ?>, %r_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %r_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %r_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %r22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %q29 = assume div_by<16>, %q : tile<ptr<f16>>
    %v30 = assume bounded<0, ?>, %q_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %q_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %q_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %q29, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %b36, %b37, %b38 = get_tile_block_id : tile<i32>
    %pv39 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv40 = make_partition_view %tv14 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v41 = constant <i32: 0> : tile<i32>
    %v42 = constant <i32: 64> : tile<i32>
    %v43 = divi %v4, %v42 signed rounding<positive_inf> : tile<i32>
    %v44 = constant <f32: 0.0> : tile<128x128xf32>
    %v45 = constant <i32: 1> : tile<i32>
    %f48 = for %i46 in (%v41 to %v43, step %v45) : tile<i32> iter_values(%c47 = %v44) -> (tile<128x128xf32>) {
      %v49, %t50 = load_view_tko weak %pv39[%b36, %i46] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %v51, %t52 = load_view_tko weak %pv40[%i46, %b37] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %v53 = mmaf %v49, %v51, %c47  : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %v53 : tile<128x128xf32>
    }
    %pv54 = make_partition_view %tv35 : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
    %v55, %t56 = load_view_tko weak %pv54[%b36, %b37] token = %tok : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
    %v57 = ftof %v55  : tile<128x128xf16> -> tile<128x128xf32>
    %v58 = mulf %f48, %v57  : tile<128x128xf32>
    %pv59 = make_partition_view %tv28 : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
    %v60, %t61 = load_view_tko weak %pv59[%b36, %b37] token = %tok : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
    %v62 = ftof %v60  : tile<128x128xf16> -> tile<128x128xf32>
    %v63 = addf %v58, %v62  : tile<128x128xf32>
    %v64 = ftof %v63  : tile<128x128xf32> -> tile<128x128xf16>
    %pv65 = make_partition_view %tv21 : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
    %t66 = store_view_tko weak %v64, %pv65[%b36, %b37] token = %tok : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
