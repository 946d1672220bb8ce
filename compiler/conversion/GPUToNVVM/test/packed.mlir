// Packed f32x2 arithmetic, packed conversions and the reciprocal.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N53,N54,N55 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --gpu-name=sm_100 --mlir-to-ptx | FileCheck --check-prefix=PTX %s

gpu.module @m {
  // CHECK-LABEL: llvm.func @arithmetic
  // N55: llvm.fadd %{{.*}} : vector<2xf32>
  // N55: llvm.fmul %{{.*}} : vector<2xf32>
  // N55: llvm.intr.fma(%{{.*}}) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
  // PTX-LABEL: .entry arithmetic(
  // PTX: add.rn.f32x2
  // PTX: mul.rn.f32x2
  // PTX: fma.rn.f32x2
  gpu.func @arithmetic(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %a = llvm.load volatile %q : !llvm.ptr<1> -> vector<2xf32>
    %b = llvm.load volatile %q : !llvm.ptr<1> -> vector<2xf32>
    %x = nvgpu_ext.add.packed.f32x2 %a, %b : vector<2xf32>
    llvm.store volatile %x, %p : vector<2xf32>, !llvm.ptr<1>
    %y = nvgpu_ext.mul.packed.f32x2 %a, %b : vector<2xf32>
    llvm.store volatile %y, %p : vector<2xf32>, !llvm.ptr<1>
    %z = nvgpu_ext.fma.packed.f32x2 %a, %b, %a : vector<2xf32>
    llvm.store volatile %z, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // ptxas 13.0 would fuse a packed product with a packed sum of it, through negation and selection as well: the product
  // is one with -0 that ptxas does not know.
  // PTX-LABEL: .entry sums_of_products(
  // PTX: mov.u32 %[[MASK:r[0-9]+]], %lanemask_ge;
  // PTX: and.b32 %[[ZERO:r[0-9]+]], %[[MASK]], -2147483648;
  // PTX: mov.b64 %[[ZEROS:rd[0-9]+]], {%[[ZERO]], %[[ZERO]]};
  // PTX: fma.rn.f32x2 %{{rd[0-9]+}}, %{{rd[0-9]+}}, %{{rd[0-9]+}}, %[[ZEROS]];
  // PTX: sub.rn.f32x2
  // PTX: add.rn.f32x2
  // PTX: ret
  gpu.func @sums_of_products(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %which: i1) kernel {
    %a = llvm.load volatile %q : !llvm.ptr<1> -> vector<2xf32>
    %b = llvm.load volatile %q : !llvm.ptr<1> -> vector<2xf32>
    %x = nvgpu_ext.mul.packed.f32x2 %a, %b : vector<2xf32>
    %s = llvm.select %which, %x, %b : i1, vector<2xf32>
    %n = llvm.fneg %s : vector<2xf32>
    %y = nvgpu_ext.add.packed.f32x2 %a, %n : vector<2xf32>
    llvm.store volatile %y, %p : vector<2xf32>, !llvm.ptr<1>
    %z = nvgpu_ext.add.packed.f32x2 %y, %a : vector<2xf32>
    llvm.store volatile %z, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // Other modes lane by lane.
  // CHECK-LABEL: llvm.func @modes
  // N55-COUNT-2: llvm.call_intrinsic "llvm.nvvm.add.rz.f"
  // N55-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mul.rm.ftz.f"
  // N55-COUNT-2: llvm.call_intrinsic "llvm.nvvm.fma.rn.ftz.f"
  // PTX-LABEL: .entry modes(
  // PTX: add.rz.f32
  // PTX: mul.rm.ftz.f32
  // PTX: fma.rn.ftz.f32
  gpu.func @modes(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %a = llvm.load volatile %q : !llvm.ptr<1> -> vector<2xf32>
    %b = llvm.load volatile %q : !llvm.ptr<1> -> vector<2xf32>
    %x = nvgpu_ext.add.packed.f32x2 %a, %b {rounding = #nvgpu_ext<rounding rz>} : vector<2xf32>
    llvm.store volatile %x, %p : vector<2xf32>, !llvm.ptr<1>
    %y = nvgpu_ext.mul.packed.f32x2 %a, %b {rounding = #nvgpu_ext<rounding rm>, ftz} : vector<2xf32>
    llvm.store volatile %y, %p : vector<2xf32>, !llvm.ptr<1>
    %z = nvgpu_ext.fma.packed.f32x2 %a, %b, %a {ftz} : vector<2xf32>
    llvm.store volatile %z, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // The high half is the first operand: lane 1.
  // CHECK-LABEL: llvm.func @halves
  // N54: %[[V:.*]] = llvm.load volatile
  // N54: %[[L0:.*]] = llvm.extractelement %[[V]][%{{.*}} : i32]
  // N54: %[[L1:.*]] = llvm.extractelement %[[V]][%{{.*}} : i32]
  // N54: nvvm.convert.f32x2.to.f16x2 %[[L1]], %[[L0]]{{.*}}: vector<2xf16>
  // N54: nvvm.convert.f32x2.to.f16x2 {{.*}}: vector<2xf16>
  // N54: nvvm.convert.f32x2.to.bf16x2 {{.*}}: vector<2xbf16>
  // N54: llvm.fpext %{{.*}} : vector<4xf16> to vector<4xf32>
  // PTX-LABEL: .entry halves(
  // PTX-COUNT-2: cvt.rn.f16x2.f32
  // PTX-COUNT-2: cvt.rz.relu.bf16x2.f32
  // PTX: cvt.f32.f16
  gpu.func @halves(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %v = llvm.load volatile %q : !llvm.ptr<1> -> vector<4xf32>
    %a = nvgpu_ext.cvt_fptrunc %v : vector<4xf32> to vector<4xf16>
    llvm.store volatile %a, %p : vector<4xf16>, !llvm.ptr<1>
    %b = nvgpu_ext.cvt_fptrunc %v {rounding = #nvgpu_ext<rounding rz>, relu} : vector<4xf32> to vector<4xbf16>
    llvm.store volatile %b, %p : vector<4xbf16>, !llvm.ptr<1>
    %c = nvgpu_ext.cvt_fpext %a : vector<4xf16> to vector<4xf32>
    llvm.store volatile %c, %p : vector<4xf32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @small
  // PTX-LABEL: .entry small(
  gpu.func @small(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %v = llvm.load volatile %q : !llvm.ptr<1> -> vector<2xf32>
    // N54: nvvm.convert.f32x2.to.f8x2 {{.*}}f8E4M3FN
    // N54: nvvm.convert.f8x2.to.f16x2 {{.*}}f8E4M3FN
    // PTX: cvt.rn.satfinite.e4m3x2.f32
    // PTX: cvt.rn.f16x2.e4m3x2
    %a = nvgpu_ext.cvt_fptrunc %v : vector<2xf32> to vector<2xf8E4M3FN>
    %a1 = nvgpu_ext.cvt_fpext %a : vector<2xf8E4M3FN> to vector<2xf32>
    llvm.store volatile %a1, %p : vector<2xf32>, !llvm.ptr<1>
    // N54: nvvm.convert.f32x2.to.f8x2 {{.*}}f8E5M2
    // N54: nvvm.convert.f8x2.to.f16x2 {{.*}}f8E5M2
    // PTX: cvt.rn.satfinite.relu.e5m2x2.f32
    // PTX: cvt.rn.f16x2.e5m2x2
    %b = nvgpu_ext.cvt_fptrunc %v {relu} : vector<2xf32> to vector<2xf8E5M2>
    %b1 = nvgpu_ext.cvt_fpext %b : vector<2xf8E5M2> to vector<2xf32>
    llvm.store volatile %b1, %p : vector<2xf32>, !llvm.ptr<1>
    // N54: nvvm.convert.f32x2.to.f8x2 {{.*}}f8E8M0FNU
    // N54: nvvm.convert.f8x2.to.bf16x2 {{.*}}f8E8M0FNU
    // PTX: cvt.rp.satfinite.ue8m0x2.f32
    // PTX: cvt.rn.bf16x2.ue8m0x2
    %c = nvgpu_ext.cvt_fptrunc %v {rounding = #nvgpu_ext<rounding rp>} : vector<2xf32> to vector<2xf8E8M0FNU>
    %c1 = nvgpu_ext.cvt_fpext %c : vector<2xf8E8M0FNU> to vector<2xf32>
    llvm.store volatile %c1, %p : vector<2xf32>, !llvm.ptr<1>
    // N54: nvvm.convert.f32x2.to.f6x2 {{.*}}f6E2M3FN
    // N54: nvvm.convert.f6x2.to.f16x2 {{.*}}f6E2M3FN
    // PTX: cvt.rn.satfinite.e2m3x2.f32
    // PTX: cvt.rn.f16x2.e2m3x2
    %d = nvgpu_ext.cvt_fptrunc %v : vector<2xf32> to vector<2xf6E2M3FN>
    %d1 = nvgpu_ext.cvt_fpext %d : vector<2xf6E2M3FN> to vector<2xf32>
    llvm.store volatile %d1, %p : vector<2xf32>, !llvm.ptr<1>
    // N54: nvvm.convert.f32x2.to.f6x2 {{.*}}f6E3M2FN
    // N54: nvvm.convert.f6x2.to.f16x2 {{.*}}f6E3M2FN
    // PTX: cvt.rn.satfinite.e3m2x2.f32
    // PTX: cvt.rn.f16x2.e3m2x2
    %e = nvgpu_ext.cvt_fptrunc %v : vector<2xf32> to vector<2xf6E3M2FN>
    %e1 = nvgpu_ext.cvt_fpext %e : vector<2xf6E3M2FN> to vector<2xf32>
    llvm.store volatile %e1, %p : vector<2xf32>, !llvm.ptr<1>
    // N54: nvvm.convert.f32x2.to.f4x2 {{.*}}f4E2M1FN
    // N54: nvvm.convert.f4x2.to.f16x2 {{.*}}f4E2M1FN
    // PTX: cvt.rn.satfinite.e2m1x2.f32
    // PTX: cvt.rn.f16x2.e2m1x2
    %f = nvgpu_ext.cvt_fptrunc %v : vector<2xf32> to vector<2xf4E2M1FN>
    %f1 = nvgpu_ext.cvt_fpext %f : vector<2xf4E2M1FN> to vector<2xf32>
    llvm.store volatile %f1, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @reciprocal
  // N53-COUNT-2: nvvm.rcp.approx.ftz.f %{{.*}} : f32
  // PTX-LABEL: .entry reciprocal(
  // PTX-COUNT-2: rcp.approx.ftz.f32
  gpu.func @reciprocal(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %x = llvm.load volatile %q : !llvm.ptr<1> -> vector<2xf32>
    %v = nvgpu.rcp %x {rounding = approx, ftz} : vector<2xf32>
    llvm.store volatile %v, %p : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }
}
