// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck --check-prefixes=CHECK,L22,O8 %s

cuda_tile.module @m {
  entry @shapes(%s: tile<f32>, %i: tile<i32>) {
    // Rank 0 is a scalar, so reshapes to and from it are extracts and splats.
    // O8: %[[SPLAT:.*]] = "nv_tileaa.splat"(%{{.*}}) : (f32) -> tensor<1x1xf32>
    %0 = reshape %s : tile<f32> -> tile<1x1xf32>
    // O8: %[[ONE:.*]] = "nv_tileaa.extract"(%[[SPLAT]]) : (tensor<1x1xf32>) -> f32
    // O8: "nv_tileaa.splat"(%[[ONE]]) : (f32) -> tensor<8x16xf32>
    %1 = broadcast %0 : tile<1x1xf32> -> tile<8x16xf32>
    // O8: "nv_tileaa.extract"(%[[SPLAT]]) : (tensor<1x1xf32>) -> f32
    %2 = reshape %0 : tile<1x1xf32> -> tile<f32>
    // O8-DAG: %[[Z:.*]] = arith.constant 0 : i32
    // O8-DAG: %[[N:.*]] = arith.constant 16 : i32
    // O8: "nv_tileaa.make_range"(%[[Z]], %[[N]]) : (i32, i32) -> tensor<16xi16>
    %3 = iota : tile<16xi16>
    // O8: "nv_tileaa.expand_dims"(%{{.*}}) <{axes = array<i32: 0>}> : (tensor<16xi16>) -> tensor<1x16xi16>
    %4 = reshape %3 : tile<16xi16> -> tile<1x16xi16>
    // O8: "nv_tileaa.broadcast"(%{{.*}}) : (tensor<1x16xi16>) -> tensor<4x16xi16>
    %5 = broadcast %4 : tile<1x16xi16> -> tile<4x16xi16>
    // O8: "nv_tileaa.view"(%{{.*}}) : (tensor<4x16xi16>) -> tensor<8x8xi16>
    %6 = reshape %5 : tile<4x16xi16> -> tile<8x8xi16>
    // O8: "nv_tileaa.permute"(%{{.*}}) <{permutation = array<i32: 1, 0>}> : (tensor<4x16xi16>) -> tensor<16x4xi16>
    %7 = permute %5 [1, 0] : tile<4x16xi16> -> tile<16x4xi16>
    // O8: "nv_tileaa.cat"(%{{.*}}, %{{.*}}) <{dim = 0 : i64}> : (tensor<8x8xi16>, tensor<8x8xi16>) -> tensor<16x8xi16>
    %8 = cat %6, %6 dim = 0 : tile<8x8xi16>, tile<8x8xi16> -> tile<16x8xi16>
    // O8: "nv_tileaa.extract_slice"(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<16x8xi16>, i32, i32) -> tensor<4x4xi16>
    %9 = extract %8[%i, %i] : tile<16x8xi16> -> tile<4x4xi16>
    // O8: %[[E:.*]] = "nv_tileaa.extract"(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<4x4xi16>, i32, i32) -> i16
    // O8: "nv_tileaa.splat"(%[[E]]) : (i16) -> tensor<1x1xi16>
    %10 = extract %9[%i, %i] : tile<4x4xi16> -> tile<1x1xi16>
    // L22: %[[C:.*]] = arith.constant 2.000000e+00 : f16
    // L22: "nv_tileaa.splat"(%[[C]]) : (f16) -> tensor<4xf16>
    %11 = constant <f16: 2.0> : tile<4xf16>
    // L22: arith.constant true
    %12 = constant <i1: true> : tile<i1>
    return
  }

  // CHECK-LABEL: sym_name = "insert"
  entry @insert(%i: tile<i32>) {
    %small = constant <i32: 7> : tile<4xi32>
    %big = constant <i32: 0> : tile<16xi32>
    // O8: %[[REP:.*]] = "nv_tileaa.view"(%{{.*}}) : (tensor<4x4xi32>) -> tensor<16xi32>
    // O8: %[[HIT:.*]] = "nv_tileaa.view"(%{{.*}}) : (tensor<4x4xi1>) -> tensor<16xi1>
    // O8: arith.select %[[HIT]], %[[REP]], %{{.*}} : tensor<16xi1>, tensor<16xi32>
    %r = insert %small, %big[%i] : tile<4xi32>, tile<16xi32>
    return
  }
}
