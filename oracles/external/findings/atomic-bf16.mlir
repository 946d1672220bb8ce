cuda_tile.module @kernels {
  entry @kernel(%p: tile<ptr<bf16>>) {
    %one = constant <bf16: 1.0> : tile<bf16>
    %o, %t = atomic_rmw_tko relaxed device %p, addf, %one : tile<ptr<bf16>>, tile<bf16> -> tile<bf16>, token
    return
  }
}
