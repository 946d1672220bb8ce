cuda_tile.module @power {
  entry @kernel(%out: tile<ptr<f32>>) {
    %x = constant <f32: 2.0> : tile<f32>
    %t = print_tko "r = pow y" -> token
    %r = pow %x, %x : tile<f32>
    %stored = store_ptr_tko weak %out, %r : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
