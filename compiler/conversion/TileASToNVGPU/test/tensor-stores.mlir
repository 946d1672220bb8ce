// Results that go through shared memory: written as fragments, seen by the async proxy, copied by one thread, which waits
// until the copies have read.
// RUN: tile-opt %corpus/perf/gemm_gelu_f16_128x128x64.mlir --tilesmith-pipeline="gpu-name=sm_90 tensor-store auto host-maps to=gpu" | FileCheck %s
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: nvvm.barrier
// CHECK: nvvm.stmatrix
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK: nvvm.barrier
// CHECK: nvgpu_ext.tma.async.store
// CHECK: nvgpu_ext.tma.async.store
// CHECK-NOT: nvgpu_ext.tma.async.store
// CHECK: nvvm.cp.async.bulk.commit.group
// CHECK-NEXT: nvvm.cp.async.bulk.wait_group 0 {read}

// A map that the block has made is given back behind its last use: the copies are complete.
// RUN: tile-opt %corpus/perf/gemm_gelu_f16_128x128x64.mlir --tilesmith-pipeline="gpu-name=sm_90 tensor-store auto to=gpu" | FileCheck %s --check-prefix=DEVICE
// DEVICE: nvgpu_ext.tma.async.store
// DEVICE: nvvm.cp.async.bulk.wait_group 0{{$}}

// The tile takes no shared memory of its own, for the rings have been read.
// RUN: tile-opt %corpus/perf/gemm_i8_128x128x128.mlir --tilesmith-pipeline="gpu-name=sm_90 tensor-store auto host-maps to=gpu" | FileCheck %s --check-prefix=SHARED
// SHARED: nvgpu_ext.shared_bytes = {{16[0-9][0-9][0-9][0-9]}} : i32

// Behind a store by threads the fence is one of all memory: the copy may write the same bytes.
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 tensor-store to=gpu" | FileCheck %s --check-prefix=BEHIND
// BEHIND-LABEL: gpu.func @behind
// BEHIND: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
// BEHIND: nvgpu_ext.tma.async.store
// BEHIND-LABEL: gpu.func @before
// BEHIND: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// BEHIND: nvgpu_ext.tma.async.store
cuda_tile.module @m {
  entry @behind(%p: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %z = constant <f32: 1.0> : tile<32x64xf32>
    %q = assume div_by<16>, %p : tile<ptr<f32>>
    %tv = make_tensor_view %q, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,1]>>
    %t = store_view_tko weak %z, %pv[%i, %i] optimization_hints = <default = {allow_tma = false}> : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t1 = store_view_tko weak %z, %pv[%i, %i] token = %t : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @before(%p: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %z = constant <f32: 1.0> : tile<32x64xf32>
    %q = assume div_by<16>, %p : tile<ptr<f32>>
    %tv = make_tensor_view %q, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,1]>>
    %t = store_view_tko weak %z, %pv[%i, %i] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t1 = store_view_tko weak %z, %pv[%i, %i] token = %t optimization_hints = <default = {allow_tma = false}> : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
