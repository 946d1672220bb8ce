// What kernels do between a load and its product, without threads that meet in a turn.

// Numbers of a row that come through a ring are read as each thread wants them, of sums in tensor memory all of them.
// RUN: tile-translate --cudatilebc-to-mlir %corpus/strategies/nearest_centre_f16_128x64x64/nearest_centre_f16_128x64x64.v13.3.tileirbc | tile-opt - --tilesmith-pipeline="gpu-name=sm_100 to=tileas" | FileCheck %s --check-prefix=ROW
// ROW: scf.for
// ROW: nv_tileas.tensor_memory.load
// ROW-NOT: nv_tileas.convert_layout
// ROW: scf.yield

// Pointers of rows that no turn changes come to the threads that copy in front of the loop, and of what fills the ring.
// RUN: tile-translate --cudatilebc-to-mlir %corpus/strategies/gathered_expert_rows_bf16_64x128x64/gathered_expert_rows_bf16_64x128x64.v13.3.tileirbc | tile-opt - --tilesmith-pipeline="gpu-name=sm_90 to=tileas" | FileCheck %s --check-prefix=POINTERS
// POINTERS: nv_tileas.convert_layout {{.*}} tensor<64x1x!nv_tileaa.ptr
// POINTERS: nv_tileas.async.pipeline.producer_write
// POINTERS-NOT: nv_tileas.convert_layout {{.*}} tensor<64x1x!nv_tileaa.ptr
// POINTERS: scf.for
// POINTERS-NOT: nv_tileas.convert_layout
// POINTERS: scf.yield

// Two numbers of four bits in a byte: both halves are computed by the thread that has the byte, from what the ring holds, and
// written for the product as they are.
// RUN: tile-translate --cudatilebc-to-mlir %corpus/strategies/weights_of_four_bits_f16_64x128x64/weights_of_four_bits_f16_64x128x64.v13.3.tileirbc | tile-opt - --tilesmith-pipeline="gpu-name=sm_90 to=tileas" | FileCheck %s --check-prefix=HALVES
// HALVES: scf.for
// HALVES-NOT: nv_tileas.tiled_load
// HALVES-NOT: nv_tileas.convert_layout
// HALVES: nv_tileas.cat
// HALVES-NOT: nv_tileas.convert_layout
// HALVES: scf.yield

// Packed along the sum, as a left operand: in the fragments of the product, between which nobody meets.
// RUN: tile-translate --cudatilebc-to-mlir %corpus/strategies/weights_of_four_bits_left_f16_64x32x64/weights_of_four_bits_left_f16_64x32x64.v13.3.tileirbc | tile-opt - --tilesmith-pipeline="gpu-name=sm_90 stop-after=gpu-remove-barriers" | FileCheck %s --check-prefix=LEFT
// LEFT: scf.for
// LEFT: arith.sitofp
// LEFT-NOT: gpu.barrier
// LEFT: warpgroup.mma_async
// LEFT-NOT: gpu.barrier
// LEFT: scf.yield

// A residual of 16 bits comes to the sums, and what is stored goes back, also of 16 bits: no more bytes than the sums, which
// are not exchanged.
// RUN: tile-opt %corpus/perf/kinds/bmm_res_bf16.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps to=tileas" | FileCheck %s --check-prefix=RESIDUAL
// RESIDUAL: atom = "wgmma.bf16"
// RESIDUAL-NOT: nv_tileas.convert_layout {{.*}} tensor<{{.*}}xf32
// RESIDUAL: nv_tileas.convert_layout %result {{.*}} tensor<1x128x128xbf16
// RESIDUAL-NOT: nv_tileas.convert_layout {{.*}} tensor<{{.*}}xf32
// RESIDUAL: nv_tileas.convert_layout {{.*}} tensor<1x128x128xbf16
// RESIDUAL: "nv_tileas.tiled_store"
// Two of them would take as many bytes as the sums: these are exchanged, once.
// RUN: tile-opt %corpus/perf/kinds/gemm_gate_res_f16.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps to=tileas" | FileCheck %s --check-prefix=TWO
// TWO: atom = "wgmma.f16"
// TWO: nv_tileas.convert_layout {{.*}} : tensor<128x128xf32
// TWO-NOT: nv_tileas.convert_layout
// TWO: "nv_tileas.tiled_store"
