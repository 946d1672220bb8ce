// 2x2 maximum pooling, channels last
cuda_tile.module @m {
  entry @pool_f16(%x: tile<ptr<f16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_2: tile<i32>, %x_3: tile<i32>, %x_s0: tile<i32>, %x_s1: tile<i32>, %x_s2: tile<i32>, %y: tile<ptr<f16>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_2: tile<i32>, %y_3: tile<i32>, %y_s0: tile<i32>, %y_s1: tile<i32>, %y_s2: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %x_2 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_3 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %v7 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v8 = assume div_by<16>, %v7 : tile<i32>
    %v9 = assume bounded<0, ?>, %x_s1 : tile<i32>
    %v10 = assume div_by<16>, %v9 : tile<i32>
    %v11 = assume bounded<0, ?>, %x_s2 : tile<i32>
    %v12 = assume div_by<16>, %v11 : tile<i32>
    %tv13 = make_tensor_view %x1, shape = [%v2, %v3, %v4, %v6], strides = [%v8, %v10, %v12, 1] : tile<i32> -> tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>
    %y14 = assume div_by<16>, %y : tile<ptr<f16>>
    %v15 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v16 = assume bounded<0, ?>, %y_1 : tile<i32>
    %v17 = assume bounded<0, ?>, %y_2 : tile<i32>
    %v18 = assume bounded<0, ?>, %y_3 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %v20 = assume bounded<0, ?>, %y_s0 : tile<i32>
    %v21 = assume div_by<16>, %v20 : tile<i32>
    %v22 = assume bounded<0, ?>, %y_s1 : tile<i32>
    %v23 = assume div_by<16>, %v22 : tile<i32>
    %v24 = assume bounded<0, ?>, %y_s2 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %tv26 = make_tensor_view %y14, shape = [%v15, %v16, %v17, %v19], strides = [%v21, %v23, %v25, 1] : tile<i32> -> tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>
    %tok = make_token : token
    %b27, %b28, %b29 = get_tile_block_id : tile<i32>
    %pv30 = make_partition_view %tv13 : partition_view<tile=(1x2x16x128), padding_value = neg_inf, tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>
    %v31 = constant <i32: 0> : tile<i32>
    %v32, %t33 = load_view_tko weak %pv30[%b29, %b27, %b28, %v31] token = %tok : partition_view<tile=(1x2x16x128), padding_value = neg_inf, tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>, tile<i32> -> tile<1x2x16x128xf16>, token
    %v34 = reshape %v32 : tile<1x2x16x128xf16> -> tile<2x8x2x128xf16>
    %v35 = reduce %v34 dim=0 identities=[0xFC00 : f16] : tile<2x8x2x128xf16> -> tile<8x2x128xf16>
    (%l36: tile<f16>, %r37: tile<f16>) {
      %y38 = maxf %l36, %r37 : tile<f16>
      yield %y38 : tile<f16>
    }
    %v39 = reshape %v35 : tile<8x2x128xf16> -> tile<1x8x2x128xf16>
    %v40 = reduce %v39 dim=2 identities=[0xFC00 : f16] : tile<1x8x2x128xf16> -> tile<1x8x128xf16>
    (%l41: tile<f16>, %r42: tile<f16>) {
      %y43 = maxf %l41, %r42 : tile<f16>
      yield %y43 : tile<f16>
    }
    %v44 = reshape %v40 : tile<1x8x128xf16> -> tile<1x8x1x128xf16>
    %v45 = reshape %v44 : tile<1x8x1x128xf16> -> tile<1x1x8x128xf16>
    %pv46 = make_partition_view %tv26 : partition_view<tile=(1x1x8x128), tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>
    %v47 = constant <i32: 0> : tile<i32>
    %t48 = store_view_tko weak %v45, %pv46[%b29, %b27, %b28, %v47] token = %tok : tile<1x1x8x128xf16>, partition_view<tile=(1x1x8x128), tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>, tile<i32> -> token
    return
  }
}
