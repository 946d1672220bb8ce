// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck --check-prefixes=CHECK,L16,L17,L21,L25,L30,L31,O7 %s

cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "floats"
  entry @floats(%x: tile<f32>, %y: tile<f32>) {
    // L25: "nv_tileaa.addf"(%{{.*}}, %{{.*}}) <{flush_to_zero, rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (f32, f32) -> f32
    %0 = addf %x, %y rounding<zero> flush_to_zero : tile<f32>
    // L25: "nv_tileaa.subf"{{.*}}rounding_mode<nearest_even>
    %1 = subf %0, %y : tile<f32>
    // L25: "nv_tileaa.mulf"{{.*}}rounding_mode<positive_inf>
    %2 = mulf %1, %y rounding<positive_inf> : tile<f32>
    // L25: "nv_tileaa.divf"{{.*}}rounding_mode<full>
    %3 = divf %2, %y rounding<full> : tile<f32>
    // L16: "nv_tileaa.fma"{{.*}} <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> {fastmath = #arith.fastmath<contract>}
    %4 = fma %3, %x, %y {fastmath = #arith.fastmath<contract>} : tile<f32>
    // L25: "nv_tileaa.sqrt"{{.*}}rounding_mode<approx>
    %5 = sqrt %4 rounding<approx> : tile<f32>
    // L17: "nv_tileaa.rsqrt"(%{{.*}}) <{flush_to_zero}>
    %6 = rsqrt %5 flush_to_zero : tile<f32>
    // O7: "nv_tileaa.exp2"
    %7 = exp2 %6 : tile<f32>
    // O7: math.absf
    %8 = absf %7 : tile<f32>
    // O7: arith.negf
    %9 = negf %8 : tile<f32>
    // O7: math.ceil
    %10 = ceil %9 : tile<f32>
    // O7: math.floor
    %11 = floor %10 : tile<f32>
    // O7: arith.remf
    %12 = remf %11, %y : tile<f32>
    // O7: arith.maxnumf
    %13 = maxf %12, %y : tile<f32>
    // O7: arith.minimumf
    %14 = minf %13, %y propagate_nan : tile<f32>
    // Flushing is a rounded product with one.
    // L25: %[[A:.*]] = "nv_tileaa.mulf"(%{{.*}}, %{{.*}}) <{flush_to_zero
    // L25: %[[B:.*]] = "nv_tileaa.mulf"(%{{.*}}, %{{.*}}) <{flush_to_zero
    // L25: arith.maxnumf %[[A]], %[[B]]
    %15 = maxf %14, %y flush_to_zero : tile<f32>
    // L21: math.exp %{{[^ ]*}} fastmath<afn> : f32
    %16 = exp %15 rounding<approx> : tile<f32>
    // L21: math.tanh %{{[^ ]*}} : f32
    %17 = tanh %16 : tile<f32>
    // O7: math.powf
    %18 = pow %17, %y : tile<f32>
    // O7: math.log2
    %19 = log2 %18 : tile<f32>
    // O7: math.atan2
    %20 = atan2 %19, %y : tile<f32>
    return
  }

  // CHECK-LABEL: sym_name = "integers"
  entry @integers(%a: tile<i32>, %b: tile<i32>) {
    // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
    %0 = addi %a, %b overflow<no_signed_wrap> : tile<i32>
    // CHECK: arith.subi %{{.*}} overflow<nuw> : i32
    %1 = subi %0, %b overflow<no_unsigned_wrap> : tile<i32>
    // CHECK: arith.muli %{{.*}} overflow<nsw, nuw> : i32
    %2 = muli %1, %b overflow<no_wrap> : tile<i32>
    // CHECK: arith.divsi
    %3 = divi %2, %b signed : tile<i32>
    // CHECK: arith.floordivsi
    %4 = divi %3, %b signed rounding<negative_inf> : tile<i32>
    // CHECK: arith.ceildivsi
    %5 = divi %4, %b signed rounding<positive_inf> : tile<i32>
    // CHECK: arith.divui
    %6 = divi %5, %b unsigned : tile<i32>
    // CHECK: arith.ceildivui
    %7 = divi %6, %b unsigned rounding<positive_inf> : tile<i32>
    // A divisor of -1 is replaced by 1: the remainder is 0 either way.
    // L30: %[[M1:.*]] = arith.constant -1 : i32
    // L30: %[[ONE:.*]] = arith.constant 1 : i32
    // L30: %[[IS:.*]] = arith.cmpi eq, %[[B:.*]], %[[M1]] : i32
    // L30: %[[D:.*]] = arith.select %[[IS]], %[[ONE]], %[[B]] : i32
    // L30: arith.remsi %{{.*}}, %[[D]] : i32
    %8 = remi %7, %b signed : tile<i32>
    // CHECK: arith.remui
    %9 = remi %8, %b unsigned : tile<i32>
    // CHECK: arith.maxsi
    %10 = maxi %9, %b signed : tile<i32>
    // CHECK: arith.minui
    %11 = mini %10, %b unsigned : tile<i32>
    // CHECK: "nv_tileaa.mulhiui"
    %12 = mulhii %11, %b : tile<i32>
    // CHECK: arith.shli
    %13 = shli %12, %b : tile<i32>
    // CHECK: arith.shrsi
    %14 = shri %13, %b signed : tile<i32>
    // CHECK: arith.shrui
    %15 = shri %14, %b unsigned : tile<i32>
    // CHECK: math.absi
    %16 = absi %15 : tile<i32>
    // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
    // CHECK: arith.subi %[[ZERO]], %{{.*}} : i32
    %17 = negi %16 : tile<i32>
    // CHECK: arith.andi
    %18 = andi %17, %b : tile<i32>
    // CHECK: arith.ori
    %19 = ori %18, %b : tile<i32>
    // CHECK: arith.xori
    %20 = xori %19, %b : tile<i32>
    return
  }

  // One-bit arithmetic is logic.
  // CHECK-LABEL: sym_name = "bools"
  // L31-NEXT: ^bb0(%[[A:.*]]: i1, %[[B:.*]]: i1):
  // L31-NEXT: %[[SUM:.*]] = arith.xori %[[A]], %[[B]] : i1
  // L31-NEXT: %[[PRODUCT:.*]] = arith.andi %[[SUM]], %[[B]] : i1
  // L31-NEXT: %[[MAX:.*]] = arith.andi %[[PRODUCT]], %[[B]] : i1
  // L31-NEXT: %[[MIN:.*]] = arith.andi %[[MAX]], %[[B]] : i1
  // L31-NEXT: %[[TRUE:.*]] = arith.constant true
  // L31-NEXT: %[[NOT:.*]] = arith.xori %[[B]], %[[TRUE]] : i1
  // L31-NEXT: arith.andi %[[NOT]], %[[MIN]] : i1
  // L31-NEXT: "nv_tileaa.return"
  entry @bools(%a: tile<i1>, %b: tile<i1>) {
    %0 = addi %a, %b : tile<i1>
    %1 = muli %0, %b : tile<i1>
    %2 = maxi %1, %b signed : tile<i1>
    %3 = mini %2, %b unsigned : tile<i1>
    %4 = cmpi less_than %3, %b, signed : tile<i1> -> tile<i1>
    %5 = divi %4, %b unsigned : tile<i1>
    return
  }

  // A constant other than -1 stays what facts know.
  // CHECK-LABEL: sym_name = "remainders"
  // L30: %[[THIRTEEN:.*]] = arith.constant 13 : i32
  // L30: %[[LESS:.*]] = arith.constant -1 : i32
  // L30: arith.remsi %{{.*}}, %[[THIRTEEN]] : i32
  // L30: %[[D:.*]] = arith.select
  // L30: arith.remsi %{{.*}}, %[[D]] : i32
  entry @remainders(%a: tile<i32>) {
    %c = constant <i32: 13> : tile<i32>
    %m = constant <i32: -1> : tile<i32>
    %0 = remi %a, %c signed : tile<i32>
    %1 = remi %a, %m signed : tile<i32>
    return
  }
}
