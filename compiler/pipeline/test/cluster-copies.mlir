// The part of a tile that a block of a cluster has comes by tensor copies, which warps of their own start, where no token orders
// accesses: then no barrier of the cluster counts their threads.
// RUN: tile-opt %corpus/perf/gemm_bf16_2cta_256x256x64.mlir --tilesmith-pipeline="gpu-name=sm_100 to=tileas" | FileCheck %s
// RUN: tile-opt %corpus/perf/gemm_bf16_2cta_256x256x64.mlir --tilesmith-pipeline="gpu-name=sm_90 warp-specialize tensor-map to=tileas" | FileCheck %s
// CHECK: agent_switch
// CHECK: gpu.cluster_block_id
// CHECK-COUNT-2: async.tiled_load{{.*}}atom = "tma_tensor_load"
// CHECK-NOT: async.tiled_load
