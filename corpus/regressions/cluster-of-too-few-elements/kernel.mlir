cuda_tile.module @kernels attributes {producer = "tilesmith"} {
  entry @kernel(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 16, occupancy = 7}> {
    %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
    %tview = make_tensor_view %arg0, shape = [64], strides = [%arg1] : tile<i32> -> tensor_view<64xi32, strides=[?]>
    %pview = make_partition_view %tview : partition_view<tile=(32), padding_value = zero, tensor_view<64xi32, strides=[?]>>
    %tile, %result_token = load_view_tko weak %pview[%blockId_x] : partition_view<tile=(32), padding_value = zero, tensor_view<64xi32, strides=[?]>>, tile<i32> -> tile<32xi32>, token
    %cst_0_i32 = constant <i32: 0> : tile<32xi32>
    %cst_-1_i32 = constant <i32: -1> : tile<32xi32>
    %0 = cmpi less_than %cst_0_i32, %cst_-1_i32, signed : tile<32xi32> -> tile<32xi1>
    %reshape = reshape %arg0 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bcast = broadcast %reshape : tile<1xptr<i32>> -> tile<32xptr<i32>>
    %1 = store_ptr_tko weak %bcast, %tile, %0 : tile<32xptr<i32>>, tile<32xi32>, tile<32xi1> -> token
    return
  }
}

