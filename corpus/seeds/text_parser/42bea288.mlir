cuda_tile.module @m {
  entry @k() -> tile<f32> {}
}
