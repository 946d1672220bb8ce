// Tensor maps made and rebound on the device: the order of the fields, then both fences at the op's scope.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefix=PTX %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-llvmir | FileCheck --check-prefix=LLVM %s

!map = !nvgpu.tensormap.descriptor<tensor = memref<2x8x16xbf16, 3>, swizzle = swizzle_32b, l2promo = none, oob = nan, interleave = none>

gpu.module @m {
  // CHECK-LABEL: llvm.func @create
  // CHECK-COUNT-16: llvm.store %{{.*}} {alignment = 8 : i64} : i64, !llvm.ptr<1>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.address"
  // PTX-LABEL: .entry create(
  // LLVM-LABEL: void @create(
  // LLVM: %[[A:.*]] = ptrtoint ptr addrspace(1) %1 to i64
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.global.address.p1(ptr addrspace(1) %0, i64 %[[A]])
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.rank.p1(ptr addrspace(1) %0, i32 2)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.box.dim.p1(ptr addrspace(1) %0, i32 0, i32 16)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.box.dim.p1(ptr addrspace(1) %0, i32 1, i32 8)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.box.dim.p1(ptr addrspace(1) %0, i32 2, i32 2)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.global.dim.p1(ptr addrspace(1) %0, i32 0, i32 %2)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.global.dim.p1(ptr addrspace(1) %0, i32 1, i32 %3)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.global.dim.p1(ptr addrspace(1) %0, i32 2, i32 %4)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.global.stride.p1(ptr addrspace(1) %0, i32 0, i64 %5)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.global.stride.p1(ptr addrspace(1) %0, i32 1, i64 %6)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.element.stride.p1(ptr addrspace(1) %0, i32 0, i32 1)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.element.stride.p1(ptr addrspace(1) %0, i32 1, i32 1)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.element.stride.p1(ptr addrspace(1) %0, i32 2, i32 1)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.elemtype.p1(ptr addrspace(1) %0,{{.*}} i32 10)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.interleave.layout.p1(ptr addrspace(1) %0,{{.*}} i32 0)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.swizzle.mode.p1(ptr addrspace(1) %0,{{.*}} i32 1)
  // LLVM-NEXT: call void @llvm.nvvm.tensormap.replace.fill.mode.p1(ptr addrspace(1) %0,{{.*}} i32 1)
  // LLVM: fence.proxy.tensormap_generic.release.gpu()
  // LLVM-NEXT: fence.proxy.tensormap_generic.acquire.gpu(ptr %{{.*}}, i32 128)
  // PTX: tensormap.replace.tile.global_address.global.b1024.b64
  // PTX: tensormap.replace.tile.rank.global.b1024.b32
  // PTX-COUNT-3: tensormap.replace.tile.box_dim.global.b1024.b32
  // PTX-COUNT-3: tensormap.replace.tile.global_dim.global.b1024.b32
  // PTX-COUNT-2: tensormap.replace.tile.global_stride.global.b1024.b64
  // PTX-COUNT-3: tensormap.replace.tile.element_stride.global.b1024.b32
  // PTX: tensormap.replace.tile.elemtype.global.b1024.b32
  // PTX: tensormap.replace.tile.interleave_layout.global.b1024.b32
  // PTX: tensormap.replace.tile.swizzle_mode.global.b1024.b32
  // PTX: tensormap.replace.tile.fill_mode.global.b1024.b32
  // PTX: fence.proxy.tensormap::generic.release.gpu;
  // PTX: fence.proxy.tensormap::generic.acquire.gpu [%rd{{[0-9]+}}], 128;
  // PTX: prefetch.tensormap
  gpu.func @create(%w: !llvm.ptr<1>, %a: !llvm.ptr<1>, %e0: i32, %e1: i32, %e2: i32, %s0: i64, %s1: i64) kernel {
    %d = nvgpu_ext.tensormap.create %w, %a extents [%e0, %e1, %e2] strides [%s0, %s1] : !llvm.ptr<1>, !llvm.ptr<1> -> !map
    nvgpu.tma.prefetch.descriptor %d : !map
    gpu.return
  }

  // Address once, every extent, every stride but the innermost, release, acquire; no rank, no box.
  // CHECK-LABEL: llvm.func @rebind
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.address"
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.dim"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.stride"
  // CHECK-NOT: llvm.call_intrinsic
  // CHECK: nvvm.fence.proxy.release <sys>
  // CHECK: nvvm.fence.proxy.acquire <sys>
  // PTX-LABEL: .entry rebind(
  // PTX: fence.proxy.tensormap::generic.release.sys;
  // PTX: fence.proxy.tensormap::generic.acquire.sys
  gpu.func @rebind(%w: !llvm.ptr<1>, %a: !llvm.ptr<1>, %e0: i32, %e1: i32, %s0: i64) kernel {
    nvgpu_ext.tensormap.replace %w, %a extents [%e0, %e1] strides [%s0] {scope = #nvgpu_ext<scope sys>} : !llvm.ptr<1>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @scopes
  // CHECK: nvvm.fence.proxy.release <cta>
  // CHECK: nvvm.fence.proxy.acquire <cta>
  // CHECK: nvvm.fence.proxy.release <cluster>
  // CHECK: nvvm.fence.proxy.acquire <cluster>
  gpu.func @scopes(%w: !llvm.ptr<1>, %a: !llvm.ptr<1>, %e0: i32) kernel {
    nvgpu_ext.tensormap.replace %w, %a extents [%e0] strides [] {scope = #nvgpu_ext<scope cta>} : !llvm.ptr<1>, !llvm.ptr<1>
    nvgpu_ext.tensormap.replace %w, %a extents [%e0] strides [] {scope = #nvgpu_ext<scope cluster>} : !llvm.ptr<1>, !llvm.ptr<1>
    gpu.return
  }

  // A draft in shared memory is not published; a warp moves it to global memory and acquires it.
  // CHECK-LABEL: llvm.func @draft
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.address"
  // CHECK-NOT: nvvm.fence.proxy
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;", "l,l"
  // CHECK-NEXT: llvm.addrspacecast
  // CHECK: nvvm.fence.proxy.acquire <gpu>
  // PTX-LABEL: .entry draft(
  // PTX: tensormap.replace.tile.global_address.shared::cta.b1024.b64
  // PTX: tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd{{[0-9]+}}], [%rd{{[0-9]+}}], 128;
  // PTX: fence.proxy.tensormap::generic.acquire.gpu
  gpu.func @draft(%s: !llvm.ptr<3>, %w: !llvm.ptr<1>, %a: !llvm.ptr<1>, %e0: i32, %e1: i32, %e2: i32, %s0: i64, %s1: i64) kernel {
    %d = nvgpu_ext.tensormap.create %s, %a extents [%e0, %e1, %e2] strides [%s0, %s1] : !llvm.ptr<3>, !llvm.ptr<1> -> !map
    nvgpu_ext.tensormap.publish %s to %w : !llvm.ptr<3>, !llvm.ptr<1>
    gpu.return
  }
}
