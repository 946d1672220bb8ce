cuda_tile.module @m {
  entry @kernel(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %k: tile<ptr<i64>>, %o: tile<ptr<i64>>) optimization_hints=<default = {num_cta_in_cga = 16}> {
    %z = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %n = constant <i32: 64> : tile<i32>
    %start = constant <i64: 1> : tile<8xi64>
    %av = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %ap = make_partition_view %av : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %bv = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %bp = make_partition_view %bv : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %x, %t0 = load_view_tko weak %ap[%z, %z] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %t1 = store_view_tko weak %x, %bp[%z, %z] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %kv = make_tensor_view %k, shape = [8], strides = [1] : tensor_view<8xi64, strides=[1]>
    %kp = make_partition_view %kv : partition_view<tile=(8), tensor_view<8xi64, strides=[1]>>
    %ov = make_tensor_view %o, shape = [8], strides = [1] : tensor_view<8xi64, strides=[1]>
    %op = make_partition_view %ov : partition_view<tile=(8), tensor_view<8xi64, strides=[1]>>
    %y, %t2 = load_view_tko weak %kp[%z] : partition_view<tile=(8), tensor_view<8xi64, strides=[1]>>, tile<i32> -> tile<8xi64>, token
    %last = for %i in (%z to %n, step %one) : tile<i32> iter_values(%v = %start) -> (tile<8xi64>) {
      %p = muli %v, %y : tile<8xi64>
      %q = xori %p, %v : tile<8xi64>
      %r = divi %q, %y signed rounding<zero> : tile<8xi64>
      %s = addi %r, %p : tile<8xi64>
      continue %s : tile<8xi64>
    }
    %t3 = store_view_tko weak %last, %op[%z] : tile<8xi64>, partition_view<tile=(8), tensor_view<8xi64, strides=[1]>>, tile<i32> -> token
    return
  }
}
