// RUN: tile-opt --pass-pipeline='builtin.module(fuse-fma)' %s | FileCheck %s

// Values are kept alive by stores, because every op here is pure.
cuda_tile.module @m {
  // CHECK-LABEL: entry @sum_on_either_side
  // CHECK-SAME: %[[A:.*]]: tile<f32>, %[[B:.*]]: tile<f32>, %[[C:.*]]: tile<f32>
  entry @sum_on_either_side(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %p: tile<ptr<f32>>) {
    // CHECK: %[[R:.*]] = fma %[[A]], %[[B]], %[[C]]
    // CHECK: store_ptr_tko weak %{{.*}}, %[[R]]
    %0 = mulf %a, %b : tile<f32>
    %1 = addf %c, %0 : tile<f32>
    %2 = store_ptr_tko weak %p, %1 : tile<ptr<f32>>, tile<f32> -> token
  }
  // CHECK-LABEL: entry @reciprocal_root
  entry @reciprocal_root(%x: tile<f32>, %p: tile<ptr<f32>>) {
    // CHECK: rsqrt %{{.*}} flush_to_zero : tile<f32>
    // CHECK-NOT: divf
    %one = constant <f32: 1.0> : tile<f32>
    %0 = sqrt %x rounding<nearest_even> flush_to_zero : tile<f32>
    %1 = divf %one, %0 rounding<nearest_even> flush_to_zero : tile<f32>
    %2 = store_ptr_tko weak %p, %1 : tile<ptr<f32>>, tile<f32> -> token
    return
  }
  // Another numerator, another flush mode.
  // CHECK-LABEL: entry @other_quotients
  entry @other_quotients(%x: tile<f32>, %p: tile<ptr<f32>>) {
    // CHECK-NOT: rsqrt
    %two = constant <f32: 2.0> : tile<f32>
    %one = constant <f32: 1.0> : tile<f32>
    %0 = sqrt %x rounding<nearest_even> : tile<f32>
    %1 = divf %two, %0 rounding<nearest_even> : tile<f32>
    %2 = store_ptr_tko weak %p, %1 : tile<ptr<f32>>, tile<f32> -> token
    %3 = sqrt %x rounding<nearest_even> : tile<f32>
    %4 = divf %one, %3 rounding<nearest_even> flush_to_zero : tile<f32>
    %5 = store_ptr_tko weak %p, %4 : tile<ptr<f32>>, tile<f32> -> token
    return
  }
  // CHECK-LABEL: entry @difference
  entry @difference(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %p: tile<ptr<f32>>) {
    // CHECK: %[[N:.*]] = negf
    // CHECK: fma %{{.*}}, %{{.*}}, %[[N]] rounding<zero> flush_to_zero : tile<f32>
    %0 = mulf %a, %b rounding<zero> flush_to_zero : tile<f32>
    %1 = subf %0, %c rounding<zero> flush_to_zero : tile<f32>
    %2 = store_ptr_tko weak %p, %1 : tile<ptr<f32>>, tile<f32> -> token
  }
  // CHECK-LABEL: entry @kept_apart
  entry @kept_apart(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %p: tile<ptr<f32>>) {
    // CHECK-NOT: fma
    // Other rounding.
    %0 = mulf %a, %b rounding<zero> : tile<f32>
    %1 = addf %0, %c : tile<f32>
    // Other users of the product.
    %2 = mulf %a, %a : tile<f32>
    %3 = addf %2, %1 : tile<f32>
    %4 = store_ptr_tko weak %p, %2 : tile<ptr<f32>>, tile<f32> -> token
    // The product is subtracted.
    %5 = mulf %b, %b : tile<f32>
    %6 = subf %3, %5 : tile<f32>
    %7 = store_ptr_tko weak %p, %6 : tile<ptr<f32>>, tile<f32> -> token
    // CHECK: return
  }
}
