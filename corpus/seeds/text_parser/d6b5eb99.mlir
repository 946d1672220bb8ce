cuda_tile.module @m {
  global @g <f32: [1.0, 2.0]> : tile<2xf32>
  testing$func @f() {
    %0 = get_global @g : tile<ptr<i32>>
  }
}
