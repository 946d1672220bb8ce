// RUN: tile-translate --profile=tileiras-13.1 --mlir-to-cudatilebc --bytecode-version=13.1 %s -o %t.bc
// RUN: tile-translate --profile=tileiras-13.1 --cudatilebc-to-mlir %t.bc | FileCheck %s
// RUN: tile-translate --cudatilebc-to-mlir %t.bc | FileCheck %s --check-prefix=NEW

cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // CHECK: print "x = %f", %{{.*}} : tile<f32>
    // NEW: %{{.*}} = print_tko "x = %f", %{{.*}} : tile<f32> -> token
    print "x = %f", %x : tile<f32>
    // CHECK: print "end"
    // NEW: print_tko "end" -> token
    print "end"
    return
  }
}
