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

// A file of another version is refused before anything is decoded.
// RUN: tile-translate --profile=tileiras-13.1 --mlir-to-cudatilebc --bytecode-version=13.1 %s -o %t.bc
// RUN: tile-translate --cudatilebc-to-mlir %t.bc | tile-translate --mlir-to-cudatilebc --bytecode-version=13.2 -o %t.new.bc
// RUN: not tile-translate --profile=tileiras-13.1 --cudatilebc-to-mlir %t.new.bc 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not tile-translate --profile=tileiras-13.1 --mlir-to-cudatilebc --bytecode-version=13.2 %s -o - 2>&1 | FileCheck %s --check-prefix=WRITE
// VERSION: unsupported Tile IR bytecode version: 13.2, this reader supports versions 13.1 to 13.1
// WRITE: unsupported version requested 13.2, must be in range [13.1, 13.1]
