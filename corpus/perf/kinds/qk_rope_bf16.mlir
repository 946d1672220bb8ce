// two products of one left operand: Q and K projections with a rotation
cuda_tile.module @m {
  entry @qk_rope_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %cs: tile<ptr<f32>>, %cs_0: tile<i32>, %cs_1: tile<i32>, %cs_s0: tile<i32>, %sn: tile<ptr<f32>>, %sn_0: tile<i32>, %sn_1: tile<i32>, %sn_s0: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w8 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %cs15 = assume div_by<16>, %cs : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %cs_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %cs_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %cs_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %cs15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %sn22 = assume div_by<16>, %sn : tile<ptr<f32>>
    %v23 = assume bounded<0, ?>, %sn_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %sn_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %sn_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %sn22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o29 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v30 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %o29, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b36, %b37, %b38 = get_tile_block_id : tile<i32>
    %pv39 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv40 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v41 = constant <i32: 2> : tile<i32>
    %v42 = muli %b37, %v41  : tile<i32>
    %v43 = constant <i32: 1> : tile<i32>
    %v44 = addi %v42, %v43  : tile<i32>
    %v45 = constant <i32: 0> : tile<i32>
    %v46 = constant <i32: 64> : tile<i32>
    %v47 = divi %v4, %v46 signed rounding<positive_inf> : tile<i32>
    %v48 = constant <f32: 0.0> : tile<128x64xf32>
    %v49 = constant <i32: 1> : tile<i32>
    %f53:2 = for %i50 in (%v45 to %v47, step %v49) : tile<i32> iter_values(%c51 = %v48, %c52 = %v48) -> (tile<128x64xf32>, tile<128x64xf32>) {
      %v54, %t55 = load_view_tko weak %pv39[%b36, %i50] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %v56, %t57 = load_view_tko weak %pv40[%i50, %v42] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v58 = mmaf %v54, %v56, %c51  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      %v59, %t60 = load_view_tko weak %pv40[%i50, %v44] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v61 = mmaf %v54, %v59, %c52  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
      continue %v58, %v61 : tile<128x64xf32>, tile<128x64xf32>
    }
    %pv62 = make_partition_view %tv21 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v63 = constant <i32: 0> : tile<i32>
    %v64, %t65 = load_view_tko weak %pv62[%b36, %v63] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<128x64xf32>, token
    %pv66 = make_partition_view %tv28 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v67 = constant <i32: 0> : tile<i32>
    %v68, %t69 = load_view_tko weak %pv66[%b36, %v67] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<128x64xf32>, token
    %pv70 = make_partition_view %tv35 : partition_view<tile=(128x64), tensor_view<?x?xbf16, strides=[?,1]>>
    %v71 = mulf %f53#0, %v64  : tile<128x64xf32>
    %v72 = mulf %f53#1, %v68  : tile<128x64xf32>
    %v73 = subf %v71, %v72  : tile<128x64xf32>
    %v74 = ftof %v73  : tile<128x64xf32> -> tile<128x64xbf16>
    %t75 = store_view_tko weak %v74, %pv70[%b36, %v42] token = %tok : tile<128x64xbf16>, partition_view<tile=(128x64), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    %v76 = mulf %f53#0, %v68  : tile<128x64xf32>
    %v77 = mulf %f53#1, %v64  : tile<128x64xf32>
    %v78 = addf %v76, %v77  : tile<128x64xf32>
    %v79 = ftof %v78  : tile<128x64xf32> -> tile<128x64xbf16>
    %t80 = store_view_tko weak %v79, %pv70[%b36, %v44] token = %tok : tile<128x64xbf16>, partition_view<tile=(128x64), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
