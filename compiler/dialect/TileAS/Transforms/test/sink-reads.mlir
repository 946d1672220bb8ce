// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 stop-after=tileas-sink-reads" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 stop-after=tileas-assign-pipeline-layouts" | FileCheck %s --check-prefix=BEFORE
// RUN: grep -v '%w, %t4' %s | sed -e 's/%h, %w/%h, %v/' | tile-opt --tilesmith-pipeline="gpu-name=sm_80 stop-after=tileas-sink-reads" | FileCheck %s --check-prefix=BEFORE
// Three products in turn: the operand of each is read behind the one before. Two operands fit beside each other.
// BEFORE: scf.for
// BEFORE: consumer_read
// BEFORE-NOT: consumer_read
// CHECK: scf.for
// CHECK: consumer_wait
// CHECK: consumer_read
// CHECK: "nv_tileas.dot"
// CHECK: nv_tileaa.exp2
// CHECK: consumer_read
// CHECK: "nv_tileas.dot"
// CHECK: consumer_read
// CHECK: "nv_tileas.dot"
// CHECK-NEXT: consumer_release
cuda_tile.module @m {
  entry @attention(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %pw: tile<ptr<f16>>, %po: tile<ptr<f32>>, %n: tile<i32>) {
    %q16 = assume div_by<16>, %pq : tile<ptr<f16>>
    %k16 = assume div_by<16>, %pk : tile<ptr<f16>>
    %v16 = assume div_by<16>, %pv : tile<ptr<f16>>
    %w16 = assume div_by<16>, %pw : tile<ptr<f16>>
    %i = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %tq = make_tensor_view %q16, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %tk = make_tensor_view %k16, shape = [64, 4096], strides = [4096, 1] : tensor_view<64x4096xf16, strides=[4096,1]>
    %tv = make_tensor_view %v16, shape = [4096, 64], strides = [64, 1] : tensor_view<4096x64xf16, strides=[64,1]>
    %tw = make_tensor_view %w16, shape = [4096, 64], strides = [64, 1] : tensor_view<4096x64xf16, strides=[64,1]>
    %to = make_tensor_view %po, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %vq = make_partition_view %tq : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %vk = make_partition_view %tk : partition_view<tile=(64x64), tensor_view<64x4096xf16, strides=[4096,1]>>
    %vv = make_partition_view %tv : partition_view<tile=(64x64), tensor_view<4096x64xf16, strides=[64,1]>>
    %vw = make_partition_view %tw : partition_view<tile=(64x64), tensor_view<4096x64xf16, strides=[64,1]>>
    %vo = make_partition_view %to : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %q, %t0 = load_view_tko weak %vq[%i, %i] : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %o = for %j in (%i to %n, step %one) : tile<i32> iter_values(%sum = %zero) -> (tile<64x64xf32>) {
      %k, %t1 = load_view_tko weak %vk[%i, %j] : partition_view<tile=(64x64), tensor_view<64x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<64x64xf16>, token
      %v, %t2 = load_view_tko weak %vv[%j, %i] : partition_view<tile=(64x64), tensor_view<4096x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %w, %t4 = load_view_tko weak %vw[%j, %i] : partition_view<tile=(64x64), tensor_view<4096x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %s = mmaf %q, %k, %zero : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %top = reduce %s dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%x: tile<f32>, %y: tile<f32>) {
        %greater = maxf %x, %y : tile<f32>
        yield %greater : tile<f32>
      }
      %column = reshape %top : tile<64xf32> -> tile<64x1xf32>
      %tops = broadcast %column : tile<64x1xf32> -> tile<64x64xf32>
      %d = subf %s, %tops : tile<64x64xf32>
      %e = exp2 %d : tile<64x64xf32>
      %p = ftof %e : tile<64x64xf32> -> tile<64x64xf16>
      %t = mmaf %p, %v, %zero : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %h = ftof %t : tile<64x64xf32> -> tile<64x64xf16>
      %next = mmaf %h, %w, %sum : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %t3 = store_view_tko weak %o, %vo[%i, %i] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
