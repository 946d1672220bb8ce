cuda_tile.module @m {

  entry @k(%p0: tile<ptr<f4E2M1FN>>, %s1: tile<i32>, %s2: tile<i32>, %p1: tile<ptr<f4E2M1FN>>) {
    %tv = make_tensor_view %p0, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf4E2M1FN, strides=[8,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x1), padding_value = zero, tensor_view<8x8xf4E2M1FN, strides=[8,1]>>
    %ov = make_tensor_view %p1, shape = [8], strides = [1] : tensor_view<8xf4E2M1FN, strides=[1]>
    %op = make_partition_view %ov : partition_view<tile=(8), tensor_view<8xf4E2M1FN, strides=[1]>>
    %v1 = constant <i32: 0> : tile<i32>
    %x, %tk = load_view_tko weak %pv[%s1, %s2] : partition_view<tile=(8x1), padding_value = zero, tensor_view<8x8xf4E2M1FN, strides=[8,1]>>, tile<i32> -> tile<8x1xf4E2M1FN>, token
    %v2 = reshape %x : tile<8x1xf4E2M1FN> -> tile<8xf4E2M1FN>
    %tk2 = store_view_tko weak %v2, %op[%v1] : tile<8xf4E2M1FN>, partition_view<tile=(8), tensor_view<8xf4E2M1FN, strides=[1]>>, tile<i32> -> token
  }
}
