// RUN: tile-opt %s --tileaa-assign-alias-scopes | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tileaa-assign-alias-scopes,convert-tileaa-to-tileas,tileas-insert-barriers{sparing=true})' | FileCheck --check-prefix=AS %s
// Number 0 is the memory of the launch; allocas and globals have numbers of their own.

!p = !nv_tileaa.ptr<f32, 1>
!t = !nv_tileaa.mem_token

gpu.module @m {
  "nv_tileaa.global"() <{sym_name = "one", value = dense<1.0> : tensor<4xf32>, alignment = 16 : i64}> : () -> ()
  "nv_tileaa.global"() <{sym_name = "two", value = dense<2.0> : tensor<4xf32>, alignment = 16 : i64}> : () -> ()

  // CHECK-LABEL: sym_name = "objects"
  // AS-LABEL: sym_name = "objects"
  "nv_tileaa.func"() <{sym_name = "objects", function_type = (!p, !p, i1) -> ()}> ({
  ^bb0(%a: !p, %b: !p, %c: i1):
    %t = "nv_tileaa.create_mem_token"() : () -> !t
    %v = arith.constant 1.0 : f32
    %own = "nv_tileaa.alloca"() <{num_elem = 4 : i64, alignment = 16 : i64}> : () -> !p
    %g1 = "nv_tileaa.get_global"() <{name = @one}> : () -> !p
    %g2 = "nv_tileaa.get_global"() <{name = @two}> : () -> !p
    // Arguments may be equal, and point to a global.
    // CHECK: "nv_tileaa.store"{{.*}}nv_tileaa.objects = array<i32: 0, 2, 3>
    // AS-NOT: gpu.barrier
    // AS: nv_tileas.store{{.*}}nv_tileaa.objects = array<i32: 0, 2, 3>
    %t1 = "nv_tileaa.store"(%a, %v, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, f32, !t) -> !t
    // CHECK: "nv_tileaa.store"{{.*}}nv_tileaa.objects = array<i32: 0, 2, 3>
    // AS: gpu.barrier
    // AS-NEXT: nv_tileas.store
    %t2 = "nv_tileaa.store"(%b, %v, %t1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, f32, !t) -> !t
    // CHECK: "nv_tileaa.store"{{.*}}nv_tileaa.objects = array<i32: 1>
    // AS-NOT: gpu.barrier
    // AS: nv_tileas.store{{.*}}nv_tileaa.objects = array<i32: 1>
    %t3 = "nv_tileaa.store"(%own, %v, %t2) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, f32, !t) -> !t
    // A global meets the arguments, not the alloca and not the other global.
    // CHECK: "nv_tileaa.store"{{.*}}nv_tileaa.objects = array<i32: 2>
    // AS: gpu.barrier
    // AS-NEXT: nv_tileas.store{{.*}}nv_tileaa.objects = array<i32: 2>
    %t4 = "nv_tileaa.store"(%g1, %v, %t3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, f32, !t) -> !t
    // CHECK: "nv_tileaa.store"{{.*}}nv_tileaa.objects = array<i32: 3>
    // AS-NOT: gpu.barrier
    // AS: nv_tileas.store{{.*}}nv_tileaa.objects = array<i32: 3>
    %t5 = "nv_tileaa.store"(%g2, %v, %t4) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, f32, !t) -> !t
    // What a branch hands on may be either; what went through an integer may be anything.
    // CHECK: "nv_tileaa.store"{{.*}}nv_tileaa.objects = array<i32: 1, 2>
    %either = arith.select %c, %own, %g1 : !p
    %t6 = "nv_tileaa.store"(%either, %v, %t5) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, f32, !t) -> !t
    %n = "nv_tileaa.ptr_to_int"(%own) : (!p) -> i64
    %any = "nv_tileaa.int_to_ptr"(%n) : (i64) -> !p
    // CHECK-NOT: nv_tileaa.objects
    // CHECK: "nv_tileaa.store"
    // CHECK: "nv_tileaa.return"
    %t7 = "nv_tileaa.store"(%any, %v, %t6) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, f32, !t) -> !t
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()

  // A load of the argument starts ahead of the stores to the alloca; who waited for it waits for both.
  // CHECK-LABEL: sym_name = "early"
  // AS-LABEL: sym_name = "early"
  "nv_tileaa.func"() <{sym_name = "early", function_type = (!p) -> ()}> ({
  ^bb0(%a: !p):
    // CHECK: %[[T:.*]] = "nv_tileaa.create_mem_token"
    %t = "nv_tileaa.create_mem_token"() : () -> !t
    %v = arith.constant 1.0 : f32
    %own = "nv_tileaa.alloca"() <{num_elem = 4 : i64, alignment = 16 : i64}> : () -> !p
    // CHECK: %[[S:.*]] = "nv_tileaa.store"
    %t1 = "nv_tileaa.store"(%own, %v, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, f32, !t) -> !t
    // CHECK: %{{.*}}, %[[L:.*]] = "nv_tileaa.load"(%{{.*}}, %[[T]])
    // CHECK: %[[J:.*]] = "nv_tileaa.join_mem_token"(%[[L]], %[[S]])
    %x, %t2 = "nv_tileaa.load"(%a, %t1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!p, !t) -> (f32, !t)
    // CHECK: "nv_tileaa.store"(%{{.*}}, %{{.*}}, %[[J]])
    %t3 = "nv_tileaa.store"(%a, %x, %t2) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, f32, !t) -> !t
    // A release orders all of them, whatever it writes.
    // AS: gpu.barrier
    // AS-NEXT: nv_tileas.store
    // AS: gpu.barrier
    // AS-NEXT: nv_tileas.store{{.*}}release
    %t4 = "nv_tileaa.store"(%own, %v, %t3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, mem_semantic = #nv_tileaa.mem_semantic<release>, mem_scope = #nv_tileaa.mem_scope<gpu>}> : (!p, f32, !t) -> !t
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()

  // The number of the alloca stands in the types of memrefs and views over it.
  // CHECK-LABEL: sym_name = "types"
  "nv_tileaa.func"() <{sym_name = "types", function_type = () -> ()}> ({
    %t = "nv_tileaa.create_mem_token"() : () -> !t
    %i = arith.constant 0 : i32
    %own = "nv_tileaa.alloca"() <{num_elem = 4 : i64, alignment = 16 : i64}> : () -> !p
    // CHECK: nv_tileaa.make_memref{{.*}}alias_scope = 1{{.*}}scope = 1
    %m = "nv_tileaa.make_memref"(%own) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!p) -> !nv_tileaa.memref<[4] x f32, strides = [1], 1>
    // CHECK: nv_tileaa.block_tile{{.*}}scope = 1{{.*}}scope = 1
    %view = "nv_tileaa.block_tile"(%m) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 4>}> : (!nv_tileaa.memref<[4] x f32, strides = [1], 1>) -> !nv_tileaa.tiled_view<tileShape = [4], memref = !nv_tileaa.memref<[4] x f32, strides = [1], 1>, dimMap = [0]>
    %x, %t1 = "nv_tileaa.tiled_load"(%view, %i, %t) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!nv_tileaa.tiled_view<tileShape = [4], memref = !nv_tileaa.memref<[4] x f32, strides = [1], 1>, dimMap = [0]>, i32, !t) -> (tensor<4xf32>, !t)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
