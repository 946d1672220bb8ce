cuda_tile.module @m {
  entry @k() optimization_hints=<sm_90 = 1> {}
}
