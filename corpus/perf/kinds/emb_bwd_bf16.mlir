// gradient of an embedding: rows added at their indices
cuda_tile.module @m {
  entry @emb_bwd_bf16(%g: tile<ptr<bf16>>, %g_0: tile<i32>, %g_1: tile<i32>, %g_s0: tile<i32>, %ids: tile<ptr<i32>>, %ids_0: tile<i32>, %w: tile<ptr<f32>>, %st: tile<i32>, %V: tile<i32>) {
    %g1 = assume div_by<16>, %g : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %g_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %g_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %g_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %g1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %ids8 = assume div_by<16>, %ids : tile<ptr<i32>>
    %v9 = assume bounded<0, ?>, %ids_0 : tile<i32>
    %v10 = assume div_by<16>, %v9 : tile<i32>
    %tv11 = make_tensor_view %ids8, shape = [%v10], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %w12 = assume div_by<16>, %w : tile<ptr<f32>>
    %v13 = assume bounded<0, ?>, %st : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %v15 = assume bounded<0, ?>, %V : tile<i32>
    %tok = make_token : token
    %b16, %b17, %b18 = get_tile_block_id : tile<i32>
    %pv19 = make_partition_view %tv7 : partition_view<tile=(16x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v20, %t21 = load_view_tko weak %pv19[%b16, %b17] token = %tok : partition_view<tile=(16x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<16x128xbf16>, token
    %v22 = ftof %v20  : tile<16x128xbf16> -> tile<16x128xf32>
    %pv23 = make_partition_view %tv11 : partition_view<tile=(16), tensor_view<?xi32, strides=[1]>>
    %v24, %t25 = load_view_tko weak %pv23[%b16] token = %tok : partition_view<tile=(16), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<16xi32>, token
    %v26 = constant <i32: 128> : tile<i32>
    %v27 = muli %b17, %v26  : tile<i32>
    %v28 = reshape %v27 : tile<i32> -> tile<1xi32>
    %v29 = broadcast %v28 : tile<1xi32> -> tile<128xi32>
    %v30 = iota : tile<128xi32>
    %v31 = addi %v29, %v30  : tile<128xi32>
    %v32 = reshape %v15 : tile<i32> -> tile<1xi32>
    %v33 = broadcast %v32 : tile<1xi32> -> tile<16xi32>
    %v34 = cmpi less_than %v24, %v33, signed : tile<16xi32> -> tile<16xi1>
    %v35 = reshape %v24 : tile<16xi32> -> tile<16x1xi32>
    %v36 = reshape %v14 : tile<i32> -> tile<1x1xi32>
    %v37 = broadcast %v36 : tile<1x1xi32> -> tile<16x1xi32>
    %v38 = muli %v35, %v37  : tile<16x1xi32>
    %v39 = reshape %v31 : tile<128xi32> -> tile<1x128xi32>
    %v40 = broadcast %v38 : tile<16x1xi32> -> tile<16x128xi32>
    %v41 = broadcast %v39 : tile<1x128xi32> -> tile<16x128xi32>
    %v42 = addi %v40, %v41  : tile<16x128xi32>
    %v43 = reshape %w12 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %v44 = broadcast %v43 : tile<1x1xptr<f32>> -> tile<16x128xptr<f32>>
    %p45 = offset %v44, %v42 : tile<16x128xptr<f32>>, tile<16x128xi32> -> tile<16x128xptr<f32>>
    %v46 = reshape %v34 : tile<16xi1> -> tile<16x1xi1>
    %v47 = broadcast %v46 : tile<16x1xi1> -> tile<16x128xi1>
    %v48, %t49 = atomic_rmw_tko relaxed device %p45, addf, %v22, %v47 token=%tok : tile<16x128xptr<f32>>, tile<16x128xf32>, tile<16x128xi1> -> tile<16x128xf32>, token
    return
  }
}
