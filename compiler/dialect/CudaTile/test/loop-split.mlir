// RUN: tile-opt --split-input-file --pass-pipeline='builtin.module(cuda_tile.module(cuda_tile.entry(loop-split)))' %s | FileCheck %s
// RUN: tile-opt --split-input-file --pass-pipeline='builtin.module(cuda_tile.module(cuda_tile.entry(loop-split{assume-no-wrap=false})))' %s | FileCheck %s --check-prefix=WRAP

cuda_tile.module @m {
  // A bound that may be the largest integer is clamped before one is added.
  // CHECK-LABEL: entry @dynamic_bound(
  // CHECK-SAME: %[[N:.*]]: tile<i32>, %[[V:.*]]: tile<i32>, %[[P:.*]]: tile
  // CHECK: %[[LAST:.*]] = subi %[[N]], %[[ONE:.*]] : tile<i32>
  // CHECK: %[[CLAMPED:.*]] = mini %[[V]], %[[LAST]] signed
  // CHECK: %[[POINT:.*]] = addi %[[CLAMPED]], %[[ONE]]
  // CHECK: %[[END:.*]] = mini %[[POINT]], %[[N]] signed
  // CHECK: %[[BEGIN:.*]] = maxi %[[POINT]], %[[ZERO:.*]] signed
  // CHECK: for %{{.*}} in (%[[ZERO]] to %[[END]], step %{{.*}})
  // CHECK-NOT: if
  // CHECK: for %{{.*}} in (%[[BEGIN]] to %[[N]], step %{{.*}})
  // CHECK-NEXT: %[[X:.*]] = itof
  // CHECK-NEXT: store_ptr_tko
  // CHECK-NOT: if
  // WRAP-LABEL: entry @dynamic_bound(
  // WRAP: for
  // WRAP: for
  entry @dynamic_bound(%n: tile<i32>, %v: tile<i32>, %p: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %late = cmpi greater_than %i, %v, signed : tile<i32> -> tile<i1>
      if %late {
        %x = itof %i signed : tile<i32> -> tile<f32>
        %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
      }
    }
  }

  // CHECK-LABEL: entry @other_step
  // CHECK: divi %{{.*}}, %{{.*}} signed rounding<positive_inf>
  // CHECK: for
  // CHECK: for
  // WRAP-LABEL: entry @other_step
  // WRAP: for
  // WRAP: if
  // WRAP-NOT: for
  // WRAP: return
  entry @other_step(%n: tile<i32>, %v: tile<i32>, %p: tile<ptr<f32>>, %x: tile<f32>) {
    %zero = constant <i32: 0> : tile<i32>
    for %i in (%zero to %n, step %v) : tile<i32> {
      %early = cmpi less_than %i, %v, signed : tile<i32> -> tile<i1>
      if %early {
        %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
      }
    }
  }
}
