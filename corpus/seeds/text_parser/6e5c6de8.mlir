cuda_tile.module @m {
  testing$func @f(%x: tile<i32>) {
    %0 = assume "x", %x : tile<i32>
  }
}
