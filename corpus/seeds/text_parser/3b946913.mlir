cuda_tile.module @m {
  entry @floats(%x: tile<f32>, %y: tile<f32>) {
    %0 = addf %x, %y rounding<zero> flush_to_zero : tile<f32>
    %1 = subf %0, %y : tile<f32>
    %2 = mulf %1, %y rounding<positive_inf> : tile<f32>
    %3 = divf %2, %y rounding<full> : tile<f32>
    %4 = fma %3, %x, %y {fastmath = #arith.fastmath<contract>} : tile<f32>
    %5 = sqrt %4 rounding<approx> : tile<f32>
    %6 = rsqrt %5 flush_to_zero : tile<f32>
    %7 = exp2 %6 : tile<f32>
    %8 = absf %7 : tile<f32>
    %9 = negf %8 : tile<f32>
    %10 = ceil %9 : tile<f32>
    %11 = floor %10 : tile<f32>
    %12 = remf %11, %y : tile<f32>
    %13 = maxf %12, %y : tile<f32>
    %14 = minf %13, %y propagate_nan : tile<f32>
    %15 = maxf %14, %y flush_to_zero : tile<f32>
    %16 = exp %15 rounding<approx> : tile<f32>
    %17 = tanh %16 : tile<f32>
    %18 = pow %17, %y : tile<f32>
    %19 = log2 %18 : tile<f32>
    %20 = atan2 %19, %y : tile<f32>
    return
  }
  entry @integers(%a: tile<i32>, %b: tile<i32>) {
    %0 = addi %a, %b overflow<no_signed_wrap> : tile<i32>
    %1 = subi %0, %b overflow<no_unsigned_wrap> : tile<i32>
    %2 = muli %1, %b overflow<no_wrap> : tile<i32>
    %3 = divi %2, %b signed : tile<i32>
    %4 = divi %3, %b signed rounding<negative_inf> : tile<i32>
    %5 = divi %4, %b signed rounding<positive_inf> : tile<i32>
    %6 = divi %5, %b unsigned : tile<i32>
    %7 = divi %6, %b unsigned rounding<positive_inf> : tile<i32>
    %8 = remi %7, %b signed : tile<i32>
    %9 = remi %8, %b unsigned : tile<i32>
    %10 = maxi %9, %b signed : tile<i32>
    %11 = mini %10, %b unsigned : tile<i32>
    %12 = mulhii %11, %b : tile<i32>
    %13 = shli %12, %b : tile<i32>
    %14 = shri %13, %b signed : tile<i32>
    %15 = shri %14, %b unsigned : tile<i32>
    %16 = absi %15 : tile<i32>
    %17 = negi %16 : tile<i32>
    %18 = andi %17, %b : tile<i32>
    %19 = ori %18, %b : tile<i32>
    %20 = xori %19, %b : tile<i32>
    return
  }
  entry @bools(%a: tile<i1>, %b: tile<i1>) {
    %0 = addi %a, %b : tile<i1>
    %1 = muli %0, %b : tile<i1>
    %2 = maxi %1, %b signed : tile<i1>
    %3 = mini %2, %b unsigned : tile<i1>
    %4 = cmpi less_than %3, %b, signed : tile<i1> -> tile<i1>
    %5 = divi %4, %b unsigned : tile<i1>
    return
  }
}
