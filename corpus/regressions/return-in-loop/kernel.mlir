cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %z = constant <i32: 0> : tile<i32>
    %o = constant <i32: 1> : tile<i32>
    %t3 = constant <i32: 3> : tile<i32>
    %q0 = offset %p, %o : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t0 = store_ptr_tko weak %q0, %n : tile<ptr<i32>>, tile<i32> -> token
    %r = loop iter_values(%i = %z) : tile<i32> -> tile<i32> {
      %c = cmpi greater_than %i, %t3, signed : tile<i32> -> tile<i1>
      if %c {
        break %i : tile<i32>
      }
      %d = cmpi equal %i, %n, signed : tile<i32> -> tile<i1>
      if %d {
        %zz = muli %i, %i : tile<i32>
        return
      }
      %j = addi %i, %o : tile<i32>
      continue %j : tile<i32>
    }
    %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  }
}
