// partial attentions are put together by their logarithms
cuda_tile.module @m {
  entry @merge_split_bf16(%o: tile<ptr<f32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %lse: tile<ptr<f32>>, %lse_0: tile<i32>, %lse_1: tile<i32>, %lse_s0: tile<i32>, %r: tile<ptr<bf16>>, %r_0: tile<i32>, %r_1: tile<i32>, %r_s0: tile<i32>) {
    %o1 = assume div_by<16>, %o : tile<ptr<f32>>
    %v2 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %o_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %o_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %o1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xf32, strides=[?,?,1]>
    %lse11 = assume div_by<16>, %lse : tile<ptr<f32>>
    %v12 = assume bounded<0, ?>, %lse_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %lse_1 : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %v15 = assume bounded<0, ?>, %lse_s0 : tile<i32>
    %v16 = assume div_by<16>, %v15 : tile<i32>
    %tv17 = make_tensor_view %lse11, shape = [%v12, %v14], strides = [%v16, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %r18 = assume div_by<16>, %r : tile<ptr<bf16>>
    %v19 = assume bounded<0, ?>, %r_0 : tile<i32>
    %v20 = assume bounded<0, ?>, %r_1 : tile<i32>
    %v21 = assume div_by<16>, %v20 : tile<i32>
    %v22 = assume bounded<0, ?>, %r_s0 : tile<i32>
    %v23 = assume div_by<16>, %v22 : tile<i32>
    %tv24 = make_tensor_view %r18, shape = [%v19, %v21], strides = [%v23, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b25, %b26, %b27 = get_tile_block_id : tile<i32>
    %pv28 = make_partition_view %tv17 : partition_view<tile=(1x16), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>
    %v29 = constant <i32: 0> : tile<i32>
    %v30, %t31 = load_view_tko weak %pv28[%b25, %v29] token = %tok : partition_view<tile=(1x16), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x16xf32>, token
    %v32 = reduce %v30 dim=1 identities=[0xFF800000 : f32] : tile<1x16xf32> -> tile<1xf32>
    (%l33: tile<f32>, %r34: tile<f32>) {
      %y35 = maxf %l33, %r34 : tile<f32>
      yield %y35 : tile<f32>
    }
    %v36 = reshape %v32 : tile<1xf32> -> tile<1x1xf32>
    %v37 = broadcast %v36 : tile<1x1xf32> -> tile<1x16xf32>
    %v38 = subf %v30, %v37  : tile<1x16xf32>
    %v39 = exp2 %v38 flush_to_zero : tile<1x16xf32>
    %v40 = reduce %v39 dim=1 identities=[0.0 : f32] : tile<1x16xf32> -> tile<1xf32>
    (%l41: tile<f32>, %r42: tile<f32>) {
      %y43 = addf %l41, %r42 : tile<f32>
      yield %y43 : tile<f32>
    }
    %v44 = reshape %v40 : tile<1xf32> -> tile<1x1xf32>
    %v45 = broadcast %v44 : tile<1x1xf32> -> tile<1x16xf32>
    %v46 = divf %v39, %v45 rounding<approx> flush_to_zero : tile<1x16xf32>
    %pv47 = make_partition_view %tv10 : partition_view<tile=(1x16x128), padding_value = zero, tensor_view<?x?x?xf32, strides=[?,?,1]>>
    %v48 = constant <i32: 0> : tile<i32>
    %v49 = constant <i32: 0> : tile<i32>
    %v50, %t51 = load_view_tko weak %pv47[%b25, %v48, %v49] token = %tok : partition_view<tile=(1x16x128), padding_value = zero, tensor_view<?x?x?xf32, strides=[?,?,1]>>, tile<i32> -> tile<1x16x128xf32>, token
    %v52 = reshape %v50 : tile<1x16x128xf32> -> tile<16x128xf32>
    %v53 = permute %v46 [1, 0] : tile<1x16xf32> -> tile<16x1xf32>
    %v54 = broadcast %v53 : tile<16x1xf32> -> tile<16x128xf32>
    %v55 = mulf %v52, %v54  : tile<16x128xf32>
    %v56 = reduce %v55 dim=0 identities=[0.0 : f32] : tile<16x128xf32> -> tile<128xf32>
    (%l57: tile<f32>, %r58: tile<f32>) {
      %y59 = addf %l57, %r58 : tile<f32>
      yield %y59 : tile<f32>
    }
    %v60 = reshape %v56 : tile<128xf32> -> tile<1x128xf32>
    %v61 = ftof %v60  : tile<1x128xf32> -> tile<1x128xbf16>
    %pv62 = make_partition_view %tv24 : partition_view<tile=(1x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %v63 = constant <i32: 0> : tile<i32>
    %t64 = store_view_tko weak %v61, %pv62[%b25, %v63] token = %tok : tile<1x128xbf16>, partition_view<tile=(1x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
