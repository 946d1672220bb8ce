// RUN: tile-opt %s --canonicalize | FileCheck %s

// The dialect hands its rules to every driver: upstream's canonicalizer folds a chain of offsets,
// and a sum of constants under its own rounding.
// CHECK-LABEL: sym_name = "chain"
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
// CHECK-NEXT: "nv_tileaa.addptr"(%{{.*}}, %[[SUM]])
// CHECK-NOT: nv_tileaa.addptr
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>, i64, i64, !nv_tileaa.ptr<f32, 1>) -> (), sym_name = "chain"}> ({
^bb0(%p: !nv_tileaa.ptr<f32, 1>, %x: i64, %y: i64, %o: !nv_tileaa.ptr<f32, 1>):
  %0 = "nv_tileaa.addptr"(%p, %x) : (!nv_tileaa.ptr<f32, 1>, i64) -> !nv_tileaa.ptr<f32, 1>
  %1 = "nv_tileaa.addptr"(%0, %y) : (!nv_tileaa.ptr<f32, 1>, i64) -> !nv_tileaa.ptr<f32, 1>
  %2 = "nv_tileaa.load"(%1) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>) -> f32
  "nv_tileaa.store"(%o, %2) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>, f32) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// 1 + 1.5 * 2^-24: up to nearest, down towards zero.
// CHECK-LABEL: sym_name = "sums"
// CHECK-DAG: arith.constant 1.00000012 : f32
// CHECK-DAG: arith.constant 1.000000e+00 : f32
// A sum with an infinity stays as it is.
// CHECK: "nv_tileaa.addf"
// CHECK-NOT: "nv_tileaa.addf"
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), sym_name = "sums"}> ({
^bb0(%p: !nv_tileaa.ptr<f32, 1>):
  %one = arith.constant 1.0 : f32
  %small = arith.constant 8.94069671630859375e-08 : f32
  %inf = arith.constant 0x7F800000 : f32
  %0 = "nv_tileaa.addf"(%one, %small) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (f32, f32) -> f32
  %1 = "nv_tileaa.addf"(%one, %small) <{rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (f32, f32) -> f32
  %2 = "nv_tileaa.addf"(%one, %inf) <{rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (f32, f32) -> f32
  "nv_tileaa.store"(%p, %0) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>, f32) -> ()
  "nv_tileaa.store"(%p, %1) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>, f32) -> ()
  "nv_tileaa.store"(%p, %2) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>, f32) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
