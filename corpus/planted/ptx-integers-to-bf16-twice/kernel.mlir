cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<i32>>, %arg1: tile<ptr<bf16>>) {
    %cst_i32 = constant <i32: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tile<16xi32>
    %reshape = reshape %arg0 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bcast = broadcast %reshape : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %0 = offset %bcast, %cst_i32 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %result, %result_token = load_ptr_tko weak %0 : tile<16xptr<i32>> -> tile<16xi32>, token
    %1 = itof %result signed  : tile<16xi32> -> tile<16xbf16>
    %reshape_0 = reshape %arg1 : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %bcast_1 = broadcast %reshape_0 : tile<1xptr<bf16>> -> tile<16xptr<bf16>>
    %2 = offset %bcast_1, %cst_i32 : tile<16xptr<bf16>>, tile<16xi32> -> tile<16xptr<bf16>>
    %3 = store_ptr_tko weak %2, %1 : tile<16xptr<bf16>>, tile<16xbf16> -> token
    return
  }
}

