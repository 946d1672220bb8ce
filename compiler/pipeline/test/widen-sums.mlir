// A loop that only hands on a sum of f16 carries it as f32, where tensor memory holds it.
// RUN: tile-opt --tilesmith-pipeline="gpu-name=sm_100 opt-level=3 from=cudatile to=tileaa stop-after=tileaa-fold-view-shapes" %s | FileCheck %s
// RUN: tile-opt --tilesmith-pipeline="gpu-name=sm_90 opt-level=3 from=cudatile to=tileaa stop-after=tileaa-fold-view-shapes" %s | FileCheck --check-prefix=OTHER %s

// CHECK-LABEL: sym_name = "carried"
// CHECK: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: %[[START:.*]] = "nv_tileaa.splat"(%[[TWO]])
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %[[START]]) -> (tensor<64x64xf32>)
// CHECK: %[[N:.*]] = "nv_tileaa.dot"(%{{.*}}, %{{.*}}, %[[S]])
// CHECK-NEXT: scf.yield %[[N]]
// CHECK: %[[NARROW:.*]] = "nv_tileaa.fp_to_fp"(%[[SUM]]){{.*}} -> tensor<64x64xf16>
// CHECK: "nv_tileaa.store"(%{{.*}}, %[[NARROW]]
// What else the loop does to the sum is done to one of f16.
// CHECK-LABEL: sym_name = "changed"
// CHECK: scf.for {{.*}} -> (tensor<64x64xf16>)
// Too few rows for tensor memory.
// CHECK-LABEL: sym_name = "small"
// CHECK: scf.for {{.*}} -> (tensor<32x64xf16>)

// OTHER: scf.for {{.*}} -> (tensor<64x64xf16>)

cuda_tile.module @m {
  entry @carried(%p: tile<ptr<f16>>, %n: tile<i32>, %x: tile<f16>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %flat = reshape %x : tile<f16> -> tile<1x1xf16>
    %a = broadcast %flat : tile<1x1xf16> -> tile<64x64xf16>
    %start = constant <f16: 2.0> : tile<64x64xf16>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %start) -> (tile<64x64xf16>) {
      %d = mmaf %a, %a, %s : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf16>
      continue %d : tile<64x64xf16>
    }
    %place = iota : tile<4096xi32>
    %square = reshape %place : tile<4096xi32> -> tile<64x64xi32>
    %p1 = reshape %p : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %p2 = broadcast %p1 : tile<1x1xptr<f16>> -> tile<64x64xptr<f16>>
    %at = offset %p2, %square : tile<64x64xptr<f16>>, tile<64x64xi32> -> tile<64x64xptr<f16>>
    %t = store_ptr_tko weak %at, %sum : tile<64x64xptr<f16>>, tile<64x64xf16> -> token
    return
  }

  entry @changed(%p: tile<ptr<f16>>, %n: tile<i32>, %x: tile<f16>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %flat = reshape %x : tile<f16> -> tile<1x1xf16>
    %a = broadcast %flat : tile<1x1xf16> -> tile<64x64xf16>
    %start = constant <f16: 2.0> : tile<64x64xf16>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %start) -> (tile<64x64xf16>) {
      %d = mmaf %a, %a, %s : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf16>
      %e = mulf %d, %a rounding<nearest_even> : tile<64x64xf16>
      continue %e : tile<64x64xf16>
    }
    %place = iota : tile<4096xi32>
    %square = reshape %place : tile<4096xi32> -> tile<64x64xi32>
    %p1 = reshape %p : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %p2 = broadcast %p1 : tile<1x1xptr<f16>> -> tile<64x64xptr<f16>>
    %at = offset %p2, %square : tile<64x64xptr<f16>>, tile<64x64xi32> -> tile<64x64xptr<f16>>
    %t = store_ptr_tko weak %at, %sum : tile<64x64xptr<f16>>, tile<64x64xf16> -> token
    return
  }

  entry @small(%p: tile<ptr<f16>>, %n: tile<i32>, %x: tile<f16>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %flat = reshape %x : tile<f16> -> tile<1x1xf16>
    %a = broadcast %flat : tile<1x1xf16> -> tile<32x64xf16>
    %b = broadcast %flat : tile<1x1xf16> -> tile<64x64xf16>
    %start = constant <f16: 2.0> : tile<32x64xf16>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %start) -> (tile<32x64xf16>) {
      %d = mmaf %a, %b, %s : tile<32x64xf16>, tile<64x64xf16>, tile<32x64xf16>
      continue %d : tile<32x64xf16>
    }
    %place = iota : tile<2048xi32>
    %square = reshape %place : tile<2048xi32> -> tile<32x64xi32>
    %p1 = reshape %p : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %p2 = broadcast %p1 : tile<1x1xptr<f16>> -> tile<32x64xptr<f16>>
    %at = offset %p2, %square : tile<32x64xptr<f16>>, tile<32x64xi32> -> tile<32x64xptr<f16>>
    %t = store_ptr_tko weak %at, %sum : tile<32x64xptr<f16>>, tile<32x64xf16> -> token
    return
  }
}
