// A warp's sums become pairs of halves and go to shared memory as matrices: each pair is made of two registers, which ptxas
// converts together; of a word of shifted halves it would make two conversions, at a quarter of the rate each.
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.3 %corpus/perf/gemm_f16_128x128x64.mlir -o %t
// RUN: tileiras %t --gpu-name sm_90 -O3 --emit=ptx -o - | FileCheck %s

// CHECK: cvt.rn.f16.f32 [[LOW:%rs[0-9]+]]
// CHECK: cvt.rn.f16.f32 [[HIGH:%rs[0-9]+]]
// CHECK: mov.b32 [[PAIR:%r[0-9]+]], {[[LOW]], [[HIGH]]};
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 {{.*}}, {[[PAIR]],
// CHECK-COUNT-15: stmatrix.sync
// CHECK-NOT: stmatrix
