cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<i1>>, %arg1: tile<ptr<i1>>, %arg2: tile<i32>, %arg3: tile<i32>, %arg4: tile<i32>, %arg5: tile<i32>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<16xi32>
    %cst_48_i32 = constant <i32: 48> : tile<i32>
    %false = constant <i1: false> : tile<16xi1>
    %cst_16_i32 = constant <i32: 16> : tile<i32>
    %for = for unsigned %loopIdx in (%cst_0_i32 to %cst_48_i32, step %cst_16_i32) : tile<i32> iter_values(%iterArg0 = %false) -> (tile<16xi1>) {
      %reshape_1 = reshape %loopIdx : tile<i32> -> tile<1xi32>
      %bcast = broadcast %reshape_1 : tile<1xi32> -> tile<16xi32>
      %1 = addi %cst_0_i32_0, %bcast : tile<16xi32>
      %reshape_2 = reshape %arg0 : tile<ptr<i1>> -> tile<1xptr<i1>>
      %bcast_3 = broadcast %reshape_2 : tile<1xptr<i1>> -> tile<16xptr<i1>>
      %2 = offset %bcast_3, %1 : tile<16xptr<i1>>, tile<16xi32> -> tile<16xptr<i1>>
      %result, %result_token = load_ptr_tko weak %2 : tile<16xptr<i1>> -> tile<16xi1>, token
      %3 = xori %iterArg0, %result : tile<16xi1>
      continue %3 : tile<16xi1>
    }
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %tview = make_tensor_view %arg1, shape = [%arg2, %arg3], strides = [%arg4, %arg5] : tile<i32> -> tensor_view<?x?xi1, strides=[?,?]>
    %reshape = reshape %for : tile<16xi1> -> tile<1x16xi1>
    %pview = make_partition_view %tview : partition_view<tile=(1x16), tensor_view<?x?xi1, strides=[?,?]>>
    %0 = store_view_tko weak %reshape, %pview[%cst_0_i64, %cst_0_i64] : tile<1x16xi1>, partition_view<tile=(1x16), tensor_view<?x?xi1, strides=[?,?]>>, tile<i64> -> token
    return
  }
}

