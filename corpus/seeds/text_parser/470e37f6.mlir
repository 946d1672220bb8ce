cuda_tile.module @m {
  entry @tiles(%p: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %ld: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>
    %s:2 = get_tensor_shape %tv : tensor_view<?x?xf32, strides=[?,1]> -> tile<i32>
    %g:2 = get_index_space_shape %pv : partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]> -> tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %v, %t = load_view_tko weak %pv[%x, %y] : partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> tile<16x32xf32>, token
    %t2 = store_view_tko weak %v, %pv[%x, %y] token = %t optimization_hints = <sm_90 = {allow_tma = false}> : tile<16x32xf32>, partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> token
    return
  }
  entry @special(%p: tile<ptr<i32>>, %i: tile<i8>) {
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64,1]>
    %sv = make_strided_view %tv : strided_view<tile=(8x8), traversal_strides=[4,4], tensor_view<64x64xi32, strides=[64,1]>>
    %v, %t = load_view_tko weak %sv[%i, %i] : strided_view<tile=(8x8), traversal_strides=[4,4], tensor_view<64x64xi32, strides=[64,1]>>, tile<i8> -> tile<8x8xi32>, token
    %gv = make_gather_scatter_view %tv : gather_scatter_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1]>, sparse_dim=0>
    %rows = iota : tile<8xi32>
    %c0 = constant <i32: 0> : tile<i32>
    %w, %t2 = load_view_tko weak %gv[%rows, %c0] : gather_scatter_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> tile<8x8xi32>, token
    %t3 = store_view_tko weak %w, %gv[%rows, %c0] : tile<8x8xi32>, gather_scatter_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> token
    return
  }
}
