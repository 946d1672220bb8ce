// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 opt-level=3 to=nvvm" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 opt-level=0 to=nvvm" | FileCheck %s

// Numbers without a register type of their own are passed as what holds them.
// CHECK-LABEL: llvm.func @k
// CHECK-SAME: f32, %{{[a-z0-9]*}}: i8, %{{[a-z0-9]*}}: i8, %{{[a-z0-9]*}}: i8
cuda_tile.module @m {
  entry @k(%a: tile<tf32>, %b: tile<f8E4M3FN>, %c: tile<f8E5M2>, %d: tile<f8E8M0FNU>, %pa: tile<ptr<tf32>>, %pb: tile<ptr<f8E4M3FN>>, %pc: tile<ptr<f8E5M2>>, %pd: tile<ptr<f8E8M0FNU>>) {
    // The low bits of a tf32 are ignored.
    // CHECK: llvm.mlir.constant(-8192 : i32)
    %t0 = store_ptr_tko weak %pa, %a : tile<ptr<tf32>>, tile<tf32> -> token
    %t1 = store_ptr_tko weak %pb, %b : tile<ptr<f8E4M3FN>>, tile<f8E4M3FN> -> token
    %t2 = store_ptr_tko weak %pc, %c : tile<ptr<f8E5M2>>, tile<f8E5M2> -> token
    %t3 = store_ptr_tko weak %pd, %d : tile<ptr<f8E8M0FNU>>, tile<f8E8M0FNU> -> token
    return
  }
}
