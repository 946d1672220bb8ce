// A warp alone would hold 256 words of sums for each thread: the rows are divided, the loop runs for each half of
// them, and the first half is stored before the second loop begins.
// RUN: tile-translate --cudatilebc-to-mlir %corpus/strategies/gemm_f16_128x64x32_one_warp/gemm_f16_128x64x32_one_warp.v13.3.tileirbc | tile-opt - --tilesmith-pipeline="gpu-name=sm_90 opt-level=3 from=cudatile to=tileas stop-after=tileas-plan-rows" | FileCheck %s
// RUN: tile-translate --cudatilebc-to-mlir %corpus/strategies/gemm_f16_128x64x32_one_warp/gemm_f16_128x64x32_one_warp.v13.3.tileirbc | tile-opt - --tilesmith-pipeline="gpu-name=sm_100 opt-level=3 from=cudatile to=tileas stop-after=tileas-plan-rows" | FileCheck %s --check-prefix=WHOLE
// RUN: tile-translate --cudatilebc-to-mlir %corpus/strategies/gemm_f16_128x64x32_one_warp/gemm_f16_128x64x32_one_warp.v13.3.tileirbc | sed 's/= for %/= for unsigned %/' | tile-opt - --tilesmith-pipeline="gpu-name=sm_90 opt-level=3 from=cudatile to=tileas stop-after=tileas-plan-rows" | FileCheck %s --check-prefix=UNSIGNED

// CHECK: %[[FIRST:.*]] = scf.for
// CHECK-COUNT-1: nv_tileaa.dot
// CHECK: fp_to_fp"(%[[FIRST]])
// CHECK: nv_tileaa.tiled_store
// CHECK: %[[SECOND:.*]] = scf.for
// CHECK-COUNT-1: nv_tileaa.dot
// CHECK: fp_to_fp"(%[[SECOND]])
// CHECK: nv_tileaa.tiled_store

// WHOLE: scf.for
// WHOLE-NOT: scf.for
// WHOLE: nv_tileaa.tiled_store
// WHOLE-NOT: nv_tileaa.tiled_store
// WHOLE: return

// Both loops count as the whole one does.
// UNSIGNED-COUNT-2: scf.for unsigned
// UNSIGNED-NOT: scf.for
