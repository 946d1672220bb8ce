cuda_tile.module @kernels {
  global constant @first alignment = 8 <i64: 7> : tile<1xi64>
  entry @product_of_a_table(%in: tile<ptr<f64>>, %out: tile<ptr<f64>>) {
    %zero = constant <i32: 0> : tile<i32>
    %table = constant <f64: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf64>
    %none = constant <f64: 0.0> : tile<2x8xf64>
    %iv = make_tensor_view %in, shape = [2, 8], strides = [8, 1] : tensor_view<2x8xf64, strides=[8,1]>
    %ip = make_partition_view %iv : partition_view<tile=(2x8), tensor_view<2x8xf64, strides=[8,1]>>
    %all, %t0 = load_view_tko weak %ip[%zero, %zero] : partition_view<tile=(2x8), tensor_view<2x8xf64, strides=[8,1]>>, tile<i32> -> tile<2x8xf64>, token
    %sum = mmaf %table, %all, %none : tile<2x2xf64>, tile<2x8xf64>, tile<2x8xf64>
    %ov = make_tensor_view %out, shape = [2, 8], strides = [8, 1] : tensor_view<2x8xf64, strides=[8,1]>
    %op = make_partition_view %ov : partition_view<tile=(2x8), tensor_view<2x8xf64, strides=[8,1]>>
    %t1 = store_view_tko weak %sum, %op[%zero, %zero] : tile<2x8xf64>, partition_view<tile=(2x8), tensor_view<2x8xf64, strides=[8,1]>>, tile<i32> -> token
    return
  }
}
