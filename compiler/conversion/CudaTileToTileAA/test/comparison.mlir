// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=90 | FileCheck %s

cuda_tile.module @m {
  entry @compare(%a: tile<i32>, %b: tile<i32>, %x: tile<f32>, %y: tile<f32>) {
    // CHECK: arith.cmpi eq
    %0 = cmpi equal %a, %b, signed : tile<i32> -> tile<i1>
    // CHECK: arith.cmpi ne
    %1 = cmpi not_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    // CHECK: arith.cmpi slt
    %2 = cmpi less_than %a, %b, signed : tile<i32> -> tile<i1>
    // CHECK: arith.cmpi ule
    %3 = cmpi less_than_or_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    // CHECK: arith.cmpi sgt
    %4 = cmpi greater_than %a, %b, signed : tile<i32> -> tile<i1>
    // CHECK: arith.cmpi uge
    %5 = cmpi greater_than_or_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    // CHECK: arith.cmpf oeq
    %6 = cmpf equal ordered %x, %y : tile<f32> -> tile<i1>
    // CHECK: arith.cmpf une
    %7 = cmpf not_equal unordered %x, %y : tile<f32> -> tile<i1>
    // CHECK: arith.cmpf one
    %8 = cmpf not_equal ordered %x, %y : tile<f32> -> tile<i1>
    // CHECK: arith.cmpf ult
    %9 = cmpf less_than unordered %x, %y : tile<f32> -> tile<i1>
    // CHECK: arith.cmpf oge
    %10 = cmpf greater_than_or_equal ordered %x, %y : tile<f32> -> tile<i1>
    // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
    %11 = select %10, %x, %y : tile<i1>, tile<f32>
    return
  }
}
