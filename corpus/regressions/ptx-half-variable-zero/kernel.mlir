cuda_tile.module @kernels {
  global private  @kernel_table0 <f16: 2.500000e-01> : tile<1xf16>
  entry @kernel(%arg0: tile<ptr<f16>>, %arg1: tile<i32>, %arg2: tile<i32>) {
    %cst_1_f16 = constant <f16: 1.000000e+00> : tile<1xf16>
    %0 = get_global @kernel_table0 : tile<ptr<f16>>
    %reshape = reshape %0 : tile<ptr<f16>> -> tile<1xptr<f16>>
    %result, %result_token = load_ptr_tko weak %reshape : tile<1xptr<f16>> -> tile<1xf16>, token
    %1 = subf %result, %cst_1_f16  : tile<1xf16>
    %2 = store_ptr_tko weak %reshape, %1 token=%result_token : tile<1xptr<f16>>, tile<1xf16> -> token
    %tview = make_tensor_view %arg0, shape = [%arg1, 2], strides = [%arg2, 1] : tile<i32> -> tensor_view<?x2xf16, strides=[?,1]>
    %reshape_0 = reshape %1 : tile<1xf16> -> tile<1x1xf16>
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %sview = make_strided_view %tview : strided_view<tile=(1x1), traversal_strides=[1,1], tensor_view<?x2xf16, strides=[?,1]>>
    %3 = store_view_tko weak %reshape_0, %sview[%cst_0_i64, %cst_0_i64] inbounds = [true, true] : tile<1x1xf16>, strided_view<tile=(1x1), traversal_strides=[1,1], tensor_view<?x2xf16, strides=[?,1]>>, tile<i64> -> token
    return
  }
}

