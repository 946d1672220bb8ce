cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<f16>>, %arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<i32>, %arg4: tile<i32>, %arg5: tile<i32>, %arg6: tile<ptr<i8>>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %0 = ptr_to_ptr %arg6 : tile<ptr<i8>> -> tile<ptr<f4E2M1FN>>
    %tview = make_tensor_view %0, shape = [6, 4], strides = [4, 1] : tensor_view<6x4xf4E2M1FN, strides=[4,1]>
    %pview = make_partition_view %tview : partition_view<tile=(2x2), tensor_view<6x4xf4E2M1FN, strides=[4,1]>>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32] : partition_view<tile=(2x2), tensor_view<6x4xf4E2M1FN, strides=[4,1]>>, tile<i32> -> tile<2x2xf4E2M1FN>, token
    %1 = ftof %tile  : tile<2x2xf4E2M1FN> -> tile<2x2xf16>
    %reshape = reshape %1 : tile<2x2xf16> -> tile<1x2x2xf16>
    %tview_0 = make_tensor_view %arg0, shape = [%arg1, 1, %arg2], strides = [%arg3, %arg4, %arg5] : tile<i32> -> tensor_view<?x1x?xf16, strides=[?,?,?]>
    %pview_1 = make_partition_view %tview_0 : partition_view<tile=(1x2x2), tensor_view<?x1x?xf16, strides=[?,?,?]>, dim_map=[2, 0, 1]>
    %2 = store_view_tko weak %reshape, %pview_1[%cst_0_i32, %cst_0_i32, %cst_0_i32] : tile<1x2x2xf16>, partition_view<tile=(1x2x2), tensor_view<?x1x?xf16, strides=[?,?,?]>, dim_map=[2, 0, 1]>, tile<i32> -> token
    return
  }
}
