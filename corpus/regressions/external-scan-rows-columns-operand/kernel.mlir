cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<bf16>>, %s: tile<ptr<f32>>, %o: tile<ptr<f32>>) {
    %ta = make_tensor_view %a, shape = [128, 16], strides = [16, 1] : tensor_view<128x16xbf16, strides=[16,1]>
    %ts = make_tensor_view %s, shape = [1, 128], strides = [128, 1] : tensor_view<1x128xf32, strides=[128,1]>
    %to = make_tensor_view %o, shape = [128, 16], strides = [16, 1] : tensor_view<128x16xf32, strides=[16,1]>
    %pa = make_partition_view %ta : partition_view<tile=(128x16), tensor_view<128x16xbf16, strides=[16,1]>>
    %ps = make_partition_view %ts : partition_view<tile=(1x128), tensor_view<1x128xf32, strides=[128,1]>>
    %po = make_partition_view %to : partition_view<tile=(128x16), tensor_view<128x16xf32, strides=[16,1]>>
    %tok = make_token : token
    %z = constant <i32: 0> : tile<i32>
    %x, %t1 = load_view_tko weak %pa[%z, %z] token = %tok : partition_view<tile=(128x16), tensor_view<128x16xbf16, strides=[16,1]>>, tile<i32> -> tile<128x16xbf16>, token
    %d, %t2 = load_view_tko weak %ps[%z, %z] token = %tok : partition_view<tile=(1x128), tensor_view<1x128xf32, strides=[128,1]>>, tile<i32> -> tile<1x128xf32>, token
    %v = scan %d dim=1 reverse=false identities=[0.0 : f32] : tile<1x128xf32> -> tile<1x128xf32>
    (%l: tile<f32>, %r0: tile<f32>) {
      %y = addf %l, %r0 : tile<f32>
      yield %y : tile<f32>
    }
    %row = broadcast %v : tile<1x128xf32> -> tile<128x128xf32>
    %p = permute %v [1, 0] : tile<1x128xf32> -> tile<128x1xf32>
    %col = broadcast %p : tile<128x1xf32> -> tile<128x128xf32>
    %q = subf %col, %row : tile<128x128xf32>
    %g = ftof %q : tile<128x128xf32> -> tile<128x128xbf16>
    %f0 = constant <f32: 0.0> : tile<128x16xf32>
    %r = mmaf %g, %x, %f0 : tile<128x128xbf16>, tile<128x16xbf16>, tile<128x16xf32>
    %t3 = store_view_tko weak %r, %po[%z, %z] token = %tok : tile<128x16xf32>, partition_view<tile=(128x16), tensor_view<128x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
