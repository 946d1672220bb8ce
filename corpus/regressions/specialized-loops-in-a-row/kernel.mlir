cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<bf16>>, %arg1: tile<ptr<f32, <none>>>, %arg2: tile<i32>, %arg3: tile<i32>, %arg4: tile<i32>, %arg5: tile<i32>) {
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %assume = assume div_by<16>, %arg0 : tile<ptr<bf16>>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %tview = make_tensor_view %assume, shape = [%cst_1_i32, 1, 21], strides = [48, 32, 1] : tile<i32> -> tensor_view<?x1x21xbf16, strides=[48,32,1]>
    %pview = make_partition_view %tview : partition_view<tile=(1x16x8), padding_value = zero, tensor_view<?x1x21xbf16, strides=[48,32,1]>, dim_map=[0, 2, 1]>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<16x8xf32>
    %0 = make_token : token
    %for:2 = for %loopIdx in (%arg2 to %arg2, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_f32, %iterArg1 = %0) -> (tile<16x8xf32>, token) {
      %cst_0_bf16 = constant <bf16: 0.000000e+00> : tile<16x16xbf16>
      %tile, %result_token = load_view_tko weak %pview[%arg2, %loopIdx, %arg2] : partition_view<tile=(1x16x8), padding_value = zero, tensor_view<?x1x21xbf16, strides=[48,32,1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x16x8xbf16>, token
      %reshape_3 = reshape %tile : tile<1x16x8xbf16> -> tile<16x8xbf16>
      %2 = mmaf %cst_0_bf16, %reshape_3, %iterArg0 : tile<16x16xbf16>, tile<16x8xbf16>, tile<16x8xf32>
      continue %2, %iterArg1 : tile<16x8xf32>, token
    }
    %for_0 = for %loopIdx in (%arg2 to %arg2, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %for#0) -> (tile<16x8xf32>) {
      %cst_0_bf16 = constant <bf16: 0.000000e+00> : tile<16x16xbf16>
      %tile, %result_token = load_view_tko weak %pview[%arg2, %loopIdx, %arg2] token = %for#1 : partition_view<tile=(1x16x8), padding_value = zero, tensor_view<?x1x21xbf16, strides=[48,32,1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x16x8xbf16>, token
      %reshape_3 = reshape %tile : tile<1x16x8xbf16> -> tile<16x8xbf16>
      %2 = mmaf %cst_0_bf16, %reshape_3, %iterArg0 : tile<16x16xbf16>, tile<16x8xbf16>, tile<16x8xf32>
      continue %2 : tile<16x8xf32>
    }
    %tview_1 = make_tensor_view %arg1, shape = [%arg2, %arg3, 9], strides = [%arg4, %arg5, 320] : tile<i32>, tile<ptr<f32, <none>>> -> tensor_view<?x?x9xf32, strides=[?,?,320], #cuda_tile.ptr_attr<none>>
    %reshape = reshape %for_0 : tile<16x8xf32> -> tile<1x16x8xf32>
    %pview_2 = make_partition_view %tview_1 : partition_view<tile=(1x16x8), tensor_view<?x?x9xf32, strides=[?,?,320], #cuda_tile.ptr_attr<none>>, dim_map=[2, 0, 1]>
    %1 = store_view_tko weak %reshape, %pview_2[%cst_0_i64, %cst_0_i64, %cst_0_i64] inbounds = [true, true, false] : tile<1x16x8xf32>, partition_view<tile=(1x16x8), tensor_view<?x?x9xf32, strides=[?,?,320], #cuda_tile.ptr_attr<none>>, dim_map=[2, 0, 1]>, tile<i64> -> token
    return
  }
}

