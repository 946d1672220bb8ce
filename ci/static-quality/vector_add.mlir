// Vector add: one tile of 1024 f32 per tile block, aligned to 16 bytes, masked at the end.
module {
  cuda_tile.module @kernels {
    entry @vector_add(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>, %n: tile<i32>) {
      %t = make_token : token
      %xa = assume div_by<16>, %x : tile<ptr<f32>>
      %ya = assume div_by<16>, %y : tile<ptr<f32>>
      %za = assume div_by<16>, %z : tile<ptr<f32>>
      %na = assume bounded<0, ?>, %n : tile<i32>
      %xv = make_tensor_view %xa, shape = [%na], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
      %yv = make_tensor_view %ya, shape = [%na], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
      %zv = make_tensor_view %za, shape = [%na], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
      %bx, %by, %bz = get_tile_block_id : tile<i32>
      %xp = make_partition_view %xv : partition_view<tile=(1024), padding_value = zero, tensor_view<?xf32, strides=[1]>>
      %yp = make_partition_view %yv : partition_view<tile=(1024), padding_value = zero, tensor_view<?xf32, strides=[1]>>
      %zp = make_partition_view %zv : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
      %a, %ta = load_view_tko weak %xp[%bx] token = %t : partition_view<tile=(1024), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
      %b, %tb = load_view_tko weak %yp[%bx] token = %t : partition_view<tile=(1024), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
      %c = addf %a, %b : tile<1024xf32>
      %ts = store_view_tko weak %c, %zp[%bx] token = %t : tile<1024xf32>, partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
      return
    }
  }
}
