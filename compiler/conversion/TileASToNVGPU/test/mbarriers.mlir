// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 stop-after=tileas-generate-schedule" --tileas-materialize-schedule="pipeline-strategy=warp-specialize producer-regs=40 consumer-regs=232" --tileas-lower-tma-load-store-to-async --tileas-insert-barriers --convert-tileas-to-nvgpu --cse | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 dynamic-persistent to=gpu" | FileCheck %s --check-prefix=STEAL
// Barriers in shared memory and what arrives at them; agents; blocks that take over others. Values are checked by the
// ctest `strategies`.

// Four stages: "full" counts each of 128 producers twice, "empty" the four consumer warps.
// CHECK: nvgpu_ext.threads = 256 : i32
// CHECK-SAME: nvvm.maxnreg = 136 : i32
// CHECK: scf.if
// CHECK: %[[FULL:.*]] = arith.constant 256 : index
// CHECK-COUNT-4: nvgpu.mbarrier.init %{{.*}}, %[[FULL]]
// CHECK-COUNT-4: nvgpu.mbarrier.init
// CHECK: nvvm.fence.mbarrier.init
// CHECK: nvvm.fence.proxy
// CHECK: gpu.barrier
// Consumers: wait for the copies, read, give the stage back; their own barriers are number 1.
// CHECK: scf.if
// CHECK: nvvm.setmaxregister increase 232
// CHECK: scf.for
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK-NOT: gpu.barrier
// CHECK: mma.sync
// CHECK: nvvm.bar.warp.sync
// CHECK: nvgpu.mbarrier.arrive
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads =
// Producers: whole tiles by rows, the bytes announced once; ragged ones by cp.async.
// CHECK: else
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: scf.for
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK: nvvm.mbarrier.expect_tx
// CHECK: nvvm.cp.async.bulk.shared.cluster.global
// CHECK: else
// CHECK: nvgpu.device_async_copy
// CHECK: nvvm.cp.async.mbarrier.arrive %{{.*}} {noinc = true}
// CHECK: nvgpu.mbarrier.arrive

// STEAL: scf.while
// STEAL: nvgpu.mbarrier.arrive.expect_tx
// STEAL: nvvm.clusterlaunchcontrol.try.cancel
// STEAL: nvgpu.mbarrier.try_wait.parity
// STEAL: nvvm.clusterlaunchcontrol.query.cancel query = is_canceled
// STEAL: scf.if
// STEAL: nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x
cuda_tile.module @m {
  entry @gemm(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %k], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<32x32xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<32x32xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %d : tile<32x32xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
