cuda_tile.module @kernels {
  entry @carried_in_cluster(%n: tile<i32>, %out: tile<ptr<i64>>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %zero = constant <i32: 0> : tile<i32>
    %row = constant <i64: [[0, 1, 2, 3]]> : tile<1x4xi64>
    %r:2 = loop iter_values(%a = %n, %b = %zero, %x = %zero, %t = %row) : tile<i32>, tile<i32>, tile<i32>, tile<1x4xi64> -> tile<i32>, tile<1x4xi64> {
      %done = cmpi greater_than_or_equal %b, %n, signed : tile<i32> -> tile<i1>
      if %done {
        break %x, %t : tile<i32>, tile<1x4xi64>
      }
      continue %zero, %a, %zero, %row : tile<i32>, tile<i32>, tile<i32>, tile<1x4xi64>
    }
    %squares = muli %r#1, %row : tile<1x4xi64>
    %view = make_tensor_view %out, shape = [1, 4], strides = [4, 1] : tensor_view<1x4xi64, strides=[4,1]>
    %tiles = make_partition_view %view : partition_view<tile=(1x4), tensor_view<1x4xi64, strides=[4,1]>>
    %s = store_view_tko weak %squares, %tiles[%zero, %zero] : tile<1x4xi64>, partition_view<tile=(1x4), tensor_view<1x4xi64, strides=[4,1]>>, tile<i32> -> token
    return
  }
}
