cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<f32>>, %arg1: tile<ptr<f32>>, %arg2: tile<i32>, %arg3: tile<i32>, %arg4: tile<i32>) {
    %0 = iota : tile<512xi32>
    %assume = assume div_by<16>, %arg0 : tile<ptr<f32>>
    %reshape = reshape %assume : tile<ptr<f32>> -> tile<1xptr<f32>>
    %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %1 = offset %bcast, %0 : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %result, %result_token = load_ptr_tko weak %1 : tile<512xptr<f32>> -> tile<512xf32>, token
    %tview = make_tensor_view %arg1, shape = [%arg2, %arg3], strides = [%arg4, 1029] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1029]>
    %reshape_0 = reshape %result : tile<512xf32> -> tile<1x512xf32>
    %pview = make_partition_view %tview : partition_view<tile=(1x512), tensor_view<?x?xf32, strides=[?,1029]>, dim_map=[1, 0]>
    %2 = store_view_tko weak %reshape_0, %pview[%arg2, %arg2] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<?x?xf32, strides=[?,1029]>, dim_map=[1, 0]>, tile<i32> -> token
    return
  }
}

