cuda_tile.module @m {
  entry @integers(%a: tile<i32>, %b: tile<i32>) {
    %0 = addi %a, %b : tile<i32>
    %1 = addi %a, %b overflow<no_signed_wrap> : tile<i32>
    %2 = subi %a, %b overflow<none> : tile<i32>
    %3 = muli %a, %b overflow<no_wrap> : tile<i32>
    %4 = shli %a, %b : tile<i32>
    %5 = shri %a, %b unsigned : tile<i32>
    %6 = divi %a, %b signed : tile<i32>
    %7 = divi %a, %b signed rounding<negative_inf> : tile<i32>
    %8 = remi %a, %b unsigned : tile<i32>
    %9 = maxi %a, %b signed : tile<i32>
    %10 = mini %a, %b unsigned : tile<i32>
    %11 = andi %a, %b : tile<i32>
    %12 = ori %a, %b : tile<i32>
    %13 = xori %a, %b : tile<i32>
    %14 = absi %a : tile<i32>
    %15 = negi %a overflow<no_signed_wrap> : tile<i32>
    %16 = mulhii %a, %b : tile<i32>
    %17 = cmpi less_than_or_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    %l = constant <i8: 1> : tile<4x8xi8>
    %r = constant <i8: 2> : tile<8x16xi8>
    %acc = constant <i32: 0> : tile<4x16xi32>
    %18 = mmai %l, %r, %acc signed unsigned : tile<4x8xi8>, tile<8x16xi8>, tile<4x16xi32>
  }
  entry @floats(%a: tile<f32>, %b: tile<f32>, %n: tile<i32>) {
    %0 = addf %a, %b : tile<f32>
    %1 = subf %a, %b rounding<zero> flush_to_zero : tile<f32>
    %2 = mulf %a, %b rounding<positive_inf> : tile<f32>
    %3 = divf %a, %b rounding<approx> : tile<f32>
    %4 = fma %a, %b, %a : tile<f32>
    %5 = maxf %a, %b flush_to_zero propagate_nan : tile<f32>
    %6 = minf %a, %b : tile<f32>
    %7 = remf %a, %b : tile<f32>
    %8 = absf %a : tile<f32>
    %9 = negf %a : tile<f32>
    %10 = cmpf less_than unordered %a, %b : tile<f32> -> tile<i1>
    %l = constant <f8E5M2: 1.0> : tile<2x4x8xf8E5M2>
    %r = constant <f8E5M2: 1.0> : tile<2x8x16xf8E5M2>
    %acc = constant <f16: 0.0> : tile<2x4x16xf16>
    %11 = mmaf %l, %r, %acc fast_acc : tile<2x4x8xf8E5M2>, tile<2x8x16xf8E5M2>, tile<2x4x16xf16>
    %sl = constant <f8E4M3FN: 1.0> : tile<16x64xf8E4M3FN>
    %sr = constant <f8E4M3FN: 1.0> : tile<64x16xf8E4M3FN>
    %sa = constant <f32: 0.0> : tile<16x16xf32>
    %scale0 = constant <f8E8M0FNU: 1.0> : tile<16x2xf8E8M0FNU>
    %scale1 = constant <f8E8M0FNU: 1.0> : tile<2x16xf8E8M0FNU>
    %12 = mmaf_scaled %sl, %sr, %sa, %scale0, %scale1 : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
  }
  entry @math(%a: tile<f32>, %b: tile<f32>, %n: tile<i32>) {
    %0 = ceil %a : tile<f32>
    %1 = floor %a : tile<f32>
    %2 = exp %a rounding<approx> : t