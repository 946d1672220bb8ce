// persistent: tiles by the grid's step, a residual
cuda_tile.module @m {
  entry @persistent_res_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %r: tile<ptr<bf16>>, %r_0: tile<i32>, %r_1: tile<i32>, %r_s0: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>) {
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
    %r15 = assume div_by<16>, %r : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %r_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %r_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %r_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %r15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
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
    %pv36 = make_partition_view %tv14 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv37 = make_partition_view %tv28 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %pv38 = make_partition_view %tv21 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v39 = constant <i32: 128> : tile<i32>
    %v40 = divi %v11, %v39 signed rounding<positive_inf> : tile<i32>
    %v41 = constant <i32: 128> : tile<i32>
    %v42 = divi %v2, %v41 signed rounding<positive_inf> : tile<i32>
    %v43 = muli %v42, %v40  : tile<i32>
    for %i44 in (%b29 to %v43, step %g32) : tile<i32> {
      %v46 = divi %i44, %v40 signed : tile<i32>
      %v47 = remi %i44, %v40 signed : tile<i32>
      %v48 = constant <i32: 0> : tile<i32>
      %v49 = constant <i32: 64> : tile<i32>
      %v50 = divi %v4, %v49 signed rounding<positive_inf> : tile<i32>
      %v51 = constant <f32: 0.0> : tile<128x128xf32>
      %v52 = constant <i32: 1> : tile<i32>
      %f55 = for %i53 in (%v48 to %v50, step %v52) : tile<i32> iter_values(%c54 = %v51) -> (tile<128x128xf32>) {
        %v56, %t57 = load_view_tko weak %pv35[%v46, %i53] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
        %v58, %t59 = load_view_tko weak %pv36[%i53, %v47] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
        %v60 = mmaf %v56, %v58, %c54  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
        continue %v60 : tile<128x128xf32>
      }
      %v61, %t62 = load_view_tko weak %pv38[%v46, %v47] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x128xbf16>, token
      %v63 = ftof %v61  : tile<128x128xbf16> -> tile<128x128xf32>
      %v64 = addf %f55, %v63  : tile<128x128xf32>
      %v65 = ftof %v64  : tile<128x128xf32> -> tile<128x128xbf16>
      %t66 = store_view_tko weak %v65, %pv37[%v46, %v47] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
