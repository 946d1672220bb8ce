// MLP: hidden tile by hidden tile
cuda_tile.module @m {
  entry @mlp_hidden_f16(%x: tile<ptr<f16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %w1: tile<ptr<f16>>, %w1_0: tile<i32>, %w1_1: tile<i32>, %w1_s0: tile<i32>, %w2: tile<ptr<f16>>, %w2_0: tile<i32>, %w2_1: tile<i32>, %w2_s0: tile<i32>, %o: tile<ptr<f16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %w18 = assume div_by<16>, %w1 : tile<ptr<f16>>
    %v9 = assume bounded<0, ?>, %w1_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w1_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w1_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w18, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %w215 = assume div_by<16>, %w2 : tile<ptr<f16>>
    %v16 = assume bounded<0, ?>, %w2_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %w2_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %w2_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %w215, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %o22 = assume div_by<16>, %o : tile<ptr<f16>>
    %v23 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %o22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %b29, %b30, %b31 = get_tile_block_id : tile<i32>
    %pv32 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv33 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv34 = make_partition_view %tv21 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v35 = constant <i32: 0> : tile<i32>
    %v36 = constant <i32: 64> : tile<i32>
    %v37 = divi %v11, %v36 signed rounding<positive_inf> : tile<i32>
    %v38 = constant <f32: 0.0> : tile<128x128xf32>
    %v39 = constant <i32: 1> : tile<i32>
    %f42 = for %i40 in (%v35 to %v37, step %v39) : tile<i32> iter_values(%c41 = %v38) -> (tile<128x128xf32>) {
      %v43 = constant <i32: 0> : tile<i32>
      %v44 = constant <i32: 64> : tile<i32>
      %v45 = divi %v4, %v44 signed rounding<positive_inf> : tile<i32>
      %v46 = constant <f32: 0.0> : tile<128x64xf32>
      %v47 = constant <i32: 1> : tile<i32>
      %f50 = for %i48 in (%v43 to %v45, step %v47) : tile<i32> iter_values(%c49 = %v46) -> (tile<128x64xf32>) {
        %v51, %t52 = load_view_tko weak %pv32[%b29, %i48] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
        %v53, %t54 = load_view_tko weak %pv33[%i48, %i40] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
        %v55 = mmaf %v51, %v53, %c49  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
        continue %v55 : tile<128x64xf32>
      }
      %v56 = constant <f32: 0.5> : tile<128x64xf32>
      %v57 = mulf %f50, %v56  : tile<128x64xf32>
      %v58 = mulf %f50, %f50  : tile<128x64xf32>
      %v59 = mulf %v58, %f50  : tile<128x64xf32>
      %v60 = constant <f32: 0.044715> : tile<128x64xf32>
      %v61 = mulf %v59, %v60  : tile<128x64xf32>
      %v62 = addf %f50, %v61  : tile<128x64xf32>
      %v63 = constant <f32: 0.7978846> : tile<128x64xf32>
      %v64 = mulf %v62, %v63  : tile<128x64xf32>
      %v65 = tanh %v64  : tile<128x64xf32>
      %v66 = constant <f32: 1.0> : tile<128x64xf32>
      %v67 = addf %v65, %v66  : tile<128x64xf32>
      %v68 = mulf %v57, %v67  : tile<128x64xf32>
      %v69 = ftof %v68  : tile<128x64xf32> -> tile<128x64xf16>
      %v70, %t71 = load_view_tko weak %pv34[%i40, %b30] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %v72 = mmaf %v69, %v70, %c41  : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %v72 : tile<128x128xf32>
    }
    %v73 = ftof %f42  : tile<128x128xf32> -> tile<128x128xf16>
    %pv74 = make_partition_view %tv28 : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
    %t75 = store_view_tko weak %v73, %pv74[%b29, %b30] token = %tok : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
