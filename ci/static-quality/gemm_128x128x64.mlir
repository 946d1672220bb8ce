// GEMM, f16 operands and f32 sums: tiles of 128x128, steps of 64 along K.
module {
  cuda_tile.module @kernels {
    entry @gemm(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
      %t = make_token : token
      %aa = assume div_by<16>, %a : tile<ptr<f16>>
      %ba = assume div_by<16>, %b : tile<ptr<f16>>
      %ca = assume div_by<16>, %c : tile<ptr<f32>>
      %m0 = assume bounded<0, ?>, %m : tile<i32>
      %n0 = assume bounded<0, ?>, %n : tile<i32>
      %n1 = assume div_by<16>, %n0 : tile<i32>
      %k0 = assume bounded<0, ?>, %k : tile<i32>
      %k1 = assume div_by<16>, %k0 : tile<i32>
      %av = make_tensor_view %aa, shape = [%m0, %k1], strides = [%k1, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
      %bv = make_tensor_view %ba, shape = [%k1, %n1], strides = [%n1, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
      %cv = make_tensor_view %ca, shape = [%m0, %n1], strides = [%n1, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
      %bx, %by, %bz = get_tile_block_id : tile<i32>
      %ap = make_partition_view %av : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
      %bp = make_partition_view %bv : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
      %cp = make_partition_view %cv : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
      %steps:2 = get_index_space_shape %ap : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
      %zero = constant <i32: 0> : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %init = constant <f32: 0.0> : tile<128x128xf32>
      %sum = for %i in (%zero to %steps#1, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<128x128xf32>) {
        %x, %tx = load_view_tko weak %ap[%bx, %i] token = %t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
        %y, %ty = load_view_tko weak %bp[%i, %by] token = %t : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
        %s = mmaf %x, %y, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
        continue %s : tile<128x128xf32>
      }
      %ts = store_view_tko weak %sum, %cp[%bx, %by] token = %t : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
      return
    }
  }
}
