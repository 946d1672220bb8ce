// Device math: one scalar library call per lane, chosen by operation, type and fast-math flags.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N15,N16,N17,N18,N19 %s

gpu.module @m {

  // CHECK-LABEL: llvm.func @exp
  // N15: llvm.call @__nv_expf(%{{.*}}) : (f32) -> f32
  // N15: llvm.call @__nv_exp(%{{.*}}) : (f64) -> f64
  // N15: llvm.fpext %{{.*}} : f16 to f32
  // N15-NEXT: llvm.call @__nv_expf(
  // N15-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // N17: llvm.call @__nv_fast_expf(%{{.*}}) : (f32) -> f32
  // N15-COUNT-4: llvm.call @__nv_expf(%{{.*}}) : (f32) -> f32
  // N15-NOT: math.
  gpu.func @exp(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.exp %x : f32
    %b = math.exp %y : f64
    %c = math.exp %z : f16
    %d = math.exp %x fastmath<afn> : f32
    %e = math.exp %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @exp2
  // CHECK: llvm.call @__nv_exp2f(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_exp2(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_exp2f(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_exp2f(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_exp2f(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @exp2(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.exp2 %x : f32
    %b = math.exp2 %y : f64
    %c = math.exp2 %z : f16
    %d = math.exp2 %x fastmath<afn> : f32
    %e = math.exp2 %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @log
  // CHECK: llvm.call @__nv_logf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_log(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_logf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_fast_logf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_logf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @log(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.log %x : f32
    %b = math.log %y : f64
    %c = math.log %z : f16
    %d = math.log %x fastmath<afn> : f32
    %e = math.log %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @log2
  // CHECK: llvm.call @__nv_log2f(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_log2(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_log2f(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_fast_log2f(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_log2f(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @log2(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.log2 %x : f32
    %b = math.log2 %y : f64
    %c = math.log2 %z : f16
    %d = math.log2 %x fastmath<afn> : f32
    %e = math.log2 %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @log10
  // CHECK: llvm.call @__nv_log10f(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_log10(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_log10f(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_fast_log10f(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_log10f(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @log10(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.log10 %x : f32
    %b = math.log10 %y : f64
    %c = math.log10 %z : f16
    %d = math.log10 %x fastmath<afn> : f32
    %e = math.log10 %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @log1p
  // CHECK: llvm.call @__nv_log1pf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_log1p(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_log1pf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_log1pf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_log1pf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @log1p(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.log1p %x : f32
    %b = math.log1p %y : f64
    %c = math.log1p %z : f16
    %d = math.log1p %x fastmath<afn> : f32
    %e = math.log1p %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @expm1
  // CHECK: llvm.call @__nv_expm1f(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_expm1(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_expm1f(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_expm1f(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_expm1f(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @expm1(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.expm1 %x : f32
    %b = math.expm1 %y : f64
    %c = math.expm1 %z : f16
    %d = math.expm1 %x fastmath<afn> : f32
    %e = math.expm1 %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @sin
  // CHECK: llvm.call @__nv_sinf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_sin(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_sinf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_fast_sinf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_sinf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @sin(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.sin %x : f32
    %b = math.sin %y : f64
    %c = math.sin %z : f16
    %d = math.sin %x fastmath<afn> : f32
    %e = math.sin %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @cos
  // CHECK: llvm.call @__nv_cosf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_cos(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_cosf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_fast_cosf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_cosf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @cos(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.cos %x : f32
    %b = math.cos %y : f64
    %c = math.cos %z : f16
    %d = math.cos %x fastmath<afn> : f32
    %e = math.cos %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @tan
  // CHECK: llvm.call @__nv_tanf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_tan(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_tanf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_fast_tanf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_tanf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @tan(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.tan %x : f32
    %b = math.tan %y : f64
    %c = math.tan %z : f16
    %d = math.tan %x fastmath<afn> : f32
    %e = math.tan %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @tanh
  // CHECK: llvm.call @__nv_tanhf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_tanh(%{{.*}}) : (f64) -> f64
  // N16: llvm.fpext %{{.*}} : f16 to f32
  // N16-NEXT: llvm.call @__nv_tanhf(
  // N16-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.intr.tanh(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_tanhf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @tanh(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.tanh %x : f32
    %b = math.tanh %y : f64
    %c = math.tanh %z : f16
    %d = math.tanh %x fastmath<afn> : f32
    %e = math.tanh %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @sinh
  // CHECK: llvm.call @__nv_sinhf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_sinh(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_sinhf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_sinhf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_sinhf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @sinh(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.sinh %x : f32
    %b = math.sinh %y : f64
    %c = math.sinh %z : f16
    %d = math.sinh %x fastmath<afn> : f32
    %e = math.sinh %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @cosh
  // CHECK: llvm.call @__nv_coshf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_cosh(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_coshf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_coshf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_coshf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @cosh(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.cosh %x : f32
    %b = math.cosh %y : f64
    %c = math.cosh %z : f16
    %d = math.cosh %x fastmath<afn> : f32
    %e = math.cosh %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @atan
  // CHECK: llvm.call @__nv_atanf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_atan(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_atanf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_atanf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_atanf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @atan(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.atan %x : f32
    %b = math.atan %y : f64
    %c = math.atan %z : f16
    %d = math.atan %x fastmath<afn> : f32
    %e = math.atan %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @sqrt
  // N15: llvm.call @__nv_sqrtf(%{{.*}}) : (f32) -> f32
  // N15: llvm.call @__nv_sqrt(%{{.*}}) : (f64) -> f64
  // N15: llvm.fpext %{{.*}} : f16 to f32
  // N15-NEXT: llvm.call @__nv_sqrtf(
  // N15-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // N15: llvm.call @__nv_sqrtf(%{{.*}}) : (f32) -> f32
  // N15-COUNT-4: llvm.call @__nv_sqrtf(%{{.*}}) : (f32) -> f32
  // N15-NOT: math.
  gpu.func @sqrt(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.sqrt %x : f32
    %b = math.sqrt %y : f64
    %c = math.sqrt %z : f16
    %d = math.sqrt %x fastmath<afn> : f32
    %e = math.sqrt %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @rsqrt
  // CHECK: llvm.call @__nv_rsqrtf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_rsqrt(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_rsqrtf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_rsqrtf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_rsqrtf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @rsqrt(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.rsqrt %x : f32
    %b = math.rsqrt %y : f64
    %c = math.rsqrt %z : f16
    %d = math.rsqrt %x fastmath<afn> : f32
    %e = math.rsqrt %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @cbrt
  // CHECK: llvm.call @__nv_cbrtf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_cbrt(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_cbrtf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_cbrtf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_cbrtf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @cbrt(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.cbrt %x : f32
    %b = math.cbrt %y : f64
    %c = math.cbrt %z : f16
    %d = math.cbrt %x fastmath<afn> : f32
    %e = math.cbrt %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @erf
  // CHECK: llvm.call @__nv_erff(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_erf(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_erff(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_erff(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_erff(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @erf(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.erf %x : f32
    %b = math.erf %y : f64
    %c = math.erf %z : f16
    %d = math.erf %x fastmath<afn> : f32
    %e = math.erf %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @erfc
  // CHECK: llvm.call @__nv_erfcf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_erfc(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_erfcf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_erfcf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_erfcf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @erfc(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.erfc %x : f32
    %b = math.erfc %y : f64
    %c = math.erfc %z : f16
    %d = math.erfc %x fastmath<afn> : f32
    %e = math.erfc %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @asin
  // CHECK: llvm.call @__nv_asinf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_asin(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_asinf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_asinf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_asinf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @asin(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.asin %x : f32
    %b = math.asin %y : f64
    %c = math.asin %z : f16
    %d = math.asin %x fastmath<afn> : f32
    %e = math.asin %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @acos
  // CHECK: llvm.call @__nv_acosf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_acos(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_acosf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_acosf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_acosf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @acos(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.acos %x : f32
    %b = math.acos %y : f64
    %c = math.acos %z : f16
    %d = math.acos %x fastmath<afn> : f32
    %e = math.acos %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @asinh
  // CHECK: llvm.call @__nv_asinhf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_asinh(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_asinhf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_asinhf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_asinhf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @asinh(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.asinh %x : f32
    %b = math.asinh %y : f64
    %c = math.asinh %z : f16
    %d = math.asinh %x fastmath<afn> : f32
    %e = math.asinh %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @acosh
  // CHECK: llvm.call @__nv_acoshf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_acosh(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_acoshf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_acoshf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_acoshf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @acosh(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.acosh %x : f32
    %b = math.acosh %y : f64
    %c = math.acosh %z : f16
    %d = math.acosh %x fastmath<afn> : f32
    %e = math.acosh %v : vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @atanh
  // CHECK: llvm.call @__nv_atanhf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @__nv_atanh(%{{.*}}) : (f64) -> f64
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK-NEXT: llvm.call @__nv_atanhf(
  // CHECK-NEXT: llvm.fptrunc %{{.*}} : f32 to f16
  // CHECK: llvm.call @__nv_atanhf(%{{.*}}) : (f32) -> f32
  // CHECK-COUNT-4: llvm.call @__nv_atanhf(%{{.*}}) : (f32) -> f32
  // CHECK-NOT: math.
  gpu.func @atanh(%x: f32, %y: f64, %z: f16, %v: vector<4xf32>) kernel {
    %a = math.atanh %x : f32
    %b = math.atanh %y : f64
    %c = math.atanh %z : f16
    %d = math.atanh %x fastmath<afn> : f32
    %e = math.atanh %v : vector<4xf32>
    gpu.return
  }

  // Two operands, and a lane built back from its parts.
  // CHECK-LABEL: llvm.func @two_operands
  // CHECK: llvm.call @__nv_powf(
  // N17: llvm.call @__nv_fast_powf(
  // CHECK: llvm.call @__nv_atan2f(
  // N19: %[[A:.*]] = llvm.extractelement %[[V:.*]][%{{.*}} : i64] : vector<2xf32>
  // N19: %[[R:.*]] = llvm.call @__nv_powf(%[[A]]
  // N19: llvm.insertelement %[[R]]
  gpu.func @two_operands(%x: f32, %v: vector<2xf32>) kernel {
    %a = math.powf %x, %x : f32
    %b = math.powf %x, %x fastmath<afn> : f32
    %c = math.atan2 %x, %x : f32
    %d = math.powf %v, %v : vector<2xf32>
    gpu.return
  }

  // Vectors of any rank are taken apart before the library is called.
  // CHECK-LABEL: llvm.func @rank_two
  // N18-COUNT-6: llvm.call @__nv_expf(
  // N18-NOT: llvm.call @__nv_expf(
  gpu.func @rank_two(%v: vector<3x2xf32>) kernel {
    %a = math.exp %v : vector<3x2xf32>
    gpu.return
  }
}
