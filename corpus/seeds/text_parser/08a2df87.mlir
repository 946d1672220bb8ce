cuda_tile.module @m {
  entry @kernel(%x: tile<i32>) {
    print "x = %d", %x : tile<i32>
    return
  }
}
