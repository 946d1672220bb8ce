cuda_tile.module @kernels {
  entry @kernel(%p: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    loop iter_values(%i = %zero) : tile<i32> {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
      %done = cmpi greater_than_or_equal %i, %zero, signed : tile<i32> -> tile<i1>
      if %done {
        break
      }
      continue %zero : tile<i32>
    }
    return
  }
}
