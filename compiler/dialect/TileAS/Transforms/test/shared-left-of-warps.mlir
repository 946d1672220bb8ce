// Queries of 64 rows of 256 leave no registers beside the sums of mma.sync: they are written to a buffer in
// front of each loop, whose turns read their fragments. Two stages of keys and values fit beside it, for warps
// that hold whole rows exchange nothing.
// RUN: tile-translate --cudatilebc-to-mlir %corpus/strategies/attention_bf16_causal_64x64x256/attention_bf16_causal_64x64x256.v13.3.tileirbc | tile-opt - --tilesmith-pipeline="gpu-name=sm_80 opt-level=3 from=cudatile to=tileas stop-after=tileas-refine-atom-by-resource" | FileCheck %s

// CHECK: %[[BUFFER:.*]] = nv_tileas.alloc_tensor 1 : tensor<64x256xbf16, #nv_tileas.shared
// CHECK: %[[LEFT:.*]] = nv_tileas.tensor_memory.stage {{.*}} into %[[BUFFER]]
// CHECK: nv_tileas.alloc_tensor 2
// CHECK: nv_tileas.async.pipeline.create_pipeline
// CHECK: scf.for
// CHECK: %[[FRAGMENTS:.*]] = nv_tileas.copy %[[LEFT]] {atom = "ldmatrix"}
// CHECK: nv_tileas.dot"(%[[FRAGMENTS]],

// Threads of 16 warps have 128 registers: the left operand of a warpgroup product waits in shared memory, too. (Short of registers
// ptxas 13.0 lost it, trophies.md.) With eight warps it stays in registers.
// RUN: tile-translate --cudatilebc-to-mlir %corpus/regressions/external-ptxas-wgmma-operand-lost/kernel.v13.3.tileirbc | tile-opt - --tilesmith-pipeline="gpu-name=sm_90 num-warps=16 tma from=cudatile to=tileas stop-after=tileas-refine-atom-by-resource" | FileCheck %s --check-prefix=SIXTEEN
// SIXTEEN: nv_tileas.tensor_memory.stage
// RUN: tile-translate --cudatilebc-to-mlir %corpus/regressions/external-ptxas-wgmma-operand-lost/kernel.v13.3.tileirbc | tile-opt - --tilesmith-pipeline="gpu-name=sm_90 num-warps=8 tma from=cudatile to=tileas stop-after=tileas-refine-atom-by-resource" | FileCheck %s --check-prefix=EIGHT --implicit-check-not=nv_tileas.tensor_memory.stage
// EIGHT: nv_tileas.dot
