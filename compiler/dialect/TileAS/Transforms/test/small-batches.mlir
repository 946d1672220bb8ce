// RUN: tile-opt %corpus/perf/kinds/batched_32_f16.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps to=tileas" | FileCheck %s
// RUN: tile-opt %corpus/perf/kinds/batched_32_f16.mlir --tilesmith-pipeline="gpu-name=sm_80 num-warps=16 to=tileas" | FileCheck %s --check-prefix=MANY
// Eight products of 32 x 32 matrices are one for four warps: each has all rows of two batches, and of right operands the
// matrices of these.
// CHECK-COUNT-1: nv_tileas.dot
// CHECK-SAME: atom = "m16n8k16.f16"
// CHECK-SAME: tensor<8x32x32xf16, #nv_tileas.layout<shape = [8, 32, 32], register = [1, 256, 8, 16, 512, 4096], lane = [2, 4, 32, 64, 128], warp = [1024, 2048]>>
// CHECK-SAME: tensor<8x32x32xf16, #nv_tileas.layout<shape = [8, 32, 32], register = [32, 256, 512, 8, 16, 4096], lane = [64, 128, 1, 2, 4], warp = [1024, 2048]>>
// CHECK-NOT: nv_tileas.dot
// Of sixteen warps two share a batch: each has 16 of its rows, both the whole right operand.
// MANY: nv_tileas.dot
// MANY-SAME: tensor<8x32x32xf16, #nv_tileas.layout<shape = [8, 32, 32], register = [1, 256, 8, 16], lane = [2, 4, 32, 64, 128], warp = [1024, 2048, 4096, 512]>>
// MANY-SAME: tensor<8x32x32xf16, #nv_tileas.layout<shape = [8, 32, 32], register = [32, 256, 512, 8, 16], lane = [64, 128, 1, 2, 4], warp = [1024, 2048, 4096, 0]>>
