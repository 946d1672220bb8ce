cuda_tile.module @m {
  entry @k(%a: tile<ptr<i32>>) {
    %z = constant <i32: 0> : tile<i32>
    %a_v = make_tensor_view %a, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %a_p = make_partition_view %a_v : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %x, %x_t = load_view_tko weak %a_p[%z] : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %y = trunci %x : tile<8xi32> -> tile<8xi4>
    %zt = constant <i32: 0> : tile<8xi32>
    %b = cmpi not_equal %x, %zt, signed : tile<8xi32> -> tile<8xi1>
    %w = exti %b signed : tile<8xi1> -> tile<8xi4>
    %t = print_tko "%d %u %x\n", %y, %y, %y : tile<8xi4>, tile<8xi4>, tile<8xi4> -> token
    %t2 = print_tko "%d %u %x\n", %w, %w, %w : tile<8xi4>, tile<8xi4>, tile<8xi4> -> token
    return
  }
}
