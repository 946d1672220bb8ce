// AdamW step
cuda_tile.module @m {
  entry @adam(%p: tile<ptr<f32>>, %p_0: tile<i32>, %g: tile<ptr<bf16>>, %g_0: tile<i32>, %m: tile<ptr<f32>>, %m_0: tile<i32>, %v: tile<ptr<f32>>, %v_0: tile<i32>, %lr: tile<f32>, %b1: tile<f32>, %b2: tile<f32>) {
    %p1 = assume div_by<16>, %p : tile<ptr<f32>>
    %v2 = assume bounded<0, ?>, %p_0 : tile<i32>
    %v3 = assume div_by<16>, %v2 : tile<i32>
    %tv4 = make_tensor_view %p1, shape = [%v3], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %g5 = assume div_by<16>, %g : tile<ptr<bf16>>
    %v6 = assume bounded<0, ?>, %g_0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %tv8 = make_tensor_view %g5, shape = [%v7], strides = [1] : tile<i32> -> tensor_view<?xbf16, strides=[1]>
    %m9 = assume div_by<16>, %m : tile<ptr<f32>>
    %v10 = assume bounded<0, ?>, %m_0 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %tv12 = make_tensor_view %m9, shape = [%v11], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %v13 = assume div_by<16>, %v : tile<ptr<f32>>
    %v14 = assume bounded<0, ?>, %v_0 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %tv16 = make_tensor_view %v13, shape = [%v15], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tok = make_token : token
    %b17, %b18, %b19 = get_tile_block_id : tile<i32>
    %pv20 = make_partition_view %tv4 : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %pv21 = make_partition_view %tv8 : partition_view<tile=(1024), tensor_view<?xbf16, strides=[1]>>
    %pv22 = make_partition_view %tv12 : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %pv23 = make_partition_view %tv16 : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %v24, %t25 = load_view_tko weak %pv21[%b17] token = %tok : partition_view<tile=(1024), tensor_view<?xbf16, strides=[1]>>, tile<i32> -> tile<1024xbf16>, token
    %v26 = ftof %v24  : tile<1024xbf16> -> tile<1024xf32>
    %v27, %t28 = load_view_tko weak %pv22[%b17] token = %tok : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %v29, %t30 = load_view_tko weak %pv23[%b17] token = %tok : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %v31 = constant <f32: 1.0> : tile<f32>
    %v32 = reshape %b1 : tile<f32> -> tile<1xf32>
    %v33 = broadcast %v32 : tile<1xf32> -> tile<1024xf32>
    %v34 = mulf %v27, %v33  : tile<1024xf32>
    %v35 = subf %v31, %b1  : tile<f32>
    %v36 = reshape %v35 : tile<f32> -> tile<1xf32>
    %v37 = broadcast %v36 : tile<1xf32> -> tile<1024xf32>
    %v38 = mulf %v26, %v37  : tile<1024xf32>
    %v39 = addf %v34, %v38  : tile<1024xf32>
    %v40 = reshape %b2 : tile<f32> -> tile<1xf32>
    %v41 = broadcast %v40 : tile<1xf32> -> tile<1024xf32>
    %v42 = mulf %v29, %v41  : tile<1024xf32>
    %v43 = mulf %v26, %v26  : tile<1024xf32>
    %v44 = subf %v31, %b2  : tile<f32>
    %v45 = reshape %v44 : tile<f32> -> tile<1xf32>
    %v46 = broadcast %v45 : tile<1xf32> -> tile<1024xf32>
    %v47 = mulf %v43, %v46  : tile<1024xf32>
    %v48 = addf %v42, %v47  : tile<1024xf32>
    %v49 = sqrt %v48  : tile<1024xf32>
    %v50 = constant <f32: 0.00000001> : tile<1024xf32>
    %v51 = addf %v49, %v50  : tile<1024xf32>
    %v52 = divf %v39, %v51  : tile<1024xf32>
    %v53, %t54 = load_view_tko weak %pv20[%b17] token = %tok : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %v55 = constant <f32: 0.01> : tile<1024xf32>
    %v56 = mulf %v53, %v55  : tile<1024xf32>
    %v57 = addf %v52, %v56  : tile<1024xf32>
    %v58 = reshape %lr : tile<f32> -> tile<1xf32>
    %v59 = broadcast %v58 : tile<1xf32> -> tile<1024xf32>
    %v60 = mulf %v57, %v59  : tile<1024xf32>
    %v61 = subf %v53, %v60  : tile<1024xf32>
    %t62 = store_view_tko weak %v61, %pv20[%b17] token = %tok : tile<1024xf32>, partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    %t63 = store_view_tko weak %v39, %pv22[%b17] token = %tok : tile<1024xf32>, partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    %t64 = store_view_tko weak %v48, %pv23[%b17] token = %tok : tile<1024xf32>, partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
