cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<f64>>, %arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<ptr<f64>>) {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %0 = alloca num_elem = 16, alignment = 8 : tile<ptr<i32>>
    %cst_0_i32 = constant <i32: 0> : tile<16xi32>
    %cst_i64 = constant <i64: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tile<16xi64>
    %reshape = reshape %0 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bcast = broadcast %reshape : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %1 = offset %bcast, %cst_i64 : tile<16xptr<i32>>, tile<16xi64> -> tile<16xptr<i32>>
    %2 = store_ptr_tko weak %1, %cst_0_i32 : tile<16xptr<i32>>, tile<16xi32> -> token
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %tview = make_tensor_view %arg0, shape = [%cst_1_i32, 64, %arg1], strides = [8192, 1, 64] : tile<i32> -> tensor_view<?x64x?xf64, strides=[8192,1,64]>
    %pview = make_partition_view %tview : partition_view<tile=(1x16x64), padding_value = zero, tensor_view<?x64x?xf64, strides=[8192,1,64]>, dim_map=[0, 2, 1]>
    %tview_1 = make_tensor_view %arg0, shape = [%arg2, %cst_0_i32_0], strides = [1, %cst_0_i32_0] : tile<i32> -> tensor_view<?x?xf64, strides=[1,?]>
    %pview_2 = make_partition_view %tview_1 : partition_view<tile=(64x16), tensor_view<?x?xf64, strides=[1,?]>, dim_map=[1, 0]>
    %cst_0_f64 = constant <f64: 0.000000e+00> : tile<64x64xf64>
    %3:2 = get_index_space_shape %pview_2 : partition_view<tile=(64x16), tensor_view<?x?xf64, strides=[1,?]>, dim_map=[1, 0]> -> tile<i32>
    %for = for %loopIdx in (%cst_0_i32_0 to %3#1, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_f64) -> (tile<64x64xf64>) {
      %tile, %result_token = load_view_tko weak %pview[%cst_0_i32_0, %loopIdx, %cst_0_i32_0] : partition_view<tile=(1x16x64), padding_value = zero, tensor_view<?x64x?xf64, strides=[8192,1,64]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x16x64xf64>, token
      %reshape_6 = reshape %tile : tile<1x16x64xf64> -> tile<16x64xf64>
      %5 = permute %reshape_6 [1, 0] : tile<16x64xf64> -> tile<64x16xf64>
      %cst_0_f64_7 = constant <f64: 0.000000e+00> : tile<16x64xf64>
      %6 = mmaf %5, %cst_0_f64_7, %iterArg0 : tile<64x16xf64>, tile<16x64xf64>, tile<64x64xf64>
      continue %6 : tile<64x64xf64>
    }
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %tview_3 = make_tensor_view %arg3, shape = [%cst_0_i64, 64, %cst_0_i64], strides = [%cst_0_i64, %cst_0_i64, %cst_0_i64] : tile<i64> -> tensor_view<?x64x?xf64, strides=[?,?,?]>
    %reshape_4 = reshape %for : tile<64x64xf64> -> tile<1x64x64xf64>
    %pview_5 = make_partition_view %tview_3 : partition_view<tile=(1x64x64), tensor_view<?x64x?xf64, strides=[?,?,?]>>
    %4 = store_view_tko weak %reshape_4, %pview_5[%cst_0_i32_0, %cst_0_i32_0, %cst_0_i32_0] : tile<1x64x64xf64>, partition_view<tile=(1x64x64), tensor_view<?x64x?xf64, strides=[?,?,?]>>, tile<i32> -> token
    return
  }
}

