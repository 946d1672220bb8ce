cuda_tile.module @kernels {
  entry @scan_exchanged(%a: tile<ptr<f16>>, %out: tile<ptr<f16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %av = make_tensor_view %a, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf16, strides=[8,1]>
    %ap = make_partition_view %av : partition_view<tile=(8x8), tensor_view<8x8xf16, strides=[8,1]>>
    %l, %t0 = load_view_tko weak %ap[%zero, %zero] : partition_view<tile=(8x8), tensor_view<8x8xf16, strides=[8,1]>>, tile<i32> -> tile<8x8xf16>, token
    %one = constant <f16: 1.0> : tile<8x8xf16>
    %scanned = scan %l dim=0 reverse=false identities=[0.0 : f16] : tile<8x8xf16> -> tile<8x8xf16>
    (%x: tile<f16>, %y: tile<f16>) {
      %s = addf %x, %y : tile<f16>
      yield %s : tile<f16>
    }
    %r0 = reshape %scanned : tile<8x8xf16> -> tile<2x2x2x8xf16>
    %r1 = permute %r0 [3, 1, 0, 2] : tile<2x2x2x8xf16> -> tile<8x2x2x2xf16>
    %r = reshape %r1 : tile<8x2x2x2xf16> -> tile<8x8xf16>
    %outv = make_tensor_view %out, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf16, strides=[8,1]>
    %outp = make_partition_view %outv : partition_view<tile=(8x8), tensor_view<8x8xf16, strides=[8,1]>>
    %t2 = store_view_tko weak %r, %outp[%zero, %zero] : tile<8x8xf16>, partition_view<tile=(8x8), tensor_view<8x8xf16, strides=[8,1]>>, tile<i32> -> token
    return
  }
}
