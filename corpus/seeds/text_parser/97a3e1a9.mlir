cuda_tile.module @m {
  testing$func @f(%x: tile<f32>) {
    "cuda_tile.loop"(%x) ({
      "cuda_tile.continue"(%x) : (!cuda_tile.tile<f32>) -> ()
    }) : (!cuda_tile.tile<f32>) -> ()
  }
}
