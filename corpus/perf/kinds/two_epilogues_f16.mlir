// two loops of products, each with an epilogue of its own
cuda_tile.module @m {
  entry @two_epilogues_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<f16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<f16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>, %d: tile<ptr<f16>>, %d_0: tile<i32>, %d_1: tile<i32>, %d_s0: tile<i32>, %e: tile<ptr<f16>>, %e_0: tile<i32>, %e_1: tile<i32>, %e_s0: tile<i32>, %f: tile<ptr<f16>>, %f_0: tile<i32>, %f_1: tile<i32>, %f_s0: tile<i32>, %beta: tile<f32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b8 = assume div_by<16>, %b : tile<ptr<f16>>
    %v9 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %b8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %c15 = assume div_by<16>, %c : tile<ptr<f16>>
    %v16 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %c15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %d22 = assume div_by<16>, %d : tile<ptr<f16>>
    %v23 = assume bounded<0, ?>, %d_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %d_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %d_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %d22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %e29 = assume div_by<16>, %e : tile<ptr<f16>>
    %v30 = assume bounded<0, ?>, %e_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %e_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %e_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %e29, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %f36 = assume div_by<16>, %f : tile<ptr<f16>>
    %v37 = assume bounded<0, ?>, %f_0 : tile<i32>
    %v38 = assume bounded<0, ?>, %f_1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %v40 = assume bounded<0, ?>, %f_s0 : tile<i32>
    %v41 = assume div_by<16>, %v40 : tile<i32>
    %tv42 = make_tensor_view %f36, shape = [%v37, %v39], strides = [%v41, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %b43, %b44, %b45 = get_tile_block_id : tile<i32>
    %pv46 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv47 = make_partition_view %tv14 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv48 = make_partition_view %tv28 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv49 = make_partition_view %tv21 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v50 = constant <i32: 64> : tile<i32>
    %v51 = divi %v4, %v50 signed rounding<positive_inf> : tile<i32>
    %v52 = constant <i32: 0> : tile<i32>
    %v53 = constant <f32: 0.0> : tile<128x128xf32>
    %v54 = constant <i32: 1> : tile<i32>
    %f57 = for %i55 in (%v52 to %v51, step %v54) : tile<i32> iter_values(%c56 = %v53) -> (tile<128x128xf32>) {
      %v58, %t59 = load_view_tko weak %pv46[%b43, %i55] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %v60, %t61 = load_view_tko weak %pv47[%i55, %b44] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %v62 = mmaf %v58, %v60, %c56  : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %v62 : tile<128x128xf32>
    }
    %v63, %t64 = load_view_tko weak %pv49[%b43, %b44] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
    %v65 = ftof %v63  : tile<128x128xf16> -> tile<128x128xf32>
    %v66 = reshape %beta : tile<f32> -> tile<1x1xf32>
    %v67 = broadcast %v66 : tile<1x1xf32> -> tile<128x128xf32>
    %v68 = mulf %v65, %v67  : tile<128x128xf32>
    %v69 = addf %f57, %v68  : tile<128x128xf32>
    %v70 = ftof %v69  : tile<128x128xf32> -> tile<128x128xf16>
    %pv71 = make_partition_view %tv35 : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
    %t72 = store_view_tko weak %v70, %pv71[%b43, %b44] token = %tok : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    %v73 = constant <i32: 0> : tile<i32>
    %v74 = constant <f32: 0.0> : tile<128x128xf32>
    %v75 = constant <i32: 1> : tile<i32>
    %f78 = for %i76 in (%v73 to %v51, step %v75) : tile<i32> iter_values(%c77 = %v74) -> (tile<128x128xf32>) {
      %v79, %t80 = load_view_tko weak %pv46[%b43, %i76] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %v81, %t82 = load_view_tko weak %pv48[%i76, %b44] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %v83 = mmaf %v79, %v81, %c77  : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %v83 : tile<128x128xf32>
    }
    %v84, %t85 = load_view_tko weak %pv49[%b43, %b44] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
    %v86 = ftof %v84  : tile<128x128xf16> -> tile<128x128xf32>
    %v87 = reshape %beta : tile<f32> -> tile<1x1xf32>
    %v88 = broadcast %v87 : tile<1x1xf32> -> tile<128x128xf32>
    %v89 = mulf %v86, %v88  : tile<128x128xf32>
    %v90 = addf %f78, %v89  : tile<128x128xf32>
    %v91 = mulf %v86, %f78  : tile<128x128xf32>
    %v92 = mulf %v90, %v91  : tile<128x128xf32>
    %v93 = ftof %v92  : tile<128x128xf32> -> tile<128x128xf16>
    %pv94 = make_partition_view %tv42 : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
    %t95 = store_view_tko weak %v93, %pv94[%b43, %b44] token = %tok : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
