// the largest number of each row of a product, and where it is
cuda_tile.module @m {
  entry @argmax_of_product_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %o: tile<ptr<i32>>, %ov: tile<ptr<f32>>) {
    %a1 = assume div_by<16>, %a : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %b8 = assume div_by<16>, %b : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %b8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %o15 = assume div_by<16>, %o : tile<ptr<i32>>
    %ov16 = assume div_by<16>, %ov : tile<ptr<f32>>
    %tok = make_token : token
    %b17, %b18, %b19 = get_tile_block_id : tile<i32>
    %pv20 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv21 = make_partition_view %tv14 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v22 = constant <i32: 64> : tile<i32>
    %v23 = divi %v4, %v22 signed rounding<positive_inf> : tile<i32>
    %v24 = constant <i32: 128> : tile<i32>
    %v25 = divi %v9, %v24 signed rounding<positive_inf> : tile<i32>
    %v26 = iota : tile<128xi32>
    %v27 = reshape %v26 : tile<128xi32> -> tile<1x128xi32>
    %v28 = broadcast %v27 : tile<1x128xi32> -> tile<128x128xi32>
    %v29 = constant <i32: 0> : tile<i32>
    %v30 = constant <f32: 0xFF800000> : tile<128xf32>
    %v31 = constant <i32: 0> : tile<128xi32>
    %v32 = constant <i32: 1> : tile<i32>
    %f36:2 = for %i33 in (%v29 to %v25, step %v32) : tile<i32> iter_values(%c34 = %v30, %c35 = %v31) -> (tile<128xf32>, tile<128xi32>) {
      %v37 = constant <i32: 0> : tile<i32>
      %v38 = constant <f32: 0.0> : tile<128x128xf32>
      %v39 = constant <i32: 1> : tile<i32>
      %f42 = for %i40 in (%v37 to %v23, step %v39) : tile<i32> iter_values(%c41 = %v38) -> (tile<128x128xf32>) {
        %v43, %t44 = load_view_tko weak %pv20[%b17, %i40] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
        %v45, %t46 = load_view_tko weak %pv21[%i33, %i40] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
        %v47 = permute %v45 [1, 0] : tile<128x64xbf16> -> tile<64x128xbf16>
        %v48 = mmaf %v43, %v47, %c41  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
        continue %v48 : tile<128x128xf32>
      }
      %v49 = constant <i32: 128> : tile<i32>
      %v50 = muli %i33, %v49  : tile<i32>
      %v51 = reshape %v50 : tile<i32> -> tile<1x1xi32>
      %v52 = broadcast %v51 : tile<1x1xi32> -> tile<128x128xi32>
      %v53 = addi %v28, %v52  : tile<128x128xi32>
      %r54:2 = reduce %f42, %v53 dim=1 identities=[0xFF800000 : f32, 0 : i32] : tile<128x128xf32>, tile<128x128xi32> -> tile<128xf32>, tile<128xi32>
      (%a55: tile<f32>, %a57: tile<f32>, %a56: tile<i32>, %a58: tile<i32>) {
        %v59 = cmpf greater_than ordered %a57, %a55 : tile<f32> -> tile<i1>
        %v60 = select %v59, %a57, %a55 : tile<i1>, tile<f32>
        %v61 = select %v59, %a58, %a56 : tile<i1>, tile<i32>
        yield %v60, %v61 : tile<f32>, tile<i32>
      }
      %v62 = cmpf greater_than ordered %r54#0, %c34 : tile<128xf32> -> tile<128xi1>
      %v63 = select %v62, %r54#0, %c34 : tile<128xi1>, tile<128xf32>
      %v64 = select %v62, %r54#1, %c35 : tile<128xi1>, tile<128xi32>
      continue %v63, %v64 : tile<128xf32>, tile<128xi32>
    }
    %v65 = constant <i32: 128> : tile<i32>
    %v66 = muli %b17, %v65  : tile<i32>
    %v67 = reshape %v66 : tile<i32> -> tile<1xi32>
    %v68 = broadcast %v67 : tile<1xi32> -> tile<128xi32>
    %v69 = iota : tile<128xi32>
    %v70 = addi %v68, %v69  : tile<128xi32>
    %v71 = reshape %o15 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v72 = broadcast %v71 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %p73 = offset %v72, %v70 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %t74 = store_ptr_tko weak %p73, %f36#1 token=%tok : tile<128xptr<i32>>, tile<128xi32> -> token
    %v75 = reshape %ov16 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v76 = broadcast %v75 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %p77 = offset %v76, %v70 : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %t78 = store_ptr_tko weak %p77, %f36#0 token=%tok : tile<128xptr<f32>>, tile<128xf32> -> token
    return
  }
}
