// f64 to bf16: numbers that lie just beyond the middle of two bf16, by less than f32 holds.
cuda_tile.module @kernels {
  entry @kernel(%in: tile<ptr<f64>>, %out: tile<ptr<bf16>>) {
    %places = iota : tile<64xi32>
    %in1 = reshape %in : tile<ptr<f64>> -> tile<1xptr<f64>>
    %ins = broadcast %in1 : tile<1xptr<f64>> -> tile<64xptr<f64>>
    %sources = offset %ins, %places : tile<64xptr<f64>>, tile<64xi32> -> tile<64xptr<f64>>
    %wide, %t = load_ptr_tko weak %sources : tile<64xptr<f64>> -> tile<64xf64>, token
    %narrow = ftof %wide : tile<64xf64> -> tile<64xbf16>
    %out1 = reshape %out : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %outs = broadcast %out1 : tile<1xptr<bf16>> -> tile<64xptr<bf16>>
    %targets = offset %outs, %places : tile<64xptr<bf16>>, tile<64xi32> -> tile<64xptr<bf16>>
    %s = store_ptr_tko weak %targets, %narrow : tile<64xptr<bf16>>, tile<64xbf16> -> token
    return
  }
}
