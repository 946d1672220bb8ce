cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<f32>>, %arg1: tile<ptr<f32>>) optimization_hints=<sm_100 = {num_cta_in_cga = 2}, sm_90 = {num_cta_in_cga = 2}> {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [2, 2], strides = [2, 1] : tensor_view<2x2xf32, strides=[2,1]>
    %pview = make_partition_view %tview : partition_view<tile=(2x2), tensor_view<2x2xf32, strides=[2,1]>>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32] : partition_view<tile=(2x2), tensor_view<2x2xf32, strides=[2,1]>>, tile<i32> -> tile<2x2xf32>, token
    %0 = scan %tile dim=0 reverse=false identities=[0xFF800000 : f32] : tile<2x2xf32> -> tile<2x2xf32> 
    (%arg2: tile<f32>, %arg3: tile<f32>) {
      %2 = maxf %arg2, %arg3 flush_to_zero : tile<f32>
      yield %2 : tile<f32>
    }
    %tview_0 = make_tensor_view %arg1, shape = [2, 2], strides = [2, 1] : tensor_view<2x2xf32, strides=[2,1]>
    %pview_1 = make_partition_view %tview_0 : partition_view<tile=(2x2), tensor_view<2x2xf32, strides=[2,1]>>
    %1 = store_view_tko weak %0, %pview_1[%cst_0_i32, %cst_0_i32] : tile<2x2xf32>, partition_view<tile=(2x2), tensor_view<2x2xf32, strides=[2,1]>>, tile<i32> -> token
    return
  }
}
