// f64 to f8E4M3FN: numbers that lie just beyond the middle of two f8E4M3FN, by less than f32 holds.
cuda_tile.module @kernels {
  entry @kernel(%in: tile<ptr<f64>>, %out: tile<ptr<f8E4M3FN>>) {
    %places = iota : tile<64xi32>
    %in1 = reshape %in : tile<ptr<f64>> -> tile<1xptr<f64>>
    %ins = broadcast %in1 : tile<1xptr<f64>> -> tile<64xptr<f64>>
    %sources = offset %ins, %places : tile<64xptr<f64>>, tile<64xi32> -> tile<64xptr<f64>>
    %wide, %t = load_ptr_tko weak %sources : tile<64xptr<f64>> -> tile<64xf64>, token
    %narrow = ftof %wide : tile<64xf64> -> tile<64xf8E4M3FN>
    %out1 = reshape %out : tile<ptr<f8E4M3FN>> -> tile<1xptr<f8E4M3FN>>
    %outs = broadcast %out1 : tile<1xptr<f8E4M3FN>> -> tile<64xptr<f8E4M3FN>>
    %targets = offset %outs, %places : tile<64xptr<f8E4M3FN>>, tile<64xi32> -> tile<64xptr<f8E4M3FN>>
    %s = store_ptr_tko weak %targets, %narrow : tile<64xptr<f8E4M3FN>>, tile<64xf8E4M3FN> -> token
    return
  }
}
