// Where groups of warps read different rows, descriptors are made of a number that the first lane of the warp gives, once, in
// front of the loop: ptxas keeps them in uniform registers.
// RUN: tile-opt %corpus/perf/fmha_bf16_nomask_256x128x128.mlir --tilesmith-pipeline="gpu-name=sm_90 host-maps to=gpu" | FileCheck %s
// CHECK: %[[WARP:.*]] = arith.shrui %{{.*}}, %c5_i32 : i32
// CHECK: gpu.shuffle idx %[[WARP]], %c0_i32, %c32_i32
// CHECK: scf.for
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-NOT: gpu.shuffle idx
