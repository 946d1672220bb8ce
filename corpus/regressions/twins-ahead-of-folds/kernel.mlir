cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<i32>>, %arg1: tile<ptr<i32>>, %arg2: tile<i32>, %arg3: tile<i32>, %arg4: tile<i32>) {
    %0 = iota : tile<512xi32>
    %reshape = reshape %arg0 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bcast = broadcast %reshape : tile<1xptr<i32>> -> tile<512xptr<i32>>
    %1 = offset %bcast, %0 : tile<512xptr<i32>>, tile<512xi32> -> tile<512xptr<i32>>
    %result, %result_token = load_ptr_tko weak %1 : tile<512xptr<i32>> -> tile<512xi32>, token
    %2 = muli %result, %0 : tile<512xi32>
    %3 = xori %2, %2 : tile<512xi32>
    %reshape_0 = reshape %arg1 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bcast_0 = broadcast %reshape_0 : tile<1xptr<i32>> -> tile<512xptr<i32>>
    %4 = offset %bcast_0, %0 : tile<512xptr<i32>>, tile<512xi32> -> tile<512xptr<i32>>
    %5 = store_ptr_tko weak %4, %3 : tile<512xptr<i32>>, tile<512xi32> -> token
    return
  }
}
