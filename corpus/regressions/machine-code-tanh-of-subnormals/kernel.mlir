cuda_tile.module @kernels {
  entry @second(%arg0: tile<ptr<f32>>, %arg1: tile<ptr<f32>>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %pview = make_partition_view %tview : partition_view<tile=(64), padding_value = zero, tensor_view<128xf32, strides=[1]>>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32] : partition_view<tile=(64), padding_value = zero, tensor_view<128xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %0 = tanh %tile rounding<approx> : tile<64xf32>
    %cst_i64 = constant <i64: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]> : tile<64xi64>
    %cst_1_i64 = constant <i64: 1> : tile<i64>
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %cst_-1_i64 = constant <i64: -1> : tile<i64>
    %tview_0 = make_tensor_view %arg1, shape = [%cst_1_i64, %cst_-1_i64], strides = [%cst_0_i64, %cst_1_i64] : tile<i64> -> tensor_view<?x?xf32, strides=[?,?]>
    %reshape = reshape %0 : tile<64xf32> -> tile<1x64xf32>
    %gsview = make_gather_scatter_view %tview_0 : gather_scatter_view<tile=(1x64), tensor_view<?x?xf32, strides=[?,?]>, sparse_dim=1>
    %1 = store_view_tko weak %reshape, %gsview[%cst_0_i64, %cst_i64] : tile<1x64xf32>, gather_scatter_view<tile=(1x64), tensor_view<?x?xf32, strides=[?,?]>, sparse_dim=1>, tile<i64>, tile<64xi64> -> token
    return
  }
}

