cuda_tile.module @kernels {
  entry @kernel() {
    %zero = constant <i32: 0> : tile<i32>
    %c = constant <i1: false> : tile<16xi1>
    %x = constant <bf16: 1.0> : tile<16xbf16>
    %r:2 = loop iter_values(%a0 = %zero, %a1 = %zero, %a2 = %zero, %a = %x) : tile<i32>, tile<i32>, tile<i32>, tile<16xbf16> -> tile<i32>, tile<16xbf16> {
      %b = select %c, %x, %a : tile<16xi1>, tile<16xbf16>
      %z = cmpi greater_than_or_equal %a1, %zero, signed : tile<i32> -> tile<i1>
      if %z {
        break %a2, %b : tile<i32>, tile<16xbf16>
      }
      continue %zero, %zero, %zero, %x : tile<i32>, tile<i32>, tile<i32>, tile<16xbf16>
    }
    %t = print_tko "%d\0A", %r#0 : tile<i32> -> token
    return
  }
}
