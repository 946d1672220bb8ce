cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    %0, %1 = load_ptr_tko weak %p, %c, %i : tile<ptr<f32>>, tile<i1>, tile<i32> -> tile<f32>, token
  }
}
