// weights of four bits with a scale and a zero point for every group of K
cuda_tile.module @m {
  entry @w4_zero_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %w: tile<ptr<i8>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %s: tile<ptr<f16>>, %s_0: tile<i32>, %s_1: tile<i32>, %s_s0: tile<i32>, %z: tile<ptr<f16>>, %z_0: tile<i32>, %z_1: tile<i32>, %z_s0: tile<i32>, %c: tile<ptr<f16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %w8 = assume div_by<16>, %w : tile<ptr<i8>>
    %v9 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %s15 = assume div_by<16>, %s : tile<ptr<f16>>
    %v16 = assume bounded<0, ?>, %s_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %s_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %s_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %s15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %z22 = assume div_by<16>, %z : tile<ptr<f16>>
    %v23 = assume bounded<0, ?>, %z_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %z_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %z_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %z22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %c29 = assume div_by<16>, %c : tile<ptr<f16>>
    %v30 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %c29, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %b36, %b37, %b38 = get_tile_block_id : tile<i32>
    %pv39 = make_partition_view %tv7 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv40 = make_partition_view %tv14 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %pv41 = make_partition_view %tv21 : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv42 = make_partition_view %tv28 : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v43 = constant <i32: 0> : tile<i32>
    %v44 = constant <i32: 128> : tile<i32>
    %v45 = divi %v4, %v44 signed rounding<positive_inf> : tile<i32>
    %v46 = constant <f32: 0.0> : tile<64x128xf32>
    %v47 = constant <i32: 1> : tile<i32>
    %f50 = for %i48 in (%v43 to %v45, step %v47) : tile<i32> iter_values(%c49 = %v46) -> (tile<64x128xf32>) {
      %v51, %t52 = load_view_tko weak %pv40[%i48, %b37] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<64x128xi8>, token
      %v53 = constant <i8: 15> : tile<64x128xi8>
      %v54 = andi %v51, %v53  : tile<64x128xi8>
      %v55 = constant <i8: 4> : tile<64x128xi8>
      %v56 = shri %v51, %v55 unsigned : tile<64x128xi8>
      %v57 = constant <i8: 15> : tile<64x128xi8>
      %v58 = andi %v56, %v57  : tile<64x128xi8>
      %v59, %t60 = load_view_tko weak %pv41[%i48, %b37] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<1x128xf16>, token
      %v61, %t62 = load_view_tko weak %pv42[%i48, %b37] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<1x128xf16>, token
      %v63, %t64 = load_view_tko weak %pv39[%b36, %i48] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %v66 = itof %v54 signed : tile<64x128xi8> -> tile<64x128xf16>
      %v67 = broadcast %v61 : tile<1x128xf16> -> tile<64x128xf16>
      %v68 = subf %v66, %v67  : tile<64x128xf16>
      %v69 = broadcast %v59 : tile<1x128xf16> -> tile<64x128xf16>
      %v70 = mulf %v68, %v69  : tile<64x128xf16>
      %v71 = itof %v58 signed : tile<64x128xi8> -> tile<64x128xf16>
      %v72 = broadcast %v61 : tile<1x128xf16> -> tile<64x128xf16>
      %v73 = subf %v71, %v72  : tile<64x128xf16>
      %v74 = broadcast %v59 : tile<1x128xf16> -> tile<64x128xf16>
      %v75 = mulf %v73, %v74  : tile<64x128xf16>
      %v65 = cat %v70, %v75 dim=0 : tile<64x128xf16>, tile<64x128xf16> -> tile<128x128xf16>
      %v76 = mmaf %v63, %v65, %c49  : tile<64x128xf16>, tile<128x128xf16>, tile<64x128xf32>
      continue %v76 : tile<64x128xf32>
    }
    %v77 = ftof %f50  : tile<64x128xf32> -> tile<64x128xf16>
    %pv78 = make_partition_view %tv35 : partition_view<tile=(64x128), tensor_view<?x?xf16, strides=[?,1]>>
    %t79 = store_view_tko weak %v77, %pv78[%b36, %b37] token = %tok : tile<64x128xf16>, partition_view<tile=(64x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
