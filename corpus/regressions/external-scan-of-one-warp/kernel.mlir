cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<i32>>, %arg1: tile<ptr<i32>>) optimization_hints=<default = {num_worker_warps_per_cta = 1}> {
    %0 = iota : tile<64xi32>
    %reshape = reshape %arg0 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bcast = broadcast %reshape : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %1 = offset %bcast, %0 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %result, %result_token = load_ptr_tko weak %1 : tile<64xptr<i32>> -> tile<64xi32>, token
    %reshape_0 = reshape %result : tile<64xi32> -> tile<4x16xi32>
    %2 = scan %reshape_0 dim=0 reverse=false identities=[0 : i32] : tile<4x16xi32> -> tile<4x16xi32> 
    (%arg2: tile<i32>, %arg3: tile<i32>) {
      %5 = addi %arg2, %arg3 : tile<i32>
      yield %5 : tile<i32>
    }
    %reshape_1 = reshape %2 : tile<4x16xi32> -> tile<64xi32>
    %reshape_2 = reshape %arg1 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bcast_3 = broadcast %reshape_2 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %3 = offset %bcast_3, %0 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %4 = store_ptr_tko weak %3, %reshape_1 : tile<64xptr<i32>>, tile<64xi32> -> token
    return
  }
}
