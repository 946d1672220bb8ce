cuda_tile.module @kernels {
  entry @kernel(%in: tile<ptr<f32>>, %n: tile<i32>, %out: tile<ptr<f32>>) {
    %v = make_tensor_view %in, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %p = make_partition_view %v : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %w = make_tensor_view %out, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %q = make_partition_view %w : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %b, %b1, %b2 = get_tile_block_id : tile<i32>
    %x, %t = load_view_tko weak %p[%b] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %y = addf %x, %x : tile<64xf32>
    %s = store_view_tko weak %y, %q[%b] : tile<64xf32>, partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
