// Transpose of a matrix of f32 in tiles of 64x64.
module {
  cuda_tile.module @kernels {
    entry @transpose(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
      %t = make_token : token
      %xa = assume div_by<16>, %x : tile<ptr<f32>>
      %ya = assume div_by<16>, %y : tile<ptr<f32>>
      %m0 = assume bounded<0, ?>, %m : tile<i32>
      %m1 = assume div_by<16>, %m0 : tile<i32>
      %n0 = assume bounded<0, ?>, %n : tile<i32>
      %n1 = assume div_by<16>, %n0 : tile<i32>
      %xv = make_tensor_view %xa, shape = [%m1, %n1], strides = [%n1, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
      %yv = make_tensor_view %ya, shape = [%n1, %m1], strides = [%m1, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
      %bx, %by, %bz = get_tile_block_id : tile<i32>
      %xp = make_partition_view %xv : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
      %yp = make_partition_view %yv : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
      %a, %ta = load_view_tko weak %xp[%bx, %by] token = %t : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<64x64xf32>, token
      %b = permute %a [1, 0] : tile<64x64xf32> -> tile<64x64xf32>
      %ts = store_view_tko weak %b, %yp[%by, %bx] token = %t : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
      return
    }
  }
}
