// min-plus product
cuda_tile.module @m {
  entry @minplus_f32(%a: tile<ptr<f32>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<f32>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %o: tile<ptr<f32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f32>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %b8 = assume div_by<16>, %b : tile<ptr<f32>>
    %v9 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %b8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o15 = assume div_by<16>, %o : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %o15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b22, %b23, %b24 = get_tile_block_id : tile<i32>
    %pv25 = make_partition_view %tv7 : partition_view<tile=(32x16), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %pv26 = make_partition_view %tv14 : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %pv27 = make_partition_view %tv21 : partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>
    %v28 = constant <i32: 0> : tile<i32>
    %v29 = constant <i32: 16> : tile<i32>
    %v30 = divi %v4, %v29 signed rounding<positive_inf> : tile<i32>
    %v31 = constant <f32: 0x7F800000> : tile<32x32xf32>
    %v32 = constant <i32: 1> : tile<i32>
    %f35 = for %i33 in (%v28 to %v30, step %v32) : tile<i32> iter_values(%c34 = %v31) -> (tile<32x32xf32>) {
      %v36, %t37 = load_view_tko weak %pv25[%b22, %i33] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<32x16xf32>, token
      %v38, %t39 = load_view_tko weak %pv26[%i33, %b23] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<16x32xf32>, token
      %v40 = reshape %v36 : tile<32x16xf32> -> tile<32x16x1xf32>
      %v41 = broadcast %v40 : tile<32x16x1xf32> -> tile<32x16x32xf32>
      %v42 = reshape %v38 : tile<16x32xf32> -> tile<1x16x32xf32>
      %v43 = broadcast %v42 : tile<1x16x32xf32> -> tile<32x16x32xf32>
      %v44 = addf %v41, %v43  : tile<32x16x32xf32>
      %v45 = reduce %v44 dim=1 identities=[0x7F800000 : f32] : tile<32x16x32xf32> -> tile<32x32xf32>
      (%l46: tile<f32>, %r47: tile<f32>) {
        %y48 = minf %l46, %r47 : tile<f32>
        yield %y48 : tile<f32>
      }
      %v49 = minf %c34, %v45  : tile<32x32xf32>
      continue %v49 : tile<32x32xf32>
    }
    %t50 = store_view_tko weak %f35, %pv27[%b22, %b23] token = %tok : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
