cuda_tile.module @kernels attributes {producer = "tilesmith"} {
  entry @kernel(%arg0: tile<i1>, %arg1: tile<ptr<bf16>>) {
    %0 = itof %arg0 signed  : tile<i1> -> tile<bf16>
    %reshape = reshape %0 : tile<bf16> -> tile<1xbf16>
    %reshape_0 = reshape %arg1 : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %1 = store_ptr_tko weak %reshape_0, %reshape : tile<1xptr<bf16>>, tile<1xbf16> -> token
    return
  }
}

