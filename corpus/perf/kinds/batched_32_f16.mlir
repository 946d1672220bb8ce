// many small products at once
cuda_tile.module @m {
  entry @batched_32_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_2: tile<i32>, %a_s0: tile<i32>, %a_s1: tile<i32>, %b: tile<ptr<f16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_2: tile<i32>, %b_s0: tile<i32>, %b_s1: tile<i32>, %o: tile<ptr<f16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %a_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %a_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %a1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %b11 = assume div_by<16>, %b : tile<ptr<f16>>
    %v12 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %b_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %b_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %b11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %o21 = assume div_by<16>, %o : tile<ptr<f16>>
    %v22 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v23 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v24 = assume bounded<0, ?>, %o_2 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %v28 = assume bounded<0, ?>, %o_s1 : tile<i32>
    %v29 = assume div_by<16>, %v28 : tile<i32>
    %tv30 = make_tensor_view %o21, shape = [%v22, %v23, %v25], strides = [%v27, %v29, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %tok = make_token : token
    %b31, %b32, %b33 = get_tile_block_id : tile<i32>
    %pv34 = make_partition_view %tv10 : partition_view<tile=(8x32x32), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v35 = constant <i32: 0> : tile<i32>
    %v36 = constant <i32: 0> : tile<i32>
    %v37, %t38 = load_view_tko weak %pv34[%b31, %v35, %v36] token = %tok : partition_view<tile=(8x32x32), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<8x32x32xf16>, token
    %pv39 = make_partition_view %tv20 : partition_view<tile=(8x32x32), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v40 = constant <i32: 0> : tile<i32>
    %v41 = constant <i32: 0> : tile<i32>
    %v42, %t43 = load_view_tko weak %pv39[%b31, %v40, %v41] token = %tok : partition_view<tile=(8x32x32), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<8x32x32xf16>, token
    %v44 = constant <f32: 0.0> : tile<8x32x32xf32>
    %v45 = mmaf %v37, %v42, %v44  : tile<8x32x32xf16>, tile<8x32x32xf16>, tile<8x32x32xf32>
    %v46 = ftof %v45  : tile<8x32x32xf32> -> tile<8x32x32xf16>
    %pv47 = make_partition_view %tv30 : partition_view<tile=(8x32x32), tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v48 = constant <i32: 0> : tile<i32>
    %v49 = constant <i32: 0> : tile<i32>
    %t50 = store_view_tko weak %v46, %pv47[%b31, %v48, %v49] token = %tok : tile<8x32x32xf16>, partition_view<tile=(8x32x32), tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
