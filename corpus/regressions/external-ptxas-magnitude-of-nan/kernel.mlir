cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<f16>>, %arg1: tile<i32>, %arg2: tile<ptr<i1>>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [%arg1], strides = [1] : tile<i32> -> tensor_view<?xf16, strides=[1]>
    %pview = make_partition_view %tview : partition_view<tile=(128), padding_value = zero, tensor_view<?xf16, strides=[1]>>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32] : partition_view<tile=(128), padding_value = zero, tensor_view<?xf16, strides=[1]>>, tile<i32> -> tile<128xf16>, token
    %0 = absf %tile : tile<128xf16>
    %cst_f16 = constant <f16: -1.000000e+00> : tile<128xf16>
    %1 = cmpf greater_than ordered %0, %cst_f16 : tile<128xf16> -> tile<128xi1>
    %cst_1_i64 = constant <i64: 1> : tile<i64>
    %tview_0 = make_tensor_view %arg2, shape = [%cst_1_i64, 128], strides = [%cst_1_i64, %cst_1_i64] : tile<i64> -> tensor_view<?x128xi1, strides=[?,?]>
    %reshape = reshape %1 : tile<128xi1> -> tile<1x128xi1>
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %pview_1 = make_partition_view %tview_0 : partition_view<tile=(1x128), tensor_view<?x128xi1, strides=[?,?]>>
    %2 = store_view_tko weak %reshape, %pview_1[%cst_0_i64, %cst_0_i64] : tile<1x128xi1>, partition_view<tile=(1x128), tensor_view<?x128xi1, strides=[?,?]>>, tile<i64> -> token
    return
  }
}

