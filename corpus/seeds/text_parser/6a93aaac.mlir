cuda_tile.module @clean {
  entry @k() {
  }
}
