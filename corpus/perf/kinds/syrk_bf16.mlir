// Gram matrix of centred columns
cuda_tile.module @m {
  entry @syrk_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %mu: tile<ptr<f32>>, %mu_0: tile<i32>, %c: tile<ptr<f32>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %mu8 = assume div_by<16>, %mu : tile<ptr<f32>>
    %v9 = assume bounded<0, ?>, %mu_0 : tile<i32>
    %v10 = assume div_by<16>, %v9 : tile<i32>
    %tv11 = make_tensor_view %mu8, shape = [%v10], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %c12 = assume div_by<16>, %c : tile<ptr<f32>>
    %v13 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v14 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %tv18 = make_tensor_view %c12, shape = [%v13, %v15], strides = [%v17, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b19, %b20, %b21 = get_tile_block_id : tile<i32>
    %pv22 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv23 = make_partition_view %tv11 : partition_view<tile=(64), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %v24, %t25 = load_view_tko weak %pv23[%b19] token = %tok : partition_view<tile=(64), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %v26 = reshape %v24 : tile<64xf32> -> tile<1x64xf32>
    %v27, %t28 = load_view_tko weak %pv23[%b20] token = %tok : partition_view<tile=(64), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %v29 = reshape %v27 : tile<64xf32> -> tile<1x64xf32>
    %v30 = constant <i32: 0> : tile<i32>
    %v31 = constant <i32: 64> : tile<i32>
    %v32 = divi %v2, %v31 signed rounding<positive_inf> : tile<i32>
    %v33 = constant <f32: 0.0> : tile<64x64xf32>
    %v34 = constant <i32: 1> : tile<i32>
    %f37 = for %i35 in (%v30 to %v32, step %v34) : tile<i32> iter_values(%c36 = %v33) -> (tile<64x64xf32>) {
      %v38, %t39 = load_view_tko weak %pv22[%i35, %b19] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v40 = ftof %v38  : tile<64x64xbf16> -> tile<64x64xf32>
      %v41 = broadcast %v26 : tile<1x64xf32> -> tile<64x64xf32>
      %v42 = subf %v40, %v41  : tile<64x64xf32>
      %v43 = ftof %v42  : tile<64x64xf32> -> tile<64x64xbf16>
      %v44, %t45 = load_view_tko weak %pv22[%i35, %b20] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v46 = ftof %v44  : tile<64x64xbf16> -> tile<64x64xf32>
      %v47 = broadcast %v29 : tile<1x64xf32> -> tile<64x64xf32>
      %v48 = subf %v46, %v47  : tile<64x64xf32>
      %v49 = ftof %v48  : tile<64x64xf32> -> tile<64x64xbf16>
      %v50 = permute %v43 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v51 = mmaf %v50, %v49, %c36  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      continue %v51 : tile<64x64xf32>
    }
    %pv52 = make_partition_view %tv18 : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %t53 = store_view_tko weak %f37, %pv52[%b19, %b20] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
