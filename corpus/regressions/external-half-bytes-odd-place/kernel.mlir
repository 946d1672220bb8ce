cuda_tile.module @m {

  entry @k(%p0: tile<ptr<f4E2M1FN>>, %s1: tile<i32>, %p1: tile<ptr<f4E2M1FN>>) {
    %tv = make_tensor_view %p0, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xf4E2M1FN, strides=[16,1]>
    %pv = make_gather_scatter_view %tv : gather_scatter_view<tile=(4x4), padding_value = zero, tensor_view<8x16xf4E2M1FN, strides=[16,1]>, sparse_dim=0>
    %v1 = constant <i32: [1, 5, 2, 7]> : tile<4xi32>
    %ov = make_tensor_view %p1, shape = [16], strides = [1] : tensor_view<16xf4E2M1FN, strides=[1]>
    %op = make_partition_view %ov : partition_view<tile=(16), tensor_view<16xf4E2M1FN, strides=[1]>>
    %v2 = constant <i32: 0> : tile<i32>
    %x, %tk = load_view_tko weak %pv[%v1, %s1] : gather_scatter_view<tile=(4x4), padding_value = zero, tensor_view<8x16xf4E2M1FN, strides=[16,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<4x4xf4E2M1FN>, token
    %v3 = reshape %x : tile<4x4xf4E2M1FN> -> tile<16xf4E2M1FN>
    %tk2 = store_view_tko weak %v3, %op[%v2] : tile<16xf4E2M1FN>, partition_view<tile=(16), tensor_view<16xf4E2M1FN, strides=[1]>>, tile<i32> -> token
  }
}
