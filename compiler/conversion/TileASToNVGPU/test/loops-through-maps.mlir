// A loop of asynchronous products whose stages come by tensor copies is there twice: one test in front of it says whether all
// of them may use their maps. Values are checked by the planted bug loop-maps-taken-for-granted.
// RUN: tile-opt %corpus/perf/gemm_bf16_128x256x64.mlir --tilesmith-pipeline="gpu-name=sm_90 tensor-map host-maps to=gpu" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 tensor-map host-maps to=gpu" | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not=vote.sync

// One arrival completes "full" of a stage, the first thread's; "empty" has one of each warp, and one more word is released late.
// CHECK: nvgpu.mbarrier.init %{{.*}}, %c1 :
// CHECK: nvgpu.mbarrier.init %{{.*}}, %c1 :
// CHECK: nvgpu.mbarrier.init %{{.*}}, %c1 :
// CHECK: nvgpu.mbarrier.init %{{.*}}, %c1 :
// CHECK: nvgpu.mbarrier.init %{{.*}}, %c8 :
// CHECK: nvgpu.mbarrier.init %{{.*}}, %c8 :
// CHECK: nvgpu.mbarrier.init %{{.*}}, %c8 :
// CHECK: nvgpu.mbarrier.init %{{.*}}, %c8 :
// CHECK: nvgpu.mbarrier.init %{{.*}}, %c8 :
// In front of the loop each copy has its test. What threads copy in place of it, they meet behind.
// CHECK: nvvm.mbarrier.expect_tx
// CHECK: nvgpu_ext.tma.async.load
// CHECK: else
// CHECK: nvgpu.device_async_copy
// CHECK: nvgpu.device_async_wait
// CHECK: nvvm.fence.proxy
// CHECK-NEXT: gpu.barrier
// Extents and indices are small enough, bases and strides fit: known once.
// CHECK: %[[HOLDS:.*]] = nvvm.vote.sync all
// CHECK: scf.if %[[HOLDS]]
// CHECK: scf.for
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK: scf.if
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK: scf.if %{{.*}} {
// CHECK: nvgpu.mbarrier.arrive.expect_tx %{{.*}}, %c49152
// CHECK-NOT: expect_tx
// CHECK-NOT: nvgpu.device_async_copy
// CHECK: nvgpu_ext.tma.async.load
// CHECK-NOT: nvgpu.device_async_copy
// CHECK: nvgpu_ext.tma.async.load
// CHECK-NOT: nvgpu.device_async_copy
// CHECK: nvgpu_ext.tma.async.load
// CHECK-NOT: nvgpu.device_async_copy
// CHECK: nvgpu_ext.tma.async.load
// CHECK-NOT: nvgpu.device_async_copy
// CHECK: nvgpu_ext.tma.async.load
// CHECK-NOT: nvgpu.device_async_copy
// CHECK: nvgpu_ext.warpgroup.mma_async
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// The same loop for tensors that no map describes.
// CHECK: else
// CHECK: scf.for
// CHECK: nvgpu_ext.tma.async.load
// CHECK: nvgpu.device_async_copy
// CHECK: gpu.barrier
// CHECK: nvgpu_ext.warpgroup.mma_async

// Products in tensor memory, whose loop the threads share that copy.
// RUN: tile-opt %corpus/perf/gemm_f16_64x64x64.mlir --tilesmith-pipeline="gpu-name=sm_100 tensor-map host-maps to=gpu" | FileCheck %s --check-prefix=SM100
// SM100: %[[HOLDS:.*]] = nvvm.vote.sync all
// SM100: scf.if %[[HOLDS]]
// SM100: scf.for
// SM100: nvgpu.mbarrier.arrive.expect_tx %{{.*}}, %c16384
// SM100-NOT: nvgpu.device_async_copy
// SM100: nvvm.tcgen05.mma
// SM100-NOT: nvgpu.device_async_copy
// SM100: else
// SM100: scf.for
// SM100: nvgpu.device_async_copy
// SM100: nvvm.tcgen05.mma

// A block that makes its maps itself looks for a slot in a loop that stays one.
// RUN: tile-opt %corpus/perf/gemm_bf16_128x256x64.mlir --tilesmith-pipeline="gpu-name=sm_90 tensor-map to=gpu" | FileCheck %s --check-prefix=CLAIM
// CLAIM: #loop_unroll = #llvm.loop_unroll<disable = true>
// CLAIM: #loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll>
// CLAIM: scf.for {{.*}} to %c16_i32
// CLAIM: llvm.cmpxchg
// CLAIM: {llvm.loop_annotation = #loop_annotation}
// CLAIM: nvvm.vote.sync all

// Where the tile of a turn begins is not known in front of the loop.
// UNKNOWN: nvgpu.mbarrier.init %{{.*}}, %c1 :
// UNKNOWN: scf.for
// UNKNOWN: nvgpu_ext.tma.async.load
// UNKNOWN: nvgpu.device_async_copy
// UNKNOWN: nvgpu_ext.warpgroup.mma_async
cuda_tile.module @m {
  entry @every_other(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %k: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%k, %k], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k, %k], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%k, %k], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<64x64xf32>) {
      %j = remi %i, %three unsigned : tile<i32>
      %ta, %t0 = load_view_tko weak %pva[%zero, %j] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %r = mmaf %ta, %tb, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %r : tile<64x64xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
