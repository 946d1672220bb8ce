cuda_tile.module @m {
  entry @k(%a: tile<ptr<i32>>, %o: tile<ptr<i8>>) {
    %z = constant <i32: 0> : tile<i32>
    %zt = constant <i32: 0> : tile<64xi32>
    %a_v = make_tensor_view %a, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %a_p = make_partition_view %a_v : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>
    %o_v = make_tensor_view %o, shape = [32], strides = [1] : tensor_view<32xi8, strides=[1]>
    %o_p = make_partition_view %o_v : partition_view<tile=(32), tensor_view<32xi8, strides=[1]>>
    %x, %x_t = load_view_tko weak %a_p[%z] : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %b = cmpi not_equal %x, %zt, signed : tile<64xi32> -> tile<64xi1>
    %y = exti %b signed : tile<64xi1> -> tile<64xi4>
    %f = pack %y : tile<64xi4> -> tile<32xi8>
    %st = store_view_tko weak %f, %o_p[%z] : tile<32xi8>, partition_view<tile=(32), tensor_view<32xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
