// A loop that stores the sum so far to the row before, and behind that loads the next row, which the next turn stores.
cuda_tile.module @kernels {
  entry @kernel(%data: tile<ptr<i32>>) {
    %turns = constant <i32: 5> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %less = constant <i32: -1> : tile<i32>
    %first = make_token : token
    %none = constant <i32: 0> : tile<1x2xi32>
    %matrix = make_tensor_view %data, shape = [16, 2], strides = [2, 1] : tensor_view<16x2xi32, strides=[2,1]>
    %rows = make_partition_view %matrix : partition_view<tile=(1x2), tensor_view<16x2xi32, strides=[2,1]>>
    %sum, %last = for %i in (%one to %turns, step %one) : tile<i32> iter_values(%carried = %none, %before = %first) -> (tile<1x2xi32>, token) {
      %above = addi %i, %less : tile<i32>
      %stored = store_view_tko weak %carried, %rows[%above, %zero] token = %before : tile<1x2xi32>, partition_view<tile=(1x2), tensor_view<16x2xi32, strides=[2,1]>>, tile<i32> -> token
      %row, %loaded = load_view_tko weak %rows[%i, %zero] token = %stored : partition_view<tile=(1x2), tensor_view<16x2xi32, strides=[2,1]>>, tile<i32> -> tile<1x2xi32>, token
      %next = addi %carried, %row : tile<1x2xi32>
      continue %next, %loaded : tile<1x2xi32>, token
    }
    return
  }
}
