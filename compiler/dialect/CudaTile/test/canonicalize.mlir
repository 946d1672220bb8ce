// RUN: tile-opt --canonicalize %s | FileCheck %s

cuda_tile.module @m {
  // CHECK-LABEL: entry @branch_values
  // CHECK-SAME: %[[C:.*]]: tile<i1>, %[[X:.*]]: tile<f32>, %[[Y:.*]]: tile<f32>, %[[P:.*]]: tile<ptr<f32>>
  entry @branch_values(%c: tile<i1>, %x: tile<f32>, %y: tile<f32>, %p: tile<ptr<f32>>) {
    // CHECK: %[[S:.*]] = select %[[C]], %[[X]], %[[Y]]
    // CHECK-NOT: if
    %v = if %c -> (tile<f32>) {
      yield %x : tile<f32>
    } else {
      yield %y : tile<f32>
    }
    // CHECK: store_ptr_tko weak %[[P]], %[[S]]
    %t = store_ptr_tko weak %p, %v : tile<ptr<f32>>, tile<f32> -> token
  }

  // Stores keep their order when ifs on one condition are joined.
  // CHECK-LABEL: entry @joined
  entry @joined(%c: tile<i1>, %x: tile<f32>, %y: tile<f32>, %p: tile<ptr<f32>>) {
    // CHECK: if
    // CHECK-NEXT: store_ptr_tko weak %{{.*}}, %[[X:.*]] :
    // CHECK-NEXT: store_ptr_tko weak %{{.*}}, %[[Y:.*]] :
    // CHECK-NEXT: }
    // CHECK-NEXT: return
    if %c {
      %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
    }
    if %c {
      %t = store_ptr_tko weak %p, %y : tile<ptr<f32>>, tile<f32> -> token
    }
  }

  // CHECK-LABEL: entry @static_return
  entry @static_return(%p: tile<ptr<f32>>, %x: tile<f32>) {
    // CHECK-NEXT: return
    // CHECK-NEXT: }
    %true = constant <i1: true> : tile<i1>
    if %true {
      return
    }
    %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
  }

  // On which side the constant stands does not matter.
  // CHECK-LABEL: entry @negated_from_the_left
  // CHECK-SAME: %[[C:.*]]: tile<i1>, %[[X:.*]]: tile<f32>, %[[Y:.*]]: tile<f32>, %[[P:.*]]: tile<ptr<f32>>
  entry @negated_from_the_left(%c: tile<i1>, %x: tile<f32>, %y: tile<f32>, %p: tile<ptr<f32>>) {
    // CHECK-NOT: xori
    // CHECK: %[[S:.*]] = select %[[C]], %[[Y]], %[[X]]
    // CHECK: store_ptr_tko weak %[[P]], %[[S]]
    %true = constant <i1: true> : tile<i1>
    %not = xori %true, %c : tile<i1>
    %s = select %not, %x, %y : tile<i1>, tile<f32>
    %t = store_ptr_tko weak %p, %s : tile<ptr<f32>>, tile<f32> -> token
  }

  // CHECK-LABEL: entry @negated
  entry @negated(%c: tile<i1>, %x: tile<f32>, %y: tile<f32>, %p: tile<ptr<f32>>) {
    // CHECK-NOT: xori
    // CHECK: if %{{.*}} {
    // CHECK-NEXT: store_ptr_tko weak %{{.*}}, %[[Y:.*]] :
    %true = constant <i1: true> : tile<i1>
    %not = xori %c, %true : tile<i1>
    if %not {
      %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
    } else {
      %t = store_ptr_tko weak %p, %y : tile<ptr<f32>>, tile<f32> -> token
    }
  }
}
