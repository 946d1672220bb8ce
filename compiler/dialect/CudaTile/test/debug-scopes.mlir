// RUN: tile-opt --synthesize-debug-info-scopes --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// Every op gets a position in the scope of its function; one without a position gets the function's.
cuda_tile.module @m {
  // CHECK-LABEL: entry @k
  entry @k(%p: tile<ptr<f32>>) {
    // CHECK: constant {{.*}} loc(#cuda_tile.di_loc<loc("a.py":7:3) in #cuda_tile.di_subprogram<file = <"a.py" in "">, line = 5, name = "k"
    %x = constant <f32: 1.0> : tile<f32> loc("a.py":7:3)
    // CHECK: store_ptr_tko {{.*}} loc(#cuda_tile.di_loc<loc("a.py":5:1) in #cuda_tile.di_subprogram<file = <"a.py" in "">, line = 5, name = "k"
    %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token loc(unknown)
    return loc(unknown)
  } loc("a.py":5:1)

  // A function that says nothing of its position has none.
  // CHECK-LABEL: entry @none
  entry @none() {
    // CHECK-NOT: di_loc
    return loc(unknown)
  } loc(unknown)
}
