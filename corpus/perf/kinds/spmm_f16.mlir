// sparse rows times a dense matrix
cuda_tile.module @m {
  entry @spmm_f16(%ip: tile<ptr<i32>>, %ix: tile<ptr<i32>>, %va: tile<ptr<f16>>, %x: tile<ptr<f16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %o: tile<ptr<f16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
    %ip1 = assume div_by<16>, %ip : tile<ptr<i32>>
    %ix2 = assume div_by<16>, %ix : tile<ptr<i32>>
    %va3 = assume div_by<16>, %va : tile<ptr<f16>>
    %x4 = assume div_by<16>, %x : tile<ptr<f16>>
    %v5 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v6 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %x4, shape = [%v5, %v7], strides = [%v9, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %o11 = assume div_by<16>, %o : tile<ptr<f16>>
    %v12 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %v15 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v16 = assume div_by<16>, %v15 : tile<i32>
    %tv17 = make_tensor_view %o11, shape = [%v12, %v14], strides = [%v16, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tok = make_token : token
    %b18, %b19, %b20 = get_tile_block_id : tile<i32>
    %pv21 = make_partition_view %tv10 : partition_view<tile=(1x512), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv22 = make_partition_view %tv17 : partition_view<tile=(1x512), tensor_view<?x?xf16, strides=[?,1]>>
    %v23 = reshape %b18 : tile<i32> -> tile<1xi32>
    %v24 = reshape %ip1 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p25 = offset %v24, %v23 : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
    %v26, %t27 = load_ptr_tko weak %p25 token=%tok : tile<1xptr<i32>> -> tile<1xi32>, token
    %v28 = reshape %v26 : tile<1xi32> -> tile<i32>
    %v29 = constant <i32: 1> : tile<i32>
    %v30 = addi %b18, %v29  : tile<i32>
    %v31 = reshape %v30 : tile<i32> -> tile<1xi32>
    %v32 = reshape %ip1 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p33 = offset %v32, %v31 : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
    %v34, %t35 = load_ptr_tko weak %p33 token=%tok : tile<1xptr<i32>> -> tile<1xi32>, token
    %v36 = reshape %v34 : tile<1xi32> -> tile<i32>
    %v37 = constant <f32: 0.0> : tile<1x512xf32>
    %v38 = constant <i32: 1> : tile<i32>
    %f41 = for %i39 in (%v28 to %v36, step %v38) : tile<i32> iter_values(%c40 = %v37) -> (tile<1x512xf32>) {
      %v42 = reshape %i39 : tile<i32> -> tile<1xi32>
      %v43 = reshape %ix2 : tile<ptr<i32>> -> tile<1xptr<i32>>
      %p44 = offset %v43, %v42 : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
      %v45, %t46 = load_ptr_tko weak %p44 token=%tok : tile<1xptr<i32>> -> tile<1xi32>, token
      %v47 = reshape %v45 : tile<1xi32> -> tile<i32>
      %v48 = reshape %i39 : tile<i32> -> tile<1xi32>
      %v49 = reshape %va3 : tile<ptr<f16>> -> tile<1xptr<f16>>
      %p50 = offset %v49, %v48 : tile<1xptr<f16>>, tile<1xi32> -> tile<1xptr<f16>>
      %v51, %t52 = load_ptr_tko weak %p50 token=%tok : tile<1xptr<f16>> -> tile<1xf16>, token
      %v53 = ftof %v51  : tile<1xf16> -> tile<1xf32>
      %v54 = reshape %v53 : tile<1xf32> -> tile<1x1xf32>
      %v55 = broadcast %v54 : tile<1x1xf32> -> tile<1x512xf32>
      %v56, %t57 = load_view_tko weak %pv21[%v47, %b19] token = %tok : partition_view<tile=(1x512), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<1x512xf16>, token
      %v58 = ftof %v56  : tile<1x512xf16> -> tile<1x512xf32>
      %v59 = mulf %v55, %v58  : tile<1x512xf32>
      %v60 = addf %c40, %v59  : tile<1x512xf32>
      continue %v60 : tile<1x512xf32>
    }
    %v61 = ftof %f41  : tile<1x512xf32> -> tile<1x512xf16>
    %t62 = store_view_tko weak %v61, %pv22[%b18, %b19] token = %tok : tile<1x512xf16>, partition_view<tile=(1x512), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
