cuda_tile.module @kernels {
  entry @kernel(%p: tile<ptr<i8>>, %n: tile<i32>) optimization_hints=<sm_100 = {num_cta_in_cga = 2}> {
    %zero = constant <i32: 0> : tile<i32>
    %x = constant <i8: 0> : tile<4xi8>
    %y = constant <i8: 0> : tile<4x2xi8>
    %v = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi8, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(4), tensor_view<?xi8, strides=[1]>>
    %s = store_view_tko weak %x, %w[%zero] : tile<4xi8>, partition_view<tile=(4), tensor_view<?xi8, strides=[1]>>, tile<i32> -> token
    %v2 = make_tensor_view %p, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %w2 = make_partition_view %v2 : partition_view<tile=(4x2), tensor_view<?x?xi8, strides=[?,1]>>
    %t = store_view_tko weak %y, %w2[%zero, %zero] : tile<4x2xi8>, partition_view<tile=(4x2), tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
