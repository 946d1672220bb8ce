cuda_tile.module @m {
  entry @branch_values(%c: tile<i1>, %x: tile<f32>, %y: tile<f32>, %p: tile<ptr<f32>>) {
    %v = if %c -> (tile<f32>) {
      yield %x : tile<f32>
    } else {
      yield %y : tile<f32>
    }
    %t = store_ptr_tko weak %p, %v : tile<ptr<f32>>, tile<f32> -> token
  }
  entry @joined(%c: tile<i1>, %x: tile<f32>, %y: tile<f32>, %p: tile<ptr<f32>>) {
    if %c {
      %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
    }
    if %c {
      %t = store_ptr_tko weak %p, %y : tile<ptr<f32>>, tile<f32> -> token
    }
  }
  entry @static_return(%p: tile<ptr<f32>>, %x: tile<f32>) {
    %true = constant <i1: true> : tile<i1>
    if %true {
      return
    }
    %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
  }
  entry @negated(%c: tile<i1>, %x: tile<f32>, %y: tile<f32>, %p: tile<ptr<f32>>) {
    %true = constant <i1: true> : tile<i1>
    %not = xori %c, %true : tile<i1>
    if %not {
      %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
    } else {
      %t = store_ptr_tko weak %p, %y : tile<ptr<f32>>, tile<f32> -> token
    }
  }
}
