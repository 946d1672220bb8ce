cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    %0 = atan2 %x, %x : tile<f32>
  }
}
