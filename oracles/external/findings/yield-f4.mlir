cuda_tile.module @kernels {
  entry @kernel(%c: tile<i1>, %p: tile<ptr<i8>>) {
    %a = constant <f4E2M1FN: 1.0> : tile<8xf4E2M1FN>
    %b = constant <f4E2M1FN: 2.0> : tile<8xf4E2M1FN>
    %v = if %c -> (tile<8xf4E2M1FN>) {
      yield %a : tile<8xf4E2M1FN>
    } else {
      yield %b : tile<8xf4E2M1FN>
    }
    %bytes = pack %v : tile<8xf4E2M1FN> -> tile<4xi8>
    %t = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xi8, strides=[1]>
    %w = make_partition_view %t : partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
    %z = constant <i32: 0> : tile<i32>
    %s = store_view_tko weak %bytes, %w[%z] : tile<4xi8>, partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
