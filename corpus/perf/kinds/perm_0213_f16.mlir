// permutation [0, 2, 1, 3]
cuda_tile.module @m {
  entry @perm_0213_f16(%x: tile<ptr<f16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_2: tile<i32>, %x_3: tile<i32>, %x_s0: tile<i32>, %x_s1: tile<i32>, %x_s2: tile<i32>, %y: tile<ptr<f16>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_2: tile<i32>, %y_3: tile<i32>, %y_s0: tile<i32>, %y_s1: tile<i32>, %y_s2: tile<i32>) {
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
    %v30 = constant <i32: 0> : tile<i32>
    %pv31 = make_partition_view %tv13 : partition_view<tile=(1x16x8x64), tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>
    %v32, %t33 = load_view_tko weak %pv31[%b27, %b28, %b29, %v30] token = %tok : partition_view<tile=(1x16x8x64), tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>, tile<i32> -> tile<1x16x8x64xf16>, token
    %v34 = permute %v32 [0, 2, 1, 3] : tile<1x16x8x64xf16> -> tile<1x8x16x64xf16>
    %pv35 = make_partition_view %tv26 : partition_view<tile=(1x8x16x64), tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>
    %t36 = store_view_tko weak %v34, %pv35[%b27, %b29, %b28, %v30] token = %tok : tile<1x8x16x64xf16>, partition_view<tile=(1x8x16x64), tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>, tile<i32> -> token
    return
  }
}
