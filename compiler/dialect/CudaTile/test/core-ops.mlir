// RUN: tile-opt %s | tile-opt | FileCheck --check-prefixes=CHECK,C6 %s
// RUN: tile-opt --mlir-print-op-generic %s | tile-opt | FileCheck --check-prefixes=CHECK,C6 %s

// CHECK-LABEL: cuda_tile.module @m
cuda_tile.module @m {
  // CHECK: global @table alignment = 16 <f32: [1.000000e+00, 2.000000e+00]> : tile<2xf32>
  global @table alignment = 16 <f32: [1.0, 2.0]> : tile<2xf32>
  // CHECK: global private constant @limits <i32: 7> : tile<4xi32>
  global private constant @limits <i32: 7> : tile<4xi32>

  // CHECK: entry @shapes(%{{.*}}: tile<i32>, %{{.*}}: tile<ptr<f32>>) {
  entry @shapes(%n: tile<i32>, %p: !cuda_tile.tile<!cuda_tile.ptr<f32>>) {
    // C6: get_global @table : tile<ptr<f32>>
    %g = get_global @table : tile<ptr<f32>>
    // C6: get_tile_block_id : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    // C6: get_num_tile_blocks : tile<i32>
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    // C6: %[[IOTA:.*]] = iota : tile<16xi32>
    %iota = iota : tile<16xi32>
    // C6: %[[RESHAPE:reshape.*]] = reshape %[[IOTA]] : tile<16xi32> -> tile<1x16xi32>
    %row = reshape %iota : tile<16xi32> -> tile<1x16xi32>
    // C6: %[[BCAST:bcast.*]] = broadcast %[[RESHAPE]] : tile<1x16xi32> -> tile<8x16xi32>
    %grid = broadcast %row : tile<1x16xi32> -> tile<8x16xi32>
    // C6: permute %[[BCAST]] [1, 0] : tile<8x16xi32> -> tile<16x8xi32>
    %t = permute %grid [1, 0] : tile<8x16xi32> -> tile<16x8xi32>
    // C6: cat %[[BCAST]], %[[BCAST]] dim = 0 : tile<8x16xi32>, tile<8x16xi32> -> tile<16x16xi32>
    %c = cat %grid, %grid dim = 0 : tile<8x16xi32>, tile<8x16xi32> -> tile<16x16xi32>
    // C6: %[[PART:.*]] = extract %{{.*}}[%{{.*}}, %{{.*}}] : tile<16x16xi32> -> tile<4x8xi32>
    %part = extract %c[%x, %y] : tile<16x16xi32> -> tile<4x8xi32>
    // C6: insert %[[PART]], %{{.*}}[%{{.*}}, %{{.*}}] : tile<4x8xi32>, tile<16x16xi32>
    %whole = insert %part, %c[%x, %y] : tile<4x8xi32>, tile<16x16xi32>
    // C6: offset %{{.*}}, %{{.*}} : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %q = offset %p, %n : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    // C6: %true = constant <i1: true> : tile<i1>
    %true = constant <i1: true> : tile<i1>
    // C6: select %true, %{{.*}}, %{{.*}} : tile<i1>, tile<i32>
    %s = select %true, %x, %y : tile<i1>, tile<i32>
    // C6: %[[BYTES:.*]] = pack %{{.*}} : tile<16xi32> -> tile<64xi8>
    %bytes = pack %iota : tile<16xi32> -> tile<64xi8>
    // C6: unpack %[[BYTES]] : tile<64xi8> -> tile<32xf16>
    %halves = unpack %bytes : tile<64xi8> -> tile<32xf16>
    // C6-NEXT: return
  }

  // CHECK: entry @constants()
  entry @constants() {
    // CHECK: %cst_42_i32 = constant <i32: 42> : tile<4xi32>
    %a = constant <i32: 42> : tile<4xi32>
    // CHECK: %cst_f32 = constant <f32: {{\[}}[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tile<2x2xf32>
    %b = constant <f32: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf32>
    // CHECK: %cst_NaN_f32 = constant <f32: 0x7FC00000> : tile<f32>
    %c = constant <f32: 0x7FC00000> : tile<f32>
    // CHECK: constant <i8: -1> : tile<i8>
    %d = constant <i8: 255> : tile<i8>
    // CHECK: constant <i64: -1> : tile<i64>
    %e = constant <i64: 18446744073709551615> : tile<i64>
    // CHECK: %cst_i1 = constant <i1: [true, false]> : tile<2xi1>
    %f = constant <i1: [1, 0]> : tile<2xi1>
    // CHECK: constant <f8E4M3FN: 1.000000e+00> : tile<2xf8E4M3FN>
    %g = constant <f8E4M3FN: 1.0> : tile<2xf8E4M3FN>
  }

  // CHECK: entry @aggregates(%[[ARG:.*]]: tile<f32>)
  entry @aggregates(%v: tile<f32>) {
    %row = reshape %v : tile<f32> -> tile<1x1xf32>
    %m = broadcast %row : tile<1x1xf32> -> tile<8x16xf32>
    // CHECK: %reduce = reduce %{{.*}} dim=1 identities=[0.000000e+00 : f32] : tile<8x16xf32> -> tile<8xf32>
    // CHECK-NEXT: (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>) {
    %r = reduce %m dim=1 identities=[0.0 : f32] : tile<8x16xf32> -> tile<8xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = addf %a, %b : tile<f32>
        // CHECK: yield %{{.*}} : tile<f32>
        yield %s : tile<f32>
      }
    // CHECK: scan %{{.*}} dim=0 reverse=true identities=[1.000000e+00 : f32] : tile<8x16xf32> -> tile<8x16xf32>
    %p = scan %m dim=0 reverse=true identities=[1.0 : f32] : tile<8x16xf32> -> tile<8x16xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = mulf %a, %b : tile<f32>
        yield %s : tile<f32>
      }
  }

  // CHECK: entry @hints() optimization_hints=<sm_90 = {num_cta_in_cga = 2, occupancy = 4}> {
  entry @hints() optimization_hints=<sm_90 = {num_cta_in_cga = 2, occupancy = 4}> {
    return
  }
  // CHECK: entry @attributes(%{{.*}}: tile<i32> {cuda_tile.foo = 3 : i32}) {
  entry @attributes(%a: tile<i32> {cuda_tile.foo = 3 : i32}) {
  }
}
