// With host-maps a function of the host makes the tensor maps that follow from the arguments, and the kernel has them as its last
// parameters: no slots, nothing published.
// RUN: tile-opt %corpus/perf/gemm_f16_128x128x64.mlir --tilesmith-pipeline="gpu-name=sm_90 tensor-map host-maps to=gpu" | FileCheck %s --implicit-check-not=tensor_map_slots
// CHECK: llvm.func @host_maps_gemm_f16_128x128x64(%[[IMAGE:.*]]: !llvm.ptr)
// CHECK: llvm.load
// CHECK: llvm.getelementptr %[[IMAGE]][112]
// CHECK: llvm.getelementptr %[[IMAGE]][240]
// CHECK: gpu.func @gemm_f16_128x128x64({{.*}}%arg11: i32, %[[A:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr)
// CHECK-SAME: nvgpu_ext.host_maps = array<i64: 112, 2>
// CHECK: llvm.call_intrinsic "llvm.nvvm.prefetch.tensormap"(%[[A]])
// CHECK: llvm.call_intrinsic "llvm.nvvm.prefetch.tensormap"(%[[B]])

// Maps are aligned in the bank, not among the parameters, and other GPUs have them elsewhere.
// RUN: tile-opt %corpus/perf/gemm_f16_128x128x64.mlir --tilesmith-pipeline="gpu-name=sm_100 tensor-map host-maps to=gpu" | FileCheck %s --check-prefix=SM100
// SM100: nvgpu_ext.host_maps = array<i64: 128, 2>

// The batch moves the base: it becomes a dimension of the map, and its number a coordinate.
// RUN: tile-opt %corpus/perf/fmha_f16_128x128x64.mlir --tilesmith-pipeline="gpu-name=sm_90 tensor-map host-maps to=gpu" | FileCheck %s --check-prefix=HEADS --implicit-check-not=tensor_map_slots
// HEADS: nvgpu_ext.host_maps
// HEADS: nvgpu_ext.tma.async.load{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}]

// Without it, and on GPUs without tensor maps, kernels are as they were.
// RUN: tile-opt %corpus/perf/gemm_f16_128x128x64.mlir --tilesmith-pipeline="gpu-name=sm_90 tensor-map to=gpu" | FileCheck %s --check-prefix=DEVICE --implicit-check-not=host_maps
// RUN: tile-opt %corpus/perf/gemm_f16_128x128x64.mlir --tilesmith-pipeline="gpu-name=sm_80 host-maps to=gpu" | FileCheck %s --check-prefix=OLD --implicit-check-not=host_maps
// DEVICE: tensor_map_slots
// OLD: gpu.func @gemm
