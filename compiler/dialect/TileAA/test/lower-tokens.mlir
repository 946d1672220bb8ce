// RUN: tile-opt %s --split-input-file --tileaa-lower-tokens | FileCheck --check-prefixes=CHECK,T4,T5,T6,T7,T8,T9,T10 %s --implicit-check-not='!nv_tileaa.mem_token'

!p = !nv_tileaa.ptr<i32, 1>
!t = !nv_tileaa.mem_token

// Synchronous order costs one CTA barrier; no mbarrier is taken.
// CHECK-LABEL: sym_name = "sync"
// T8-NOT: mbarrier
// T8: "nv_tileaa.store"(%[[P:.*]], %[[V:.*]]) <{{.*}}array<i32: 1, 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>, i32) -> ()
// T8-NEXT: gpu.barrier
// T8-NEXT: "nv_tileaa.load"
// The load and the store behind it: the read must be over before the write.
// T8-NEXT: gpu.barrier
// T8-NEXT: "nv_tileaa.store"
// T8-NOT: gpu.barrier
gpu.module @m {
  "nv_tileaa.func"() <{function_type = (!p, i32) -> (), sym_name = "sync"}> ({
  ^bb0(%p: !p, %v: i32):
    %t = "nv_tileaa.create_mem_token"() : () -> !t
    %t0 = "nv_tileaa.store"(%p, %v, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, i32, !t) -> !t
    %0, %t1 = "nv_tileaa.load"(%p, %t0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!p, !t) -> (i32, !t)
    %t2 = "nv_tileaa.store"(%p, %0, %t1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, i32, !t) -> !t
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

!p = !nv_tileaa.ptr<i32, 1>
!t = !nv_tileaa.mem_token

// Two loads, memory of an alloca beside an argument, and equal layouts of one object need nothing;
// one barrier serves both loads behind it.
// CHECK-LABEL: sym_name = "unnecessary"
// T8-NOT: gpu.barrier
// T8: "nv_tileaa.store"{{.*}}"last"
// T8-NEXT: gpu.barrier
// T8-NEXT: "nv_tileaa.load"
// T8-NEXT: "nv_tileaa.load"
// T8-NEXT: "nv_tileaa.return"
gpu.module @m {
  "nv_tileaa.func"() <{function_type = (!p, !p) -> (), sym_name = "unnecessary"}> ({
  ^bb0(%p: !p, %q: !p):
    %t = "nv_tileaa.create_mem_token"() : () -> !t
    %0, %t0 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!p, !t) -> (i32, !t)
    %1, %t1 = "nv_tileaa.load"(%p, %t0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!p, !t) -> (i32, !t)
    %m = "nv_tileaa.alloca"() <{num_elem = 4 : i64, alignment = 4 : i64}> : () -> !p
    %t2 = "nv_tileaa.store"(%m, %1, %t1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> {nv_tileaa.layout = "a"} : (!p, i32, !t) -> !t
    %2, %t3 = "nv_tileaa.load"(%m, %t2) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.layout = "a"} : (!p, !t) -> (i32, !t)
    %t4 = "nv_tileaa.store"(%m, %2, %t0) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> {tag = "last"} : (!p, i32, !t) -> !t
    %3, %t5 = "nv_tileaa.load"(%m, %t4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!p, !t) -> (i32, !t)
    %4, %t6 = "nv_tileaa.load"(%m, %t4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!p, !t) -> (i32, !t)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

!p = !nv_tileaa.ptr<i32, 1>
!t = !nv_tileaa.mem_token

// An asynchronous access gets a slot; who needs it waits for the parity of the handle.
// T10: llvm.mlir.global internal @__tileas_mem_token() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<32 x i64>
// CHECK-LABEL: sym_name = "async"
// T4: %[[BASE:.*]] = llvm.mlir.addressof @__tileas_mem_token
// T5: gpu.thread_id x
// T5: scf.if
// T5: %[[N:.*]] = arith.constant 4 : i32
// T5: nvvm.mbarrier.init %{{.*}}, %[[N]]
// T4: gpu.barrier
// T4: %[[H:.*]] = arith.select
// T4: "nv_tileaa.load"{{.*}}nv_tileaa.async = 4 : i32, nv_tileaa.mbarrier = 0 : i32
// A load of disjoint memory does not wait and hands the order on.
// T7-NEXT: "nv_tileaa.load"
// T4: arith.cmpi sge, %[[H]]
// T4: scf.if
// T4: %[[S:.*]] = arith.shrui %[[H]]
// T4: %[[Y:.*]] = arith.andi %[[H]]
// T4: %[[A:.*]] = llvm.getelementptr %[[BASE]][%[[S]]]
// T4: nvvm.mbarrier.try_wait.parity %[[A]], %[[Y]]
// T7: "nv_tileaa.store"
// T7-NOT: try_wait
gpu.module @m {
  "nv_tileaa.func"() <{function_type = (!p, i32) -> (), sym_name = "async"}> ({
  ^bb0(%p: !p, %v: i32):
    %t = "nv_tileaa.create_mem_token"() : () -> !t
    %m = "nv_tileaa.alloca"() <{num_elem = 4 : i64, alignment = 4 : i64}> : () -> !p
    %0, %t0 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 4 : i32} : (!p, !t) -> (i32, !t)
    %1, %t1 = "nv_tileaa.load"(%m, %t0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!p, !t) -> (i32, !t)
    %t2 = "nv_tileaa.store"(%p, %v, %t1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, i32, !t) -> !t
    %t3 = "nv_tileaa.store"(%m, %v, %t2) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, i32, !t) -> !t
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

!p = !nv_tileaa.ptr<i32, 1>
!t = !nv_tileaa.mem_token

// A join waits once per pending producer, the created token needs no wait; one pending input is
// handed on.
// CHECK-LABEL: sym_name = "joins"
// T6: mbarrier.init
// T6: mbarrier.init
// T6: mbarrier.init
// T6: nvvm.mbarrier.try_wait.parity
// T6: nvvm.mbarrier.try_wait.parity
// T6: nvvm.mbarrier.try_wait.parity
// T6-NOT: try_wait
gpu.module @m {
  "nv_tileaa.func"() <{function_type = (!p, i32) -> (), sym_name = "joins"}> ({
  ^bb0(%p: !p, %v: i32):
    %t = "nv_tileaa.create_mem_token"() : () -> !t
    %0, %a = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %1, %b = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %2, %c = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %one = "nv_tileaa.join_mem_token"(%t, %a) : (!t, !t) -> !t
    %all = "nv_tileaa.join_mem_token"(%one, %b, %c, %t) : (!t, !t, !t, !t) -> !t
    %t2 = "nv_tileaa.store"(%p, %v, %all) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, i32, !t) -> !t
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

!p = !nv_tileaa.ptr<i32, 1>
!t = !nv_tileaa.mem_token

// One slot serves all rounds of a loop: the handle is carried as i32, its parity flips, and the
// slot is armed again only after all threads saw the previous round.
// CHECK-LABEL: sym_name = "loop"
// T9: mbarrier.init
// T9: scf.for {{.*}} iter_args(%[[H:.*]] = %{{.*}}) -> (i32)
// T9: arith.cmpi sge, %[[H]]
// T9: nvvm.mbarrier.try_wait.parity
// T9: %[[PREV:.*]] = llvm.load
// T9: nvvm.mbarrier.try_wait.parity
// T9: gpu.barrier
// T9: %[[FLIP:.*]] = arith.xori %[[PREV]]
// T9: %[[NEXT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[FLIP]]
// T9: scf.yield %[[NEXT]] : i32
gpu.module @m {
  "nv_tileaa.func"() <{function_type = (!p, i32) -> (), sym_name = "loop"}> ({
  ^bb0(%p: !p, %n: i32):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t = "nv_tileaa.create_mem_token"() : () -> !t
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %t) -> (!t) : i32 {
      %a = "nv_tileaa.store"(%p, %i, %k) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, i32, !t) -> !t
      scf.yield %a : !t
    }
    %0, %t1 = "nv_tileaa.load"(%p, %r) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!p, !t) -> (i32, !t)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

!p = !nv_tileaa.ptr<i32, 1>
!t = !nv_tileaa.mem_token

// Handles that do not live at the same time share a slot.
// CHECK-LABEL: sym_name = "shared"
// T10: mbarrier.init
// T10-NOT: nv_tileaa.mbarrier = 1
gpu.module @m {
  "nv_tileaa.func"() <{function_type = (!p, i32) -> (), sym_name = "shared"}> ({
  ^bb0(%p: !p, %v: i32):
    %t = "nv_tileaa.create_mem_token"() : () -> !t
    %0, %a = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %b = "nv_tileaa.store"(%p, %v, %a) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, i32, !t) -> !t
    %1, %c = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %d = "nv_tileaa.store"(%p, %v, %c) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, i32, !t) -> !t
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

!p = !nv_tileaa.ptr<i32, 1>
!t = !nv_tileaa.mem_token

// sm_80 tests a parity, and a loop waits; the arrivals are the producers of the token that the
// access starts from.
// CHECK-LABEL: sym_name = "older"
// T5: %[[COUNT:.*]] = arith.constant 96 : i32
// T5-NEXT: nvvm.mbarrier.init %{{.*}}, %[[COUNT]]
// T6-NOT: nvvm.mbarrier.try_wait
// T6: scf.while
// T6: nvvm.mbarrier.test.wait
// T6: scf.condition
module attributes {nv_tileaa.compute_capability = 80 : i32} {
gpu.module @m {
  "nv_tileaa.func"() <{function_type = (!p, i32) -> (), sym_name = "older"}> ({
  ^bb0(%p: !p, %v: i32):
    %t = "nv_tileaa.create_mem_token"() <{producers = 96 : i32}> : () -> !t
    %t0 = "nv_tileaa.store"(%p, %v, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> {nv_tileaa.async} : (!p, i32, !t) -> !t
    %0, %t1 = "nv_tileaa.load"(%p, %t0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!p, !t) -> (i32, !t)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
}
