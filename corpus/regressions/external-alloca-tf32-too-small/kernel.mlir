cuda_tile.module @kernels {
  entry @reversed(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %up = constant <i64: [0, 1, 2, 3]> : tile<4xi64>
    %down = constant <i64: [3, 2, 1, 0]> : tile<4xi64>
    %in1 = reshape %in : tile<ptr<f32>> -> tile<1xptr<f32>>
    %inAll = broadcast %in1 : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %from = offset %inAll, %up : tile<4xptr<f32>>, tile<4xi64> -> tile<4xptr<f32>>
    %x, %t0 = load_ptr_tko weak %from : tile<4xptr<f32>> -> tile<4xf32>, token
    %narrow = ftof %x : tile<4xf32> -> tile<4xtf32>
    %own = alloca num_elem = 4, alignment = 8 : tile<ptr<tf32>>
    %own1 = reshape %own : tile<ptr<tf32>> -> tile<1xptr<tf32>>
    %ownAll = broadcast %own1 : tile<1xptr<tf32>> -> tile<4xptr<tf32>>
    %put = offset %ownAll, %up : tile<4xptr<tf32>>, tile<4xi64> -> tile<4xptr<tf32>>
    %t1 = store_ptr_tko weak %put, %narrow : tile<4xptr<tf32>>, tile<4xtf32> -> token
    %get = offset %ownAll, %down : tile<4xptr<tf32>>, tile<4xi64> -> tile<4xptr<tf32>>
    %y, %t2 = load_ptr_tko weak %get token=%t1 : tile<4xptr<tf32>> -> tile<4xtf32>, token
    %wide = ftof %y : tile<4xtf32> -> tile<4xf32>
    %out1 = reshape %out : tile<ptr<f32>> -> tile<1xptr<f32>>
    %outAll = broadcast %out1 : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %to = offset %outAll, %up : tile<4xptr<f32>>, tile<4xi64> -> tile<4xptr<f32>>
    %t3 = store_ptr_tko weak %to, %wide : tile<4xptr<f32>>, tile<4xf32> -> token
    return
  }
}
