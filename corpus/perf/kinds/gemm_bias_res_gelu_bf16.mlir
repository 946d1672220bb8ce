// bias, residual, gelu
cuda_tile.module @m {
  entry @gemm_bias_res_gelu_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>, %r: tile<ptr<bf16>>, %r_0: tile<i32>, %r_1: tile<i32>, %r_s0: tile<i32>, %bi: tile<ptr<bf16>>, %bi_0: tile<i32>) {
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
    %c15 = assume div_by<16>, %c : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %c15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %r22 = assume div_by<16>, %r : tile<ptr<bf16>>
    %v23 = assume bounded<0, ?>, %r_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %r_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %r_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %r22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %bi29 = assume div_by<16>, %bi : tile<ptr<bf16>>
    %v30 = assume bounded<0, ?>, %bi_0 : tile<i32>
    %v31 = assume div_by<16>, %v30 : tile<i32>
    %tv32 = make_tensor_view %bi29, shape = [%v31], strides = [1] : tile<i32> -> tensor_view<?xbf16, strides=[1]>
    %tok = make_token : token
    %b33, %b34, %b35 = get_tile_block_id : tile<i32>
    %pv36 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv37 = make_partition_view %tv14 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v38 = constant <i32: 0> : tile<i32>
    %v39 = constant <i32: 64> : tile<i32>
    %v40 = divi %v4, %v39 signed rounding<positive_inf> : tile<i32>
    %v41 = constant <f32: 0.0> : tile<128x128xf32>
    %v42 = constant <i32: 1> : tile<i32>
    %f45 = for %i43 in (%v38 to %v40, step %v42) : tile<i32> iter_values(%c44 = %v41) -> (tile<128x128xf32>) {
      %v46, %t47 = load_view_tko weak %pv36[%b33, %i43] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %v48, %t49 = load_view_tko weak %pv37[%i43, %b34] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %v50 = mmaf %v46, %v48, %c44  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %v50 : tile<128x128xf32>
    }
    %pv51 = make_partition_view %tv32 : partition_view<tile=(128), tensor_view<?xbf16, strides=[1]>>
    %v52, %t53 = load_view_tko weak %pv51[%b34] token = %tok : partition_view<tile=(128), tensor_view<?xbf16, strides=[1]>>, tile<i32> -> tile<128xbf16>, token
    %v54 = ftof %v52  : tile<128xbf16> -> tile<128xf32>
    %v55 = reshape %v54 : tile<128xf32> -> tile<1x128xf32>
    %v56 = broadcast %v55 : tile<1x128xf32> -> tile<128x128xf32>
    %v57 = addf %f45, %v56  : tile<128x128xf32>
    %pv58 = make_partition_view %tv28 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %v59, %t60 = load_view_tko weak %pv58[%b33, %b34] token = %tok : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x128xbf16>, token
    %v61 = ftof %v59  : tile<128x128xbf16> -> tile<128x128xf32>
    %v62 = addf %v57, %v61  : tile<128x128xf32>
    %v63 = mulf %v62, %v62  : tile<128x128xf32>
    %v64 = constant <f32: 0.044715> : tile<128x128xf32>
    %v65 = mulf %v63, %v64  : tile<128x128xf32>
    %v66 = constant <f32: 1.0> : tile<128x128xf32>
    %v67 = addf %v65, %v66  : tile<128x128xf32>
    %v68 = mulf %v62, %v67  : tile<128x128xf32>
    %v69 = constant <f32: -2.302208> : tile<128x128xf32>
    %v70 = mulf %v68, %v69  : tile<128x128xf32>
    %v71 = exp2 %v70 flush_to_zero : tile<128x128xf32>
    %v72 = constant <f32: 1.0> : tile<128x128xf32>
    %v73 = addf %v71, %v72  : tile<128x128xf32>
    %v74 = divf %v62, %v73 rounding<approx> flush_to_zero : tile<128x128xf32>
    %v75 = ftof %v74  : tile<128x128xf32> -> tile<128x128xbf16>
    %pv76 = make_partition_view %tv21 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t77 = store_view_tko weak %v75, %pv76[%b33, %b34] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
