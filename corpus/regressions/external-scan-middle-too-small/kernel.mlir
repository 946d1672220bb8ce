cuda_tile.module @kernels {
  entry @scan_middle(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %range = iota : tile<256xi32>
    %i1 = reshape %in : tile<ptr<f32>> -> tile<1xptr<f32>>
    %in_ = broadcast %i1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %from = offset %in_, %range : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %flat, %t0 = load_ptr_tko weak %from : tile<256xptr<f32>> -> tile<256xf32>, token
    %tile = reshape %flat : tile<256xf32> -> tile<4x16x4xf32>
    %sums = scan %tile dim=1 reverse=true identities=[0.0 : f32] : tile<4x16x4xf32> -> tile<4x16x4xf32>
    (%x: tile<f32>, %y: tile<f32>) {
      %s = addf %x, %y : tile<f32>
      yield %s : tile<f32>
    }
    %back = reshape %sums : tile<4x16x4xf32> -> tile<256xf32>
    %o1 = reshape %out : tile<ptr<f32>> -> tile<1xptr<f32>>
    %out_ = broadcast %o1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %to = offset %out_, %range : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %t1 = store_ptr_tko weak %to, %back : tile<256xptr<f32>>, tile<256xf32> -> token
    return
  }
}
