// tileiras 13.4, sm_90, sm_100 and sm_120, -O0 to -O3: STS.U16 at 0x440 of shared memory that ends at 0x404.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i1>>, %m: tile<i32>, %n: tile<i32>, %s: tile<i32>) {
    %flags = constant <i1: false> : tile<2xi1>
    %four = cat %flags, %flags dim = 0 : tile<2xi1>, tile<2xi1> -> tile<4xi1>
    %view = make_tensor_view %a, shape = [%m, %n], strides = [%s, %m] : tile<i32> -> tensor_view<?x?xi1, strides=[?,?]>
    %row = reshape %four : tile<4xi1> -> tile<1x4xi1>
    %zero = constant <i64: 0> : tile<i64>
    %tiles = make_partition_view %view : partition_view<tile=(1x4), tensor_view<?x?xi1, strides=[?,?]>>
    %t = store_view_tko weak %row, %tiles[%zero, %zero] : tile<1x4xi1>, partition_view<tile=(1x4), tensor_view<?x?xi1, strides=[?,?]>>, tile<i64> -> token
    return
  }
}
