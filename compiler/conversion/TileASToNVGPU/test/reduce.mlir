// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tileaa-to-tileas,convert-tileas-to-nvgpu)' | FileCheck %s
// A full reduction: registers, five shuffles, partial results of four warps through shared memory.

gpu.module @m {
  // CHECK: llvm.mlir.global external @global_smem() {addr_space = 3
  // CHECK: gpu.func @sum({{.*}}) kernel attributes {nvgpu_ext.shared_bytes = 16 : i32, nvgpu_ext.threads = 128 : i32}
  // CHECK-NOT: tensor<
  // CHECK-COUNT-5: gpu.shuffle xor
  // CHECK-NOT: gpu.shuffle
  // CHECK: gpu.barrier
  // CHECK: llvm.mlir.addressof @global_smem
  // CHECK: gpu.barrier
  // CHECK: gpu.return
  "nv_tileaa.func"() <{sym_name = "sum", function_type = (f32, !nv_tileaa.ptr<f32, 1>) -> ()}> ({
  ^bb0(%n: f32, %p: !nv_tileaa.ptr<f32, 1>):
    %x = "nv_tileaa.splat"(%n) : (f32) -> tensor<512xf32>
    %s = "nv_tileaa.reduce"(%x) <{axis = 0 : i32, identities = [0.0 : f32]}> ({
    ^bb0(%a: f32, %b: f32):
      %q = "nv_tileaa.addf"(%a, %b) : (f32, f32) -> f32
      "nv_tileaa.yield"(%q) : (f32) -> ()
    }) : (tensor<512xf32>) -> f32
    "nv_tileaa.store"(%p, %s) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>, f32) -> ()
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()

  // Of 64 registers, which LLVM does not unroll unasked.
  // CHECK: gpu.func @many
  // CHECK: scf.for %{{.*}} = %c1_i32{{.*}} to %c64_i32{{.*}} step %c1_i32
  // CHECK: arith.addf
  // CHECK: scf.yield
  // CHECK-NEXT: } {llvm.loop_annotation = #{{.*}}}
  "nv_tileaa.func"() <{sym_name = "many", function_type = (f32, !nv_tileaa.ptr<f32, 1>) -> ()}> ({
  ^bb0(%n: f32, %p: !nv_tileaa.ptr<f32, 1>):
    %x = "nv_tileaa.splat"(%n) : (f32) -> tensor<8192xf32>
    %s = "nv_tileaa.reduce"(%x) <{axis = 0 : i32, identities = [0.0 : f32]}> ({
    ^bb0(%a: f32, %b: f32):
      %q = "nv_tileaa.addf"(%a, %b) : (f32, f32) -> f32
      "nv_tileaa.yield"(%q) : (f32) -> ()
    }) : (tensor<8192xf32>) -> f32
    "nv_tileaa.store"(%p, %s) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f32, 1>, f32) -> ()
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()

  // A body may branch, also below a branch: each thread goes its own way, and nobody waits inside.
  // CHECK: gpu.func @branches
  // CHECK: scf.if %{{.*}} -> (i32) {
  // CHECK-NEXT: scf.if %{{.*}} -> (i32) {
  // CHECK: arith.divsi
  // CHECK-NEXT: scf.yield
  // CHECK-NEXT: } else {
  // CHECK-NEXT: scf.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: scf.yield
  // CHECK-NEXT: } else {
  // CHECK-NEXT: arith.xori
  // CHECK-NEXT: scf.yield
  // CHECK: gpu.shuffle
  "nv_tileaa.func"() <{sym_name = "branches", function_type = (i32, !nv_tileaa.ptr<i32, 1>) -> ()}> ({
  ^bb0(%n: i32, %p: !nv_tileaa.ptr<i32, 1>):
    %x = "nv_tileaa.splat"(%n) : (i32) -> tensor<128xi32>
    %s = "nv_tileaa.reduce"(%x) <{axis = 0 : i32, identities = [0 : i32]}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.cmpi slt, %a, %b : i32
      %d = arith.cmpi ne, %b, %n : i32
      %q = scf.if %c -> (i32) {
        %i = scf.if %d -> (i32) {
          %v = arith.divsi %b, %a : i32
          scf.yield %v : i32
        } else {
          scf.yield %b : i32
        }
        scf.yield %i : i32
      } else {
        %v = arith.xori %a, %b : i32
        scf.yield %v : i32
      }
      "nv_tileaa.yield"(%q) : (i32) -> ()
    }) : (tensor<128xi32>) -> i32
    "nv_tileaa.store"(%p, %s) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>, i32) -> ()
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
