// mma.sync in every type and shape that nvgpu's verifier takes.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N47 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefix=PTX %s
//
// On the emulator: with ones everywhere an element is the depth plus one.
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-llvmir -o %t.ll
// RUN: tilesmith emulate %t.ll --kernel f16_f16 --block 32 --races=false --arg out:%t.f16_f16:16
// RUN: tilesmith emulate %t.ll --kernel f16_f16_k8 --block 32 --races=false --arg out:%t.f16_f16_k8:16
// RUN: tilesmith emulate %t.ll --kernel f16_f32 --block 32 --races=false --arg out:%t.f16_f32:16
// RUN: tilesmith emulate %t.ll --kernel f16_f32_k8 --block 32 --races=false --arg out:%t.f16_f32_k8:16
// RUN: tilesmith emulate %t.ll --kernel bf16_f32 --block 32 --races=false --arg out:%t.bf16_f32:16
// RUN: tilesmith emulate %t.ll --kernel bf16_f32_k8 --block 32 --races=false --arg out:%t.bf16_f32_k8:16
// RUN: tilesmith emulate %t.ll --kernel tf32_k4 --block 32 --races=false --arg out:%t.tf32_k4:16
// RUN: tilesmith emulate %t.ll --kernel tf32_k8 --block 32 --races=false --arg out:%t.tf32_k8:16
// RUN: tilesmith emulate %t.ll --kernel f64 --block 32 --races=false --arg out:%t.f64:16
// RUN: tilesmith emulate %t.ll --kernel s8_k16 --block 32 --races=false --arg out:%t.s8_k16:16
// RUN: tilesmith emulate %t.ll --kernel s8_k32 --block 32 --races=false --arg out:%t.s8_k32:16
// RUN: tilesmith emulate %t.ll --kernel s4_k32 --block 32 --races=false --arg out:%t.s4_k32:16
// RUN: tilesmith emulate %t.ll --kernel s4_k64 --block 32 --races=false --arg out:%t.s4_k64:16
// RUN: %python %S/Inputs/values.py %t.f16_f16:f16:16+1 %t.f16_f16_k8:f16:8+1 %t.f16_f32:f32:16+1 %t.f16_f32_k8:f32:8+1 %t.bf16_f32:f32:16+1 %t.bf16_f32_k8:f32:8+1 %t.tf32_k4:f32:4+1 %t.tf32_k8:f32:8+1 %t.f64:f64:4+1 %t.s8_k16:i32:16+1 %t.s8_k32:i32:32+1 %t.s4_k32:i32:32+1 %t.s4_k64:i32:64+1

