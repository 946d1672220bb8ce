// RUN: tile-translate --list-versions | FileCheck %s --check-prefix=LIST
// LIST: 13.1
// LIST-NEXT: 13.2
// LIST-NEXT: 13.3
// LIST-NEXT: 13.4
// LIST-NEXT: 13.5

// Versions out of range, ops too new for the version, input that is no Tile IR bytecode.
//
// RUN: not tile-translate --mlir-to-cudatilebc --bytecode-version=13.9 %s 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not tile-translate --mlir-to-cudatilebc --bytecode-version=x %s 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not tile-translate --mlir-to-cudatilebc --bytecode-version=13.1 %s 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not tile-translate --cudatilebc-to-mlir %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.2 %s | head -c 60 > %t.cut
// RUN: not tile-translate --cudatilebc-to-mlir %t.cut 2>&1 | FileCheck %s --check-prefix=CUT

// RANGE: Invalid argument '13.9': the supported versions are [13.1 - 13.5]
// SYNTAX: Invalid argument 'x': the supported versions are [13.1 - 13.5]
// OLD: operation 'cuda_tile.atan2' is not available in bytecode version 13.1
// TEXT: header, offset 0: input does not correspond to Tile IR bytecode
// CUT: offset {{[0-9]+}}:
cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) {
    %0 = atan2 %x, %x : tile<f32>
    return
  }
}
