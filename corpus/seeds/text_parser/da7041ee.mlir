cuda_tile.module @m {
  entry @casts(%a: tile<i32>, %l: tile<i64>, %x: tile<f32>, %d: tile<f64>) {
    %0 = exti %a signed : tile<i32> -> tile<i64>
    %1 = exti %a unsigned : tile<i32> -> tile<i64>
    %2 = trunci %l overflow<no_signed_wrap> : tile<i64> -> tile<i8>
    %3 = itof %a signed : tile<i32> -> tile<f32>
    %4 = itof %a unsigned : tile<i32> -> tile<f16>
    %5 = itof %a signed : tile<i32> -> tile<bf16>
    %6 = ftoi %x signed : tile<f32> -> tile<i8>
    %7 = ftoi %d unsigned : tile<f64> -> tile<i64>
    %8 = ftoi %x signed : tile<f32> -> tile<i1>
    %9 = ftof %d : tile<f64> -> tile<f32>
    %10 = bitcast %x : tile<f32> -> tile<i32>
    return
  }
  entry @narrow(%p: tile<ptr<f32>>) {
    %wide = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %narrow = trunci %wide : tile<4xi32> -> tile<4xi8>
    %q = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i8>>
    %i = ptr_to_int %q : tile<ptr<i8>> -> tile<i64>
    %r = int_to_ptr %i : tile<i64> -> tile<ptr<i8>>
    return
  }
}
