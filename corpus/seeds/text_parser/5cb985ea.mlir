cuda_tile.module @m {
  testing$func @f(%c: tile<i1>, %v: tensor_view<64x64xf32, strides=[64,1]>) {
    %0 = if %c -> (tensor_view<64x64xf32, strides=[64,1]>) {
      yield %v : tensor_view<64x64xf32, strides=[64,1]>
    } else {
      yield %v : tensor_view<64x64xf32, strides=[64,1]>
    }
  }
}
