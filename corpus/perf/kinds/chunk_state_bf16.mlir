// state of a chunk (Mamba 2): decayed keys times values
cuda_tile.module @m {
  entry @chunk_state_bf16(%b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_2: tile<i32>, %b_s0: tile<i32>, %b_s1: tile<i32>, %x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_2: tile<i32>, %x_s0: tile<i32>, %x_s1: tile<i32>, %dt: tile<ptr<f32>>, %dt_0: tile<i32>, %dt_1: tile<i32>, %dt_s0: tile<i32>, %o: tile<ptr<f32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>) {
    %b1 = assume div_by<16>, %b : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %b_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %b_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %b1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %x11 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v12 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %x_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %x_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %x11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %dt21 = assume div_by<16>, %dt : tile<ptr<f32>>
    %v22 = assume bounded<0, ?>, %dt_0 : tile<i32>
    %v23 = assume bounded<0, ?>, %dt_1 : tile<i32>
    %v24 = assume div_by<16>, %v23 : tile<i32>
    %v25 = assume bounded<0, ?>, %dt_s0 : tile<i32>
    %v26 = assume div_by<16>, %v25 : tile<i32>
    %tv27 = make_tensor_view %dt21, shape = [%v22, %v24], strides = [%v26, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o28 = assume div_by<16>, %o : tile<ptr<f32>>
    %v29 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v30 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v31 = assume bounded<0, ?>, %o_2 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %v35 = assume bounded<0, ?>, %o_s1 : tile<i32>
    %v36 = assume div_by<16>, %v35 : tile<i32>
    %tv37 = make_tensor_view %o28, shape = [%v29, %v30, %v32], strides = [%v34, %v36, 1] : tile<i32> -> tensor_view<?x?x?xf32, strides=[?,?,1]>
    %tok = make_token : token
    %b38, %b39, %b40 = get_tile_block_id : tile<i32>
    %pv41 = make_partition_view %tv10 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v42 = constant <i32: 0> : tile<i32>
    %v43, %t44 = load_view_tko weak %pv41[%b39, %b38, %v42] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xbf16>, token
    %v45 = reshape %v43 : tile<1x64x128xbf16> -> tile<64x128xbf16>
    %pv46 = make_partition_view %tv20 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v47 = constant <i32: 0> : tile<i32>
    %v48, %t49 = load_view_tko weak %pv46[%b39, %b38, %v47] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
    %v50 = reshape %v48 : tile<1x64x64xbf16> -> tile<64x64xbf16>
    %pv51 = make_partition_view %tv27 : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v52, %t53 = load_view_tko weak %pv51[%b39, %b38] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
    %v54 = scan %v52 dim=1 reverse=false identities=[0.0 : f32] : tile<1x64xf32> -> tile<1x64xf32>
    (%l55: tile<f32>, %r56: tile<f32>) {
      %y57 = addf %l55, %r56 : tile<f32>
      yield %y57 : tile<f32>
    }
    %v58 = reduce %v52 dim=1 identities=[0.0 : f32] : tile<1x64xf32> -> tile<1xf32>
    (%l59: tile<f32>, %r60: tile<f32>) {
      %y61 = addf %l59, %r60 : tile<f32>
      yield %y61 : tile<f32>
    }
    %v62 = reshape %v58 : tile<1xf32> -> tile<1x1xf32>
    %v63 = broadcast %v62 : tile<1x1xf32> -> tile<1x64xf32>
    %v64 = subf %v63, %v54  : tile<1x64xf32>
    %v65 = exp2 %v64 flush_to_zero : tile<1x64xf32>
    %v66 = permute %v65 [1, 0] : tile<1x64xf32> -> tile<64x1xf32>
    %v67 = ftof %v45  : tile<64x128xbf16> -> tile<64x128xf32>
    %v68 = broadcast %v66 : tile<64x1xf32> -> tile<64x128xf32>
    %v69 = mulf %v67, %v68  : tile<64x128xf32>
    %v70 = ftof %v69  : tile<64x128xf32> -> tile<64x128xbf16>
    %v71 = permute %v70 [1, 0] : tile<64x128xbf16> -> tile<128x64xbf16>
    %v72 = constant <f32: 0.0> : tile<128x64xf32>
    %v73 = mmaf %v71, %v50, %v72  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
    %v74 = reshape %v73 : tile<128x64xf32> -> tile<1x128x64xf32>
    %pv75 = make_partition_view %tv37 : partition_view<tile=(1x128x64), tensor_view<?x?x?xf32, strides=[?,?,1]>>
    %g76, %g77, %g78 = get_num_tile_blocks : tile<i32>
    %v79 = muli %b39, %g76  : tile<i32>
    %v80 = addi %v79, %b38  : tile<i32>
    %v81 = constant <i32: 0> : tile<i32>
    %v82 = constant <i32: 0> : tile<i32>
    %t83 = store_view_tko weak %v74, %pv75[%v80, %v81, %v82] token = %tok : tile<1x128x64xf32>, partition_view<tile=(1x128x64), tensor_view<?x?x?xf32, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
