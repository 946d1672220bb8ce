cuda_tile.module @m {
  testing$func @f(%t: tensor_view<64x64xf32, strides=[64,1]>) {
    %0 = "cuda_tile.get_tensor_shape"(%t) : (!cuda_tile.tensor_view<64x64xf32, strides=[64,1]>) -> !cuda_tile.tile<i32>
  }
}
