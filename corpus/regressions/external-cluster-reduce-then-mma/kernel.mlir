cuda_tile.module @kernels {
  entry @sum_then_product(%in: tile<ptr<i8>>, %out: tile<ptr<i32>>) optimization_hints=<sm_90 = {num_cta_in_cga = 4},sm_100 = {num_cta_in_cga = 4}> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i8: 1> : tile<1x4xi8>
    %none = constant <i32: 0> : tile<64x4xi32>
    %iv = make_tensor_view %in, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi8, strides=[64,1]>
    %ip = make_partition_view %iv : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>
    %rows, %t0 = load_view_tko weak %ip[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>, tile<i32> -> tile<64x64xi8>, token
    %tall = reshape %rows : tile<64x64xi8> -> tile<64x64x1xi8>
    %column = reduce %tall dim=0 identities=[0 : i8] : tile<64x64x1xi8> -> tile<64x1xi8>
    (%x: tile<i8>, %y: tile<i8>) {
      %s = addi %x, %y : tile<i8>
      yield %s : tile<i8>
    }
    %wide = mmai %column, %one, %none signed signed : tile<64x1xi8>, tile<1x4xi8>, tile<64x4xi32>
    %ov = make_tensor_view %out, shape = [64, 4], strides = [4, 1] : tensor_view<64x4xi32, strides=[4,1]>
    %op = make_partition_view %ov : partition_view<tile=(64x4), tensor_view<64x4xi32, strides=[4,1]>>
    %t1 = store_view_tko weak %wide, %op[%zero, %zero] : tile<64x4xi32>, partition_view<tile=(64x4), tensor_view<64x4xi32, strides=[4,1]>>, tile<i32> -> token
    return
  }
}
