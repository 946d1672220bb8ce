// GEMM with epilogue bias relu res
cuda_tile.module @m {
  entry @gemm_bias_res_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>, %r: tile<ptr<bf16>>, %r_0: tile<i32>, %r_1: tile<i32>, %r_s0: tile<i32>, %bi: tile<ptr<bf16>>, %bi_0: tile<i32>) {
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
    %pv38 = make_partition_view %tv21 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %v39 = constant <i32: 64> : tile<i32>
    %v40 = divi %v4, %v39 signed rounding<positive_inf> : tile<i32>
    %v41 = constant <f32: 0.0> : tile<128x128xf32>
    %v42 = constant <i32: 0> : tile<i32>
    %v43 = constant <i32: 1> : tile<i32>
    %f46 = for %i44 in (%v42 to %v40, step %v43) : tile<i32> iter_values(%c45 = %v41) -> (tile<128x128xf32>) {
      %v47, %t48 = load_view_tko weak %pv36[%b33, %i44] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %v49, %t50 = load_view_tko weak %pv37[%i44, %b34] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %v51 = mmaf %v47, %v49, %c45  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %v51 : tile<128x128xf32>
    }
    %pv52 = make_partition_view %tv32 : partition_view<tile=(128), tensor_view<?xbf16, strides=[1]>>
    %v53, %t54 = load_view_tko weak %pv52[%b34] token = %tok : partition_view<tile=(128), tensor_view<?xbf16, strides=[1]>>, tile<i32> -> tile<128xbf16>, token
    %v55 = ftof %v53  : tile<128xbf16> -> tile<128xf32>
    %v56 = reshape %v55 : tile<128xf32> -> tile<1x128xf32>
    %v57 = broadcast %v56 : tile<1x128xf32> -> tile<128x128xf32>
    %v58 = addf %f46, %v57  : tile<128x128xf32>
    %v59 = constant <f32: 0.0> : tile<128x128xf32>
    %v60 = maxf %v58, %v59  : tile<128x128xf32>
    %pv61 = make_partition_view %tv28 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %v62, %t63 = load_view_tko weak %pv61[%b33, %b34] token = %tok : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x128xbf16>, token
    %v64 = ftof %v62  : tile<128x128xbf16> -> tile<128x128xf32>
    %v65 = addf %v60, %v64  : tile<128x128xf32>
    %v66 = ftof %v65  : tile<128x128xf32> -> tile<128x128xbf16>
    %t67 = store_view_tko weak %v66, %pv38[%b33, %b34] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
