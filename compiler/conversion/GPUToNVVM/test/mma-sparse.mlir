// Sparse products: the only operation that is inline assembly; the selector is an immediate.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N52 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefix=PTX %s

gpu.module @m {

  // CHECK-LABEL: llvm.func @sp_f16_f16
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att "mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 {{.*}},0x0;"
  // CHECK-NOT: nvgpu
  // PTX-LABEL: .entry sp_f16_f16(
  // PTX: mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16
  gpu.func @sp_f16_f16(%p: !llvm.ptr<1>, %meta: i32) kernel {
    %m = llvm.bitcast %meta : i32 to vector<2xi16>
    %a = arith.constant dense<1.0> : vector<4x2xf16>
    %b = arith.constant dense<1.0> : vector<4x2xf16>
    %c = arith.constant dense<1.0> : vector<2x2xf16>
    %d = nvgpu.mma.sp.sync(%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 32]} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
    %e = vector.extract %d[0] : vector<2xf16> from vector<2x2xf16>
    llvm.store volatile %e, %p : vector<2xf16>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @sp_f16_f32
  // N52: llvm.inline_asm has_side_effects asm_dialect = att "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {{.*}},0x1;"
  // N52-NOT: nvgpu
  // PTX-LABEL: .entry sp_f16_f32(
  // PTX: mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32
  gpu.func @sp_f16_f32(%p: !llvm.ptr<1>, %meta: i32) kernel {
    %m = llvm.bitcast %meta : i32 to vector<2xi16>
    %a = arith.constant dense<1.0> : vector<4x2xf16>
    %b = arith.constant dense<1.0> : vector<4x2xf16>
    %c = arith.constant dense<1.0> : vector<2x2xf32>
    %d = nvgpu.mma.sp.sync(%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 32], sparsitySelector = 1 : i32} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    llvm.store volatile %e, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @sp_f16_k16
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{.*}},0x0;"
  // CHECK-NOT: nvgpu
  // PTX-LABEL: .entry sp_f16_k16(
  // PTX: mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
  gpu.func @sp_f16_k16(%p: !llvm.ptr<1>, %meta: i32) kernel {
    %m = llvm.bitcast %meta : i32 to vector<2xi16>
    %a = arith.constant dense<1.0> : vector<2x2xf16>
    %b = arith.constant dense<1.0> : vector<2x2xf16>
    %c = arith.constant dense<1.0> : vector<2x2xf32>
    %d = nvgpu.mma.sp.sync(%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 16]} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    llvm.store volatile %e, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @sp_tf32_k8
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att "mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {{.*}},0x0;"
  // CHECK-NOT: nvgpu
  // PTX-LABEL: .entry sp_tf32_k8(
  // PTX: mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
  gpu.func @sp_tf32_k8(%p: !llvm.ptr<1>, %meta: i32) kernel {
    %m = llvm.bitcast %meta : i32 to vector<2xi16>
    %a = arith.constant dense<1.0> : vector<2x1xf32>
    %b = arith.constant dense<1.0> : vector<2x1xf32>
    %c = arith.constant dense<1.0> : vector<2x2xf32>
    %d = nvgpu.mma.sp.sync(%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<2x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    llvm.store volatile %e, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @sp_tf32_k16
  // N52: llvm.inline_asm has_side_effects asm_dialect = att "mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {{.*}},0x0;"
  // N52-NOT: nvgpu
  // PTX-LABEL: .entry sp_tf32_k16(
  // PTX: mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32
  gpu.func @sp_tf32_k16(%p: !llvm.ptr<1>, %meta: i32) kernel {
    %m = llvm.bitcast %meta : i32 to vector<2xi16>
    %a = arith.constant dense<1.0> : vector<4x1xf32>
    %b = arith.constant dense<1.0> : vector<4x1xf32>
    %c = arith.constant dense<1.0> : vector<2x2xf32>
    %d = nvgpu.mma.sp.sync(%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 16], tf32Enabled} : (vector<4x1xf32>, vector<4x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    llvm.store volatile %e, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @sp_s8_k32
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att "mma.sp.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {{.*}},0x0;"
  // CHECK-NOT: nvgpu
  // PTX-LABEL: .entry sp_s8_k32(
  // PTX: mma.sp.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32
  gpu.func @sp_s8_k32(%p: !llvm.ptr<1>, %meta: i32) kernel {
    %m = llvm.bitcast %meta : i32 to vector<2xi16>
    %a = arith.constant dense<1> : vector<2x4xi8>
    %b = arith.constant dense<1> : vector<2x4xi8>
    %c = arith.constant dense<1> : vector<2x2xi32>
    %d = nvgpu.mma.sp.sync(%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 32]} : (vector<2x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
    %e = vector.extract %d[0] : vector<2xi32> from vector<2x2xi32>
    llvm.store volatile %e, %p : vector<2xi32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @sp_s8_k64
  // N52: llvm.inline_asm has_side_effects asm_dialect = att "mma.sp.sync.aligned.m16n8k64.row.col.satfinite.s32.s8.s8.s32 {{.*}},0x0;"
  // N52-NOT: nvgpu
  // PTX-LABEL: .entry sp_s8_k64(
  // PTX: mma.sp.sync.aligned.m16n8k64.row.col.satfinite.s32.s8.s8.s32
  gpu.func @sp_s8_k64(%p: !llvm.ptr<1>, %meta: i32) kernel {
    %m = llvm.bitcast %meta : i32 to vector<2xi16>
    %a = arith.constant dense<1> : vector<4x4xi8>
    %b = arith.constant dense<1> : vector<4x4xi8>
    %c = arith.constant dense<1> : vector<2x2xi32>
    %d = nvgpu.mma.sp.sync(%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 64]} : (vector<4x4xi8>, vector<4x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
    %e = vector.extract %d[0] : vector<2xi32> from vector<2x2xi32>
    llvm.store volatile %e, %p : vector<2xi32>, !llvm.ptr<1>
    gpu.return
  }
}
