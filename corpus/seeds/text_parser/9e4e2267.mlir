cuda_tile.module @m {
  entry @sum_on_either_side(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %p: tile<ptr<f32>>) {
    %0 = mulf %a, %b : tile<f32>
    %1 = addf %c, %0 : tile<f32>
    %2 = store_ptr_tko weak %p, %1 : tile<ptr<f32>>, tile<f32> -> token
  }
  entry @difference(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %p: tile<ptr<f32>>) {
    %0 = mulf %a, %b rounding<zero> flush_to_zero : tile<f32>
    %1 = subf %0, %c rounding<zero> flush_to_zero : tile<f32>
    %2 = store_ptr_tko weak %p, %1 : tile<ptr<f32>>, tile<f32> -> token
  }
  entry @kept_apart(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %p: tile<ptr<f32>>) {
    %0 = mulf %a, %b rounding<zero> : tile<f32>
    %1 = addf %0, %c : tile<f32>
    %2 = mulf %a, %a : tile<f32>
    %3 = addf %2, %1 : tile<f32>
    %4 = store_ptr_tko weak %p, %2 : tile<ptr<f32>>, tile<f32> -> token
    %5 = mulf %b, %b : tile<f32>
    %6 = subf %3, %5 : tile<f32>
    %7 = store_ptr_tko weak %p, %6 : tile<ptr<f32>>, tile<f32> -> token
  }
}
