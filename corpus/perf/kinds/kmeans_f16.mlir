// nearest centre of each row: distances by a product, argmin over a loop
cuda_tile.module @m {
  entry @kmeans_f16(%x: tile<ptr<f16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %c: tile<ptr<f16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>, %cn: tile<ptr<f32>>, %cn_0: tile<i32>, %out: tile<ptr<i32>>, %out_0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %c8 = assume div_by<16>, %c : tile<ptr<f16>>
    %v9 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %c8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %cn15 = assume div_by<16>, %cn : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %cn_0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %tv18 = make_tensor_view %cn15, shape = [%v17], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %out19 = assume div_by<16>, %out : tile<ptr<i32>>
    %v20 = assume bounded<0, ?>, %out_0 : tile<i32>
    %v21 = assume div_by<16>, %v20 : tile<i32>
    %tv22 = make_tensor_view %out19, shape = [%v21], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %tok = make_token : token
    %b23, %b24, %b25 = get_tile_block_id : tile<i32>
    %pv26 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v27 = constant <i32: 0> : tile<i32>
    %v28, %t29 = load_view_tko weak %pv26[%b23, %v27] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
    %pv30 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv31 = make_partition_view %tv18 : partition_view<tile=(64), padding_value = pos_inf, tensor_view<?xf32, strides=[1]>>
    %v32 = constant <i32: 0> : tile<i32>
    %v33 = constant <i32: 64> : tile<i32>
    %v34 = divi %v9, %v33 signed rounding<positive_inf> : tile<i32>
    %v35 = constant <f32: 0x7F800000> : tile<128x1xf32>
    %v36 = constant <i32: 0> : tile<128x1xi32>
    %v37 = constant <i32: 1> : tile<i32>
    %f41:2 = for %i38 in (%v32 to %v34, step %v37) : tile<i32> iter_values(%c39 = %v35, %c40 = %v36) -> (tile<128x1xf32>, tile<128x1xi32>) {
      %v42 = constant <i32: 0> : tile<i32>
      %v43, %t44 = load_view_tko weak %pv30[%i38, %v42] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %v45 = permute %v43 [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %v46 = constant <f32: 0.0> : tile<128x64xf32>
      %v47 = mmaf %v28, %v45, %v46  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      %v48, %t49 = load_view_tko weak %pv31[%i38] token = %tok : partition_view<tile=(64), padding_value = pos_inf, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
      %v50 = reshape %v48 : tile<64xf32> -> tile<1x64xf32>
      %v51 = constant <f32: 2.0> : tile<128x64xf32>
      %v52 = mulf %v47, %v51  : tile<128x64xf32>
      %v53 = broadcast %v50 : tile<1x64xf32> -> tile<128x64xf32>
      %v54 = subf %v53, %v52  : tile<128x64xf32>
      %v55 = constant <i32: 64> : tile<i32>
      %v56 = muli %i38, %v55  : tile<i32>
      %v57 = reshape %v56 : tile<i32> -> tile<1xi32>
      %v58 = broadcast %v57 : tile<1xi32> -> tile<64xi32>
      %v59 = iota : tile<64xi32>
      %v60 = addi %v58, %v59  : tile<64xi32>
      %v61 = reshape %v60 : tile<64xi32> -> tile<1x64xi32>
      %v62 = broadcast %v61 : tile<1x64xi32> -> tile<128x64xi32>
      %r63:2 = reduce %v54, %v62 dim=1 identities=[0x7F800000 : f32, 0 : i32] : tile<128x64xf32>, tile<128x64xi32> -> tile<128xf32>, tile<128xi32>
      (%a64: tile<f32>, %a66: tile<f32>, %a65: tile<i32>, %a67: tile<i32>) {
        %v68 = cmpf less_than_or_equal ordered %a64, %a66 : tile<f32> -> tile<i1>
        %v69 = select %v68, %a64, %a66 : tile<i1>, tile<f32>
        %v70 = select %v68, %a65, %a67 : tile<i1>, tile<i32>
        yield %v69, %v70 : tile<f32>, tile<i32>
      }
      %v71 = reshape %r63#0 : tile<128xf32> -> tile<128x1xf32>
      %v72 = reshape %r63#1 : tile<128xi32> -> tile<128x1xi32>
      %v73 = cmpf less_than ordered %v71, %c39 : tile<128x1xf32> -> tile<128x1xi1>
      %v74 = select %v73, %v71, %c39 : tile<128x1xi1>, tile<128x1xf32>
      %v75 = select %v73, %v72, %c40 : tile<128x1xi1>, tile<128x1xi32>
      continue %v74, %v75 : tile<128x1xf32>, tile<128x1xi32>
    }
    %v76 = reshape %f41#1 : tile<128x1xi32> -> tile<128xi32>
    %pv77 = make_partition_view %tv22 : partition_view<tile=(128), tensor_view<?xi32, strides=[1]>>
    %t78 = store_view_tko weak %v76, %pv77[%b23] token = %tok : tile<128xi32>, partition_view<tile=(128), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
