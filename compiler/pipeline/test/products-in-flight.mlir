// The product of one iteration goes on while the next one begins: sums stay in registers, the loop waits for the product before,
// and behind it for the last one. The ring gives its stages back one iteration later.
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.3 %corpus/perf/gemm_f16_64x64x64.mlir -o %t
// RUN: tileiras %t --gpu-name sm_90 --strategy=plain --emit=ptx -o - | FileCheck %s
// RUN: tile-opt %corpus/perf/gemm_f16_64x64x64.mlir --tilesmith-pipeline="gpu-name=sm_90 to=tileas plain" | FileCheck --check-prefix=TILEAS %s
// RUN: tile-opt %corpus/perf/gemm_f16_64x64x64.mlir --tilesmith-pipeline="gpu-name=sm_100 to=tileas plain" | FileCheck --check-prefix=NONE %s

// What nobody forces the cost model chooses; -O1 knows one way.
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.3 %corpus/perf/gemm_f16_128x128x64.mlir -o %t.large
// RUN: tileiras %t.large --gpu-name sm_90 --emit=ptx -o - | FileCheck --check-prefix=CHOSEN %s
// RUN: tileiras %t --gpu-name sm_90 --emit=ptx -O1 -o - | FileCheck --check-prefix=NEVER %s
// RUN: not tileiras %t --gpu-name sm_90 --strategy=fast -o - 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// CHOSEN: mbarrier.try_wait
// CHOSEN-NOT: fence.proxy.async
// CHOSEN: wgmma.mma_async
// CHOSEN: cp.async.bulk.tensor

// One thread issues products in tensor memory, written out stage by stage, and the tensor core alone gives the stages back.
// RUN: tileiras %t --gpu-name sm_100 --emit=ptx -o - | FileCheck --check-prefix=ISSUE %s
// ISSUE-COUNT-4: tcgen05.mma
// ISSUE-NOT: mbarrier.arrive
// ISSUE-NOT: fence.proxy.async
// ISSUE: tcgen05.commit
// ISSUE-COUNT-12: tcgen05.mma
// ISSUE-NOT: tcgen05.mma
// NEVER: .entry
// NEVER-NOT: cp.async.bulk
// NEVER: ret;
// UNKNOWN: for the --strategy option: unknown strategy feature 'fast'; supported features: warp-specialize, tma, tensor-map, tensor-store, dynamic-persistent, auto, plain

// Where the source allows sums of few bits, 8-bit products go on, too, and nothing is added to them; a product that begins at zero
// needs no sum, and no addition either.
// RUN: tile-opt %corpus/perf/gemm_f8e4m3_128x256x128.mlir --tilesmith-pipeline="gpu-name=sm_90 to=tileas" | FileCheck --check-prefix=FAST %s
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.3 %corpus/perf/gemm_f8e4m3_128x256x128.mlir -o %t.fast
// RUN: tileiras %t.fast --gpu-name sm_90 --emit=ptx -o - | FileCheck --check-prefix=FASTPTX %s
// RUN: tile-opt %corpus/perf/gemm_f8_rowscaled_128x128x128.mlir --tilesmith-pipeline="gpu-name=sm_90 to=tileas" | FileCheck --check-prefix=FROMZERO %s
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.3 %corpus/perf/gemm_f8_rowscaled_128x128x128.mlir -o %t.rows
// RUN: tileiras %t.rows --gpu-name sm_90 --emit=ptx -o - | FileCheck --check-prefix=FROMZEROPTX %s
// FAST: create_pipeline {{.*}}late_release
// FAST: nv_tileas.dot{{.*}}fast_acc{{.*}}nv_tileas.in_flight
// FASTPTX-NOT: add.{{.*}}f32
// FASTPTX: wgmma.wait_group.sync.aligned {{.*}}1;
// FASTPTX-NOT: add.{{.*}}f32
// FROMZERO: nv_tileas.dot{{.*}}from_zero
// FROMZEROPTX: setp.ne.b32 p, 0, 0;
// FROMZEROPTX: wgmma.mma_async
// FROMZEROPTX-COUNT-3: setp.ne.b32 p, 1, 0;
// FROMZEROPTX-NOT: add.{{.*}}f32

// CHECK-COUNT-4: wgmma.mma_async
// CHECK: wgmma.wait_group.sync.aligned 1
// CHECK-NOT: wgmma.mma_async
// CHECK: wgmma.wait_group.sync.aligned 0

// TILEAS: create_pipeline {{.*}} {late_release}
// TILEAS: nv_tileas.dot{{.*}}nv_tileas.in_flight

// NONE: create_pipeline
// NONE-NOT: late_release
