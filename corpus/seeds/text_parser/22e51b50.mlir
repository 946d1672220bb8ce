cuda_tile.module @m {
  entry @k() {
    %0 = print_tko "x" -> token
  }
}
