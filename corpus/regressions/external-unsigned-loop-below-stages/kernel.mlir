cuda_tile.module @kernels attributes {producer = "Cuda compilation tools, release 13.5, V13.5.37, Build cuda_13.5.r13.5/compiler.39125733_0, Build ID: CL-39125733"} {
  entry @_Z4gemmPK6__halfS1_Pfii(%arg0: tile<ptr<f16>>, %arg1: tile<ptr<f32>>, %arg2: tile<i32>, %arg3: tile<i32>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<1x1xf32>
    %for = for unsigned %loopIdx in (%cst_0_i32 to %arg3, step %arg2) : tile<i32> iter_values(%iterArg0 = %cst_0_f32) -> (tile<1x1xf32>) {
      %tview_0 = make_tensor_view %arg0, shape = [%cst_0_i32, %cst_0_i32], strides = [%cst_0_i32, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
      %pview_1 = make_partition_view %tview_0 : partition_view<tile=(1x1), tensor_view<?x?xf16, strides=[?,1]>>
      %tile, %result_token = load_view_tko weak %pview_1[%cst_0_i32, %loopIdx] inbounds = [true, true] : partition_view<tile=(1x1), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<1x1xf16>, token
      %1 = mmaf %tile, %tile, %iterArg0 : tile<1x1xf16>, tile<1x1xf16>, tile<1x1xf32>
      continue %1 : tile<1x1xf32>
    }
    %tview = make_tensor_view %arg1, shape = [%arg2, 16], strides = [16, 1] : tile<i32> -> tensor_view<?x16xf32, strides=[16,1]>
    %pview = make_partition_view %tview : partition_view<tile=(1x1), tensor_view<?x16xf32, strides=[16,1]>>
    %0 = store_view_tko weak %for, %pview[%cst_0_i32, %cst_0_i32] inbounds = [true, true] : tile<1x1xf32>, partition_view<tile=(1x1), tensor_view<?x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}

