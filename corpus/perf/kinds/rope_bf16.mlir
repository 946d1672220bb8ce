// rotary embedding of halves, in place
cuda_tile.module @m {
  entry @rope_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_2: tile<i32>, %x_s0: tile<i32>, %x_s1: tile<i32>, %cs: tile<ptr<f32>>, %cs_0: tile<i32>, %cs_1: tile<i32>, %cs_s0: tile<i32>, %sn: tile<ptr<f32>>, %sn_0: tile<i32>, %sn_1: tile<i32>, %sn_s0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %x_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %x_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %x1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %cs11 = assume div_by<16>, %cs : tile<ptr<f32>>
    %v12 = assume bounded<0, ?>, %cs_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %cs_1 : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %v15 = assume bounded<0, ?>, %cs_s0 : tile<i32>
    %v16 = assume div_by<16>, %v15 : tile<i32>
    %tv17 = make_tensor_view %cs11, shape = [%v12, %v14], strides = [%v16, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %sn18 = assume div_by<16>, %sn : tile<ptr<f32>>
    %v19 = assume bounded<0, ?>, %sn_0 : tile<i32>
    %v20 = assume bounded<0, ?>, %sn_1 : tile<i32>
    %v21 = assume div_by<16>, %v20 : tile<i32>
    %v22 = assume bounded<0, ?>, %sn_s0 : tile<i32>
    %v23 = assume div_by<16>, %v22 : tile<i32>
    %tv24 = make_tensor_view %sn18, shape = [%v19, %v21], strides = [%v23, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b25, %b26, %b27 = get_tile_block_id : tile<i32>
    %pv28 = make_partition_view %tv10 : partition_view<tile=(1x32x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v29 = constant <i32: 0> : tile<i32>
    %v30, %t31 = load_view_tko weak %pv28[%b26, %b25, %v29] token = %tok : partition_view<tile=(1x32x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x32x64xbf16>, token
    %v32 = ftof %v30  : tile<1x32x64xbf16> -> tile<1x32x64xf32>
    %v33 = constant <i32: 1> : tile<i32>
    %v34, %t35 = load_view_tko weak %pv28[%b26, %b25, %v33] token = %tok : partition_view<tile=(1x32x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x32x64xbf16>, token
    %v36 = ftof %v34  : tile<1x32x64xbf16> -> tile<1x32x64xf32>
    %pv37 = make_partition_view %tv17 : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v38 = constant <i32: 0> : tile<i32>
    %v39, %t40 = load_view_tko weak %pv37[%b25, %v38] token = %tok : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<32x64xf32>, token
    %v41 = reshape %v39 : tile<32x64xf32> -> tile<1x32x64xf32>
    %pv42 = make_partition_view %tv24 : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v43 = constant <i32: 0> : tile<i32>
    %v44, %t45 = load_view_tko weak %pv42[%b25, %v43] token = %tok : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<32x64xf32>, token
    %v46 = reshape %v44 : tile<32x64xf32> -> tile<1x32x64xf32>
    %v47 = mulf %v32, %v41  : tile<1x32x64xf32>
    %v48 = mulf %v36, %v46  : tile<1x32x64xf32>
    %v49 = subf %v47, %v48  : tile<1x32x64xf32>
    %v50 = ftof %v49  : tile<1x32x64xf32> -> tile<1x32x64xbf16>
    %v51 = constant <i32: 0> : tile<i32>
    %t52 = store_view_tko weak %v50, %pv28[%b26, %b25, %v51] token = %tok : tile<1x32x64xbf16>, partition_view<tile=(1x32x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    %v53 = mulf %v36, %v41  : tile<1x32x64xf32>
    %v54 = mulf %v32, %v46  : tile<1x32x64xf32>
    %v55 = addf %v53, %v54  : tile<1x32x64xf32>
    %v56 = ftof %v55  : tile<1x32x64xf32> -> tile<1x32x64xbf16>
    %v57 = constant <i32: 1> : tile<i32>
    %t58 = store_view_tko weak %v56, %pv28[%b26, %b25, %v57] token = %tok : tile<1x32x64xbf16>, partition_view<tile=(1x32x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
