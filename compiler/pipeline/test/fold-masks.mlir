// RUN: tile-opt --tilesmith-pipeline="gpu-name=sm_100 from=cudatile to=tileaa stop-after=tileaa-fold-masks" %s | FileCheck %s
// RUN: tile-opt --tilesmith-pipeline="gpu-name=sm_90 from=cudatile to=tileaa stop-after=tileaa-fold-masks" %s | FileCheck %s --check-prefix=KEPT
// RUN: sed 's/i32: 64> : tile<i32>/i32: 48> : tile<i32>/' %s | tile-opt --tilesmith-pipeline="gpu-name=sm_100 from=cudatile to=tileaa stop-after=tileaa-fold-masks" | FileCheck %s --check-prefix=KEPT
// Both bounds of a row become numbers of columns, and each element compares its column with the smaller one. Columns that may
// begin anywhere keep their comparisons.
// CHECK-LABEL: sym_name = "masked"
// CHECK: %[[C:.*]] = "nv_tileaa.expand_dims"(%{{.*}}) <{axes = array<i32: 0>}>
// CHECK-NOT: arith.addi %{{.*}} : tensor<1x64xi32>
// CHECK: arith.select %{{.*}} : tensor<64x1xi1>, tensor<64x1xi32>
// CHECK: %[[N:.*]] = arith.minsi %{{.*}} : tensor<64x1xi32>
// CHECK-DAG: %[[L:.*]] = "nv_tileaa.broadcast"(%[[C]]) : (tensor<1x64xi32>) -> tensor<64x64xi32>
// CHECK-DAG: %[[R:.*]] = "nv_tileaa.broadcast"(%[[N]]) : (tensor<64x1xi32>) -> tensor<64x64xi32>
// CHECK: %[[M:.*]] = arith.cmpi slt, %[[L]], %[[R]] : tensor<64x64xi32>
// CHECK-NEXT: arith.select %[[M]]
// KEPT-LABEL: sym_name = "masked"
// KEPT: arith.addi %{{.*}} : tensor<1x64xi32>
// KEPT: arith.andi %{{.*}} : tensor<64x64xi1>
// KEPT: arith.select %{{.*}} : tensor<64x64xi1>
cuda_tile.module @m {
  entry @masked(%p: tile<ptr<f32>>, %at: tile<i32>, %end: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %width = constant <i32: 64> : tile<i32>
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %tok = make_token : token
    %x, %t0 = load_view_tko weak %w[%c0, %c0] token = %tok : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %start = muli %at, %width : tile<i32>
    %i = iota : tile<64xi32>
    %i2 = reshape %i : tile<64xi32> -> tile<1x64xi32>
    %s2 = reshape %start : tile<i32> -> tile<1x1xi32>
    %sb = broadcast %s2 : tile<1x1xi32> -> tile<1x64xi32>
    %col = addi %sb, %i2 : tile<1x64xi32>
    %e2 = reshape %end : tile<i32> -> tile<1x1xi32>
    %eb = broadcast %e2 : tile<1x1xi32> -> tile<1x64xi32>
    %in = cmpi less_than %col, %eb, signed : tile<1x64xi32> -> tile<1x64xi1>
    %inb = broadcast %in : tile<1x64xi1> -> tile<64x64xi1>
    %r = iota : tile<64xi32>
    %r2 = reshape %r : tile<64xi32> -> tile<64x1xi32>
    %rb = broadcast %r2 : tile<64x1xi32> -> tile<64x64xi32>
    %cb = broadcast %col : tile<1x64xi32> -> tile<64x64xi32>
    %below = cmpi greater_than_or_equal %rb, %cb, signed : tile<64x64xi32> -> tile<64x64xi1>
    %both = andi %inb, %below : tile<64x64xi1>
    %none = constant <f32: -1.0> : tile<64x64xf32>
    %y = select %both, %x, %none : tile<64x64xi1>, tile<64x64xf32>
    %t1 = store_view_tko weak %y, %w[%c0, %c0] token = %t0 : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
