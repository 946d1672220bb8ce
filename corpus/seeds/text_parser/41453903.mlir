cuda_tile.module @m {
  testing$func @f(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>, %i: tile<i32>, %d: tile<f64>) {
    %0 = "cuda_tile.addf"(%a, %b) {rounding_mode = #cuda_tile.rounding<full>} : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  }
}
