// Pointers that a loop steps under masks: addresses follow from the turn, so copies run ahead, and they fill with zeros what a
// mask hides; no thread loads an element by itself.
// RUN: tileiras %corpus/strategies/gemm_bf16_masked_pointers/gemm_bf16_masked_pointers.v13.3.tileirbc --gpu-name sm_80 --emit=ptx -o - | FileCheck %s
// RUN: tileiras %corpus/strategies/gemm_bf16_masked_pointers/gemm_bf16_masked_pointers.v13.3.tileirbc --gpu-name sm_90 --emit=ptx -o - | FileCheck --check-prefix=WARPGROUP %s

// CHECK: .entry
// CHECK-NOT: ld.global
// CHECK: cp.async.cg.shared.global [%rd{{[0-9]+}}], [%rd{{[0-9]+}}], 16, %r{{[0-9]+}};
// CHECK-NOT: ld.global
// CHECK: mma.sync
// CHECK-NOT: ld.global
// CHECK: cp.async.cg.shared.global [%rd{{[0-9]+}}], [%rd{{[0-9]+}}], 16, %r{{[0-9]+}};
// CHECK-NOT: ld.global
// CHECK: ret;

// WARPGROUP: .entry
// WARPGROUP-NOT: ld.global
// WARPGROUP: wgmma.mma_async
// WARPGROUP-NOT: ld.global
// WARPGROUP: ret;
