// Tensor maps made and rebound on the device: the order of the fields, then both fences at the op's scope.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N37,N40,N41 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefix=PTX %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-llvmir | FileCheck --check-prefixes=LLVM,N36 %s

!map = !nvgpu.tensormap.descriptor<tensor = memref<2x8x16xbf16, 3>, swizzle = swizzle_32b, l2promo = none, oob = nan, interleave = none>

gpu.module @m {
  // CHECK-LABEL: llvm.func @create
  // CHECK-COUNT-16: llvm.store %{{.*}} {alignment = 8 : i64} : i64, !llvm.ptr<1>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.address"
  // PTX-LABEL: .entry create(
  // LLVM-LABEL: void @create(
  // N36: %[[A:.*]] = ptrtoint ptr addrspace(1) %1 to i64
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.global.address.p1(ptr addrspace(1) %0, i64 %[[A]])
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.rank.p1(ptr addrspace(1) %0, i32 2)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.box.dim.p1(ptr addrspace(1) %0, i32 0, i32 16)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.box.dim.p1(ptr addrspace(1) %0, i32 1, i32 8)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.box.dim.p1(ptr addrspace(1) %0, i32 2, i32 2)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.global.dim.p1(ptr addrspace(1) %0, i32 0, i32 %2)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.global.dim.p1(ptr addrspace(1) %0, i32 1, i32 %3)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.global.dim.p1(ptr addrspace(1) %0, i32 2, i32 %4)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.global.stride.p1(ptr addrspace(1) %0, i32 0, i64 %5)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.global.stride.p1(ptr addrspace(1) %0, i32 1, i64 %6)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.element.stride.p1(ptr addrspace(1) %0, i32 0, i32 1)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.element.stride.p1(ptr addrspace(1) %0, i32 1, i32 1)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.element.stride.p1(ptr addrspace(1) %0, i32 2, i32 1)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.elemtype.p1(ptr addrspace(1) %0,{{.*}} i32 10)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.interleave.layout.p1(ptr addrspace(1) %0,{{.*}} i32 0)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.swizzle.mode.p1(ptr addrspace(1) %0,{{.*}} i32 1)
  // N36-NEXT: call void @llvm.nvvm.tensormap.replace.fill.mode.p1(ptr addrspace(1) %0,{{.*}} i32 1)
  // N36: fence.proxy.tensormap_generic.release.gpu()
  // N36-NEXT: fence.proxy.tensormap_generic.acquire.gpu(ptr %{{.*}}, i32 128)
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
  // N40: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.address"
  // N40-COUNT-2: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.dim"
  // N40: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.stride"
  // N40-NOT: llvm.call_intrinsic
  // N40: nvvm.fence.proxy.release <sys>
  // N40: nvvm.fence.proxy.acquire <sys>
  // PTX-LABEL: .entry rebind(
  // PTX: fence.proxy.tensormap::generic.release.sys;
  // PTX: fence.proxy.tensormap::generic.acquire.sys
  gpu.func @rebind(%w: !llvm.ptr<1>, %a: !llvm.ptr<1>, %e0: i32, %e1: i32, %s0: i64) kernel {
    nvgpu_ext.tensormap.replace %w, %a extents [%e0, %e1] strides [%s0] {scope = #nvgpu_ext<scope sys>} : !llvm.ptr<1>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @scopes
  // N41: nvvm.fence.proxy.release <cta>
  // N41: nvvm.fence.proxy.acquire <cta>
  // N41: nvvm.fence.proxy.release <cluster>
  // N41: nvvm.fence.proxy.acquire <cluster>
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

  // A map is made in one kernel and used in another: making copies nothing, using changes no field.
  // CHECK-LABEL: llvm.func @constructs
  // N37-NOT: cp.async.bulk
  // N37: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.fill.mode"
  // N37-NOT: cp.async.bulk
  // N37: llvm.return
  gpu.func @constructs(%w: !llvm.ptr<1>, %a: !llvm.ptr<1>, %e0: i32, %e1: i32, %e2: i32, %s0: i64, %s1: i64) kernel {
    %d = nvgpu_ext.tensormap.create %w, %a extents [%e0, %e1, %e2] strides [%s0, %s1] : !llvm.ptr<1>, !llvm.ptr<1> -> !map
    gpu.return
  }
  // CHECK-LABEL: llvm.func @uses
  // N37-SAME: (%[[MAP:arg[0-9]+]]: !llvm.ptr,
  // N37-NOT: tensormap.replace
  // N37: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %[[MAP]], %{{[0-9]+}}, box[
  // N37-NOT: tensormap.replace
  // N37: llvm.return
  gpu.func @uses(%d: !map, %s: memref<2x8x16xbf16, 3>, %c0: index) kernel {
    %b = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    %z = arith.constant 0 : index
    nvgpu.tma.async.load %d[%c0, %c0, %c0], %b[%z] to %s : !map, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<2x8x16xbf16, 3>
    gpu.return
  }
}
