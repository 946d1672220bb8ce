// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 auto to=tileas" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 auto stop-after=gpu-remove-barriers" | FileCheck %s --check-prefix=CODE
// A loop carries what its last product leaves, as that product has it: its readers are left operands, for which the
// layouts agree, and right ones, permuted or not, which threads write to shared memory from whatever they hold.
// CHECK-LABEL: sym_name = "chain"
// CHECK: scf.for {{.*}}iter_args(%[[CARRIED:[a-z0-9]+]] = {{.*}}tensor<64x64xbf16, #nv_tileas.layout<shape = [64, 64], register = [1, 512, 8, 16, 32], lane = [2, 4, 64, 128, 256], warp = [1024, 2048]>
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: %[[TURNED:.*]] = nv_tileas.permute %[[CARRIED]]
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: "nv_tileas.dot"(%[[CARRIED]], %[[TURNED]], %{{.*}}) <{atom = "wgmma.bf16"
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: "nv_tileas.dot"(%{{.*}}, %[[CARRIED]], %{{.*}}) <{atom = "wgmma.bf16"
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: scf.yield
// A product waits for its own operand alone: each has its own place, also of three in a turn.
// CODE-LABEL: gpu.func @chain
// CODE: scf.for %{{.*}} = %c0_i32 to %c3_i32
// CODE-NOT: gpu.barrier
// CODE: gpu.barrier
// CODE-NOT: gpu.barrier
// CODE: mma_async {{.*}}nvgpu_ext.reach = array<i64: [[#FIRST:]],
// CODE-NOT: gpu.barrier
// CODE: nvvm.fence.proxy
// CODE-NEXT: gpu.barrier
// CODE-NOT: gpu.barrier
// CODE: mma_async {{.*}}nvgpu_ext.reach = array<i64: [[#FIRST+8192]],
cuda_tile.module @m {
  entry @chain(%pa: tile<ptr<bf16>>, %pc: tile<ptr<bf16>>) {
    %a = assume div_by<16>, %pa : tile<ptr<bf16>>
    %c = assume div_by<16>, %pc : tile<ptr<bf16>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %turns = constant <i32: 3> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %tok = make_token : token
    %va = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xbf16, strides=[64,1]>
    %ta = make_partition_view %va : partition_view<tile=(64x64), tensor_view<64x64xbf16, strides=[64,1]>>
    %x, %t0 = load_view_tko weak %ta[%zero, %zero] token = %tok : partition_view<tile=(64x64), tensor_view<64x64xbf16, strides=[64,1]>>, tile<i32> -> tile<64x64xbf16>, token
    %r = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%s = %x) -> (tile<64x64xbf16>) {
      %turned = permute %s [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %p = mmaf %s, %turned, %none : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %q = ftof %p : tile<64x64xf32> -> tile<64x64xbf16>
      %y = mmaf %q, %s, %none : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %n = ftof %y : tile<64x64xf32> -> tile<64x64xbf16>
      continue %n : tile<64x64xbf16>
    }
    %vc = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xbf16, strides=[64,1]>
    %tc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xbf16, strides=[64,1]>>
    %t1 = store_view_tko weak %r, %tc[%zero, %zero] token = %t0 : tile<64x64xbf16>, partition_view<tile=(64x64), tensor_view<64x64xbf16, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
