cuda_tile.module @m {
  global @g <f32: 1.0> : tile<f32>
}
