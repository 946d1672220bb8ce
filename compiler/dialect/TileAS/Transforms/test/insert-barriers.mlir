// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tileaa-to-tileas,tileas-insert-barriers)' | FileCheck --check-prefixes=CHECK,O10,O15,T7,T8 %s
// A barrier stands exactly where a token orders a write against another access.

gpu.module @m {
  // CHECK-LABEL: sym_name = "k"
  "nv_tileaa.func"() <{sym_name = "k", function_type = (!nv_tileaa.ptr<f32, 1>, i32) -> ()}> ({
  ^bb0(%p: !nv_tileaa.ptr<f32, 1>, %n: i32):
    %t0 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %a = "nv_tileaa.splat"(%p) : (!nv_tileaa.ptr<f32, 1>) -> tensor<512x!nv_tileaa.ptr<f32, 1>>
    // First access, and a load after a load: no barrier.
    // T7-NOT: gpu.barrier
    // T7: nv_tileas.load
    %v, %t1 = "nv_tileaa.load"(%a, %t0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (tensor<512x!nv_tileaa.ptr<f32, 1>>, !nv_tileaa.mem_token) -> (tensor<512xf32>, !nv_tileaa.mem_token)
    // CHECK-NOT: gpu.barrier
    // CHECK: nv_tileas.load
    %w, %t2 = "nv_tileaa.load"(%a, %t1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (tensor<512x!nv_tileaa.ptr<f32, 1>>, !nv_tileaa.mem_token) -> (tensor<512xf32>, !nv_tileaa.mem_token)
    // A store after loads, through a join.
    // T8: gpu.barrier
    // T8-NEXT: nv_tileas.store
    %j = "nv_tileaa.join_mem_token"(%t1, %t2) : (!nv_tileaa.mem_token, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    %t3 = "nv_tileaa.store"(%a, %v, %j) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<512x!nv_tileaa.ptr<f32, 1>>, tensor<512xf32>, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    // A store with a fresh token is ordered after nothing.
    // O15-NOT: gpu.barrier
    // O15: nv_tileas.store
    %t4 = "nv_tileaa.store"(%a, %w, %t0) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<512x!nv_tileaa.ptr<f32, 1>>, tensor<512xf32>, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    // A loop that carries the token of its own store needs one in the body.
    // CHECK: scf.for
    // O10: gpu.barrier
    // O10-NEXT: nv_tileas.load
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t5 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!nv_tileaa.mem_token) : i32 {
      %x, %t6 = "nv_tileaa.load"(%a, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (tensor<512x!nv_tileaa.ptr<f32, 1>>, !nv_tileaa.mem_token) -> (tensor<512xf32>, !nv_tileaa.mem_token)
      // CHECK: gpu.barrier
      // CHECK-NEXT: nv_tileas.store
      %t7 = "nv_tileaa.store"(%a, %x, %t6) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<512x!nv_tileaa.ptr<f32, 1>>, tensor<512xf32>, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
      scf.yield %t7 : !nv_tileaa.mem_token
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tileaa-to-tileas,tileas-insert-barriers{sparing=true})' | FileCheck %s --check-prefix=SPARING
// A barrier that lies between already is enough; one inside a branch, or of the iteration before, is not.
gpu.module @sparing {
  // SPARING-LABEL: sym_name = "s"
  "nv_tileaa.func"() <{sym_name = "s", function_type = (!nv_tileaa.ptr<f32, 1>, i32, i1) -> ()}> ({
  ^bb0(%p: !nv_tileaa.ptr<f32, 1>, %n: i32, %c: i1):
    %t0 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %v = arith.constant 1.0 : f32
    // SPARING: nv_tileas.store
    %t1 = "nv_tileaa.store"(%p, %v, %t0) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!nv_tileaa.ptr<f32, 1>, f32, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    // SPARING: gpu.barrier
    // SPARING-NEXT: nv_tileas.load
    %a, %t2 = "nv_tileaa.load"(%p, %t1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!nv_tileaa.ptr<f32, 1>, !nv_tileaa.mem_token) -> (f32, !nv_tileaa.mem_token)
    // SPARING-NOT: gpu.barrier
    // SPARING: nv_tileas.load
    %b, %t3 = "nv_tileaa.load"(%p, %t2) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!nv_tileaa.ptr<f32, 1>, !nv_tileaa.mem_token) -> (f32, !nv_tileaa.mem_token)
    // SPARING: scf.if
    // SPARING: gpu.barrier
    // SPARING-NEXT: nv_tileas.store
    %t4 = scf.if %c -> (!nv_tileaa.mem_token) {
      %t5 = "nv_tileaa.store"(%p, %a, %t3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!nv_tileaa.ptr<f32, 1>, f32, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
      scf.yield %t5 : !nv_tileaa.mem_token
    } else {
      scf.yield %t3 : !nv_tileaa.mem_token
    }
    // SPARING: gpu.barrier
    // SPARING-NEXT: nv_tileas.store
    %t6 = "nv_tileaa.store"(%p, %b, %t4) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!nv_tileaa.ptr<f32, 1>, f32, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    // The load waits for the store behind it.
    // SPARING: scf.for
    // SPARING: gpu.barrier
    // SPARING-NEXT: nv_tileas.load
    // SPARING: gpu.barrier
    // SPARING-NEXT: nv_tileas.store
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t7 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t6) -> (!nv_tileaa.mem_token) : i32 {
      %x, %t8 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!nv_tileaa.ptr<f32, 1>, !nv_tileaa.mem_token) -> (f32, !nv_tileaa.mem_token)
      %t9 = "nv_tileaa.store"(%p, %x, %t8) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!nv_tileaa.ptr<f32, 1>, f32, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
      scf.yield %t9 : !nv_tileaa.mem_token
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
