cuda_tile.module @kernels {
  entry @scan_of_product(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %out: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.0> : tile<32x64xf32>
    %av = make_tensor_view %a, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf16, strides=[16,1]>
    %ap = make_partition_view %av : partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16,1]>>
    %at, %t0 = load_view_tko weak %ap[%zero, %zero] : partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16,1]>>, tile<i32> -> tile<32x16xf16>, token
    %bv = make_tensor_view %b, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf16, strides=[64,1]>
    %bp = make_partition_view %bv : partition_view<tile=(16x64), tensor_view<16x64xf16, strides=[64,1]>>
    %bt, %t1 = load_view_tko weak %bp[%zero, %zero] : partition_view<tile=(16x64), tensor_view<16x64xf16, strides=[64,1]>>, tile<i32> -> tile<16x64xf16>, token
    %product = mmaf %at, %bt, %none : tile<32x16xf16>, tile<16x64xf16>, tile<32x64xf32>
    %scanned = scan %product dim=1 reverse=false identities=[0x00000000 : f32] : tile<32x64xf32> -> tile<32x64xf32>
    (%x: tile<f32>, %y: tile<f32>) {
      %s = addf %x, %y : tile<f32>
      yield %s : tile<f32>
    }
    %ov = make_tensor_view %out, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %op = make_partition_view %ov : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
    %t2 = store_view_tko weak %scanned, %op[%zero, %zero] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
