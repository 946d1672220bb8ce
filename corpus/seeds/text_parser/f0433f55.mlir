cuda_tile.module @kernels {
  global @table <i32: [1, 2, 3, 4]> : tile<4xi32>
  entry @loops(%n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %zero) -> (tile<i32>) {
      %odd = andi %i, %one : tile<i32>
      %c = cmpi equal %odd, %one, signed : tile<i32> -> tile<i1>
      %r = if %c -> (tile<i32>) {
        %t = addi %acc, %i overflow<no_signed_wrap> : tile<i32>
        yield %t : tile<i32>
      } else {
        yield %acc : tile<i32>
      }
      continue %r : tile<i32>
    }
    return
  }
}
