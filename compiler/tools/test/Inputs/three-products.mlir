cuda_tile.module @three_products {
  entry @on_tensor_cores(%p: tile<ptr<f16>>, %q: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %a, %t = load_view_tko weak %w[%c0, %c0] : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %z = constant <f32: 0.0> : tile<64x64xf32>
    %r = mmaf %a, %a, %z : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %ov = make_tensor_view %q, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %ow = make_partition_view %ov : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %s = store_view_tko weak %r, %ow[%c0, %c0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @element_by_element(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    %w = make_partition_view %v : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>
    %a, %t = load_view_tko weak %w[%c0, %c0] : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> tile<16x16xf32>, token
    %z = constant <f32: 0.0> : tile<16x16xf32>
    %r = mmaf %a, %a, %z : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>
    %ov = make_tensor_view %q, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    %ow = make_partition_view %ov : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>
    %s = store_view_tko weak %r, %ow[%c0, %c0] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
  entry @bytes(%p: tile<ptr<i8>>, %q: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi8, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>
    %a, %t = load_view_tko weak %w[%c0, %c0] : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>, tile<i32> -> tile<64x64xi8>, token
    %z = constant <i32: 0> : tile<64x64xi32>
    %r = mmai %a, %a, %z unsigned unsigned : tile<64x64xi8>, tile<64x64xi8>, tile<64x64xi32>
    %ov = make_tensor_view %q, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64,1]>
    %ow = make_partition_view %ov : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64,1]>>
    %s = store_view_tko weak %r, %ow[%c0, %c0] : tile<64x64xi32>, partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
