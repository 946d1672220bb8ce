// Softmax of rows of up to 4096 f32, one row per tile block.
module {
  cuda_tile.module @kernels {
    entry @softmax(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %rows: tile<i32>, %columns: tile<i32>, %stride: tile<i32>) {
      %t = make_token : token
      %xa = assume div_by<16>, %x : tile<ptr<f32>>
      %ya = assume div_by<16>, %y : tile<ptr<f32>>
      %ra = assume bounded<0, ?>, %rows : tile<i32>
      %ca = assume bounded<0, ?>, %columns : tile<i32>
      %s0 = assume bounded<0, ?>, %stride : tile<i32>
      %sa = assume div_by<16>, %s0 : tile<i32>
      %xv = make_tensor_view %xa, shape = [%ra, %ca], strides = [%sa, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
      %yv = make_tensor_view %ya, shape = [%ra, %ca], strides = [%sa, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
      %bx, %by, %bz = get_tile_block_id : tile<i32>
      %zero = constant <i32: 0> : tile<i32>
      %xp = make_partition_view %xv : partition_view<tile=(1x4096), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>
      %a, %ta = load_view_tko weak %xp[%bx, %zero] token = %t : partition_view<tile=(1x4096), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x4096xf32>, token
      %m = reduce %a dim=1 identities=[0xFF800000 : f32] : tile<1x4096xf32> -> tile<1xf32>
      (%l: tile<f32>, %r: tile<f32>) {
        %v = maxf %l, %r : tile<f32>
        yield %v : tile<f32>
      }
      %m1 = reshape %m : tile<1xf32> -> tile<1x1xf32>
      %mb = broadcast %m1 : tile<1x1xf32> -> tile<1x4096xf32>
      %d = subf %a, %mb : tile<1x4096xf32>
      %e = exp %d : tile<1x4096xf32>
      %s = reduce %e dim=1 identities=[0.0 : f32] : tile<1x4096xf32> -> tile<1xf32>
      (%l: tile<f32>, %r: tile<f32>) {
        %v = addf %l, %r : tile<f32>
        yield %v : tile<f32>
      }
      %s1 = reshape %s : tile<1xf32> -> tile<1x1xf32>
      %sb = broadcast %s1 : tile<1x1xf32> -> tile<1x4096xf32>
      %q = divf %e, %sb : tile<1x4096xf32>
      %yp = make_partition_view %yv : partition_view<tile=(1x4096), tensor_view<?x?xf32, strides=[?,1]>>
      %ts = store_view_tko weak %q, %yp[%bx, %zero] token = %t : tile<1x4096xf32>, partition_view<tile=(1x4096), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
      return
    }
  }
}
