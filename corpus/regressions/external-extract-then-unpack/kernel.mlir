cuda_tile.module @kernels {
  entry @words_of_a_part(%in: tile<ptr<i8>>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %part = constant <i32: 1> : tile<i32>
    %iv = make_tensor_view %in, shape = [64], strides = [1] : tensor_view<64xi8, strides=[1]>
    %ip = make_partition_view %iv : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>
    %all, %t0 = load_view_tko weak %ip[%zero] : partition_view<tile=(64), tensor_view<64xi8, strides=[1]>>, tile<i32> -> tile<64xi8>, token
    %bytes = extract %all[%part] : tile<64xi8> -> tile<32xi8>
    %words = unpack %bytes : tile<32xi8> -> tile<8xi32>
    %ov = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %op = make_partition_view %ov : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %t1 = store_view_tko weak %words, %op[%zero] : tile<8xi32>, partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
