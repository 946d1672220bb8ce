// Warp reductions: a butterfly over the warp or over clusters of lanes.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N22 %s

gpu.module @m {
  // CHECK-LABEL: llvm.func @whole
  // N22: nvvm.shfl.sync  bfly
  // N22: llvm.fadd
  // N22-COUNT-4: nvvm.shfl.sync  bfly
  // N22-NOT: nvvm.shfl.sync
  // N22: llvm.return
  gpu.func @whole(%p: !llvm.ptr<1>, %x: f32) kernel {
    %v = gpu.subgroup_reduce add %x : (f32) -> f32
    llvm.store volatile %v, %p : f32, !llvm.ptr<1>
    gpu.return
  }
  // Lanes 0, 4, 8 and 12 differ in bits 3 and 2.
  // CHECK-LABEL: llvm.func @clusters
  // N22: %[[EIGHT:.*]] = llvm.mlir.constant(8 : i32)
  // N22: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[EIGHT]]
  // N22: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32)
  // N22: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[FOUR]]
  // N22-NOT: nvvm.shfl.sync
  // N22: llvm.return
  gpu.func @clusters(%p: !llvm.ptr<1>, %x: i32) kernel {
    %v = gpu.subgroup_reduce maxsi %x cluster(size = 4, stride = 4) : (i32) -> i32
    llvm.store volatile %v, %p : i32, !llvm.ptr<1>
    gpu.return
  }
  // A shuffle names its mode, the value, the offset and the last lane.
  // CHECK-LABEL: llvm.func @shuffles
  // N22: nvvm.shfl.sync  bfly %{{[0-9]+}}, %arg1, %{{[0-9]+}}, %{{[0-9]+}} : i32 -> i32
  // N22: nvvm.shfl.sync  up %{{[0-9]+}}, %arg1, %{{[0-9]+}}, %{{[0-9]+}} : i32 -> i32
  // N22: nvvm.shfl.sync  idx %{{[0-9]+}}, %arg2, %{{[0-9]+}}, %{{[0-9]+}} : f32 -> f32
  // N22-NOT: nvvm.shfl.sync
  // N22: llvm.return
  gpu.func @shuffles(%p: !llvm.ptr<1>, %x: i32, %y: f32) kernel {
    %one = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %a, %aok = gpu.shuffle xor %x, %one, %w : i32
    %b, %bok = gpu.shuffle up %x, %one, %w : i32
    %c, %cok = gpu.shuffle idx %y, %one, %w : f32
    llvm.store volatile %a, %p : i32, !llvm.ptr<1>
    llvm.store volatile %b, %p : i32, !llvm.ptr<1>
    llvm.store volatile %c, %p : f32, !llvm.ptr<1>
    gpu.return
  }
  // A block reduces its warps, stores what each found, and lets one warp reduce that.
  // CHECK-LABEL: llvm.func @block
  // N22: nvvm.shfl.sync  bfly
  // N22: llvm.store %{{[0-9]+}}, %{{[0-9]+}} : i32, !llvm.ptr<3>
  // N22: nvvm.barrier0
  // N22: llvm.load %{{[0-9]+}} : !llvm.ptr<3> -> i32
  // N22: nvvm.shfl.sync  bfly
  // N22: nvvm.barrier0
  // N22: %[[SUM:.*]] = llvm.load %{{[0-9]+}} : !llvm.ptr<3> -> i32
  // N22-NEXT: llvm.store volatile %[[SUM]], %arg0
  gpu.func @block(%p: !llvm.ptr<1>, %x: i32) kernel {
    %v = gpu.all_reduce add %x uniform {} : (i32) -> i32
    llvm.store volatile %v, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}
