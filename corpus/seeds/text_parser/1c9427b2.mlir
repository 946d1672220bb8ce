cuda_tile.module @m {
  entry @structured(%n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %c0) -> (tile<i32>) {
      %next = addi %acc, %i : tile<i32>
      continue %next : tile<i32>
    }
    %pos = cmpi greater_than %sum, %c0, signed : tile<i32> -> tile<i1>
    %r = if %pos -> (tile<i32>) {
      yield %sum : tile<i32>
    } else {
      yield %c1 : tile<i32>
    }
    for unsigned %j in (%c0 to %n, step %c1) : tile<i32> {
      continue
    }
    return
  }
  entry @early_return(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %neg = cmpi less_than %n, %c0, signed : tile<i32> -> tile<i1>
    if %neg {
      return
    }
    %t = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
    return
  }
  entry @loop_break(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %r = loop iter_values(%i = %c0) : tile<i32> -> tile<i32> {
      %stop = cmpi greater_than_or_equal %i, %n, signed : tile<i32> -> tile<i1>
      if %stop {
        break %i : tile<i32>
      }
      %x = addi %i, %c1 : tile<i32>
      continue %x : tile<i32>
    }
    %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
    return
  }
  entry @nested_continue(%n: tile<i32>, %a: tile<i1>, %b: tile<i1>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %c1) -> (tile<i32>) {
      if %a {
        if %b {
          continue %acc : tile<i32>
        }
      }
      %next = muli %acc, %i : tile<i32>
      continue %next : tile<i32>
    }
    return
  }
}
