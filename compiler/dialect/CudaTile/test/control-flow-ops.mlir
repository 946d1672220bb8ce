// RUN: tile-opt %s | tile-opt | FileCheck --check-prefixes=CHECK,C5 %s
// RUN: tile-opt --mlir-print-op-generic %s | tile-opt | FileCheck --check-prefixes=CHECK,C5 %s

cuda_tile.module @m {
  // CHECK-LABEL: entry @loops
  entry @loops(%n: tile<i32>, %x: tile<f32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    // C5: for %loopIdx in (%{{.*}} to %{{.*}}, step %{{.*}}) : tile<i32> {
    for %i in (%zero to %n, step %one) : tile<i32> {
      // C5-NEXT: }
      continue
    }
    // C5: %for = for unsigned %loopIdx in (%{{.*}}) : tile<i32> iter_values(%iterArg0 = %{{.*}}) -> (tile<f32>) {
    %sum = for unsigned %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %x) -> (tile<f32>) {
      %next = addf %acc, %x : tile<f32>
      // C5: continue %{{.*}} : tile<f32>
      continue %next : tile<f32>
    }
    // C5: loop {
    loop {
      %done = cmpi equal %n, %zero, signed : tile<i32> -> tile<i1>
      // C5: if %{{.*}} {
      // C5-NEXT: break
      // C5-NEXT: }
      if %done {
        break
      }
    }
    // C5: loop iter_values(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tile<i32>, tile<f32> -> tile<f32> {
    %last = loop iter_values(%k = %zero, %v = %x) : tile<i32>, tile<f32> -> tile<f32> {
      %done = cmpi equal %k, %n, signed : tile<i32> -> tile<i1>
      if %done {
        // C5: break %{{.*}} : tile<f32>
        break %v : tile<f32>
      }
      // C5: continue %{{.*}}, %{{.*}} : tile<i32>, tile<f32>
      continue %k, %v : tile<i32>, tile<f32>
    }
  }

  // CHECK-LABEL: entry @branches
  entry @branches(%c: tile<i1>, %x: tile<f32>, %y: tile<f32>) {
    // CHECK: if %{{.*}} -> (tile<f32>, tile<f32>) {
    %a:2 = if %c -> (tile<f32>, tile<f32>) {
      // CHECK: yield %{{.*}}, %{{.*}} : tile<f32>, tile<f32>
      yield %x, %y : tile<f32>, tile<f32>
    // CHECK: } else {
    } else {
      yield %y, %x : tile<f32>, tile<f32>
    }
    // CHECK: if %{{.*}} {
    // CHECK-NEXT: return
    // CHECK-NEXT: }
    if %c {
      return
    }
    // CHECK: assert %{{.*}}, "must hold" : tile<i1>
    assert %c, "must hold" : tile<i1>
  }
}