gpu.module @m {

  // CHECK-LABEL: llvm.func @f16_f16
  // CHECK: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>
  // CHECK-NOT: nvgpu
  // PTX-LABEL: .entry f16_f16(
  // PTX: mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16
  gpu.func @f16_f16(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1.0> : vector<4x2xf16>
    %b = arith.constant dense<1.0> : vector<2x2xf16>
    %c = arith.constant dense<1.0> : vector<2x2xf16>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
    %e = vector.extract %d[0] : vector<2xf16> from vector<2x2xf16>
    llvm.store volatile %e, %p : vector<2xf16>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @f16_f16_k8
  // CHECK: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 8>
  // CHECK-NOT: nvgpu
  // PTX-LABEL: .entry f16_f16_k8(
  // PTX: mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16
  gpu.func @f16_f16_k8(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1.0> : vector<2x2xf16>
    %b = arith.constant dense<1.0> : vector<1x2xf16>
    %c = arith.constant dense<1.0> : vector<2x2xf16>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 8]} : (vector<2x2xf16>, vector<1x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
    %e = vector.extract %d[0] : vector<2xf16> from vector<2x2xf16>
    llvm.store volatile %e, %p : vector<2xf16>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @f16_f32
  // N47: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>
  // N47-NOT: nvgpu
  // PTX-LABEL: .entry f16_f32(
  // PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
  gpu.func @f16_f32(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1.0> : vector<4x2xf16>
    %b = arith.constant dense<1.0> : vector<2x2xf16>
    %c = arith.constant dense<1.0> : vector<2x2xf32>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    llvm.store volatile %e, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @f16_f32_k8
  // CHECK: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 8>
  // CHECK-NOT: nvgpu
  // PTX-LABEL: .entry f16_f32_k8(
  // PTX: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
  gpu.func @f16_f32_k8(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1.0> : vector<2x2xf16>
    %b = arith.constant dense<1.0> : vector<1x2xf16>
    %c = arith.constant dense<1.0> : vector<2x2xf32>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 8]} : (vector<2x2xf16>, vector<1x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    llvm.store volatile %e, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @bf16_f32
  // N47: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>
  // N47-NOT: nvgpu
  // PTX-LABEL: .entry bf16_f32(
  // PTX: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
  gpu.func @bf16_f32(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1.0> : vector<4x2xbf16>
    %b = arith.constant dense<1.0> : vector<2x2xbf16>
    %c = arith.constant dense<1.0> : vector<2x2xf32>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    llvm.store volatile %e, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @bf16_f32_k8
  // CHECK: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 8>
  // CHECK-NOT: nvgpu
  // PTX-LABEL: .entry bf16_f32_k8(
  // PTX: mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32
  gpu.func @bf16_f32_k8(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1.0> : vector<2x2xbf16>
    %b = arith.constant dense<1.0> : vector<1x2xbf16>
    %c = arith.constant dense<1.0> : vector<2x2xf32>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 8]} : (vector<2x2xbf16>, vector<1x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    llvm.store volatile %e, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @tf32_k4
  // CHECK: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 4>
  // CHECK-NOT: nvgpu
  // PTX-LABEL: .entry tf32_k4(
  // PTX: mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32
  gpu.func @tf32_k4(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1.0> : vector<2x1xf32>
    %b = arith.constant dense<1.0> : vector<1x1xf32>
    %c = arith.constant dense<1.0> : vector<2x2xf32>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 4], tf32Enabled} : (vector<2x1xf32>, vector<1x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    llvm.store volatile %e, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @tf32_k8
  // N47: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 8>
  // N47-NOT: nvgpu
  // PTX-LABEL: .entry tf32_k8(
  // PTX: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
  gpu.func @tf32_k8(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1.0> : vector<4x1xf32>
    %b = arith.constant dense<1.0> : vector<2x1xf32>
    %c = arith.constant dense<1.0> : vector<2x2xf32>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    llvm.store volatile %e, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @f64
  // N47: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 8, n = 8, k = 4>
  // N47-NOT: nvgpu
  // PTX-LABEL: .entry f64(
  // PTX: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
  gpu.func @f64(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1.0> : vector<1x1xf64>
    %b = arith.constant dense<1.0> : vector<1x1xf64>
    %c = arith.constant dense<1.0> : vector<1x2xf64>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [8, 8, 4]} : (vector<1x1xf64>, vector<1x1xf64>, vector<1x2xf64>) -> vector<1x2xf64>
    %e = vector.extract %d[0] : vector<2xf64> from vector<1x2xf64>
    llvm.store volatile %e, %p : vector<2xf64>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @s8_k16
  // CHECK: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>
  // CHECK-NOT: nvgpu
  // PTX-LABEL: .entry s8_k16(
  // PTX: mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32
  gpu.func @s8_k16(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1> : vector<2x4xi8>
    %b = arith.constant dense<1> : vector<1x4xi8>
    %c = arith.constant dense<1> : vector<2x2xi32>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<2x4xi8>, vector<1x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
    %e = vector.extract %d[0] : vector<2xi32> from vector<2x2xi32>
    llvm.store volatile %e, %p : vector<2xi32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @s8_k32
  // N47: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 32>
  // N47-NOT: nvgpu
  // PTX-LABEL: .entry s8_k32(
  // PTX: mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32
  gpu.func @s8_k32(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1> : vector<4x4xi8>
    %b = arith.constant dense<1> : vector<2x4xi8>
    %c = arith.constant dense<1> : vector<2x2xi32>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 32]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
    %e = vector.extract %d[0] : vector<2xi32> from vector<2x2xi32>
    llvm.store volatile %e, %p : vector<2xi32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @s4_k32
  // CHECK: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 32>
  // CHECK-NOT: nvgpu
  // PTX-LABEL: .entry s4_k32(
  // PTX: mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s4.s4.s32
  gpu.func @s4_k32(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1> : vector<2x8xi4>
    %b = arith.constant dense<1> : vector<1x8xi4>
    %c = arith.constant dense<1> : vector<2x2xi32>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 32]} : (vector<2x8xi4>, vector<1x8xi4>, vector<2x2xi32>) -> vector<2x2xi32>
    %e = vector.extract %d[0] : vector<2xi32> from vector<2x2xi32>
    llvm.store volatile %e, %p : vector<2xi32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @s4_k64
  // N47: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 64>
  // N47-NOT: nvgpu
  // PTX-LABEL: .entry s4_k64(
  // PTX: mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.s4.s32
  gpu.func @s4_k64(%p: !llvm.ptr<1>) kernel {
    %a = arith.constant dense<1> : vector<4x8xi4>
    %b = arith.constant dense<1> : vector<2x8xi4>
    %c = arith.constant dense<1> : vector<2x2xi32>
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 64]} : (vector<4x8xi4>, vector<2x8xi4>, vector<2x2xi32>) -> vector<2x2xi32>
    %e = vector.extract %d[0] : vector<2xi32> from vector<2x2xi32>
    llvm.store volatile %e, %p : vector<2xi32>, !llvm.ptr<1>
    gpu.return
  }
}
