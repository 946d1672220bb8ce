cuda_tile.module @kernels {
  entry @sum_of_three_turns(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>, %lower: tile<i32>, %upper: tile<i32>, %step: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <i32: 0> : tile<32xi32>
    %lanes = iota : tile<32xi32>
    %p0 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p1 = broadcast %p0 : tile<1xptr<i32>> -> tile<32xptr<i32>>
    %p2 = offset %p1, %lanes : tile<32xptr<i32>>, tile<32xi32> -> tile<32xptr<i32>>
    %sum = for %i in (%lower to %upper, step %step) : tile<i32> iter_values(%so_far = %none) -> (tile<32xi32>) {
      %loaded, %t0 = load_ptr_tko weak %p2 : tile<32xptr<i32>> -> tile<32xi32>, token
      %next = addi %so_far, %loaded : tile<32xi32>
      continue %next : tile<32xi32>
    }
    %ov = make_tensor_view %out, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
    %op = make_partition_view %ov : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
    %t1 = store_view_tko weak %sum, %op[%zero] : tile<32xi32>, partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
