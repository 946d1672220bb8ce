// Warp reductions: a butterfly over the warp or over clusters of lanes.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck %s

gpu.module @m {
  // CHECK-LABEL: llvm.func @whole
  // CHECK: nvvm.shfl.sync  bfly
  // CHECK: llvm.fadd
  // CHECK-COUNT-4: nvvm.shfl.sync  bfly
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.return
  gpu.func @whole(%p: !llvm.ptr<1>, %x: f32) kernel {
    %v = gpu.subgroup_reduce add %x : (f32) -> f32
    llvm.store volatile %v, %p : f32, !llvm.ptr<1>
    gpu.return
  }
  // Lanes 0, 4, 8 and 12 differ in bits 3 and 2.
  // CHECK-LABEL: llvm.func @clusters
  // CHECK: %[[EIGHT:.*]] = llvm.mlir.constant(8 : i32)
  // CHECK: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[EIGHT]]
  // CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32)
  // CHECK: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[FOUR]]
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.return
  gpu.func @clusters(%p: !llvm.ptr<1>, %x: i32) kernel {
    %v = gpu.subgroup_reduce maxsi %x cluster(size = 4, stride = 4) : (i32) -> i32
    llvm.store volatile %v, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}
