cuda_tile.module @kernels {
  global  @__local_depot0 alignment = 16 <i32: [11, 12, 13, 14]> : tile<4xi32>
  entry @kernel(%arg0: tile<ptr<f32>>, %arg1: tile<ptr<i32>>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %pview = make_partition_view %tview : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32] : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %0 = sin %tile : tile<4xf32>
    %1 = store_view_tko weak %0, %pview[%cst_0_i32] token = %result_token : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
    %2 = get_global @__local_depot0 : tile<ptr<i32>>
    %tview_0 = make_tensor_view %2, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %pview_1 = make_partition_view %tview_0 : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %tile_2, %result_token_3 = load_view_tko weak %pview_1[%cst_0_i32] : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %tview_4 = make_tensor_view %arg1, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %pview_5 = make_partition_view %tview_4 : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %3 = store_view_tko weak %tile_2, %pview_5[%cst_0_i32] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
