cuda_tile.module @m {
  entry @k(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %p: tile<ptr<f32>>) {
    %0 = mulf %a, %b rounding<nearest_even> : tile<f32>
    %1 = addf %0, %c rounding<nearest_even> : tile<f32>
    %2 = store_ptr_tko weak %p, %1 : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
