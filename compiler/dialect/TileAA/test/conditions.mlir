// One function per safety condition of a canonicalizer: the smallest program that breaks it, which stays as it is.
// oracles/engines/tileaa runs these functions, too.
// RUN: tile-opt %s --tileaa-canonicalize | FileCheck --check-prefixes=CHECK,F5,F6,F7,F9,F10,F11,F12,F13,F14,F15,F16,F17,F18,F19 %s

!p = !nv_tileaa.ptr<i32, 1>
!q = !nv_tileaa.ptr<f32, 1>
!b = !nv_tileaa.ptr<i8, 1>
!t = !nv_tileaa.mem_token

// fold-constant-dot: the accumulator of a float dot may be -0, which + 0 changes.
// CHECK-LABEL: func.func @dot_unknown_accumulator(
func.func @dot_unknown_accumulator(%c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: "nv_tileaa.dot"
  %z = arith.constant dense<0.0> : tensor<4x8xf16>
  %o = arith.constant dense<1.0> : tensor<8x4xf16>
  %r = "nv_tileaa.dot"(%z, %o, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x8xf16>, tensor<8x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// fold-constant-dot: 0 * infinity is NaN, so the accumulator is not the result.
// CHECK-LABEL: func.func @dot_infinite_other(
func.func @dot_infinite_other() -> tensor<4x4xf32> {
  // CHECK: arith.constant dense<0x7FC00000>
  %z = arith.constant dense<0.0> : tensor<4x8xf16>
  %o = arith.constant dense<0x7C00> : tensor<8x4xf16>
  %c = arith.constant dense<1.0> : tensor<4x4xf32>
  %r = "nv_tileaa.dot"(%z, %o, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x8xf16>, tensor<8x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// fold-constant-dot: either multiplicand may be the zero.
// CHECK-LABEL: func.func @dot_zero_b(
func.func @dot_zero_b(%a: tensor<4x8xi8>, %c: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // CHECK-NEXT: return %arg1
  %z = arith.constant dense<0> : tensor<8x4xi8>
  %r = "nv_tileaa.dot"(%a, %z, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<unsigned>, signedness_b = #nv_tileaa.signedness<unsigned>}> : (tensor<4x8xi8>, tensor<8x4xi8>, tensor<4x4xi32>) -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}

// fold-constant-dot: block scales may be NaN.
// CHECK-LABEL: func.func @dot_scaled(
func.func @dot_scaled(%s: tensor<4x1xf8E8M0FNU>, %u: tensor<1x4xf8E8M0FNU>) -> tensor<4x4xf32> {
  // CHECK: "nv_tileaa.dot"
  %z = arith.constant dense<0.0> : tensor<4x32xf8E4M3FN>
  %o = arith.constant dense<1.0> : tensor<32x4xf8E4M3FN>
  %c = arith.constant dense<1.0> : tensor<4x4xf32>
  %r = "nv_tileaa.dot"(%z, %o, %c, %s, %u) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<4x32xf8E4M3FN>, tensor<32x4xf8E4M3FN>, tensor<4x4xf32>, tensor<4x1xf8E8M0FNU>, tensor<1x4xf8E8M0FNU>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// fold-constant-dot: no zero, no constants.
// CHECK-LABEL: func.func @dot_int_unknown(
func.func @dot_int_unknown(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>, %c: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // CHECK: "nv_tileaa.dot"
  %r = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>}> : (tensor<4x8xi8>, tensor<8x4xi8>, tensor<4x4xi32>) -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}

// fuse-addptr-chain: the offsets count different elements.
// CHECK-LABEL: func.func @addptr_other_element(
func.func @addptr_other_element(%p: !b, %x: i32) -> !p {
  // F5-NEXT: %[[A:.*]] = "nv_tileaa.addptr"(%arg0, %arg1) : (!nv_tileaa.ptr<i8, 1>, i32) -> !nv_tileaa.ptr<i8, 1>
  // F5-NEXT: %[[B:.*]] = "nv_tileaa.bitcast"(%[[A]]) : (!nv_tileaa.ptr<i8, 1>) -> !nv_tileaa.ptr<i32, 1>
  // F5-NEXT: %[[C:.*]] = "nv_tileaa.addptr"(%[[B]], %arg1) : (!nv_tileaa.ptr<i32, 1>, i32) -> !nv_tileaa.ptr<i32, 1>
  // F5-NEXT: return %[[C]]
  %0 = "nv_tileaa.addptr"(%p, %x) : (!b, i32) -> !b
  %1 = "nv_tileaa.bitcast"(%0) : (!b) -> !p
  %2 = "nv_tileaa.addptr"(%1, %x) : (!p, i32) -> !p
  return %2 : !p
}

// fuse-addptr-chain: the sum of two i8 offsets would wrap in i8; it is formed in i64.
// CHECK-LABEL: func.func @addptr_no_wrap(
func.func @addptr_no_wrap(%p: !p) -> !p {
  // CHECK: arith.constant 254 : i64
  %x = arith.constant 127 : i8
  %0 = "nv_tileaa.addptr"(%p, %x) : (!p, i8) -> !p
  %1 = "nv_tileaa.addptr"(%0, %x) : (!p, i8) -> !p
  return %1 : !p
}

// push-assume-through-splat: "every" and "along" speak of neighbours.
// CHECK-LABEL: func.func @assume_lanes(
func.func @assume_lanes(%x: i32) -> tensor<8xi32> {
  // F6: %[[S:.*]] = "nv_tileaa.splat"
  // F6: "nv_tileaa.assume"(%[[S]])
  %s = "nv_tileaa.splat"(%x) : (i32) -> tensor<8xi32>
  %0 = "nv_tileaa.assume"(%s) <{predicates = [#nv_tileaa.div_by<divisor = 4, every = 1, along = 0>]}> : (tensor<8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// push-select-through-splat: the select is of tiles, and what stands below the splat is no select.
// CHECK-LABEL: func.func @select_of_tiles(
func.func @select_of_tiles(%c: i1, %x: tensor<8xi32>, %y: i32) -> (tensor<8xi32>, tensor<8xi32>) {
  // F7-NEXT: %[[Y:.*]] = arith.addi %arg2, %arg2 : i32
  // F7-NEXT: %[[T:.*]] = "nv_tileaa.splat"(%[[Y]]) : (i32) -> tensor<8xi32>
  // F7-NEXT: %[[R:.*]] = arith.select %arg0, %arg1, %[[T]] : tensor<8xi32>
  // F7-NEXT: return %[[R]], %[[T]]
  %s = arith.addi %y, %y : i32
  %t = "nv_tileaa.splat"(%s) : (i32) -> tensor<8xi32>
  %0 = arith.select %c, %x, %t : tensor<8xi32>
  return %0, %t : tensor<8xi32>, tensor<8xi32>
}

// masked-load, masked-store: a mask that is neither all true nor all false.
// CHECK-LABEL: func.func @mixed_mask(
func.func @mixed_mask(%p: tensor<4x!p>, %o: tensor<4xi32>, %t: !t) -> (tensor<4xi32>, !t) {
  // CHECK: "nv_tileaa.load"(%arg0, %{{.*}}, %arg1, %arg2)
  // CHECK: "nv_tileaa.store"{{.*}}array<i32: 1, 1, 0, 1, 1>
  %m = arith.constant dense<[true, false, true, true]> : tensor<4xi1>
  %0, %t0 = "nv_tileaa.load"(%p, %m, %o, %t) <{operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>}> : (tensor<4x!p>, tensor<4xi1>, tensor<4xi32>, !t) -> (tensor<4xi32>, !t)
  %1 = "nv_tileaa.store"(%p, %0, %m, %t0) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>}> : (tensor<4x!p>, tensor<4xi32>, tensor<4xi1>, !t) -> !t
  return %0, %1 : tensor<4xi32>, !t
}

// masked-load, masked-store: a mask that is not constant.
// CHECK-LABEL: func.func @unknown_mask(
func.func @unknown_mask(%p: !p, %m: i1, %o: i32, %t: !t) -> (i32, !t) {
  // CHECK: "nv_tileaa.load"(%arg0, %arg1, %arg2, %arg3)
  // CHECK: "nv_tileaa.store"{{.*}}array<i32: 1, 1, 0, 1, 1>
  %0, %t0 = "nv_tileaa.load"(%p, %m, %o, %t) <{operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>}> : (!p, i1, i32, !t) -> (i32, !t)
  %1 = "nv_tileaa.store"(%p, %0, %m, %t0) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>}> : (!p, i32, i1, !t) -> !t
  return %0, %1 : i32, !t
}

// masked-load, masked-store: gathers and scatters under a mask that is neither.
// CHECK-LABEL: func.func @mixed_gather(
func.func @mixed_gather(%p: !p, %o: tensor<4x2xi32>, %t: !t) -> (tensor<4x2xi32>, !t, !t) {
  %m = "nv_tileaa.make_memref"(%p) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!p) -> !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>
  %view = "nv_tileaa.block_tile"(%m) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 4, 2>}> : (!nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>) -> !nv_tileaa.tiled_view<tileShape = [4, 2], memref = !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>, dimMap = [0, 1], sparseDim = 0>
  %rows = arith.constant dense<[0, 2, 1, 3]> : tensor<4xi32>
  %c0 = arith.constant 0 : i32
  // CHECK: "nv_tileaa.gather_load"{{.*}}array<i32: 1, 2, 1, 1, 1>
  // CHECK: "nv_tileaa.scatter_store"{{.*}}array<i32: 1, 1, 2, 1, 1>
  %m1 = arith.constant dense<[[true, false], [true, true], [false, false], [true, true]]> : tensor<4x2xi1>
  %0, %t0 = "nv_tileaa.gather_load"(%view, %rows, %c0, %m1, %o, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 1, 1, 1>}> : (!nv_tileaa.tiled_view<tileShape = [4, 2], memref = !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>, dimMap = [0, 1], sparseDim = 0>, tensor<4xi32>, i32, tensor<4x2xi1>, tensor<4x2xi32>, !t) -> (tensor<4x2xi32>, !t)
  %1 = "nv_tileaa.scatter_store"(%view, %o, %rows, %c0, %m1, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 1, 1>}> : (!nv_tileaa.tiled_view<tileShape = [4, 2], memref = !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>, dimMap = [0, 1], sparseDim = 0>, tensor<4x2xi32>, tensor<4xi32>, i32, tensor<4x2xi1>, !t) -> !t
  return %0, %t0, %1 : tensor<4x2xi32>, !t, !t
}

// masked-load: a padded gather pads where its mask is false, too.
// CHECK-LABEL: func.func @padded_gather(
func.func @padded_gather(%p: !p, %o: tensor<4x2xi32>, %t: !t) -> (tensor<4x2xi32>, !t) {
  %m = "nv_tileaa.make_memref"(%p) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!p) -> !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>
  %view = "nv_tileaa.block_tile"(%m) <{dimGroups = [array<i64: 0>, array<i64: 1>], padding_value = #nv_tileaa.padding_value<zero>, tileSizes = array<i64: 4, 2>}> : (!nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>) -> !nv_tileaa.tiled_view<tileShape = [4, 2], memref = !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>, dimMap = [0, 1], padding = #nv_tileaa.padding_value<zero>, sparseDim = 0>
  %rows = arith.constant dense<[0, 2, 9, 3]> : tensor<4xi32>
  %c0 = arith.constant 0 : i32
  // CHECK: "nv_tileaa.gather_load"{{.*}}array<i32: 1, 2, 1, 1, 1>
  %m1 = arith.constant dense<false> : tensor<4x2xi1>
  %0, %t0 = "nv_tileaa.gather_load"(%view, %rows, %c0, %m1, %o, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 1, 1, 1>}> : (!nv_tileaa.tiled_view<tileShape = [4, 2], memref = !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>, dimMap = [0, 1], padding = #nv_tileaa.padding_value<zero>, sparseDim = 0>, tensor<4xi32>, i32, tensor<4x2xi1>, tensor<4x2xi32>, !t) -> (tensor<4x2xi32>, !t)
  return %0, %t0 : tensor<4x2xi32>, !t
}

// masked-store: a volatile store has another side effect.
// CHECK-LABEL: func.func @volatile_store(
func.func @volatile_store(%p: !p, %v: i32, %t: !t) -> !t {
  // F11: "nv_tileaa.store"{{.*}}is_volatile
  %f = arith.constant false
  %0 = "nv_tileaa.store"(%p, %v, %f, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>, is_volatile}> : (!p, i32, i1, !t) -> !t
  return %0 : !t
}

// masked-store: without an input token its users see a fresh one.
// CHECK-LABEL: func.func @masked_store_no_token(
func.func @masked_store_no_token(%p: !p, %v: i32) -> !t {
  // F10: %[[T:.*]] = "nv_tileaa.create_mem_token"
  // F10-NOT: nv_tileaa.store
  // F10: return %[[T]]
  %f = arith.constant false
  %0 = "nv_tileaa.store"(%p, %v, %f) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>}> : (!p, i32, i1) -> !t
  return %0 : !t
}

// fold-broadcast-of-splat alone; the result type is the one of the broadcast.
// CHECK-LABEL: func.func @broadcast_of_splat(
func.func @broadcast_of_splat(%x: f32) -> tensor<4x8xf32> {
  // F12: %[[S:.*]] = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<4x8xf32>
  // F12-NEXT: return %[[S]]
  %0 = "nv_tileaa.splat"(%x) : (f32) -> tensor<1x8xf32>
  %1 = "nv_tileaa.broadcast"(%0) : (tensor<1x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// fold-expand-dims-of-splat, fold-view-chain, fold-broadcast-of-splat: sources that are computed from scalars, too, but are
// no splat, and the same wrappers over each other.
// CHECK-LABEL: func.func @wrappers_of_tiles(
func.func @wrappers_of_tiles(%a: i32, %b: i32) -> (tensor<4x8xi32>, tensor<2x4xi32>, tensor<1x4x2xi32>) {
  // F12-NEXT: %[[RANGE:.*]] = "nv_tileaa.make_range"(%arg0, %arg1) : (i32, i32) -> tensor<8xi32>
  // F12-NEXT: %[[ROW:.*]] = "nv_tileaa.expand_dims"(%[[RANGE]]) <{axes = array<i32: 0>}> : (tensor<8xi32>) -> tensor<1x8xi32>
  // F12-NEXT: %[[ROWS:.*]] = "nv_tileaa.broadcast"(%[[ROW]]) : (tensor<1x8xi32>) -> tensor<4x8xi32>
  // F12-NEXT: %[[VIEW:.*]] = "nv_tileaa.view"(%[[RANGE]]) : (tensor<8xi32>) -> tensor<2x4xi32>
  // F12-NEXT: %[[TURNED:.*]] = "nv_tileaa.permute"(%[[VIEW]]) <{permutation = array<i32: 1, 0>}> : (tensor<2x4xi32>) -> tensor<4x2xi32>
  // F12-NEXT: %[[LAST:.*]] = "nv_tileaa.view"(%[[TURNED]]) : (tensor<4x2xi32>) -> tensor<1x4x2xi32>
  // F12-NEXT: return %[[ROWS]], %[[VIEW]], %[[LAST]]
  %r = "nv_tileaa.make_range"(%a, %b) : (i32, i32) -> tensor<8xi32>
  %0 = "nv_tileaa.expand_dims"(%r) <{axes = array<i32: 0>}> : (tensor<8xi32>) -> tensor<1x8xi32>
  %1 = "nv_tileaa.broadcast"(%0) : (tensor<1x8xi32>) -> tensor<4x8xi32>
  %2 = "nv_tileaa.view"(%r) : (tensor<8xi32>) -> tensor<2x4xi32>
  %3 = "nv_tileaa.permute"(%2) <{permutation = array<i32: 1, 0>}> : (tensor<2x4xi32>) -> tensor<4x2xi32>
  %4 = "nv_tileaa.view"(%3) : (tensor<4x2xi32>) -> tensor<1x4x2xi32>
  return %1, %2, %4 : tensor<4x8xi32>, tensor<2x4xi32>, tensor<1x4x2xi32>
}

// hoist-extract: a division may trap in a lane that is not extracted, so it does not move.
// CHECK-LABEL: func.func @extract_of_division(
func.func @extract_of_division(%a: tensor<8xi32>, %i: i32) -> i32 {
  // F13: arith.divsi %{{.*}} : tensor<8xi32>
  // F13: "nv_tileaa.extract"
  %u = arith.constant dense<3> : tensor<8xi32>
  %d = "nv_tileaa.assume"(%u) <{predicates = []}> : (tensor<8xi32>) -> tensor<8xi32>
  %0 = arith.divsi %a, %d : tensor<8xi32>
  %1 = "nv_tileaa.extract"(%0, %i) : (tensor<8xi32>, i32) -> i32
  return %1 : i32
}

// hoist-extract: the producer has another user, so the whole tile is computed anyway.
// CHECK-LABEL: func.func @extract_of_shared(
func.func @extract_of_shared(%a: tensor<8xi32>) -> (i32, tensor<8xi32>) {
  // F13: arith.addi %{{.*}} : tensor<8xi32>
  // F13: "nv_tileaa.extract"
  %i = arith.constant 1 : i32
  %0 = arith.addi %a, %a : tensor<8xi32>
  %1 = "nv_tileaa.extract"(%0, %i) : (tensor<8xi32>, i32) -> i32
  return %1, %0 : i32, tensor<8xi32>
}

// hoist-extract: the lane does not map one to one.
// CHECK-LABEL: func.func @extract_of_permute(
func.func @extract_of_permute(%a: tensor<4x8xi32>) -> i32 {
  // F13: "nv_tileaa.permute"
  // F13: "nv_tileaa.extract"
  %i = arith.constant 1 : i32
  %0 = "nv_tileaa.permute"(%a) <{permutation = array<i32: 1, 0>}> : (tensor<4x8xi32>) -> tensor<8x4xi32>
  %1 = "nv_tileaa.extract"(%0, %i, %i) : (tensor<8x4xi32>, i32, i32) -> i32
  return %1 : i32
}

// prune-pragma-results: all results are used.
// CHECK-LABEL: func.func @pragma_all_live(
func.func @pragma_all_live(%x: i32) -> (i32, i32) {
  // F15: "nv_tileaa.yield"(%{{.*}}, %{{.*}}) : (i32, i32)
  %0:2 = "nv_tileaa.pragma"() ({
    %a = arith.addi %x, %x : i32
    "nv_tileaa.yield"(%x, %a) : (i32, i32) -> ()
  }) : () -> (i32, i32)
  return %0#0, %0#1 : i32, i32
}

// prune-queue-get-results: all results are used.
// CHECK-LABEL: func.func @queue_all_live(
func.func @queue_all_live(%q: !nv_tileaa.queue<[i32, f32]>) -> (i32, f32) {
  // F14: "nv_tileaa.queue.yield"(%{{.*}}, %{{.*}}) : (i32, f32)
  %0:2 = "nv_tileaa.queue.get"(%q) ({
    %a = arith.constant 1 : i32
    %b = arith.constant 2.0 : f32
    "nv_tileaa.queue.yield"(%a, %b) : (i32, f32) -> ()
  }) : (!nv_tileaa.queue<[i32, f32]>) -> (i32, f32)
  return %0#0, %0#1 : i32, f32
}

// fold-atomic-cas: a load cannot release.
// CHECK-LABEL: func.func @cas_release(
func.func @cas_release(%p: !p, %t: !t) -> (i32, !t) {
  // F16: "nv_tileaa.atomic_cas"
  %a = arith.constant 7 : i32
  %0, %t0 = "nv_tileaa.atomic_cas"(%p, %a, %a, %t) <{mem_semantic = #nv_tileaa.mem_semantic<release>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (!p, i32, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-cas: a load cannot release.
// CHECK-LABEL: func.func @cas_acq_rel(
func.func @cas_acq_rel(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK: "nv_tileaa.atomic_cas"
  %a = arith.constant 7 : i32
  %0, %t0 = "nv_tileaa.atomic_cas"(%p, %a, %a, %t) <{mem_semantic = #nv_tileaa.mem_semantic<acq_rel>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (!p, i32, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-cas: equal numbers, different bits.
// CHECK-LABEL: func.func @cas_signed_zeros(
func.func @cas_signed_zeros(%p: !q, %t: !t) -> (f32, !t) {
  // F16: "nv_tileaa.atomic_cas"
  %a = arith.constant 0.0 : f32
  %b = arith.constant -0.0 : f32
  %0, %t0 = "nv_tileaa.atomic_cas"(%p, %a, %b, %t) <{mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (!q, f32, f32, !t) -> (f32, !t)
  return %0, %t0 : f32, !t
}

// fold-atomic-cas: a NaN with the same bits is the same value.
// CHECK-LABEL: func.func @cas_same_nan(
func.func @cas_same_nan(%p: !q, %t: !t) -> (f32, !t) {
  // CHECK-NOT: nv_tileaa.atomic_cas
  // CHECK: "nv_tileaa.load"{{.*}}relaxed
  %a = arith.constant 0x7FC00000 : f32
  %0, %t0 = "nv_tileaa.atomic_cas"(%p, %a, %a, %t) <{mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (!q, f32, f32, !t) -> (f32, !t)
  return %0, %t0 : f32, !t
}

// fold-atomic-cas: nothing is known about the values.
// CHECK-LABEL: func.func @cas_unknown(
func.func @cas_unknown(%p: !p, %a: i32, %t: !t) -> (i32, !t) {
  // CHECK: "nv_tileaa.atomic_cas"
  %b = arith.constant 7 : i32
  %0, %t0 = "nv_tileaa.atomic_cas"(%p, %a, %b, %t) <{mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (!p, i32, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: the identity.
// CHECK-LABEL: func.func @rmw_add_0(
func.func @rmw_add_0(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK-NOT: nv_tileaa.atomic_rmw
  // CHECK: "nv_tileaa.load"{{.*}}relaxed
  %v = arith.constant 0 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: the identity.
// CHECK-LABEL: func.func @rmw_or_0(
func.func @rmw_or_0(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK-NOT: nv_tileaa.atomic_rmw
  // CHECK: "nv_tileaa.load"{{.*}}relaxed
  %v = arith.constant 0 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<or>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: the identity.
// CHECK-LABEL: func.func @rmw_xor_0(
func.func @rmw_xor_0(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK-NOT: nv_tileaa.atomic_rmw
  // CHECK: "nv_tileaa.load"{{.*}}relaxed
  %v = arith.constant 0 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<xor>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: the identity.
// CHECK-LABEL: func.func @rmw_and_minus_1(
func.func @rmw_and_minus_1(%p: !p, %t: !t) -> (i32, !t) {
  // F18-NOT: nv_tileaa.atomic_rmw
  // F18: "nv_tileaa.load"{{.*}}relaxed
  %v = arith.constant -1 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<and>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: the identity.
// CHECK-LABEL: func.func @rmw_min_2147483647(
func.func @rmw_min_2147483647(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK-NOT: nv_tileaa.atomic_rmw
  // CHECK: "nv_tileaa.load"{{.*}}relaxed
  %v = arith.constant 2147483647 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<min>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: the identity.
// CHECK-LABEL: func.func @rmw_max_minus_2147483648(
func.func @rmw_max_minus_2147483648(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK-NOT: nv_tileaa.atomic_rmw
  // CHECK: "nv_tileaa.load"{{.*}}relaxed
  %v = arith.constant -2147483648 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<max>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: the identity.
// CHECK-LABEL: func.func @rmw_umin_minus_1(
func.func @rmw_umin_minus_1(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK-NOT: nv_tileaa.atomic_rmw
  // CHECK: "nv_tileaa.load"{{.*}}relaxed
  %v = arith.constant -1 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<umin>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: the identity.
// CHECK-LABEL: func.func @rmw_umax_0(
func.func @rmw_umax_0(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK-NOT: nv_tileaa.atomic_rmw
  // CHECK: "nv_tileaa.load"{{.*}}relaxed
  %v = arith.constant 0 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<umax>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: not neutral.
// CHECK-LABEL: func.func @rmw_xchg_0(
func.func @rmw_xchg_0(%p: !p, %t: !t) -> (i32, !t) {
  // F19: "nv_tileaa.atomic_rmw"
  %v = arith.constant 0 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<xchg>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: not neutral.
// CHECK-LABEL: func.func @rmw_and_0(
func.func @rmw_and_0(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK: "nv_tileaa.atomic_rmw"
  %v = arith.constant 0 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<and>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: not neutral.
// CHECK-LABEL: func.func @rmw_min_0(
func.func @rmw_min_0(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK: "nv_tileaa.atomic_rmw"
  %v = arith.constant 0 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<min>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: not neutral.
// CHECK-LABEL: func.func @rmw_max_0(
func.func @rmw_max_0(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK: "nv_tileaa.atomic_rmw"
  %v = arith.constant 0 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<max>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: not neutral.
// CHECK-LABEL: func.func @rmw_umin_0(
func.func @rmw_umin_0(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK: "nv_tileaa.atomic_rmw"
  %v = arith.constant 0 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<umin>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: not neutral.
// CHECK-LABEL: func.func @rmw_umax_minus_1(
func.func @rmw_umax_minus_1(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK: "nv_tileaa.atomic_rmw"
  %v = arith.constant -1 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<umax>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: not neutral.
// CHECK-LABEL: func.func @rmw_add_1(
func.func @rmw_add_1(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK: "nv_tileaa.atomic_rmw"
  %v = arith.constant 1 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: a load cannot release.
// CHECK-LABEL: func.func @rmw_release(
func.func @rmw_release(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK: "nv_tileaa.atomic_rmw"
  %v = arith.constant 0 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<release>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: a load cannot release.
// CHECK-LABEL: func.func @rmw_acq_rel(
func.func @rmw_acq_rel(%p: !p, %t: !t) -> (i32, !t) {
  // CHECK: "nv_tileaa.atomic_rmw"
  %v = arith.constant 0 : i32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<acq_rel>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: nothing is known about the operand.
// CHECK-LABEL: func.func @rmw_unknown(
func.func @rmw_unknown(%p: !p, %v: i32, %t: !t) -> (i32, !t) {
  // CHECK: "nv_tileaa.atomic_rmw"
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-constant-dot: too many products to evaluate at compile time, and nothing is zero.
// CHECK-LABEL: func.func @dot_large(
func.func @dot_large() -> tensor<64x64xi32> {
  // CHECK: "nv_tileaa.dot"
  %a = arith.constant dense<2> : tensor<64x32xi8>
  %b = arith.constant dense<3> : tensor<32x64xi8>
  %c = arith.constant dense<0> : tensor<64x64xi32>
  %r = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>}> : (tensor<64x32xi8>, tensor<32x64xi8>, tensor<64x64xi32>) -> tensor<64x64xi32>
  return %r : tensor<64x64xi32>
}

// fold-constant-dot: -0 + 0 * 1 is +0, so the accumulator is not the result.
// CHECK-LABEL: func.func @dot_negative_zero(
func.func @dot_negative_zero() -> tensor<1x1xf32> {
  // CHECK: arith.constant dense<0.000000e+00>
  %z = arith.constant dense<0.0> : tensor<1x2xf16>
  %o = arith.constant dense<1.0> : tensor<2x1xf16>
  %c = arith.constant dense<-0.0> : tensor<1x1xf32>
  %r = "nv_tileaa.dot"(%z, %o, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x2xf16>, tensor<2x1xf16>, tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// push-assume-through-splat: runs of equal elements are no fact about one element.
// CHECK-LABEL: func.func @assume_same_elements(
func.func @assume_same_elements(%x: i32) -> tensor<8xi32> {
  // F6: %[[S:.*]] = "nv_tileaa.splat"
  // F6: "nv_tileaa.assume"(%[[S]])
  %s = "nv_tileaa.splat"(%x) : (i32) -> tensor<8xi32>
  %0 = "nv_tileaa.assume"(%s) <{predicates = [#nv_tileaa.same_elements<[4]>]}> : (tensor<8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// masked-load: an acquire orders what follows even where it reads nothing.
// CHECK-LABEL: func.func @load_acquire_masked_off(
func.func @load_acquire_masked_off(%p: !p, %o: i32, %t: !t) -> (i32, !t) {
  // F9: "nv_tileaa.load"{{.*}}acquire
  %f = arith.constant false
  %0, %t0 = "nv_tileaa.load"(%p, %f, %o, %t) <{operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, mem_scope = #nv_tileaa.mem_scope<gpu>}> : (!p, i1, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// masked-load: a volatile load stays.
// CHECK-LABEL: func.func @load_volatile_masked_off(
func.func @load_volatile_masked_off(%p: !p, %o: i32) -> i32 {
  // F9: "nv_tileaa.load"{{.*}}is_volatile
  %f = arith.constant false
  %0 = "nv_tileaa.load"(%p, %f, %o) <{operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>, is_volatile}> : (!p, i1, i32) -> i32
  return %0 : i32
}

// masked-store: a release orders what came before even where it writes nothing.
// CHECK-LABEL: func.func @store_release_masked_off(
func.func @store_release_masked_off(%p: !p, %v: i32, %t: !t) -> !t {
  // F11: "nv_tileaa.store"{{.*}}release
  %f = arith.constant false
  %0 = "nv_tileaa.store"(%p, %v, %f, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>, mem_semantic = #nv_tileaa.mem_semantic<release>, mem_scope = #nv_tileaa.mem_scope<gpu>}> : (!p, i32, i1, !t) -> !t
  return %0 : !t
}

// prune-queue-get-results: nobody reads a result, yet the get advances the queue.
// CHECK-LABEL: func.func @queue_all_dead(
func.func @queue_all_dead(%q: !nv_tileaa.queue<[i32, f32]>) {
  // F14: "nv_tileaa.queue.get"
  // F14: "nv_tileaa.queue.yield"() : () -> ()
  %0:2 = "nv_tileaa.queue.get"(%q) ({
    %a = arith.constant 1 : i32
    %b = arith.constant 2.0 : f32
    "nv_tileaa.queue.yield"(%a, %b) : (i32, f32) -> ()
  }) : (!nv_tileaa.queue<[i32, f32]>) -> (i32, f32)
  return
}

// prune-queue-get-results: without a region there is no terminator to match.
// CHECK-LABEL: func.func @queue_no_region(
func.func @queue_no_region(%q: !nv_tileaa.queue<[i32, f32]>) -> f32 {
  // CHECK: (!nv_tileaa.queue<[i32, f32]>) -> (i32, f32)
  %0:2 = "nv_tileaa.queue.get"(%q) ({
  }) : (!nv_tileaa.queue<[i32, f32]>) -> (i32, f32)
  return %0#1 : f32
}

// fold-atomic-cas: different constants; the swap may happen.
// CHECK-LABEL: func.func @cas_different(
func.func @cas_different(%p: !p, %t: !t) -> (i32, !t) {
  // F17: "nv_tileaa.atomic_cas"
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %0, %t0 = "nv_tileaa.atomic_cas"(%p, %a, %b, %t) <{mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (!p, i32, i32, !t) -> (i32, !t)
  return %0, %t0 : i32, !t
}

// fold-atomic-rmw: +0.0 turns -0.0 into +0.0.
// CHECK-LABEL: func.func @rmw_addf_positive_zero(
func.func @rmw_addf_positive_zero(%p: !q, %t: !t) -> (f32, !t) {
  // CHECK: "nv_tileaa.atomic_rmw"
  %v = arith.constant 0.0 : f32
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<addf>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!q, f32, !t) -> (f32, !t)
  return %0, %t0 : f32, !t
}

// fold-atomic-rmw: one element of the tile is not neutral.
// CHECK-LABEL: func.func @rmw_mixed_tile(
func.func @rmw_mixed_tile(%p: tensor<2x!p>, %t: !t) -> (tensor<2xi32>, !t) {
  // CHECK: "nv_tileaa.atomic_rmw"
  %v = arith.constant dense<[0, 1]> : tensor<2xi32>
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %v, %t) <{rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (tensor<2x!p>, tensor<2xi32>, !t) -> (tensor<2xi32>, !t)
  return %0, %t0 : tensor<2xi32>, !t
}

// fold-identity-operand: zero is no identity of a product, one none of a sum, and neither side of a difference is the other.
// CHECK-LABEL: func.func @no_identities(
func.func @no_identities(%x: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  // CHECK: arith.muli
  // CHECK: arith.addi
  // CHECK: arith.subi
  // CHECK: arith.shli
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = "nv_tileaa.splat"(%c0) : (i32) -> tensor<8xi32>
  %o = "nv_tileaa.splat"(%c1) : (i32) -> tensor<8xi32>
  %0 = arith.muli %x, %z : tensor<8xi32>
  %1 = arith.addi %x, %o : tensor<8xi32>
  %2 = arith.subi %z, %x : tensor<8xi32>
  %3 = arith.shli %z, %x : tensor<8xi32>
  return %0, %1, %2, %3 : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}

// uniform-offset-to-base: the elements step by different numbers, there is no one base, or the offsets count different elements.
// CHECK-LABEL: func.func @offsets_of_tiles(
func.func @offsets_of_tiles(%p: !p, %t: tensor<8x!p>, %x: tensor<8xi32>, %y: tensor<8xi32>, %z: i32) -> (tensor<8x!p>, tensor<8x!p>) {
  // CHECK: %[[S:.*]] = arith.addi
  // CHECK: "nv_tileaa.addptr"({{.*}}, %[[S]])
  // CHECK: "nv_tileaa.addptr"(%arg1, %{{.*}}) : (tensor<8x!nv_tileaa.ptr<i32, 1>>, tensor<8xi64>)
  %b = "nv_tileaa.splat"(%p) : (!p) -> tensor<8x!p>
  %0 = "nv_tileaa.addptr"(%b, %x) : (tensor<8x!p>, tensor<8xi32>) -> tensor<8x!p>
  %1 = "nv_tileaa.addptr"(%0, %y) : (tensor<8x!p>, tensor<8xi32>) -> tensor<8x!p>
  %2 = "nv_tileaa.addptr"(%t, %x) : (tensor<8x!p>, tensor<8xi32>) -> tensor<8x!p>
  %3 = "nv_tileaa.addptr"(%2, %z) : (tensor<8x!p>, i32) -> tensor<8x!p>
  return %1, %3 : tensor<8x!p>, tensor<8x!p>
}

// uniform-offset-to-base: the outer offset counts other elements.
// CHECK-LABEL: func.func @offsets_of_other_elements(
func.func @offsets_of_other_elements(%p: !b, %x: tensor<8xi32>, %z: i32) -> tensor<8x!p> {
  // CHECK: %[[B:.*]] = "nv_tileaa.bitcast"
  // CHECK-NEXT: "nv_tileaa.addptr"(%[[B]], %arg2)
  %b = "nv_tileaa.splat"(%p) : (!b) -> tensor<8x!b>
  %0 = "nv_tileaa.addptr"(%b, %x) : (tensor<8x!b>, tensor<8xi32>) -> tensor<8x!b>
  %1 = "nv_tileaa.bitcast"(%0) : (tensor<8x!b>) -> tensor<8x!p>
  %2 = "nv_tileaa.addptr"(%1, %z) : (tensor<8x!p>, i32) -> tensor<8x!p>
  return %2 : tensor<8x!p>
}

// count-carried-sum: the last value is read.
// CHECK-LABEL: func.func @carried_result_read(
func.func @carried_result_read(%x: tensor<8xi32>, %s: i32) -> tensor<8xi32> {
  // CHECK: iter_args(%{{.*}} = %arg0) -> (tensor<8xi32>)
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %step = "nv_tileaa.splat"(%s) : (i32) -> tensor<8xi32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> (tensor<8xi32>) : i32 {
    %n = arith.addi %a, %step : tensor<8xi32>
    scf.yield %n : tensor<8xi32>
  }
  return %r : tensor<8xi32>
}

// count-carried-sum: the elements step by different numbers.
// CHECK-LABEL: func.func @carried_by_tile(
func.func @carried_by_tile(%x: tensor<8xi32>, %s: tensor<8xi32>) -> tensor<8xi32> {
  // CHECK: iter_args(%{{.*}} = %arg0, %{{.*}} = %arg0)
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x, %k = %x) -> (tensor<8xi32>, tensor<8xi32>) : i32 {
    %n = arith.muli %a, %k : tensor<8xi32>
    %m = arith.addi %k, %s : tensor<8xi32>
    scf.yield %n, %m : tensor<8xi32>, tensor<8xi32>
  }
  return %r#0 : tensor<8xi32>
}

// count-carried-sum: every turn steps by another number.
// CHECK-LABEL: func.func @carried_by_turn(
func.func @carried_by_turn(%x: i32, %y: i32) -> i32 {
  // CHECK: iter_args(%{{.*}} = %arg0, %{{.*}} = %arg1)
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x, %k = %y) -> (i32, i32) : i32 {
    %n = arith.xori %a, %k : i32
    %m = arith.addi %k, %i : i32
    scf.yield %n, %m : i32, i32
  }
  return %r#0 : i32
}

// count-carried-sum: the loop's step is no power of two, or not known.
// CHECK-LABEL: func.func @carried_through_odd_steps(
func.func @carried_through_odd_steps(%x: i32, %y: i32) -> i32 {
  // CHECK: iter_args(%{{.*}} = %arg0, %{{.*}} = %arg1)
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c9 = arith.constant 9 : i32
  %r:2 = scf.for %i = %c0 to %c9 step %c3 iter_args(%a = %x, %k = %y) -> (i32, i32) : i32 {
    %n = arith.xori %a, %k : i32
    %m = arith.addi %k, %c9 : i32
    scf.yield %n, %m : i32, i32
  }
  return %r#0 : i32
}

// prune-reduced-tiles: all results are read.
// CHECK-LABEL: func.func @reduced_tiles_read(
func.func @reduced_tiles_read(%x: tensor<8xi32>, %y: tensor<8xf32>) -> (i32, f32) {
  // CHECK: "nv_tileaa.reduce"(%arg0, %arg1)
  %0:2 = "nv_tileaa.reduce"(%x, %y) <{axis = 0 : i32, identities = [0 : i32, 0.0 : f32]}> ({
  ^bb0(%a: i32, %b: i32, %c: f32, %d: f32):
    %s = arith.addi %a, %b : i32
    %m = arith.maximumf %c, %d : f32
    "nv_tileaa.yield"(%s, %m) : (i32, f32) -> ()
  }) : (tensor<8xi32>, tensor<8xf32>) -> (i32, f32)
  return %0#0, %0#1 : i32, f32
}

// prune-reduced-tiles: the place of the largest element depends on the elements, though nobody reads the largest itself.
// CHECK-LABEL: func.func @reduced_tile_needed(
func.func @reduced_tile_needed(%x: tensor<8xi32>, %y: tensor<8xi32>) -> i32 {
  // CHECK: "nv_tileaa.reduce"(%arg0, %arg1)
  %0:2 = "nv_tileaa.reduce"(%x, %y) <{axis = 0 : i32, identities = [-2147483648 : i32, 0 : i32]}> ({
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %g = arith.cmpi sgt, %a, %b : i32
    %m = arith.select %g, %a, %b : i32
    %i = arith.select %g, %c, %d : i32
    "nv_tileaa.yield"(%m, %i) : (i32, i32) -> ()
  }) : (tensor<8xi32>, tensor<8xi32>) -> (i32, i32)
  return %0#1 : i32
}

// prune-reduced-tiles: what stands in a region may need anything.
// CHECK-LABEL: func.func @reduced_tile_in_region(
func.func @reduced_tile_in_region(%x: tensor<8xi32>, %y: tensor<8xi32>) -> i32 {
  // CHECK: "nv_tileaa.reduce"(%arg0, %arg1)
  %0:2 = "nv_tileaa.reduce"(%x, %y) <{axis = 0 : i32, identities = [-2147483648 : i32, 0 : i32]}> ({
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %m = arith.maxsi %a, %b : i32
    %g = arith.cmpi sgt, %a, %b : i32
    %i = scf.if %g -> i32 {
      scf.yield %c : i32
    } else {
      scf.yield %d : i32
    }
    "nv_tileaa.yield"(%m, %i) : (i32, i32) -> ()
  }) : (tensor<8xi32>, tensor<8xi32>) -> (i32, i32)
  return %0#1 : i32
}

// prune-scanned-tiles: all results are read.
// CHECK-LABEL: func.func @scanned_tiles_read(
func.func @scanned_tiles_read(%x: tensor<8xi32>, %y: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  // CHECK: "nv_tileaa.scan"(%arg0, %arg1)
  %0:2 = "nv_tileaa.scan"(%x, %y) <{axis = 0 : i32, identities = [0 : i32, 0 : i32]}> ({
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %s = arith.addi %a, %b : i32
    %m = arith.ori %c, %d : i32
    "nv_tileaa.yield"(%s, %m) : (i32, i32) -> ()
  }) : (tensor<8xi32>, tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>)
  return %0#0, %0#1 : tensor<8xi32>, tensor<8xi32>
}

// prune-scanned-tiles: a recurrence x * a + b needs the factors as well.
// CHECK-LABEL: func.func @scanned_tile_needed(
func.func @scanned_tile_needed(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  // CHECK: "nv_tileaa.scan"(%arg0, %arg1)
  %0:2 = "nv_tileaa.scan"(%x, %y) <{axis = 0 : i32, identities = [1 : i32, 0 : i32]}> ({
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %f = arith.muli %a, %b : i32
    %p = arith.muli %c, %b : i32
    %s = arith.addi %p, %d : i32
    "nv_tileaa.yield"(%f, %s) : (i32, i32) -> ()
  }) : (tensor<8xi32>, tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>)
  return %0#1 : tensor<8xi32>
}
