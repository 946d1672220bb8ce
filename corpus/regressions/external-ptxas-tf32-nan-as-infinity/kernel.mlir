cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<f32>>, %arg1: tile<ptr<tf32>>, %arg2: tile<i32>, %arg3: tile<i32>, %arg4: tile<i32>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_i32 = constant <i32: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]> : tile<64xi32>
    %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %0 = offset %bcast, %cst_i32 : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %result, %result_token = load_ptr_tko acquire tl_blk %0 : tile<64xptr<f32>> -> tile<64xf32>, token
    %1 = ftof %result rounding<nearest_away> : tile<64xf32> -> tile<64xtf32>
    %tview = make_tensor_view %arg1, shape = [%arg2, %arg3], strides = [512, %arg4] : tile<i32> -> tensor_view<?x?xtf32, strides=[512,?]>
    %reshape_0 = reshape %1 : tile<64xtf32> -> tile<1x64xtf32>
    %pview = make_partition_view %tview : partition_view<tile=(1x64), tensor_view<?x?xtf32, strides=[512,?]>>
    %2 = store_view_tko weak %reshape_0, %pview[%cst_0_i32, %cst_0_i32] : tile<1x64xtf32>, partition_view<tile=(1x64), tensor_view<?x?xtf32, strides=[512,?]>>, tile<i32> -> token
    return
  }
}

