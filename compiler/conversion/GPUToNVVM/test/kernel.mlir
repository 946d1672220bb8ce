// What a kernel is besides its body: attributes, the return, memory that the launch sizes.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N20,N21 %s

gpu.module @m {
  // N21: llvm.mlir.global internal @[[SHARED:__dynamic_shmem__[0-9]+]]() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

  // CHECK-LABEL: llvm.func @known
  // N20-SAME: (%{{.*}}: !llvm.ptr<1>) attributes {nvgpu_ext.threads = 64 : i32, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  // N20-NEXT: llvm.return
  gpu.func @known(%p: !llvm.ptr<1>) kernel attributes {nvgpu_ext.threads = 64 : i32} {
    gpu.return
  }

  // Not a kernel, and a return of a value.
  // CHECK-LABEL: llvm.func @helper
  // N20-SAME: (%[[X:.*]]: i32) -> i32 {
  // N20-NEXT: llvm.return %[[X]] : i32
  gpu.func @helper(%x: i32) -> i32 {
    gpu.return %x : i32
  }

  // CHECK-LABEL: llvm.func @dynamic
  // N21: %[[BASE:.*]] = llvm.mlir.addressof @[[SHARED]] : !llvm.ptr<3>
  // N21: llvm.getelementptr %[[BASE]][0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  // N21: %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i8
  // N21: llvm.store %[[V]]
  gpu.func @dynamic(%p: !llvm.ptr<1>, %i: index) kernel {
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %v = memref.load %m[%i] : memref<?xi8, #gpu.address_space<workgroup>>
    llvm.store %v, %p : i8, !llvm.ptr<1>
    gpu.return
  }
}
