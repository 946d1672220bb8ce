// persistent product
cuda_tile.module @m {
  entry @persist_two_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %b2: tile<ptr<bf16>>, %b2_0: tile<i32>, %b2_1: tile<i32>, %b2_s0: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %b8 = assume div_by<16>, %b : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %b8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %b215 = assume div_by<16>, %b2 : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %b2_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %b2_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %b2_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %b215, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %c22 = assume div_by<16>, %c : tile<ptr<bf16>>
    %v23 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %c22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b29, %b30, %b31 = get_tile_block_id : tile<i32>
    %g32, %g33, %g34 = get_num_tile_blocks : tile<i32>
    %pv35 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv36 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv37 = make_partition_view %tv28 : partition_view<tile=(128x64), tensor_view<?x?xbf16, strides=[?,1]>>
    %pv38 = make_partition_view %tv21 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v39 = constant <i32: 128> : tile<i32>
    %v40 = divi %v2, %v39 signed rounding<positive_inf> : tile<i32>
    %v41 = constant <i32: 64> : tile<i32>
    %v42 = divi %v11, %v41 signed rounding<positive_inf> : tile<i32>
    %v43 = constant <i32: 64> : tile<i32>
    %v44 = divi %v4, %v43 signed rounding<positive_inf> : tile<i32>
    %v45 = muli %v40, %v42  : tile<i32>
    for %i46 in (%b29 to %v45, step %g32) : tile<i32> {
      %v48 = divi %i46, %v42 signed : tile<i32>
      %v49 = remi %i46, %v42 signed : tile<i32>
      %v50 = constant <i32: 0> : tile<i32>
      %v51 = constant <f32: 0.0> : tile<128x64xf32>
      %v52 = constant <f32: 0.0> : tile<128x64xf32>
      %v53 = constant <i32: 1> : tile<i32>
      %f57:2 = for %i54 in (%v50 to %v44, step %v53) : tile<i32> iter_values(%c55 = %v51, %c56 = %v52) -> (tile<128x64xf32>, tile<128x64xf32>) {
        %v58, %t59 = load_view_tko weak %pv35[%v48, %i54] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
        %v60, %t61 = load_view_tko weak %pv36[%i54, %v49] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
        %v62 = mmaf %v58, %v60, %c55  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
        %v63, %t64 = load_view_tko weak %pv38[%i54, %v49] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
        %v65 = mmaf %v58, %v63, %c56  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
        continue %v62, %v65 : tile<128x64xf32>, tile<128x64xf32>
      }
      %v66 = constant <f32: 1.0> : tile<128x64xf32>
      %v67 = constant <f32: 1.0> : tile<128x64xf32>
      %v68 = negf %f57#0  : tile<128x64xf32>
      %v69 = exp %v68  : tile<128x64xf32>
      %v70 = addf %v67, %v69  : tile<128x64xf32>
      %v71 = divf %v66, %v70  : tile<128x64xf32>
      %v72 = mulf %f57#0, %v71  : tile<128x64xf32>
      %v73 = mulf %v72, %f57#1  : tile<128x64xf32>
      %v74 = ftof %v73  : tile<128x64xf32> -> tile<128x64xbf16>
      %t75 = store_view_tko weak %v74, %pv37[%v48, %v49] token = %tok : tile<128x64xbf16>, partition_view<tile=(128x64), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
