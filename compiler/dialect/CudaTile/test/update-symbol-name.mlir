// RUN: tile-opt --test-debuginfo-update-symbol-name="symbol-to-rename=m::g new-name=h update-uses=true" %s | FileCheck %s
// RUN: tile-opt --test-debuginfo-update-symbol-name="symbol-to-rename=m::k new-name=kernel" --mlir-print-debuginfo %s | FileCheck %s --check-prefix=DEBUG
// RUN: not tile-opt --test-debuginfo-update-symbol-name="symbol-to-rename=m::k scope=m::other new-name=kernel" %s 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: not tile-opt --test-debuginfo-update-symbol-name="symbol-to-rename=m::nothing new-name=kernel" %s 2>&1 | FileCheck %s --check-prefix=MISSING

// DEBUG-DAG: name = "k", linkageName = "kernel"
// SCOPE: attempted to update symbol names in a scope that did not enclose the symbol itself
// SCOPE: note: scope defined here
// MISSING: could not find symbol op with name 'm::nothing'
#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
#block = #cuda_tile.di_lexical_block<scope = #k, file = #file, line = 2, column = 1>
cuda_tile.module @m {
  // CHECK: global @h
  global @g <f32: 1.0> : tile<1xf32>
  // DEBUG-DAG: entry @kernel()
  entry @k() {
    // CHECK: get_global @h
    %0 = get_global @g : tile<ptr<f32>> loc(#cuda_tile.di_loc<loc("k.py":2:1) in #block>)
    return
  } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>)
  entry @other() {
    return
  }
}
