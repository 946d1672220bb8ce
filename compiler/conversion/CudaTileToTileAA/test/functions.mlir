// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_100 | FileCheck --check-prefixes=CHECK,L21 %s
// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_100 | FileCheck --check-prefix=C18 --implicit-check-not=cuda_tile %s

// No op, type or attribute of cuda_tile is left.
// C18: gpu.module @m {
// C18: "nv_tileaa.func"
// C18: "nv_tileaa.func"
// C18: "nv_tileaa.func"
// C18: "nv_tileaa.func"
cuda_tile.module @m {
  // Transcendental ops: the flag that chooses between the precise and the approximate function.
  // CHECK-LABEL: sym_name = "functions"
  entry @functions(%x: tile<f32>, %y: tile<f32>, %n: tile<i32>, %m: tile<i32>) {
    // L21: math.cos %{{[^ ]*}} : f32
    %0 = cos %x : tile<f32>
    // L21: math.sin %{{[^ ]*}} : f32
    %1 = sin %0 : tile<f32>
    // L21: math.tan %{{[^ ]*}} : f32
    %2 = tan %1 : tile<f32>
    // L21: math.cosh %{{[^ ]*}} : f32
    %3 = cosh %2 : tile<f32>
    // L21: math.sinh %{{[^ ]*}} : f32
    %4 = sinh %3 : tile<f32>
    // L21: math.tanh %{{[^ ]*}} fastmath<afn> : f32
    %5 = tanh %4 rounding<approx> : tile<f32>
    // Flags as a string, the spelling of the documents.
    // L21: math.tanh %{{[^ ]*}} fastmath<{{contract,afn|afn,contract}}> : f32
    %f0 = tanh %5 rounding<approx> {fastmath = "contract"} : tile<f32>
    // L21: math.cos %{{[^ ]*}} fastmath<nnan,contract> : f32
    %f1 = cos %f0 {fastmath = "nnan, contract"} : tile<f32>
    // L21: arith.maxnumf %{{.*}} fastmath<nnan> : f32
    %f2 = maxf %f1, %f0 {fastmath = #arith.fastmath<nnan>} : tile<f32>
    // L21: math.tanh %{{[^ ]*}} : f32
    %6 = tanh %5 rounding<full> : tile<f32>
    // L21: math.exp %{{[^ ]*}} : f32
    %e0 = exp %6 rounding<full> : tile<f32>
    // L21: math.exp %{{[^ ]*}} fastmath<afn> : f32
    %e1 = exp %e0 rounding<approx> : tile<f32>
    // L21: math.fpowi %{{[^ ]*}}, %{{[^ ]*}} : f32, i32
    %7 = fpowi %6, %n : tile<f32>, tile<i32>
    // NaN is handed on, or loses against a number.
    // CHECK: arith.maximumf
    %8 = maxf %7, %y propagate_nan : tile<f32>
    // CHECK: arith.maxnumf
    %9 = maxf %8, %y : tile<f32>
    // CHECK: arith.minimumf
    %10 = minf %9, %y propagate_nan : tile<f32>
    // CHECK: arith.minnumf
    %11 = minf %10, %y : tile<f32>
    // CHECK: arith.maxui
    %12 = maxi %n, %m unsigned : tile<i32>
    return
  }

  // CHECK-LABEL: sym_name = "packing"
  entry @packing() {
    %x = constant <f16: 1.0> : tile<32xf16>
    // CHECK: "nv_tileaa.bitcast"(%{{.*}}) : (tensor<32xf16>) -> tensor<64xi8>
    %0 = pack %x : tile<32xf16> -> tile<64xi8>
    // CHECK: "nv_tileaa.bitcast"(%{{.*}}) : (tensor<64xi8>) -> tensor<32xf16>
    %1 = unpack %0 : tile<64xi8> -> tile<32xf16>
    return
  }

  // CHECK-LABEL: sym_name = "scaled"
  entry @scaled() {
    %l = constant <f8E5M2: 1.0> : tile<16x64xf8E5M2>
    %r = constant <f8E5M2: 1.0> : tile<64x16xf8E5M2>
    %a = constant <f32: 0.0> : tile<16x16xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<16x2xf8E8M0FNU>
    %t = constant <f8E8M0FNU: 1.0> : tile<2x16xf8E8M0FNU>
    // CHECK: "nv_tileaa.dot"(%{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}>
    %0 = mmaf_scaled %l, %r, %a, %s, %t : tile<16x64xf8E5M2>, tile<64x16xf8E5M2>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    return
  }

  // CHECK-LABEL: sym_name = "red"
  entry @red(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %x = constant <f32: 1.0> : tile<4xf32>
    %w = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %v = make_partition_view %w : partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>
    // CHECK: "nv_tileaa.tiled_atomic_rmw"{{.*}}rmw_mode = #nv_tileaa.rmw_mode<addf>
    %t = atomic_red_view_tko relaxed device %v[%i], addf, %x : tile<4xf32>, partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
