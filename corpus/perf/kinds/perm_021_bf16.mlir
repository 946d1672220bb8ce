// permutation [0, 2, 1]
cuda_tile.module @m {
  entry @perm_021_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_2: tile<i32>, %x_s0: tile<i32>, %x_s1: tile<i32>, %y: tile<ptr<bf16>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_2: tile<i32>, %y_s0: tile<i32>, %y_s1: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %x_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %x_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %x1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %y11 = assume div_by<16>, %y : tile<ptr<bf16>>
    %v12 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %y_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %y_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %y_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %y_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %y11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %tok = make_token : token
    %b21, %b22, %b23 = get_tile_block_id : tile<i32>
    %pv24 = make_partition_view %tv10 : partition_view<tile=(4x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v25, %t26 = load_view_tko weak %pv24[%b21, %b22, %b23] token = %tok : partition_view<tile=(4x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<4x64x64xbf16>, token
    %v27 = permute %v25 [0, 2, 1] : tile<4x64x64xbf16> -> tile<4x64x64xbf16>
    %pv28 = make_partition_view %tv20 : partition_view<tile=(4x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %t29 = store_view_tko weak %v27, %pv28[%b21, %b23, %b22] token = %tok : tile<4x64x64xbf16>, partition_view<tile=(4x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
