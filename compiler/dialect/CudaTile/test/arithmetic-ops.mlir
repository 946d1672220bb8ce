// RUN: tile-opt --profile=tileiras-13.5 %s | tile-opt --profile=tileiras-13.5 | FileCheck --check-prefixes=CHECK,C2,C3 %s
// RUN: tile-opt --profile=tileiras-13.5 --mlir-print-op-generic %s | tile-opt --profile=tileiras-13.5 | FileCheck --check-prefixes=CHECK,C2,C3 %s

cuda_tile.module @m {
  // CHECK-LABEL: entry @integers
  entry @integers(%a: tile<i32>, %b: tile<i32>) {
    // CHECK: addi %{{.*}}, %{{.*}} : tile<i32>
    %0 = addi %a, %b : tile<i32>
    // CHECK: addi %{{.*}}, %{{.*}} overflow<no_signed_wrap> : tile<i32>
    %1 = addi %a, %b overflow<no_signed_wrap> : tile<i32>
    // CHECK: subi
    %2 = subi %a, %b overflow<none> : tile<i32>
    // CHECK: muli %{{.*}}, %{{.*}} overflow<no_wrap>
    %3 = muli %a, %b overflow<no_wrap> : tile<i32>
    // CHECK: shli
    %4 = shli %a, %b : tile<i32>
    // CHECK: shri %{{.*}}, %{{.*}} unsigned : tile<i32>
    %5 = shri %a, %b unsigned : tile<i32>
    // CHECK: divi %{{.*}}, %{{.*}} signed : tile<i32>
    %6 = divi %a, %b signed : tile<i32>
    // CHECK: divi %{{.*}}, %{{.*}} signed rounding<negative_inf> : tile<i32>
    %7 = divi %a, %b signed rounding<negative_inf> : tile<i32>
    // CHECK: remi %{{.*}}, %{{.*}} unsigned
    %8 = remi %a, %b unsigned : tile<i32>
    // CHECK: maxi %{{.*}}, %{{.*}} signed
    %9 = maxi %a, %b signed : tile<i32>
    // CHECK: mini %{{.*}}, %{{.*}} unsigned
    %10 = mini %a, %b unsigned : tile<i32>
    // CHECK: andi
    %11 = andi %a, %b : tile<i32>
    // CHECK: ori
    %12 = ori %a, %b : tile<i32>
    // CHECK: xori
    %13 = xori %a, %b : tile<i32>
    // CHECK: absi
    %14 = absi %a : tile<i32>
    // CHECK: negi %{{.*}} overflow<no_signed_wrap> : tile<i32>
    %15 = negi %a overflow<no_signed_wrap> : tile<i32>
    // CHECK: mulhii
    %16 = mulhii %a, %b : tile<i32>
    // CHECK: cmpi less_than_or_equal %{{.*}}, %{{.*}}, unsigned : tile<i32> -> tile<i1>
    %17 = cmpi less_than_or_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    %l = constant <i8: 1> : tile<4x8xi8>
    %r = constant <i8: 2> : tile<8x16xi8>
    %acc = constant <i32: 0> : tile<4x16xi32>
    // CHECK: mmai %{{.*}}, %{{.*}}, %{{.*}} signed unsigned : tile<4x8xi8>, tile<8x16xi8>, tile<4x16xi32>
    %18 = mmai %l, %r, %acc signed unsigned : tile<4x8xi8>, tile<8x16xi8>, tile<4x16xi32>
  }

  // CHECK-LABEL: entry @floats
  entry @floats(%a: tile<f32>, %b: tile<f32>, %n: tile<i32>) {
    // C2: addf %{{.*}}, %{{.*}} : tile<f32>
    %0 = addf %a, %b : tile<f32>
    // C2: subf %{{.*}}, %{{.*}} rounding<zero> flush_to_zero : tile<f32>
    %1 = subf %a, %b rounding<zero> flush_to_zero : tile<f32>
    // C2: mulf %{{.*}}, %{{.*}} rounding<positive_inf> : tile<f32>
    %2 = mulf %a, %b rounding<positive_inf> : tile<f32>
    // C2: divf %{{.*}}, %{{.*}} rounding<approx> : tile<f32>
    %3 = divf %a, %b rounding<approx> : tile<f32>
    // C2: fma %{{.*}}, %{{.*}}, %{{.*}} : tile<f32>
    %4 = fma %a, %b, %a : tile<f32>
    // C2: maxf %{{.*}}, %{{.*}} flush_to_zero propagate_nan : tile<f32>
    %5 = maxf %a, %b flush_to_zero propagate_nan : tile<f32>
    // C2: minf %{{.*}}, %{{.*}} : tile<f32>
    %6 = minf %a, %b : tile<f32>
    // C2: remf
    %7 = remf %a, %b : tile<f32>
    // C2: absf
    %8 = absf %a : tile<f32>
    // C2: negf
    %9 = negf %a : tile<f32>
    // C2: cmpf less_than unordered %{{.*}}, %{{.*}} : tile<f32> -> tile<i1>
    %10 = cmpf less_than unordered %a, %b : tile<f32> -> tile<i1>
    %l = constant <f8E5M2: 1.0> : tile<2x4x8xf8E5M2>
    %r = constant <f8E5M2: 1.0> : tile<2x8x16xf8E5M2>
    %acc = constant <f16: 0.0> : tile<2x4x16xf16>
    // C2: mmaf %{{.*}}, %{{.*}}, %{{.*}} fast_acc : tile<2x4x8xf8E5M2>, tile<2x8x16xf8E5M2>, tile<2x4x16xf16>
    %11 = mmaf %l, %r, %acc fast_acc : tile<2x4x8xf8E5M2>, tile<2x8x16xf8E5M2>, tile<2x4x16xf16>
    %sl = constant <f8E4M3FN: 1.0> : tile<16x64xf8E4M3FN>
    %sr = constant <f8E4M3FN: 1.0> : tile<64x16xf8E4M3FN>
    %sa = constant <f32: 0.0> : tile<16x16xf32>
    %scale0 = constant <f8E8M0FNU: 1.0> : tile<16x2xf8E8M0FNU>
    %scale1 = constant <f8E8M0FNU: 1.0> : tile<2x16xf8E8M0FNU>
    // C2: mmaf_scaled %{{.*}} : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    %12 = mmaf_scaled %sl, %sr, %sa, %scale0, %scale1 : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
  }

  // CHECK-LABEL: entry @math
  entry @math(%a: tile<f32>, %b: tile<f32>, %n: tile<i32>) {
    // C3: ceil
    %0 = ceil %a : tile<f32>
    // C3: floor
    %1 = floor %a : tile<f32>
    // C3: exp %{{.*}} rounding<approx> : tile<f32>
    %2 = exp %a rounding<approx> : tile<f32>
    // C3: exp2 %{{.*}} flush_to_zero : tile<f32>
    %3 = exp2 %a flush_to_zero : tile<f32>
    // C3: log %
    %4 = log %a : tile<f32>
    // C3: log2
    %5 = log2 %a : tile<f32>
    // C3: pow %{{.*}}, %{{.*}} : tile<f32>
    %6 = pow %a, %b : tile<f32>
    // C3: fpowi %{{.*}}, %{{.*}} : tile<f32>, tile<i32>
    %7 = fpowi %a, %n : tile<f32>, tile<i32>
    // C3: sqrt %{{.*}} rounding<approx> flush_to_zero : tile<f32>
    %8 = sqrt %a rounding<approx> flush_to_zero : tile<f32>
    // C3: rsqrt
    %9 = rsqrt %a : tile<f32>
    // C3: sin
    %10 = sin %a : tile<f32>
    // C3: cos
    %11 = cos %a : tile<f32>
    // C3: tan
    %12 = tan %a : tile<f32>
    // C3: sinh
    %13 = sinh %a : tile<f32>
    // C3: cosh
    %14 = cosh %a : tile<f32>
    // C3: tanh %{{.*}} : tile<f32>
    %15 = tanh %a rounding<full> : tile<f32>
    // C3: atan2
    %16 = atan2 %a, %b : tile<f32>
  }

  // CHECK-LABEL: entry @conversions
  entry @conversions(%i: tile<i32>, %f: tile<f32>, %d: tile<f64>, %p: tile<ptr<f32>>) {
    // CHECK: exti %{{.*}} unsigned : tile<i32> -> tile<i64>
    %0 = exti %i unsigned : tile<i32> -> tile<i64>
    // CHECK: trunci %{{.*}} overflow<no_unsigned_wrap> : tile<i32> -> tile<i8>
    %1 = trunci %i overflow<no_unsigned_wrap> : tile<i32> -> tile<i8>
    // CHECK: itof %{{.*}} signed : tile<i32> -> tile<f16>
    %2 = itof %i signed : tile<i32> -> tile<f16>
    // CHECK: ftoi %{{.*}} signed : tile<f32> -> tile<i8>
    %3 = ftoi %f signed : tile<f32> -> tile<i8>
    // CHECK: ftoi %{{.*}} signed saturating : tile<f32> -> tile<i8>
    %4 = ftoi %f signed saturating : tile<f32> -> tile<i8>
    // CHECK: ftof %{{.*}} : tile<f32> -> tile<bf16>
    %5 = ftof %f : tile<f32> -> tile<bf16>
    // CHECK: ftof %{{.*}} rounding<nearest_away> : tile<f32> -> tile<tf32>
    %6 = ftof %f rounding<nearest_away> : tile<f32> -> tile<tf32>
    // CHECK: ftof %{{.*}} rounding<positive_inf> : tile<f64> -> tile<f32>
    %7 = ftof %d rounding<positive_inf> : tile<f64> -> tile<f32>
    // CHECK: bitcast %{{.*}} : tile<f32> -> tile<i32>
    %8 = bitcast %f : tile<f32> -> tile<i32>
    // CHECK: ptr_to_int %{{.*}} : tile<ptr<f32>> -> tile<i64>
    %9 = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>
    // CHECK: int_to_ptr %{{.*}} : tile<i64> -> tile<ptr<i8>>
    %10 = int_to_ptr %9 : tile<i64> -> tile<ptr<i8>>
    // CHECK: ptr_to_ptr %{{.*}} : tile<ptr<f32>> -> tile<ptr<i8>>
    %11 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i8>>
  }
}
