// Tiles of 16 KiB: four of them do not cover a round trip to memory. Warps of their own keep seven under way, or five
// of sm_100, whose second cache gives a block less; of tiles of 32 KiB the number stays. Where all warps copy, it stays, too.
// RUN: sed -e 's/128x64\b/128x32/g; s/64x128\b/32x128/g; s/128x64x/128x32x/g; s/64x128x/32x128x/g; s/<i32: 64>/<i32: 32>/' %corpus/perf/gemm_f16_128x128x64.mlir > %t.mlir
// DEFINE: %{ways} = gpu-name=sm_90 auto
// DEFINE: %{schedule} = --tilesmith-pipeline="%{ways} host-maps remarks stop-after=tileas-choose-strategy" -o /dev/null
// RUN: tile-opt %t.mlir %{schedule} 2>&1 | FileCheck %s --check-prefix=HOPPER
// RUN: tile-opt %corpus/perf/gemm_f16_128x128x64.mlir %{schedule} 2>&1 | FileCheck %s --check-prefix=LARGE
// REDEFINE: %{ways} = gpu-name=sm_100 auto
// RUN: tile-opt %t.mlir %{schedule} 2>&1 | FileCheck %s --check-prefix=BLACKWELL
// REDEFINE: %{ways} = gpu-name=sm_80 auto
// RUN: tile-opt %t.mlir %{schedule} 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: tile-opt %t.mlir --tilesmith-pipeline="gpu-name=sm_90 plain remarks stop-after=tileas-generate-schedule" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAIN
// HOPPER: remark: pipelined with 7 stages
// HOPPER: remark: strategy warp-specialize tensor-map
// LARGE: remark: pipelined with 5 stages
// BLACKWELL: remark: pipelined with 5 stages
// BLACKWELL: remark: strategy warp-specialize tensor-map
// PLAIN: remark: pipelined with 4 stages
