cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<4xf16>
    %b = mulf %a, %a flush_to_zero : tile<4xf16>
  }
}
