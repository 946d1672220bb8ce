cuda_tile.module @kernels {
  entry @insert_flags(%in: tile<ptr<i1>>, %out: tile<ptr<i1>>, %place: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %part = constant <i1: true> : tile<2xi1>
    %iv = make_tensor_view %in, shape = [8], strides = [1] : tensor_view<8xi1, strides=[1]>
    %ip = make_partition_view %iv : partition_view<tile=(8), tensor_view<8xi1, strides=[1]>>
    %flags, %t0 = load_view_tko weak %ip[%zero] : partition_view<tile=(8), tensor_view<8xi1, strides=[1]>>, tile<i32> -> tile<8xi1>, token
    %both = insert %part, %flags[%place] : tile<2xi1>, tile<8xi1>
    %ov = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi1, strides=[1]>
    %op = make_partition_view %ov : partition_view<tile=(8), tensor_view<8xi1, strides=[1]>>
    %t1 = store_view_tko weak %both, %op[%zero] : tile<8xi1>, partition_view<tile=(8), tensor_view<8xi1, strides=[1]>>, tile<i32> -> token
    return
  }
}
