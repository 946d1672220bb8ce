cuda_tile.module @m {
  entry @kernel(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %z = constant <i32: 0> : tile<i32>
    %zero = constant <f32: 0.0> : tile<16x64xf32>
    %av = make_tensor_view %a, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf16, strides=[16,1]>
    %ap = make_partition_view %av : partition_view<tile=(16x16), tensor_view<16x16xf16, strides=[16,1]>>
    %bv = make_tensor_view %b, shape = [16, 64], strides = [65, 1] : tensor_view<16x64xf16, strides=[65,1]>
    %bp = make_partition_view %bv : partition_view<tile=(64x16), tensor_view<16x64xf16, strides=[65,1]>, dim_map=[1, 0]>
    %at, %t0 = load_view_tko weak %ap[%z, %z] : partition_view<tile=(16x16), tensor_view<16x16xf16, strides=[16,1]>>, tile<i32> -> tile<16x16xf16>, token
    %bt, %t1 = load_view_tko weak %bp[%z, %z] : partition_view<tile=(64x16), tensor_view<16x64xf16, strides=[65,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x16xf16>, token
    %turned = permute %bt [1, 0] : tile<64x16xf16> -> tile<16x64xf16>
    %sum = mmaf %at, %turned, %zero : tile<16x16xf16>, tile<16x64xf16>, tile<16x64xf32>
    %cv = make_tensor_view %c, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
    %cp = make_partition_view %cv : partition_view<tile=(16x64), tensor_view<16x64xf32, strides=[64,1]>>
    %t2 = store_view_tko weak %sum, %cp[%z, %z] : tile<16x64xf32>, partition_view<tile=(16x64), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
