// tileiras 13.4, -O1 to -O3: the machine code is EXIT, and the zero is not stored.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f64>>) {
    %t = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %done = loop iter_values(%i = %zero, %k = %t) : tile<i32>, token -> token {
      %p = reshape %a : tile<ptr<f64>> -> tile<1xptr<f64>>
      %x, %l = load_ptr_tko weak %p : tile<1xptr<f64>> -> tile<1xf64>, token
      %z = constant <f64: 0.0> : tile<1xf64>
      %s = store_ptr_tko weak %p, %z token=%l : tile<1xptr<f64>>, tile<1xf64> -> token
      %end = cmpi greater_than_or_equal %i, %zero, signed : tile<i32> -> tile<i1>
      if %end {
        break %s : token
      }
      continue %zero, %s : tile<i32>, token
    }
    return
  }
}
