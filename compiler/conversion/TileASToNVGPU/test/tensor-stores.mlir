// Results that go through shared memory: written as fragments, seen by the async proxy, copied by one thread, which waits
// until the copies have read.
// RUN: tile-opt %corpus/perf/gemm_gelu_f16_128x128x64.mlir --tilesmith-pipeline="gpu-name=sm_90 host-maps to=gpu" | FileCheck %s
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: nvvm.barrier
// CHECK: nvvm.stmatrix
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
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
// RUN: tile-opt %corpus/perf/gemm_i8_128x128x128.mlir --tilesmith-pipeline="gpu-name=sm_90 host-maps to=gpu" | FileCheck %s --check-prefix=SHARED
// SHARED: nvgpu_ext.shared_bytes = {{16[0-9][0-9][0-9][0-9]}} : i32
