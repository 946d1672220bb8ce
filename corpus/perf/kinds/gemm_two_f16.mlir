// a sum of two products of tiles that come once
cuda_tile.module @m {
  entry @gemm_two_f16(%a0: tile<ptr<f16>>, %a0_0: tile<i32>, %a0_1: tile<i32>, %a0_s0: tile<i32>, %a1: tile<ptr<f16>>, %a1_0: tile<i32>, %a1_1: tile<i32>, %a1_s0: tile<i32>, %b0: tile<ptr<f16>>, %b0_0: tile<i32>, %b0_1: tile<i32>, %b0_s0: tile<i32>, %b1: tile<ptr<f16>>, %b1_0: tile<i32>, %b1_1: tile<i32>, %b1_s0: tile<i32>, %o: tile<ptr<f16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
    %a01 = assume div_by<16>, %a0 : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %a0_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a0_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a0_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a01, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %a18 = assume div_by<16>, %a1 : tile<ptr<f16>>
    %v9 = assume bounded<0, ?>, %a1_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %a1_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %a1_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %a18, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b015 = assume div_by<16>, %b0 : tile<ptr<f16>>
    %v16 = assume bounded<0, ?>, %b0_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %b0_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %b0_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %b015, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b122 = assume div_by<16>, %b1 : tile<ptr<f16>>
    %v23 = assume bounded<0, ?>, %b1_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %b1_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %b1_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %b122, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %o29 = assume div_by<16>, %o : tile<ptr<f16>>
    %v30 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %o29, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %b36, %b37, %b38 = get_tile_block_id : tile<i32>
    %v39 = constant <f32: 0.0> : tile<128x128xf32>
    %pv40 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v41 = constant <i32: 0> : tile<i32>
    %v42, %t43 = load_view_tko weak %pv40[%b36, %v41] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
    %pv44 = make_partition_view %tv21 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v45 = constant <i32: 0> : tile<i32>
    %v46, %t47 = load_view_tko weak %pv44[%v45, %b37] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
    %v48 = mmaf %v42, %v46, %v39  : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
    %pv49 = make_partition_view %tv14 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v50 = constant <i32: 0> : tile<i32>
    %v51, %t52 = load_view_tko weak %pv49[%b36, %v50] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
    %pv53 = make_partition_view %tv28 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v54 = constant <i32: 0> : tile<i32>
    %v55, %t56 = load_view_tko weak %pv53[%v54, %b37] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
    %v57 = mmaf %v51, %v55, %v48  : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
    %v58 = ftof %v57  : tile<128x128xf32> -> tile<128x128xf16>
    %pv59 = make_partition_view %tv35 : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
    %t60 = store_view_tko weak %v58, %pv59[%b36, %b37] token = %tok : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
