// Fourier transform of 64 points as products, real and imaginary parts
cuda_tile.module @m {
  entry @fft64_f16(%xr: tile<ptr<f16>>, %xr_0: tile<i32>, %xr_1: tile<i32>, %xr_s0: tile<i32>, %xi: tile<ptr<f16>>, %xi_0: tile<i32>, %xi_1: tile<i32>, %xi_s0: tile<i32>, %fr: tile<ptr<f16>>, %fr_0: tile<i32>, %fr_1: tile<i32>, %fr_s0: tile<i32>, %fi: tile<ptr<f16>>, %fi_0: tile<i32>, %fi_1: tile<i32>, %fi_s0: tile<i32>, %yr: tile<ptr<f16>>, %yr_0: tile<i32>, %yr_1: tile<i32>, %yr_s0: tile<i32>, %yi: tile<ptr<f16>>, %yi_0: tile<i32>, %yi_1: tile<i32>, %yi_s0: tile<i32>) {
    %xr1 = assume div_by<16>, %xr : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %xr_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %xr_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %xr_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %xr1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %xi8 = assume div_by<16>, %xi : tile<ptr<f16>>
    %v9 = assume bounded<0, ?>, %xi_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %xi_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %xi_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %xi8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %fr15 = assume div_by<16>, %fr : tile<ptr<f16>>
    %v16 = assume bounded<0, ?>, %fr_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %fr_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %fr_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %fr15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %fi22 = assume div_by<16>, %fi : tile<ptr<f16>>
    %v23 = assume bounded<0, ?>, %fi_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %fi_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %fi_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %fi22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %yr29 = assume div_by<16>, %yr : tile<ptr<f16>>
    %v30 = assume bounded<0, ?>, %yr_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %yr_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %yr_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %yr29, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %yi36 = assume div_by<16>, %yi : tile<ptr<f16>>
    %v37 = assume bounded<0, ?>, %yi_0 : tile<i32>
    %v38 = assume bounded<0, ?>, %yi_1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %v40 = assume bounded<0, ?>, %yi_s0 : tile<i32>
    %v41 = assume div_by<16>, %v40 : tile<i32>
    %tv42 = make_tensor_view %yi36, shape = [%v37, %v39], strides = [%v41, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %b43, %b44, %b45 = get_tile_block_id : tile<i32>
    %pv46 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v47 = constant <i32: 0> : tile<i32>
    %v48, %t49 = load_view_tko weak %pv46[%b43, %v47] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
    %pv50 = make_partition_view %tv14 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v51 = constant <i32: 0> : tile<i32>
    %v52, %t53 = load_view_tko weak %pv50[%b43, %v51] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
    %pv54 = make_partition_view %tv21 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v55 = constant <i32: 0> : tile<i32>
    %v56 = constant <i32: 0> : tile<i32>
    %v57, %t58 = load_view_tko weak %pv54[%v55, %v56] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %pv59 = make_partition_view %tv28 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v60 = constant <i32: 0> : tile<i32>
    %v61 = constant <i32: 0> : tile<i32>
    %v62, %t63 = load_view_tko weak %pv59[%v60, %v61] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %v64 = constant <f32: 0.0> : tile<128x64xf32>
    %v65 = mmaf %v48, %v57, %v64  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    %v66 = constant <f32: 0.0> : tile<128x64xf32>
    %v67 = mmaf %v52, %v62, %v66  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    %v68 = subf %v65, %v67  : tile<128x64xf32>
    %v69 = constant <f32: 0.0> : tile<128x64xf32>
    %v70 = mmaf %v48, %v62, %v69  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    %v71 = mmaf %v52, %v57, %v70  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    %v72 = ftof %v68  : tile<128x64xf32> -> tile<128x64xf16>
    %pv73 = make_partition_view %tv35 : partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>
    %v74 = constant <i32: 0> : tile<i32>
    %t75 = store_view_tko weak %v72, %pv73[%b43, %v74] token = %tok : tile<128x64xf16>, partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    %v76 = ftof %v71  : tile<128x64xf32> -> tile<128x64xf16>
    %pv77 = make_partition_view %tv42 : partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>
    %v78 = constant <i32: 0> : tile<i32>
    %t79 = store_view_tko weak %v76, %pv77[%b43, %v78] token = %tok : tile<128x64xf16>, partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
