// Text to bytecode and back gives the text's IR, for every version.
//
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.1 %s | tile-translate --cudatilebc-to-mlir | FileCheck %s
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.2 %s | tile-translate --cudatilebc-to-mlir | FileCheck %s
// RUN: tile-translate --mlir-to-cudatilebc %s | tile-translate --cudatilebc-to-mlir | FileCheck %s
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.4 %s | tile-translate --cudatilebc-to-mlir | FileCheck %s
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.5 %s | tile-translate --cudatilebc-to-mlir | FileCheck %s

// CHECK: module @kernels
cuda_tile.module @kernels {
  // CHECK: global @table <i32: [1, 2, 3, 4]> : tile<4xi32>
  global @table <i32: [1, 2, 3, 4]> : tile<4xi32>

  // CHECK: entry @loops(%[[N:.*]]: tile<i32>)
  entry @loops(%n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    // CHECK: for
    // CHECK: if
    // CHECK: continue
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %zero) -> (tile<i32>) {
      %odd = andi %i, %one : tile<i32>
      %c = cmpi equal %odd, %one, signed : tile<i32> -> tile<i1>
      %r = if %c -> (tile<i32>) {
        %t = addi %acc, %i overflow<no_signed_wrap> : tile<i32>
        yield %t : tile<i32>
      } else {
        yield %acc : tile<i32>
      }
      continue %r : tile<i32>
    }
    // CHECK: return
    return
  }
}
