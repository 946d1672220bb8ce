cuda_tile.module @m {
  entry @compare(%a: tile<i32>, %b: tile<i32>, %x: tile<f32>, %y: tile<f32>) {
    %0 = cmpi equal %a, %b, signed : tile<i32> -> tile<i1>
    %1 = cmpi not_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    %2 = cmpi less_than %a, %b, signed : tile<i32> -> tile<i1>
    %3 = cmpi less_than_or_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    %4 = cmpi greater_than %a, %b, signed : tile<i32> -> tile<i1>
    %5 = cmpi greater_than_or_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    %6 = cmpf equal ordered %x, %y : tile<f32> -> tile<i1>
    %7 = cmpf not_equal unordered %x, %y : tile<f32> -> tile<i1>
    %8 = cmpf not_equal ordered %x, %y : tile<f32> -> tile<i1>
    %9 = cmpf less_than unordered %x, %y : tile<f32> -> tile<i1>
    %10 = cmpf greater_than_or_equal ordered %x, %y : tile<f32> -> tile<i1>
    %11 = select %10, %x, %y : tile<i1>, tile<f32>
    return
  }
}
