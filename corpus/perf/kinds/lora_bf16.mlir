// LoRA: x W + (x A) B
cuda_tile.module @m {
  entry @lora_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w8 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %a15 = assume div_by<16>, %a : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %a15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %b22 = assume div_by<16>, %b : tile<ptr<bf16>>
    %v23 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %b22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %c29 = assume div_by<16>, %c : tile<ptr<bf16>>
    %v30 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %c29, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b36, %b37, %b38 = get_tile_block_id : tile<i32>
    %pv39 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv40 = make_partition_view %tv14 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv41 = make_partition_view %tv21 : partition_view<tile=(64x16), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v42 = constant <i32: 0> : tile<i32>
    %v43 = constant <i32: 64> : tile<i32>
    %v44 = divi %v4, %v43 signed rounding<positive_inf> : tile<i32>
    %v45 = constant <f32: 0.0> : tile<128x128xf32>
    %v46 = constant <f32: 0.0> : tile<128x16xf32>
    %v47 = constant <i32: 1> : tile<i32>
    %f51:2 = for %i48 in (%v42 to %v44, step %v47) : tile<i32> iter_values(%c49 = %v45, %c50 = %v46) -> (tile<128x128xf32>, tile<128x16xf32>) {
      %v52, %t53 = load_view_tko weak %pv39[%b36, %i48] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %v54, %t55 = load_view_tko weak %pv40[%i48, %b37] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %v56 = mmaf %v52, %v54, %c49  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      %v57 = constant <i32: 0> : tile<i32>
      %v58, %t59 = load_view_tko weak %pv41[%i48, %v57] token = %tok : partition_view<tile=(64x16), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x16xbf16>, token
      %v60 = mmaf %v52, %v58, %c50  : tile<128x64xbf16>, tile<64x16xbf16>, tile<128x16xf32>
      continue %v56, %v60 : tile<128x128xf32>, tile<128x16xf32>
    }
    %v61 = ftof %f51#1  : tile<128x16xf32> -> tile<128x16xbf16>
    %pv62 = make_partition_view %tv28 : partition_view<tile=(16x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v63 = constant <i32: 0> : tile<i32>
    %v64, %t65 = load_view_tko weak %pv62[%v63, %b37] token = %tok : partition_view<tile=(16x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<16x128xbf16>, token
    %v66 = mmaf %v61, %v64, %f51#0  : tile<128x16xbf16>, tile<16x128xbf16>, tile<128x128xf32>
    %v67 = ftof %v66  : tile<128x128xf32> -> tile<128x128xbf16>
    %pv68 = make_partition_view %tv35 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t69 = store_view_tko weak %v67, %pv68[%b36, %b37] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
