cuda_tile.module @m {
  testing$func @f(%v: partition_view<tile=(16), tensor_view<64xi16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
    %0, %1 = multimem_load_reduce_view_tko weak %v[%i] : partition_view<tile=(16), tensor_view<64xi16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<16xi16>, token
  }
}
