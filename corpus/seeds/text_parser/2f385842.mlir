cuda_tile.module @m {
  entry @loops(%n: tile<i32>, %x: tile<f32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      continue
    }
    %sum = for unsigned %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %x) -> (tile<f32>) {
      %next = addf %acc, %x : tile<f32>
      continue %next : tile<f32>
    }
    loop {
      %done = cmpi equal %n, %zero, signed : tile<i32> -> tile<i1>
      if %done {
        break
      }
    }
    %last = loop iter_values(%k = %zero, %v = %x) : tile<i32>, tile<f32> -> tile<f32> {
      %done = cmpi equal %k, %n, signed : tile<i32> -> tile<i1>
      if %done {
        break %v : tile<f32>
      }
      continue %k, %v : tile<i32>, tile<f32>
    }
  }
  entry @branches(%c: tile<i1>, %x: tile<f32>, %y: tile<f32>) {
    %a:2 = if %c -> (tile<f32>, tile<f32>) {
      yield %x, %y : tile<f32>, tile<f32>
    } else {
      yield %y, %x : tile<f32>, tile<f32>
    }
    if %c {
      return
    }
    assert %c, "must hold" : tile<i1>
  }
}
