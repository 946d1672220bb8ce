cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i64>) {
    "cuda_tile.make_tensor_view"(%p, %n, %m) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!cuda_tile.tile<!cuda_tile.ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> !cuda_tile.tensor_view<?xf32, strides=[?]>
  }
}
