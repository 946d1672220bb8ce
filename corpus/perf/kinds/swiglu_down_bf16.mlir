// swiglu backward like: two inputs gated on the way into a product
cuda_tile.module @m {
  entry @swiglu_down_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %g: tile<ptr<bf16>>, %g_0: tile<i32>, %g_1: tile<i32>, %g_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %g8 = assume div_by<16>, %g : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %g_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %g_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %g_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %g8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %b15 = assume div_by<16>, %b : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %b15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %c22 = assume div_by<16>, %c : tile<ptr<bf16>>
    %v23 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %c22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b29, %b30, %b31 = get_tile_block_id : tile<i32>
    %pv32 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv33 = make_partition_view %tv14 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv34 = make_partition_view %tv21 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v35 = constant <i32: 0> : tile<i32>
    %v36 = constant <i32: 64> : tile<i32>
    %v37 = divi %v4, %v36 signed rounding<positive_inf> : tile<i32>
    %v38 = constant <f32: 0.0> : tile<128x128xf32>
    %v39 = constant <i32: 1> : tile<i32>
    %f42 = for %i40 in (%v35 to %v37, step %v39) : tile<i32> iter_values(%c41 = %v38) -> (tile<128x128xf32>) {
      %v43, %t44 = load_view_tko weak %pv32[%b29, %i40] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %v45 = ftof %v43  : tile<128x64xbf16> -> tile<128x64xf32>
      %v46, %t47 = load_view_tko weak %pv33[%b29, %i40] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %v48 = ftof %v46  : tile<128x64xbf16> -> tile<128x64xf32>
      %v49 = constant <f32: -1.442695> : tile<128x64xf32>
      %v50 = mulf %v48, %v49  : tile<128x64xf32>
      %v51 = exp2 %v50 flush_to_zero : tile<128x64xf32>
      %v52 = constant <f32: 1.0> : tile<128x64xf32>
      %v53 = addf %v51, %v52  : tile<128x64xf32>
      %v54 = divf %v48, %v53 rounding<approx> flush_to_zero : tile<128x64xf32>
      %v55 = mulf %v54, %v45  : tile<128x64xf32>
      %v56 = ftof %v55  : tile<128x64xf32> -> tile<128x64xbf16>
      %v57, %t58 = load_view_tko weak %pv34[%i40, %b30] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %v59 = mmaf %v56, %v57, %c41  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %v59 : tile<128x128xf32>
    }
    %v60 = ftof %f42  : tile<128x128xf32> -> tile<128x128xbf16>
    %pv61 = make_partition_view %tv28 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t62 = store_view_tko weak %v60, %pv61[%b29, %b30] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
