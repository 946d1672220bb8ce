// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 warp-specialize to=tileas" | FileCheck --check-prefix=T6 %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 warp-specialize to=gpu" | FileCheck --check-prefixes=CHECK,T4,T5 %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 warp-specialize remarks to=tileas" 2>&1 | FileCheck --check-prefix=T9 %s
// Hop two of memory tokens where other warps copy than write: an mbarrier of the block's pool for each loop of copies.

cuda_tile.module @m {
  // Both writers are the agent of the first region, which arrives behind both; the copies wait once.
  // T6: %[[TOKEN:.*]] = "nv_tileas.init_mem_tokens"() <{producers = array<i32: 128>}>
  // T6: agent_switch
  // T6: "nv_tileas.tiled_store"
  // T6: "nv_tileas.tiled_store"
  // T6: "nv_tileas.arrive_mem_token"(%[[TOKEN]], %{{.*}})
  // T6: consumer_wait
  // T6: %[[BEHIND:.*]] = "nv_tileas.wait_mem_token"(%[[TOKEN]])
  // T6: async.tiled_load"({{.*}}, %[[BEHIND]])

  // One thread of the entry initialises, a barrier of the block shows it to all.
  // CHECK-LABEL: gpu.func @joined
  // T5: scf.if
  // T5: %[[THREADS:.*]] = arith.constant 128 : index
  // T5: nvgpu.mbarrier.init %{{.*}}[%{{.*}}], %[[THREADS]]
  // T5-NEXT: nvvm.fence.mbarrier.init
  // T5: gpu.barrier
  // What bulk copies wait for is seen by their proxy. A handle is (slot << 1) | parity.
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  // T4: arith.shrui %[[HANDLE:c0_i32.*]], %c1_i32 : i32
  // CHECK: nvgpu.mbarrier.arrive
  // CHECK: } else {
  // T4: %[[PARITY:.*]] = arith.trunci %[[HANDLE]] : i32 to i1
  // T4: nvgpu.mbarrier.try_wait.parity %{{.*}}[%{{.*}}], %[[PARITY]],
  entry @joined(%pa: tile<ptr<f16>>, %m: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %m], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %ones = constant <f16: 1.000000e+00> : tile<32x32xf16>
    %init = constant <f32: 0.000000e+00> : tile<32x32xf32>
    %t0 = store_view_tko weak %ones, %pva[%zero, %zero] : tile<32x32xf16>, partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    %t1 = store_view_tko weak %ones, %pva[%zero, %one] : tile<32x32xf16>, partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    %both = join_tokens %t0, %t1 : token
    %sum = for %i in (%zero to %m, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<32x32xf32>) {
      %ta, %t2 = load_view_tko weak %pva[%zero, %i] token = %both : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %d = mmaf %ta, %ones, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %d : tile<32x32xf32>
    }
    %narrow = ftof %sum : tile<32x32xf32> -> tile<32x32xf16>
    %t3 = store_view_tko weak %narrow, %pva[%one, %zero] token = %both : tile<32x32xf16>, partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // A turn of the loop around reads what the last one wrote: one set of warps does both.
  // T9: remark: not warp-specialised: copies for the next turn of a loop would pass what its last one writes
  entry @around(%pa: tile<ptr<f16>>, %m: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %m], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %ones = constant <f16: 1.000000e+00> : tile<32x32xf16>
    %init = constant <f32: 0.000000e+00> : tile<32x32xf32>
    %t0 = make_token : token
    %last = for %j in (%zero to %m, step %one) : tile<i32> iter_values(%t = %t0) -> (token) {
      %sum = for %i in (%zero to %m, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<32x32xf32>) {
        %ta, %t2 = load_view_tko weak %pva[%zero, %i] token = %t : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
        %d = mmaf %ta, %ones, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
        continue %d : tile<32x32xf32>
      }
      %narrow = ftof %sum : tile<32x32xf32> -> tile<32x32xf16>
      %t3 = store_view_tko weak %narrow, %pva[%j, %zero] token = %t : tile<32x32xf16>, partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
      continue %t3 : token
    }
    return
  }
}
