// running sums down the columns, tile by tile
cuda_tile.module @m {
  entry @cumsum_columns_f32(%x: tile<ptr<f32>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %y: tile<ptr<f32>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_s0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<f32>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %y8 = assume div_by<16>, %y : tile<ptr<f32>>
    %v9 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %y_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %y_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %y8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b15, %b16, %b17 = get_tile_block_id : tile<i32>
    %pv18 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %pv19 = make_partition_view %tv14 : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %v20 = constant <i32: 0> : tile<i32>
    %v21 = constant <i32: 64> : tile<i32>
    %v22 = divi %v2, %v21 signed rounding<positive_inf> : tile<i32>
    %v23 = constant <f32: 0.0> : tile<1x64xf32>
    %v24 = constant <i32: 1> : tile<i32>
    %f27 = for %i25 in (%v20 to %v22, step %v24) : tile<i32> iter_values(%c26 = %v23) -> (tile<1x64xf32>) {
      %v28, %t29 = load_view_tko weak %pv18[%i25, %b15] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<64x64xf32>, token
      %v30 = scan %v28 dim=0 reverse=false identities=[0.0 : f32] : tile<64x64xf32> -> tile<64x64xf32>
      (%l31: tile<f32>, %r32: tile<f32>) {
        %y33 = addf %l31, %r32 : tile<f32>
        yield %y33 : tile<f32>
      }
      %v34 = broadcast %c26 : tile<1x64xf32> -> tile<64x64xf32>
      %v35 = addf %v30, %v34  : tile<64x64xf32>
      %t36 = store_view_tko weak %v35, %pv19[%i25, %b15] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
      %v37, %t38 = load_view_tko weak %pv18[%i25, %b15] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<64x64xf32>, token
      %v39 = reduce %v37 dim=0 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l40: tile<f32>, %r41: tile<f32>) {
        %y42 = addf %l40, %r41 : tile<f32>
        yield %y42 : tile<f32>
      }
      %v43 = reshape %v39 : tile<64xf32> -> tile<1x64xf32>
      %v44 = addf %c26, %v43  : tile<1x64xf32>
      continue %v44 : tile<1x64xf32>
    }
    return
  }
}
