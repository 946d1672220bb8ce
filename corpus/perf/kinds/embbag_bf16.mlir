// embedding bag: rows by index added up
cuda_tile.module @m {
  entry @embbag_bf16(%w: tile<ptr<bf16>>, %ids: tile<ptr<i32>>, %ids_0: tile<i32>, %ids_1: tile<i32>, %ids_s0: tile<i32>, %out: tile<ptr<bf16>>, %out_0: tile<i32>, %out_1: tile<i32>, %out_s0: tile<i32>, %d: tile<i32>) {
    %w1 = assume div_by<16>, %w : tile<ptr<bf16>>
    %ids2 = assume div_by<16>, %ids : tile<ptr<i32>>
    %v3 = assume bounded<0, ?>, %ids_0 : tile<i32>
    %v4 = assume bounded<0, ?>, %ids_1 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %ids_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %tv8 = make_tensor_view %ids2, shape = [%v3, %v5], strides = [%v7, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?,1]>
    %out9 = assume div_by<16>, %out : tile<ptr<bf16>>
    %v10 = assume bounded<0, ?>, %out_0 : tile<i32>
    %v11 = assume bounded<0, ?>, %out_1 : tile<i32>
    %v12 = assume div_by<16>, %v11 : tile<i32>
    %v13 = assume bounded<0, ?>, %out_s0 : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %tv15 = make_tensor_view %out9, shape = [%v10, %v12], strides = [%v14, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %v16 = assume bounded<0, ?>, %d : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %tok = make_token : token
    %b18, %b19, %b20 = get_tile_block_id : tile<i32>
    %pv21 = make_partition_view %tv8 : partition_view<tile=(1x8), padding_value = zero, tensor_view<?x?xi32, strides=[?,1]>>
    %v22 = iota : tile<256xi32>
    %v23 = reshape %v22 : tile<256xi32> -> tile<1x256xi32>
    %v24 = constant <i32: 0> : tile<i32>
    %v25 = constant <i32: 8> : tile<i32>
    %v26 = divi %v5, %v25 signed rounding<positive_inf> : tile<i32>
    %v27 = constant <f32: 0.0> : tile<1x256xf32>
    %v28 = constant <i32: 1> : tile<i32>
    %f31 = for %i29 in (%v24 to %v26, step %v28) : tile<i32> iter_values(%c30 = %v27) -> (tile<1x256xf32>) {
      %v32, %t33 = load_view_tko weak %pv21[%b18, %i29] token = %tok : partition_view<tile=(1x8), padding_value = zero, tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> tile<1x8xi32>, token
      %v34 = reshape %v32 : tile<1x8xi32> -> tile<8x1xi32>
      %v35 = reshape %v17 : tile<i32> -> tile<1x1xi32>
      %v36 = broadcast %v35 : tile<1x1xi32> -> tile<8x1xi32>
      %v37 = muli %v34, %v36  : tile<8x1xi32>
      %v38 = broadcast %v37 : tile<8x1xi32> -> tile<8x256xi32>
      %v39 = broadcast %v23 : tile<1x256xi32> -> tile<8x256xi32>
      %v40 = addi %v38, %v39  : tile<8x256xi32>
      %v41 = reshape %w1 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
      %v42 = broadcast %v41 : tile<1x1xptr<bf16>> -> tile<8x256xptr<bf16>>
      %p43 = offset %v42, %v40 : tile<8x256xptr<bf16>>, tile<8x256xi32> -> tile<8x256xptr<bf16>>
      %v44, %t45 = load_ptr_tko weak %p43 token=%tok : tile<8x256xptr<bf16>> -> tile<8x256xbf16>, token
      %v46 = ftof %v44  : tile<8x256xbf16> -> tile<8x256xf32>
      %v47 = reduce %v46 dim=0 identities=[0.0 : f32] : tile<8x256xf32> -> tile<256xf32>
      (%l48: tile<f32>, %r49: tile<f32>) {
        %y50 = addf %l48, %r49 : tile<f32>
        yield %y50 : tile<f32>
      }
      %v51 = reshape %v47 : tile<256xf32> -> tile<1x256xf32>
      %v52 = addf %c30, %v51  : tile<1x256xf32>
      continue %v52 : tile<1x256xf32>
    }
    %v53 = ftof %f31  : tile<1x256xf32> -> tile<1x256xbf16>
    %pv54 = make_partition_view %tv15 : partition_view<tile=(1x256), tensor_view<?x?xbf16, strides=[?,1]>>
    %v55 = constant <i32: 0> : tile<i32>
    %t56 = store_view_tko weak %v53, %pv54[%b18, %v55] token = %tok : tile<1x256xbf16>, partition_view<tile=(1x256), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
