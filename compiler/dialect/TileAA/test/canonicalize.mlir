// RUN: tile-opt %s --tileaa-canonicalize | FileCheck --check-prefixes=CHECK,F1,F2,F3,F4,F5,F6,F7,F8,F10,F12,F13,F14,F15,F16,F18 %s

!p = !nv_tileaa.ptr<i32, 1>
!t = !nv_tileaa.mem_token

// CHECK-LABEL: func.func @dot_zero_int
func.func @dot_zero_int(%b: tensor<8x4xi8>, %c: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // F3-NEXT: return %arg1
  %z = arith.constant dense<0> : tensor<4x8xi8>
  %r = "nv_tileaa.dot"(%z, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>}> : (tensor<4x8xi8>, tensor<8x4xi8>, tensor<4x4xi32>) -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}

// 0 * inf is NaN: an unknown other operand keeps the dot.
// CHECK-LABEL: func.func @dot_zero_float_unknown
func.func @dot_zero_float_unknown(%b: tensor<8x4xf16>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: "nv_tileaa.dot"
  %z = arith.constant dense<0.0> : tensor<4x8xf16>
  %r = "nv_tileaa.dot"(%z, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x8xf16>, tensor<8x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// An infinity times zero is NaN in the constant fold, too.
// CHECK-LABEL: func.func @dot_constant
func.func @dot_constant() -> (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xi32>) {
  // F3-DAG: arith.constant dense<0x7FC00000> : tensor<1x1xf32>
  // F3-DAG: arith.constant dense<1.100000e+01> : tensor<1x1xf32>
  // F4-DAG: arith.constant dense<-2> : tensor<1x1xi32>
  // F3-NOT: nv_tileaa.dot
  %z = arith.constant dense<0.0> : tensor<1x2xf16>
  %inf = arith.constant dense<0x7C00> : tensor<2x1xf16>
  %c = arith.constant dense<5.0> : tensor<1x1xf32>
  %a = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf16>
  %b = arith.constant dense<2.0> : tensor<2x1xf16>
  %0 = "nv_tileaa.dot"(%z, %inf, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x2xf16>, tensor<2x1xf16>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %1 = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x2xf16>, tensor<2x1xf16>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %ia = arith.constant dense<-1> : tensor<1x2xi8>
  %ib = arith.constant dense<1> : tensor<2x1xi8>
  %ic = arith.constant dense<0> : tensor<1x1xi32>
  %2 = "nv_tileaa.dot"(%ia, %ib, %ic) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<unsigned>}> : (tensor<1x2xi8>, tensor<2x1xi8>, tensor<1x1xi32>) -> tensor<1x1xi32>
  return %0, %1, %2 : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xi32>
}

// Narrow offsets are widened before they are added.
// CHECK-LABEL: func.func @addptr_chain
func.func @addptr_chain(%p: !p, %x: i32, %y: i8) -> !p {
  // F5: %[[X:.*]] = arith.extsi %arg1 : i32 to i64
  // F5: %[[Y:.*]] = arith.extsi %arg2 : i8 to i64
  // F5: %[[S:.*]] = arith.addi %[[X]], %[[Y]] : i64
  // F5: "nv_tileaa.addptr"(%arg0, %[[S]])
  %0 = "nv_tileaa.addptr"(%p, %x) : (!p, i32) -> !p
  %1 = "nv_tileaa.addptr"(%0, %y) : (!p, i8) -> !p
  return %1 : !p
}

// CHECK-LABEL: func.func @assume_splat
func.func @assume_splat(%x: i32) -> (tensor<8xi32>, tensor<8xi32>) {
  // F6: %[[S:.*]] = "nv_tileaa.splat"(%arg0)
  // Groups of equal elements are no fact about single elements.
  // F6: "nv_tileaa.assume"(%[[S]]) <{predicates = [#nv_tileaa.same_elements
  // F6: %[[A:.*]] = "nv_tileaa.assume"(%arg0) <{predicates = [#nv_tileaa.div_by<divisor = 4>]}> : (i32) -> i32
  // F6: "nv_tileaa.splat"(%[[A]])
  %s = "nv_tileaa.splat"(%x) : (i32) -> tensor<8xi32>
  %0 = "nv_tileaa.assume"(%s) <{predicates = [#nv_tileaa.same_elements<[4]>]}> : (tensor<8xi32>) -> tensor<8xi32>
  %1 = "nv_tileaa.assume"(%s) <{predicates = [#nv_tileaa.div_by<divisor = 4>]}> : (tensor<8xi32>) -> tensor<8xi32>
  return %0, %1 : tensor<8xi32>, tensor<8xi32>
}

// CHECK-LABEL: func.func @select_splat
func.func @select_splat(%c: i1, %x: f32, %y: f32) -> tensor<8xf32> {
  // F7-DAG: %[[C:.*]] = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<8xi1>
  // F7-DAG: %[[X:.*]] = "nv_tileaa.splat"(%arg1)
  // F7-DAG: %[[Y:.*]] = "nv_tileaa.splat"(%arg2)
  // F7: arith.select %[[C]], %[[X]], %[[Y]] : tensor<8xi1>, tensor<8xf32>
  %0 = arith.select %c, %x, %y : f32
  %1 = "nv_tileaa.splat"(%0) : (f32) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @masked_load
func.func @masked_load(%p: !p, %o: i32, %t: !t) -> (i32, !t, i32, !t, i32, !t) {
  %true = arith.constant true
  %false = arith.constant false
  // F8: %[[V:.*]], %[[T1:.*]] = "nv_tileaa.load"(%arg0, %arg2) {{.*}}array<i32: 1, 0, 0, 0, 1>
  %0, %t0 = "nv_tileaa.load"(%p, %true, %o, %t) <{operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>}> : (!p, i1, i32, !t) -> (i32, !t)
  %1, %t1 = "nv_tileaa.load"(%p, %false, %o, %t) <{operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>}> : (!p, i1, i32, !t) -> (i32, !t)
  // An acquire still orders.
  // F8: %[[W:.*]], %[[T2:.*]] = "nv_tileaa.load"{{.*}}acquire
  %2, %t2 = "nv_tileaa.load"(%p, %false, %o, %t) <{operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, mem_scope = #nv_tileaa.mem_scope<gpu>}> : (!p, i1, i32, !t) -> (i32, !t)
  // F8: return %[[V]], %[[T1]], %arg1, %arg2, %[[W]], %[[T2]]
  return %0, %t0, %1, %t1, %2, %t2 : i32, !t, i32, !t, i32, !t
}

// CHECK-LABEL: func.func @masked_load_no_fallback
func.func @masked_load_no_fallback(%p: !p) -> (i32, i32) {
  %false = arith.constant false
  // F8: %[[POISON:.*]] = ub.poison : i32
  %0 = "nv_tileaa.load"(%p, %false) <{operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>}> : (!p, i1) -> i32
  // F8: %[[V:.*]] = "nv_tileaa.load"{{.*}}is_volatile
  %1 = "nv_tileaa.load"(%p, %false) <{operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>, is_volatile}> : (!p, i1) -> i32
  // F8: return %[[POISON]], %[[V]]
  return %0, %1 : i32, i32
}

// CHECK-LABEL: func.func @masked_store
func.func @masked_store(%p: !p, %v: i32, %t: !t) -> (!t, !t, !t) {
  %true = arith.constant true
  %false = arith.constant false
  // F10: %[[T0:.*]] = "nv_tileaa.store"(%arg0, %arg1, %arg2) {{.*}}array<i32: 1, 1, 0, 0, 1>
  %0 = "nv_tileaa.store"(%p, %v, %true, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>}> : (!p, i32, i1, !t) -> !t
  %1 = "nv_tileaa.store"(%p, %v, %false, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>}> : (!p, i32, i1, !t) -> !t
  // F10: %[[T2:.*]] = "nv_tileaa.store"{{.*}}release
  %2 = "nv_tileaa.store"(%p, %v, %false, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>, mem_semantic = #nv_tileaa.mem_semantic<release>, mem_scope = #nv_tileaa.mem_scope<gpu>}> : (!p, i32, i1, !t) -> !t
  // F10: return %[[T0]], %arg2, %[[T2]]
  return %0, %1, %2 : !t, !t, !t
}

// CHECK-LABEL: func.func @masked_gather
func.func @masked_gather(%p: !p, %o: tensor<4x2xi32>, %t: !t) -> (tensor<4x2xi32>, !t, tensor<4x2xi32>, !t, !t, !t) {
  %m = "nv_tileaa.make_memref"(%p) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!p) -> !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>
  %view = "nv_tileaa.block_tile"(%m) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 4, 2>}> : (!nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>) -> !nv_tileaa.tiled_view<tileShape = [4, 2], memref = !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>, dimMap = [0, 1], sparseDim = 0>
  %rows = arith.constant dense<[0, 2, 1, 3]> : tensor<4xi32>
  %c0 = arith.constant 0 : i32
  %true = arith.constant dense<true> : tensor<4x2xi1>
  %false = arith.constant dense<false> : tensor<4x2xi1>
  // F8: %[[V:.*]], %[[T0:.*]] = "nv_tileaa.gather_load"(%{{.*}}, %{{.*}}, %{{.*}}, %arg2) {{.*}}array<i32: 1, 2, 0, 0, 1>
  // F8-NOT: nv_tileaa.gather_load
  %0, %t0 = "nv_tileaa.gather_load"(%view, %rows, %c0, %true, %o, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 1, 1, 1>}> : (!nv_tileaa.tiled_view<tileShape = [4, 2], memref = !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>, dimMap = [0, 1], sparseDim = 0>, tensor<4xi32>, i32, tensor<4x2xi1>, tensor<4x2xi32>, !t) -> (tensor<4x2xi32>, !t)
  %1, %t1 = "nv_tileaa.gather_load"(%view, %rows, %c0, %false, %o, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 1, 1, 1>}> : (!nv_tileaa.tiled_view<tileShape = [4, 2], memref = !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>, dimMap = [0, 1], sparseDim = 0>, tensor<4xi32>, i32, tensor<4x2xi1>, tensor<4x2xi32>, !t) -> (tensor<4x2xi32>, !t)
  // F10: %[[S:.*]] = "nv_tileaa.scatter_store"{{.*}}array<i32: 1, 1, 2, 0, 1>
  // F10-NOT: nv_tileaa.scatter_store
  %2 = "nv_tileaa.scatter_store"(%view, %o, %rows, %c0, %true, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 1, 1>}> : (!nv_tileaa.tiled_view<tileShape = [4, 2], memref = !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>, dimMap = [0, 1], sparseDim = 0>, tensor<4x2xi32>, tensor<4xi32>, i32, tensor<4x2xi1>, !t) -> !t
  %3 = "nv_tileaa.scatter_store"(%view, %o, %rows, %c0, %false, %t) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 1, 1>}> : (!nv_tileaa.tiled_view<tileShape = [4, 2], memref = !nv_tileaa.memref<[4, 2] x i32, strides = [2, 1], 1>, dimMap = [0, 1], sparseDim = 0>, tensor<4x2xi32>, tensor<4xi32>, i32, tensor<4x2xi1>, !t) -> !t
  // F8: return %[[V]], %[[T0]], %arg1, %arg2, %{{.*}}, %arg2
  return %0, %t0, %1, %t1, %2, %3 : tensor<4x2xi32>, !t, tensor<4x2xi32>, !t, !t, !t
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: f32, %a: tensor<4x8xf32>) -> (tensor<1x8xf32>, tensor<4x8xf32>, tensor<32xf32>, tensor<8x4xf32>, tensor<4x8xf32>) {
  // F12-DAG: %[[E:.*]] = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<1x8xf32>
  // F12-DAG: %[[B:.*]] = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<4x8xf32>
  // F12-DAG: %[[V:.*]] = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<32xf32>
  // F12-DAG: %[[W:.*]] = "nv_tileaa.view"(%arg1) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // F12: return %[[E]], %[[B]], %[[V]], %[[W]], %arg1
  %s = "nv_tileaa.splat"(%x) : (f32) -> tensor<8xf32>
  %0 = "nv_tileaa.expand_dims"(%s) <{axes = array<i32: 0>}> : (tensor<8xf32>) -> tensor<1x8xf32>
  %1 = "nv_tileaa.broadcast"(%0) : (tensor<1x8xf32>) -> tensor<4x8xf32>
  %2 = "nv_tileaa.view"(%1) : (tensor<4x8xf32>) -> tensor<32xf32>
  %3 = "nv_tileaa.view"(%a) : (tensor<4x8xf32>) -> tensor<32xf32>
  %4 = "nv_tileaa.view"(%3) : (tensor<32xf32>) -> tensor<8x4xf32>
  %5 = "nv_tileaa.view"(%3) : (tensor<32xf32>) -> tensor<4x8xf32>
  return %0, %1, %2, %4, %5 : tensor<1x8xf32>, tensor<4x8xf32>, tensor<32xf32>, tensor<8x4xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @extract
func.func @extract(%a: tensor<8xf32>, %b: tensor<8xf32>, %q: tensor<8xi32>, %i: i32, %s: i32) -> (f32, i32, i32) {
  // F13-DAG: %[[A:.*]] = "nv_tileaa.extract"(%arg0, %arg3) : (tensor<8xf32>, i32) -> f32
  // F13-DAG: %[[B:.*]] = "nv_tileaa.extract"(%arg1, %arg3) : (tensor<8xf32>, i32) -> f32
  // F13: %[[R:.*]] = "nv_tileaa.addf"(%[[A]], %[[B]]) <{rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (f32, f32) -> f32
  %0 = "nv_tileaa.addf"(%a, %b) <{rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = "nv_tileaa.expand_dims"(%0) <{axes = array<i32: 0>}> : (tensor<8xf32>) -> tensor<1x8xf32>
  %c0 = arith.constant 0 : i32
  %2 = "nv_tileaa.extract"(%1, %c0, %i) : (tensor<1x8xf32>, i32, i32) -> f32
  // A division is not moved: it must not be computed for other elements or places than it was.
  // F13: %[[D:.*]] = arith.divsi
  // F13: %[[E:.*]] = "nv_tileaa.extract"(%[[D]], %arg3)
  %3 = arith.divsi %q, %q : tensor<8xi32>
  %4 = "nv_tileaa.extract"(%3, %i) : (tensor<8xi32>, i32) -> i32
  // F13: return %[[R]], %[[E]], %arg4
  %5 = "nv_tileaa.splat"(%s) : (i32) -> tensor<8xi32>
  %6 = "nv_tileaa.extract"(%5, %i) : (tensor<8xi32>, i32) -> i32
  return %2, %4, %6 : f32, i32, i32
}

// CHECK-LABEL: func.func @queue
func.func @queue(%q: !nv_tileaa.queue<[i32, f32, i64]>) -> i64 {
  // F14: %[[R:.*]] = "nv_tileaa.queue.get"(%arg0) <{consumer = 0 : i32}> ({
  // F14: "nv_tileaa.queue.yield"(%{{.*}}) : (i64) -> ()
  // F14: }) : (!nv_tileaa.queue<[i32, f32, i64]>) -> i64
  %0:3 = "nv_tileaa.queue.get"(%q) ({
    %a = arith.constant 1 : i32
    %b = arith.constant 2.0 : f32
    %c = arith.constant 3 : i64
    "nv_tileaa.queue.yield"(%a, %b, %c) : (i32, f32, i64) -> ()
  }) : (!nv_tileaa.queue<[i32, f32, i64]>) -> (i32, f32, i64)
  // A get nobody reads still advances the queue.
  // F14: "nv_tileaa.queue.get"
  %1:3 = "nv_tileaa.queue.get"(%q) ({
  }) : (!nv_tileaa.queue<[i32, f32, i64]>) -> (i32, f32, i64)
  return %0#2 : i64
}

// CHECK-LABEL: func.func @pragma
func.func @pragma(%x: i32) -> i32 {
  // F15: %[[R:.*]] = "nv_tileaa.pragma"() <{ocgEnterDirectives = ["a"]}> ({
  // F15: "nv_tileaa.yield"(%{{.*}}) : (i32) -> ()
  // F15: return %[[R]]
  %0:2 = "nv_tileaa.pragma"() <{ocgEnterDirectives = ["a"]}> ({
    %a = arith.addi %x, %x : i32
    %b = "nv_tileaa.get_program_id"() <{axis = 0 : i32}> : () -> i32
    "nv_tileaa.yield"(%b, %a) : (i32, i32) -> ()
  }) : () -> (i32, i32)
  return %0#1 : i32
}

// CHECK-LABEL: func.func @cas
func.func @cas(%p: !p, %t: !t) -> (i32, !t, i32, !t, i32, !t) {
  %a = arith.constant 7 : i32
  %b = arith.constant 8 : i32
  // F16: "nv_tileaa.load"(%arg0, %arg1) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>
  %0, %t0 = "nv_tileaa.atomic_cas"(%p, %a, %a, %t) <{mem_semantic = #nv_tileaa.mem_semantic<acquire>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (!p, i32, i32, !t) -> (i32, !t)
  // A release must stay a write.
  // F16: "nv_tileaa.atomic_cas"{{.*}}acq_rel
  %1, %t1 = "nv_tileaa.atomic_cas"(%p, %a, %a, %t) <{mem_semantic = #nv_tileaa.mem_semantic<acq_rel>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (!p, i32, i32, !t) -> (i32, !t)
  // F16: "nv_tileaa.atomic_cas"{{.*}}relaxed
  %2, %t2 = "nv_tileaa.atomic_cas"(%p, %a, %b, %t) <{mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (!p, i32, i32, !t) -> (i32, !t)
  return %0, %t0, %1, %t1, %2, %t2 : i32, !t, i32, !t, i32, !t
}

// CHECK-LABEL: func.func @rmw
func.func @rmw(%p: !p, %f: !nv_tileaa.ptr<f32, 1>, %t: !t) -> (i32, i32, f32, f32) {
  %zero = arith.constant 0 : i32
  %pz = arith.constant 0.0 : f32
  %nz = arith.constant -0.0 : f32
  // F18: "nv_tileaa.load"{{.*}}relaxed
  %0, %t0 = "nv_tileaa.atomic_rmw"(%p, %zero, %t) <{rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  // F18: "nv_tileaa.atomic_rmw"{{.*}}xchg
  %1, %t1 = "nv_tileaa.atomic_rmw"(%p, %zero, %t) <{rmw_mode = #nv_tileaa.rmw_mode<xchg>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!p, i32, !t) -> (i32, !t)
  // +0.0 turns -0.0 into +0.0, so only -0.0 is neutral.
  // F18: "nv_tileaa.atomic_rmw"{{.*}}addf
  %2, %t2 = "nv_tileaa.atomic_rmw"(%f, %pz, %t) <{rmw_mode = #nv_tileaa.rmw_mode<addf>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!nv_tileaa.ptr<f32, 1>, f32, !t) -> (f32, !t)
  // F18: "nv_tileaa.load"(%arg1
  %3, %t3 = "nv_tileaa.atomic_rmw"(%f, %nz, %t) <{rmw_mode = #nv_tileaa.rmw_mode<addf>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!nv_tileaa.ptr<f32, 1>, f32, !t) -> (f32, !t)
  return %0, %1, %2, %3 : i32, i32, f32, f32
}

// hoist-extract: a chain of more operations than a greedy driver makes sweeps by default (10), each
// with a second operand.
// CHECK-LABEL: func.func @extract_of_long_chain(
// CHECK-NOT: arith.{{.*}} : tensor
// CHECK-COUNT-14: arith.maximumf %{{.*}}, %{{.*}} : f32
// CHECK-NOT: arith.maximumf
// CHECK: return
func.func @extract_of_long_chain(%a: tensor<8xf32>, %b: tensor<8xf32>, %i: i32) -> f32 {
  %0 = arith.maximumf %a, %b : tensor<8xf32>
  %1 = arith.maximumf %0, %b : tensor<8xf32>
  %2 = arith.maximumf %1, %b : tensor<8xf32>
  %3 = arith.maximumf %2, %b : tensor<8xf32>
  %4 = arith.maximumf %3, %b : tensor<8xf32>
  %5 = arith.maximumf %4, %b : tensor<8xf32>
  %6 = arith.maximumf %5, %b : tensor<8xf32>
  %7 = arith.maximumf %6, %b : tensor<8xf32>
  %8 = arith.maximumf %7, %b : tensor<8xf32>
  %9 = arith.maximumf %8, %b : tensor<8xf32>
  %10 = arith.maximumf %9, %b : tensor<8xf32>
  %11 = arith.maximumf %10, %b : tensor<8xf32>
  %12 = arith.maximumf %11, %b : tensor<8xf32>
  %13 = arith.maximumf %12, %b : tensor<8xf32>
  %r = "nv_tileaa.extract"(%13, %i) : (tensor<8xf32>, i32) -> f32
  return %r : f32
}

// One set for all rules: the shape rules make the mask constant, which removes the load and then the store; the fallback that
// takes its place is a splat, which the shape rules fold once more.
// CHECK-LABEL: func.func @rules_feed_each_other
func.func @rules_feed_each_other(%p: tensor<8x!p>, %x: i32, %t: !t) -> (tensor<4x8xi32>, !t) {
  // F1-NEXT: %[[S:.*]] = "nv_tileaa.splat"(%arg1) : (i32) -> tensor<4x8xi32>
  // F1-NEXT: return %[[S]], %arg2
  %f = arith.constant false
  %m = "nv_tileaa.splat"(%f) : (i1) -> tensor<2x4xi1>
  %mask = "nv_tileaa.view"(%m) : (tensor<2x4xi1>) -> tensor<8xi1>
  %o = "nv_tileaa.splat"(%x) : (i32) -> tensor<8xi32>
  %0, %t0 = "nv_tileaa.load"(%p, %mask, %o, %t) <{operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>}> : (tensor<8x!p>, tensor<8xi1>, tensor<8xi32>, !t) -> (tensor<8xi32>, !t)
  %1 = "nv_tileaa.store"(%p, %0, %mask, %t0) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>}> : (tensor<8x!p>, tensor<8xi32>, tensor<8xi1>, !t) -> !t
  %2 = "nv_tileaa.expand_dims"(%0) <{axes = array<i32: 0>}> : (tensor<8xi32>) -> tensor<1x8xi32>
  %3 = "nv_tileaa.broadcast"(%2) : (tensor<1x8xi32>) -> tensor<4x8xi32>
  return %3, %1 : tensor<4x8xi32>, !t
}

// Unit strides of gathers: the index keeps its runs.
// CHECK-LABEL: func.func @identities
func.func @identities(%x: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  // CHECK-NEXT: return %arg0, %arg0, %arg0
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = "nv_tileaa.splat"(%c0) : (i32) -> tensor<8xi32>
  %o = "nv_tileaa.splat"(%c1) : (i32) -> tensor<8xi32>
  %0 = arith.muli %o, %x : tensor<8xi32>
  %1 = arith.addi %0, %z : tensor<8xi32>
  %2 = arith.subi %x, %z : tensor<8xi32>
  %3 = arith.shli %2, %z : tensor<8xi32>
  %4 = arith.divsi %x, %o : tensor<8xi32>
  return %1, %3, %4 : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}

// What every element steps by is added to the base.
// CHECK-LABEL: func.func @offset_of_base
func.func @offset_of_base(%p: !p, %x: tensor<8xi32>, %y: i8) -> (tensor<8x!p>, tensor<8x!p>) {
  // CHECK-NEXT: %[[B:.*]] = "nv_tileaa.addptr"(%arg0, %arg2) : (!nv_tileaa.ptr<i32, 1>, i8) -> !nv_tileaa.ptr<i32, 1>
  // CHECK-NEXT: %[[S:.*]] = "nv_tileaa.splat"(%[[B]])
  // CHECK-NEXT: %[[A:.*]] = "nv_tileaa.addptr"(%[[S]], %arg1)
  // CHECK: %[[C:.*]] = "nv_tileaa.addptr"(%arg0, %arg2)
  // CHECK: %[[D:.*]] = "nv_tileaa.addptr"({{.*}}, %arg1)
  // CHECK-NEXT: return %[[A]], %[[D]]
  %b = "nv_tileaa.splat"(%p) : (!p) -> tensor<8x!p>
  %s = "nv_tileaa.splat"(%y) : (i8) -> tensor<8xi8>
  %0 = "nv_tileaa.addptr"(%b, %x) : (tensor<8x!p>, tensor<8xi32>) -> tensor<8x!p>
  %1 = "nv_tileaa.addptr"(%0, %s) : (tensor<8x!p>, tensor<8xi8>) -> tensor<8x!p>
  %2 = "nv_tileaa.addptr"(%0, %y) : (tensor<8x!p>, i8) -> tensor<8x!p>
  return %1, %2 : tensor<8x!p>, tensor<8x!p>
}

// Pointers that a loop steps follow from the turn; a narrow step keeps its sign, and the loop may start anywhere.
// CHECK-LABEL: func.func @carried_pointers
func.func @carried_pointers(%p: tensor<8x!p>, %s: i8, %lb: i32, %t: !t) -> tensor<8xi32> {
  // F2: scf.for %[[I:.*]] = %arg2 to {{.*}} iter_args(%[[SUM:.*]] = {{.*}}) -> (tensor<8xi32>)
  // F2-NEXT: %[[D:.*]] = arith.subi %[[I]], %arg2 : i32
  // F2-NEXT: %[[T:.*]] = arith.shrui %[[D]], %c1{{.*}} : i32
  // F2-NEXT: %[[T64:.*]] = arith.extui %[[T]] : i32 to i64
  // F2-NEXT: %[[S64:.*]] = arith.extsi %arg1 : i8 to i64
  // F2-NEXT: %[[O:.*]] = arith.muli %[[T64]], %[[S64]] : i64
  // F2-NEXT: %[[TILE:.*]] = "nv_tileaa.splat"(%[[O]]) : (i64) -> tensor<8xi64>
  // F2-NEXT: %[[P:.*]] = "nv_tileaa.addptr"(%arg0, %[[TILE]])
  // F2-NEXT: "nv_tileaa.load"(%[[P]],
  // F2: scf.yield %{{[^,]*}} : tensor<8xi32>
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c7 = arith.constant 7 : i32
  %ub = arith.addi %lb, %c7 : i32
  %z = "nv_tileaa.splat"(%c0) : (i32) -> tensor<8xi32>
  %step = "nv_tileaa.splat"(%s) : (i8) -> tensor<8xi8>
  %r:2 = scf.for %i = %lb to %ub step %c2 iter_args(%a = %z, %q = %p) -> (tensor<8xi32>, tensor<8x!p>) : i32 {
    %v, %u = "nv_tileaa.load"(%q, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (tensor<8x!p>, !t) -> (tensor<8xi32>, !t)
    %n = arith.addi %a, %v : tensor<8xi32>
    %next = "nv_tileaa.addptr"(%q, %step) : (tensor<8x!p>, tensor<8xi8>) -> tensor<8x!p>
    scf.yield %n, %next : tensor<8xi32>, tensor<8x!p>
  }
  return %r#0 : tensor<8xi32>
}

// Numbers wrap in their own type, whichever side the step stands on; attributes of the loop stay.
// CHECK-LABEL: func.func @carried_numbers
func.func @carried_numbers(%x: tensor<8xi16>, %y: i8, %s: i16, %m: i8) -> (tensor<8xi16>, i8) {
  // F2: scf.for unsigned %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %arg0, %{{.*}} = %arg1) -> (tensor<8xi16>, i8) : i8
  // F2-DAG: arith.muli %[[I]], %arg3 : i8
  // F2-DAG: arith.trunci {{.*}} : i64 to i16
  // F2: } {kept}
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %c200 = arith.constant 200 : i8
  %tile = "nv_tileaa.splat"(%s) : (i16) -> tensor<8xi16>
  %r:4 = scf.for unsigned %i = %c0 to %c200 step %c1 iter_args(%a = %x, %k = %x, %b = %y, %l = %m) -> (tensor<8xi16>, tensor<8xi16>, i8, i8) : i8 {
    %a1 = arith.muli %a, %k : tensor<8xi16>
    %b1 = arith.xori %b, %l : i8
    %k1 = arith.addi %tile, %k : tensor<8xi16>
    %l1 = arith.addi %l, %m : i8
    scf.yield %a1, %k1, %b1, %l1 : tensor<8xi16>, tensor<8xi16>, i8, i8
  } {kept}
  return %r#0, %r#2 : tensor<8xi16>, i8
}

// The sum of the other tile goes; the factors of the recurrence stay, since the sum that is read needs them.
// CHECK-LABEL: func.func @reduced_tiles_dead(
func.func @reduced_tiles_dead(%x: tensor<8xi32>, %y: tensor<8xf32>, %z: tensor<8xi32>) -> (i32, i32) {
  // CHECK: %[[R:.*]]:2 = "nv_tileaa.reduce"(%arg0, %arg2) <{axis = 0 : i32, identities = [3 : i32, 4 : i32]}> ({
  // CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %[[C:.*]]: i32, %[[D:.*]]: i32):
  // CHECK-NEXT: %[[S:.*]] = arith.addi %[[A]], %[[B]] : i32
  // CHECK-NEXT: %[[M:.*]] = arith.maxsi %[[C]], %[[D]] : i32
  // CHECK-NEXT: "nv_tileaa.yield"(%[[S]], %[[M]]) : (i32, i32)
  // CHECK: return %[[R]]#0, %[[R]]#1
  %0:3 = "nv_tileaa.reduce"(%x, %y, %z) <{axis = 0 : i32, identities = [3 : i32, 0.0 : f32, 4 : i32]}> ({
  ^bb0(%a: i32, %b: i32, %c: f32, %d: f32, %e: i32, %f: i32):
    %s = arith.addi %a, %b : i32
    %h = arith.sitofp %a : i32 to f32
    %g = "nv_tileaa.addf"(%c, %h) : (f32, f32) -> f32
    %m = arith.maxsi %e, %f : i32
    "nv_tileaa.yield"(%s, %g, %m) : (i32, f32, i32) -> ()
  }) : (tensor<8xi32>, tensor<8xf32>, tensor<8xi32>) -> (i32, f32, i32)
  return %0#0, %0#2 : i32, i32
}

// CHECK-LABEL: func.func @scanned_tiles_dead(
func.func @scanned_tiles_dead(%x: tensor<4x8xi32>, %y: tensor<4x8xi32>, %z: tensor<4x8xi32>) -> tensor<4x8xi32> {
  // CHECK: %[[R:.*]]:2 = "nv_tileaa.scan"(%arg1, %arg2) <{axis = 1 : i32, identities = [1 : i32, 0 : i32], inclusive = false, reverse = true}> ({
  // CHECK-NEXT: ^bb0(%[[C:.*]]: i32, %[[D:.*]]: i32, %[[E:.*]]: i32, %[[F:.*]]: i32):
  // CHECK: return %[[R]]#1
  %0:3 = "nv_tileaa.scan"(%x, %y, %z) <{axis = 1 : i32, identities = [0 : i32, 1 : i32, 0 : i32], inclusive = false, reverse = true}> ({
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %e: i32, %f: i32):
    %o = arith.ori %a, %b : i32
    %g = arith.muli %c, %d : i32
    %p = arith.muli %e, %d : i32
    %s = arith.addi %p, %f : i32
    "nv_tileaa.yield"(%o, %g, %s) : (i32, i32, i32) -> ()
  }) : (tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>) -> (tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>)
  return %0#2 : tensor<4x8xi32>
}
