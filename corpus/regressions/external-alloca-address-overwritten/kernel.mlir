cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<i1>>, %arg1: tile<ptr<f32>>, %arg2: tile<i32>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_1_i64 = constant <i64: 1> : tile<i64>
    %tview = make_tensor_view %arg0, shape = [%cst_1_i64], strides = [%cst_1_i64] : tile<i64> -> tensor_view<?xi1, strides=[?]>
    %pview = make_partition_view %tview : partition_view<tile=(1), padding_value = zero, tensor_view<?xi1, strides=[?]>>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32] : partition_view<tile=(1), padding_value = zero, tensor_view<?xi1, strides=[?]>>, tile<i32> -> tile<1xi1>, token
    %cst_0_i64 = constant <i64: 0> : tile<1xi64>
    %0 = alloca num_elem = 2, alignment = 128 : tile<ptr<i64>>
    %reshape = reshape %0 : tile<ptr<i64>> -> tile<1xptr<i64>>
    %1 = store_ptr_tko weak %reshape, %cst_0_i64 : tile<1xptr<i64>>, tile<1xi64> -> token
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<2xf32>
    %tview_0 = make_tensor_view %arg1, shape = [%arg2], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %pview_1 = make_partition_view %tview_0 : partition_view<tile=(2), tensor_view<?xf32, strides=[1]>>
    %2 = atomic_red_view_tko relaxed tl_blk %pview_1[%cst_0_i32], addf, %cst_0_f32 : tile<2xf32>, partition_view<tile=(2), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    %result, %result_token_2 = load_ptr_tko weak %reshape token=%1 : tile<1xptr<i64>> -> tile<1xi64>, token
    %3 = store_ptr_tko weak %reshape, %result, %tile : tile<1xptr<i64>>, tile<1xi64>, tile<1xi1> -> token
    return
  }
}

