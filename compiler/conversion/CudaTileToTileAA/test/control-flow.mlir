// RUN: tile-opt --profile=tileiras-13.5 %s --convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck --check-prefixes=CHECK,L14,L29 %s

cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "structured"
  entry @structured(%n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    // L14: %[[SUM:.*]] = scf.for %[[IV:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (i32) : i32 {
    // L14-NEXT: %[[NEXT:.*]] = arith.addi %[[ACC]], %[[IV]] : i32
    // L14-NEXT: scf.yield %[[NEXT]] : i32
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %c0) -> (tile<i32>) {
      %next = addi %acc, %i : tile<i32>
      continue %next : tile<i32>
    }
    %pos = cmpi greater_than %sum, %c0, signed : tile<i32> -> tile<i1>
    // CHECK: scf.if %{{.*}} -> (i32) {
    %r = if %pos -> (tile<i32>) {
      yield %sum : tile<i32>
    } else {
      yield %c1 : tile<i32>
    }
    // CHECK: scf.for unsigned
    for unsigned %j in (%c0 to %n, step %c1) : tile<i32> {
      continue
    }
    return
  }

  // A return below an if: the rest of the entry moves into the branch that goes on.
  // CHECK-LABEL: sym_name = "early_return"
  // L29: scf.if %{{.*}} {
  // L29-NEXT: } else {
  // L29: "nv_tileaa.store"{{.*}} -> !nv_tileaa.mem_token
  // L29-NEXT: }
  // L29-NEXT: "nv_tileaa.return"() : () -> ()
  entry @early_return(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %neg = cmpi less_than %n, %c0, signed : tile<i32> -> tile<i1>
    if %neg {
      return
    }
    %t = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // A loop becomes scf.while: the body runs in the condition region and hands on {go on, next values, results}.
  // CHECK-LABEL: sym_name = "loop_break"
  // L29: %[[R:.*]]:2 = scf.while (%[[I:.*]] = %{{.*}}) : (i32) -> (i32, i32) {
  // L29:   %[[P:.*]]:3 = scf.if %{{.*}} -> (i1, i32, i32) {
  // L29:     scf.yield %false, %{{.*}}, %[[I]] : i1, i32, i32
  // L29:   } else {
  // L29:     scf.yield %true, %{{.*}}, %{{.*}} : i1, i32, i32
  // L29:   }
  // L29:   scf.condition(%[[P]]#0) %[[P]]#1, %[[P]]#2 : i32, i32
  // L29: } do {
  // L29:   scf.yield %{{.*}} : i32
  // L29: }
  // L29: "nv_tileaa.store"(%{{.*}}, %[[R]]#1,
  entry @loop_break(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %r = loop iter_values(%i = %c0) : tile<i32> -> tile<i32> {
      %stop = cmpi greater_than_or_equal %i, %n, signed : tile<i32> -> tile<i1>
      if %stop {
        break %i : tile<i32>
      }
      %x = addi %i, %c1 : tile<i32>
      continue %x : tile<i32>
    }
    %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // A return inside: the loop also hands on whether it returned, and the rest runs where it did not.
  // CHECK-LABEL: sym_name = "loop_return"
  // L29: %[[R:.*]]:3 = scf.while
  // L29:   scf.yield %false, %{{.*}}, %{{.*}}, %true
  // L29:   scf.yield %false, %{{.*}}, %{{.*}}, %false
  // L29: } do {
  // L29: scf.if %[[R]]#2 {
  // L29-NEXT: } else {
  // L29: "nv_tileaa.store"(%{{.*}}, %[[R]]#1,
  entry @loop_return(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c9 = constant <i32: 9> : tile<i32>
    %r = loop iter_values(%i = %c0) : tile<i32> -> tile<i32> {
      %found = cmpi equal %i, %n, signed : tile<i32> -> tile<i1>
      if %found {
        return
      }
      %stop = cmpi greater_than_or_equal %i, %c9, signed : tile<i32> -> tile<i1>
      if %stop {
        break %i : tile<i32>
      }
      %x = addi %i, %c1 : tile<i32>
      continue %x : tile<i32>
    }
    %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // An exit two ifs deep: the outer if hands on a flag, the rest runs under it.
  // CHECK-LABEL: sym_name = "nested_continue"
  // L29: scf.for
  // L29:   %[[F:.*]]:2 = scf.if %{{.*}} -> (i1, i32) {
  // L29:   %[[G:.*]] = scf.if %[[F]]#0 -> (i32) {
  // L29:     arith.muli
  // L29:   } else {
  // L29-NEXT: scf.yield %[[F]]#1 : i32
  // L29:   }
  // L29:   scf.yield %[[G]] : i32
  entry @nested_continue(%n: tile<i32>, %a: tile<i1>, %b: tile<i1>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %c1) -> (tile<i32>) {
      if %a {
        if %b {
          continue %acc : tile<i32>
        }
      }
      %next = muli %acc, %i : tile<i32>
      continue %next : tile<i32>
    }
    return
  }
}
