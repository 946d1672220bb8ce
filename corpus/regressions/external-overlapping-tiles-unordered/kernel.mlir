cuda_tile.module @kernels {
  entry @shift_row(%a: tile<ptr<i32>>, %n: tile<i32>, %m: tile<i32>, %s: tile<i32>) {
    %v = make_tensor_view %a, shape = [%n, %m], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?,1]>
    %p = make_partition_view %v : partition_view<tile=(1x64), tensor_view<?x?xi32, strides=[?,1]>>
    %z = constant <i32: 0> : tile<i32>
    %o = constant <i32: 1> : tile<i32>
    %t, %k = load_view_tko weak %p[%z, %z] : partition_view<tile=(1x64), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> tile<1x64xi32>, token
    %u = store_view_tko weak %t, %p[%o, %z] token = %k : tile<1x64xi32>, partition_view<tile=(1x64), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
