cuda_tile.module @m {
  entry @k(%x: tile<4xf32>) {}
}
