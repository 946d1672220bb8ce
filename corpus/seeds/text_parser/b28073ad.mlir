cuda_tile.module @m {
  entry @pointers(%p: tile<ptr<i32>>) {
    %0 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %1 = broadcast %0 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %2 = iota : tile<8xi32>
    %3 = offset %1, %2 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %4 = constant <i1: true> : tile<8xi1>
    %5, %t1 = load_ptr_tko weak %3, %4, %2 : tile<8xptr<i32>>, tile<8xi1>, tile<8xi32> -> tile<8xi32>, token
    %t2 = store_ptr_tko release device %3, %5 token=%t1 : tile<8xptr<i32>>, tile<8xi32> -> token
    %t3 = join_tokens %t1, %t2 : token
    %6, %t4 = atomic_rmw_tko acq_rel sys %3, umax, %2 token=%t3 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
    %7, %t5 = atomic_cas_tko relaxed tl_blk %3, %6, %2, %4 token=%t4 : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> tile<8xi32>, token
    return
  }
  entry @hints(%p: tile<ptr<f32>>) {
    %0, %t = load_ptr_tko weak %p optimization_hints = <sm_90 = {latency = 5}> : tile<ptr<f32>> -> tile<f32>, token
    return
  }
}
