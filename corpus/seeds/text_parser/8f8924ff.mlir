cuda_tile.module @m {
  testing$func @f(%x: tile<i7>) {
  }
}
