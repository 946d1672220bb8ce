cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<i32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>) {
    %t = make_tensor_view %arg0, shape = [%arg1, %arg1], strides = [1, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[1,1]>
    %g = make_gather_scatter_view %t : gather_scatter_view<tile=(8x1), padding_value = zero, tensor_view<?x?xi32, strides=[1,1]>, sparse_dim=0>
    %i = constant <i16: 3> : tile<8xi16>
    %z = constant <i16: 0> : tile<i16>
    %v, %k = load_view_tko weak %g[%i, %z] : gather_scatter_view<tile=(8x1), padding_value = zero, tensor_view<?x?xi32, strides=[1,1]>, sparse_dim=0>, tile<8xi16>, tile<i16> -> tile<8x1xi32>, token
    %t2 = make_tensor_view %arg2, shape = [8, 1], strides = [1, 1] : tensor_view<8x1xi32, strides=[1,1]>
    %p2 = make_partition_view %t2 : partition_view<tile=(8x1), tensor_view<8x1xi32, strides=[1,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %s = store_view_tko weak %v, %p2[%c0, %c0] : tile<8x1xi32>, partition_view<tile=(8x1), tensor_view<8x1xi32, strides=[1,1]>>, tile<i32> -> token
    return
  }
}
