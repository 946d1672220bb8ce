// Products of f32 whose sums are rounded once more: x * y - z, beside fma of the same numbers.
cuda_tile.module @m {
  entry @kernel(%px: tile<ptr<f32>>, %py: tile<ptr<f32>>, %pz: tile<ptr<f32>>, %po: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %x = assume div_by<16>, %px : tile<ptr<f32>>
    %y = assume div_by<16>, %py : tile<ptr<f32>>
    %z = assume div_by<16>, %pz : tile<ptr<f32>>
    %o = assume div_by<16>, %po : tile<ptr<f32>>
    %vx = make_tensor_view %x, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %vy = make_tensor_view %y, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %vz = make_tensor_view %z, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %vo = make_tensor_view %o, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %tx = make_partition_view %vx : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %ty = make_partition_view %vy : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %tz = make_partition_view %vz : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %to = make_partition_view %vo : partition_view<tile=(512), tensor_view<1024xf32, strides=[1]>>
    %a, %t0 = load_view_tko weak %tx[%c0] : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> tile<512xf32>, token
    %b, %t1 = load_view_tko weak %ty[%c0] : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> tile<512xf32>, token
    %c, %t2 = load_view_tko weak %tz[%c0] : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> tile<512xf32>, token
    %p = mulf %a, %b : tile<512xf32>
    %d = subf %p, %c : tile<512xf32>
    %f = fma %a, %b, %c : tile<512xf32>
    %u0 = store_view_tko weak %d, %to[%c0] : tile<512xf32>, partition_view<tile=(512), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    %u1 = store_view_tko weak %f, %to[%c1] : tile<512xf32>, partition_view<tile=(512), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
