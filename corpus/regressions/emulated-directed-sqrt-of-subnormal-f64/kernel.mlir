cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f64>>, %z: tile<ptr<f64>>, %u: tile<ptr<f64>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %ta = make_tensor_view %a, shape = [16], strides = [1] : tensor_view<16xf64, strides=[1]>
    %tz = make_tensor_view %z, shape = [16], strides = [1] : tensor_view<16xf64, strides=[1]>
    %tu = make_tensor_view %u, shape = [16], strides = [1] : tensor_view<16xf64, strides=[1]>
    %va = make_partition_view %ta : partition_view<tile=(16), tensor_view<16xf64, strides=[1]>>
    %vz = make_partition_view %tz : partition_view<tile=(16), tensor_view<16xf64, strides=[1]>>
    %vu = make_partition_view %tu : partition_view<tile=(16), tensor_view<16xf64, strides=[1]>>
    %x, %t0 = load_view_tko weak %va[%c0] : partition_view<tile=(16), tensor_view<16xf64, strides=[1]>>, tile<i32> -> tile<16xf64>, token
    %rz = sqrt %x rounding<zero> : tile<16xf64>
    %ru = sqrt %x rounding<positive_inf> : tile<16xf64>
    %t1 = store_view_tko weak %rz, %vz[%c0] : tile<16xf64>, partition_view<tile=(16), tensor_view<16xf64, strides=[1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %ru, %vu[%c0] : tile<16xf64>, partition_view<tile=(16), tensor_view<16xf64, strides=[1]>>, tile<i32> -> token
    return
  }
}
