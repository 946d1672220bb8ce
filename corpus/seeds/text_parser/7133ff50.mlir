cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %x: tile<f32>, %i: tile<i32>, %c: tile<i1>, %w: tile<4xi1>, %t: token) {
    %0, %1 = atomic_cas_tko relaxed device %q, %i, %i, %w : tile<ptr<i32>>, tile<i32>, tile<4xi1> -> tile<i32>, token
  }
}
