cuda_tile.module @kernels {
  entry @kernel(%in: tile<ptr<i16>>, %p: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %mask = constant <i1: false> : tile<32xi1>
    %v = make_tensor_view %in, shape = [64], strides = [1] : tensor_view<64xi16, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(32), tensor_view<64xi16, strides=[1]>>
    %x, %t = load_view_tko weak %w[%zero] : partition_view<tile=(32), tensor_view<64xi16, strides=[1]>>, tile<i32> -> tile<32xi16>, token
    %y = constant <i16: 0> : tile<32xi16>
    %k = constant <i32: 1> : tile<32xi32>
    %q = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %r = broadcast %q : tile<1xptr<i32>> -> tile<32xptr<i32>>
    %f:2 = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %x, %b = %x) -> (tile<32xi16>, tile<32xi16>) {
      %s = offset %r, %a : tile<32xptr<i32>>, tile<32xi16> -> tile<32xptr<i32>>
      %o, %u = atomic_rmw_tko relaxed device %s, and, %k : tile<32xptr<i32>>, tile<32xi32> -> tile<32xi32>, token
      continue %b, %y : tile<32xi16>, tile<32xi16>
    }
    return
  }
}
