cuda_tile.module @m {
  entry @dynamic_bound(%n: tile<i32>, %v: tile<i32>, %p: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %late = cmpi greater_than %i, %v, signed : tile<i32> -> tile<i1>
      if %late {
        %x = itof %i signed : tile<i32> -> tile<f32>
        %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
      }
    }
  }
  entry @other_step(%n: tile<i32>, %v: tile<i32>, %p: tile<ptr<f32>>, %x: tile<f32>) {
    %zero = constant <i32: 0> : tile<i32>
    for %i in (%zero to %n, step %v) : tile<i32> {
      %early = cmpi less_than %i, %v, signed : tile<i32> -> tile<i1>
      if %early {
        %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
      }
    }
  }
}
