cuda_tile.module @m {
  entry @k() {
    %0 = arith.constant 1 : i32
    %1 = arith.addi %0, %0 : i32
  }
}
