cuda_tile.module @kernels {
  entry @kernel(%p: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %t = store_ptr_tko weak %p, %one optimization_hints = <sm_100 = {allow_tma = false}> : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
