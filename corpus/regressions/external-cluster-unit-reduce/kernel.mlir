cuda_tile.module @kernels {
  entry @row_sums(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) optimization_hints=<sm_90 = {num_cta_in_cga = 2}, sm_100 = {num_cta_in_cga = 2}> {
    %i = iota : tile<2xi32>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %inAll = broadcast %in1 : tile<1xptr<i32>> -> tile<2xptr<i32>>
    %at = offset %inAll, %i : tile<2xptr<i32>>, tile<2xi32> -> tile<2xptr<i32>>
    %x, %t0 = load_ptr_tko weak %at : tile<2xptr<i32>> -> tile<2xi32>, token
    %rows = reshape %x : tile<2xi32> -> tile<2x1xi32>
    %sums = reduce %rows dim=1 identities=[0 : i32] : tile<2x1xi32> -> tile<2xi32>
    (%a: tile<i32>, %b: tile<i32>) {
      %s = addi %a, %b : tile<i32>
      yield %s : tile<i32>
    }
    %j = iota : tile<2xi32>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outAll = broadcast %out1 : tile<1xptr<i32>> -> tile<2xptr<i32>>
    %to = offset %outAll, %j : tile<2xptr<i32>>, tile<2xi32> -> tile<2xptr<i32>>
    %t1 = store_ptr_tko weak %to, %sums : tile<2xptr<i32>>, tile<2xi32> -> token
    return
  }
}
