cuda_tile.module @m {
  testing$func @f(%p: tile<ptr<f32, <none>>>) {
    %0 = make_tensor_view %p, shape = [4], strides = [1] : tile<ptr<f32, <none>>> -> tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>
  }
}
