// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck --check-prefixes=CHECK,L15,L22,L32,O5 %s

cuda_tile.module @m {
  entry @casts(%a: tile<i32>, %l: tile<i64>, %x: tile<f32>, %d: tile<f64>) {
    // CHECK: arith.extsi %{{.*}} : i32 to i64
    %0 = exti %a signed : tile<i32> -> tile<i64>
    // CHECK: arith.extui
    %1 = exti %a unsigned : tile<i32> -> tile<i64>
    // CHECK: arith.trunci %{{.*}} overflow<nsw> : i64 to i8
    %2 = trunci %l overflow<no_signed_wrap> : tile<i64> -> tile<i8>
    // CHECK: arith.sitofp %{{.*}} : i32 to f32
    %3 = itof %a signed : tile<i32> -> tile<f32>
    // CHECK: arith.uitofp %{{.*}} : i32 to f16
    %4 = itof %a unsigned : tile<i32> -> tile<f16>
    // bf16 has the range of f32 but fewer bits: f64 keeps the conversion at one rounding.
    // L32: %[[W:.*]] = arith.sitofp %{{.*}} : i32 to f64
    // L32: "nv_tileaa.fp_to_fp"(%[[W]]) {{.*}} : (f64) -> bf16
    %5 = itof %a signed : tile<i32> -> tile<bf16>
    // CHECK: arith.fptosi %{{.*}} : f32 to i8
    %6 = ftoi %x signed : tile<f32> -> tile<i8>
    // CHECK: arith.fptoui %{{.*}} : f64 to i64
    %7 = ftoi %d unsigned : tile<f64> -> tile<i64>
    // CHECK: arith.cmpf une
    %8 = ftoi %x signed : tile<f32> -> tile<i1>
    // CHECK: "nv_tileaa.fp_to_fp"(%{{.*}}) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (f64) -> f32
    %9 = ftof %d : tile<f64> -> tile<f32>
    // CHECK: "nv_tileaa.bitcast"(%{{.*}}) : (f32) -> i32
    %10 = bitcast %x : tile<f32> -> tile<i32>
    return
  }

  // CHECK-LABEL: sym_name = "narrow"
  entry @narrow(%p: tile<ptr<f32>>) {
    // L22: %[[WIDE:.*]] = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    %wide = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    // L15: arith.trunci %[[WIDE]] : tensor<4xi32> to tensor<4xi8>
    %narrow = trunci %wide : tile<4xi32> -> tile<4xi8>
    // O5: "nv_tileaa.bitcast"(%{{.*}}) : (!nv_tileaa.ptr<f32, 1>) -> !nv_tileaa.ptr<i8, 1>
    %q = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i8>>
    // O5: "nv_tileaa.ptr_to_int"(%{{.*}}) : (!nv_tileaa.ptr<i8, 1>) -> i64
    %i = ptr_to_int %q : tile<ptr<i8>> -> tile<i64>
    // O5: "nv_tileaa.int_to_ptr"(%{{.*}}) : (i64) -> !nv_tileaa.ptr<i8, 1>
    %r = int_to_ptr %i : tile<i64> -> tile<ptr<i8>>
    return
  }
}
