cuda_tile.module @kernels {
  entry @padded_row_as_column(%a: tile<ptr<i32>>, %m: tile<i32>, %n: tile<i32>, %s: tile<i32>, %o: tile<ptr<i32>>) {
    %v = make_tensor_view %a, shape = [%m, %n], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?,1]>
    %p = make_partition_view %v : partition_view<tile=(1x8), padding_value = zero, tensor_view<?x?xi32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %l, %k = load_view_tko weak %p[%c0, %c0] inbounds = [true, false] : partition_view<tile=(1x8), padding_value = zero, tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> tile<1x8xi32>, token
    %r = permute %l [1, 0] : tile<1x8xi32> -> tile<8x1xi32>
    %ov = make_tensor_view %o, shape = [8, 1], strides = [1, 1] : tensor_view<8x1xi32, strides=[1,1]>
    %op = make_partition_view %ov : partition_view<tile=(8x1), tensor_view<8x1xi32, strides=[1,1]>>
    %q = store_view_tko weak %r, %op[%c0, %c0] : tile<8x1xi32>, partition_view<tile=(8x1), tensor_view<8x1xi32, strides=[1,1]>>, tile<i32> -> token
    return
  }
}
