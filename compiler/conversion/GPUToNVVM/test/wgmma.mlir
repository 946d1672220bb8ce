// Warpgroup products: descriptor bits, fence, products, commit, wait, accumulator and its store.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N44,N45,N46 %s
// RUN: tile-opt --convert-gpu-to-nvvm --canonicalize %s | FileCheck --check-prefixes=BITS,N42 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefix=PTX %s

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!a = !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
!b = !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>

gpu.module @m {
  // Address / 16 in bits 0-13, leading offset / 16 in 16-29, stride offset / 16 (64) in 32-45, base offset 0 in 49-51,
  // swizzle of 128 bytes (1) in 62-63: all but the address is one constant,
  // 1 << 62 | 64 << 32 | 512 << 16 = 4611686293338849280.
  // BITS-LABEL: llvm.func @product
  // N42-DAG: %[[FIXED:.*]] = llvm.mlir.constant(4611686293338849280 : i64) : i64
  // N42-DAG: %[[UP:.*]] = llvm.mlir.constant(46 : i64) : i64
  // N42-DAG: %[[DOWN:.*]] = llvm.mlir.constant(50 : i64) : i64
  // N42: %[[BASE:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<3> to i64
  // N42: %[[LEFT:.*]] = llvm.shl %[[BASE]], %[[UP]] : i64
  // N42: %[[FIELD:.*]] = llvm.lshr %[[LEFT]], %[[DOWN]] : i64
  // N42: %[[PLACED:.*]] = llvm.shl %[[FIELD]], %{{.*}} : i64
  // N42: llvm.or %[[FIXED]], %[[PLACED]] : i64
  // CHECK-LABEL: llvm.func @product
  // The accumulator starts as poison filled with zeros.
  // N46: %[[ZERO:.*]] = llvm.mlir.constant(0.000000e+00 : f32) : f32
  // N46: llvm.insertvalue %[[ZERO]], %{{.*}}[0]
  // N46: llvm.insertvalue %[[ZERO]], %{{.*}}[31]
  // N44: nvvm.wgmma.fence.aligned
  // N44: nvvm.wgmma.mma_async %{{.*}} <m = 64, n = 64, k = 16>
  // N44: nvvm.wgmma.mma_async %{{.*}} <m = 64, n = 64, k = 16>
  // N44: nvvm.wgmma.mma_async %{{.*}} <m = 64, n = 64, k = 16>
  // N44: nvvm.wgmma.mma_async %{{.*}} <m = 64, n = 64, k = 16>
  // N44-NOT: nvvm.wgmma.mma_async
  // N44: nvvm.wgmma.commit.group.sync.aligned
  // N44-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
  // N44-NOT: nvvm.wgmma
  // N45: nvvm.read.ptx.sreg.tid.x
  // N45-COUNT-32: llvm.store %{{.*}} : f32, !llvm.ptr<1>
  // N45-NOT: llvm.store
  // PTX-LABEL: .entry product(
  // PTX: wgmma.fence.sync.aligned;
  // PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
  // PTX: wgmma.commit_group.sync.aligned;
  // PTX-NEXT: wgmma.wait_group.sync.aligned 0;
  // PTX-COUNT-32: st.global.b32
  gpu.func @product(%t: !map, %s: memref<64x64xf16, 3>, %g: memref<64x64xf32, 1>) kernel attributes {nvgpu_ext.threads = 128 : i32} {
    %d = nvgpu.warpgroup.generate.descriptor %s, %t : memref<64x64xf16, 3>, !map -> !a
    %c = nvgpu.warpgroup.mma.init.accumulator -> !acc
    %e = nvgpu.warpgroup.mma %d, %d, %c {transposeB} : !a, !a, !acc -> !acc
    nvgpu.warpgroup.mma.store %e, %g : !acc to memref<64x64xf32, 1>
    gpu.return
  }

  // Products in flight: fence, commit and wait are the kernel's; a left operand in registers has no NVVM operation.
  // CHECK-LABEL: llvm.func @in_flight
  // CHECK: nvvm.wgmma.mma_async %{{.*}} <m = 64, n = 8, k = 16>
  // CHECK-SAME: A[<bf16>, <one>, <col>], B[<bf16>, <one>, <row>]
  // CHECK: llvm.inline_asm has_side_effects {{.*}}wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, p, 1, 1, 0;
  // PTX-LABEL: .entry in_flight(
  // PTX: wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
  // PTX: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
  gpu.func @in_flight(%a: i64, %b: i64, %w: i32, %g: !llvm.ptr<1>) kernel attributes {nvgpu_ext.threads = 128 : i32} {
    %zero = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.fence.aligned
    %0 = nvgpu_ext.warpgroup.mma_async %a * %b + %zero {n = 8, k = 16, lhsType = "bf16", rhsType = "bf16", sumType = "f32", lhsTransposed, rhsTransposed} : i64 -> !llvm.struct<(f32, f32, f32, f32)>
    %1 = nvgpu_ext.warpgroup.mma_async %w, %w, %w, %w * %b + %0 {n = 8, k = 16, lhsType = "f16", rhsType = "f16", sumType = "f32"} : i32, i32, i32, i32 -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.store %1, %g : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
    gpu.return
  }
}
