// rows of the right operand by indices along the sum
cuda_tile.module @m {
  entry @gemm_gather_k_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %y: tile<ptr<f16>>, %ib: tile<ptr<i32>>, %o: tile<ptr<f32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>, %ld: tile<i32>, %nk: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %y8 = assume div_by<16>, %y : tile<ptr<f16>>
    %ib9 = assume div_by<16>, %ib : tile<ptr<i32>>
    %o10 = assume div_by<16>, %o : tile<ptr<f32>>
    %v11 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v12 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %v14 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %tv16 = make_tensor_view %o10, shape = [%v11, %v13], strides = [%v15, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %v17 = assume bounded<0, ?>, %ld : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %nk : tile<i32>
    %tok = make_token : token
    %b20, %b21, %b22 = get_tile_block_id : tile<i32>
    %pv23 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv24 = make_partition_view %tv16 : partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>
    %v25 = constant <i32: 64> : tile<i32>
    %v26 = divi %v19, %v25 signed rounding<positive_inf> : tile<i32>
    %v27 = constant <i32: 0> : tile<i32>
    %v28 = constant <f32: 0.0> : tile<128x64xf32>
    %v29 = constant <i32: 1> : tile<i32>
    %f32 = for %i30 in (%v27 to %v26, step %v29) : tile<i32> iter_values(%c31 = %v28) -> (tile<128x64xf32>) {
      %v33 = constant <i32: 64> : tile<i32>
      %v34 = muli %i30, %v33  : tile<i32>
      %v35 = reshape %v34 : tile<i32> -> tile<1xi32>
      %v36 = broadcast %v35 : tile<1xi32> -> tile<64xi32>
      %v37 = iota : tile<64xi32>
      %v38 = addi %v36, %v37  : tile<64xi32>
      %v39 = reshape %v19 : tile<i32> -> tile<1xi32>
      %v40 = broadcast %v39 : tile<1xi32> -> tile<64xi32>
      %v41 = cmpi less_than %v38, %v40, signed : tile<64xi32> -> tile<64xi1>
      %v42 = reshape %ib9 : tile<ptr<i32>> -> tile<1xptr<i32>>
      %v43 = broadcast %v42 : tile<1xptr<i32>> -> tile<64xptr<i32>>
      %p44 = offset %v43, %v38 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
      %v45 = constant <i32: 0> : tile<64xi32>
      %v46, %t47 = load_ptr_tko weak %p44, %v41, %v45 token=%tok : tile<64xptr<i32>>, tile<64xi1>, tile<64xi32> -> tile<64xi32>, token
      %v48, %t49 = load_view_tko weak %pv23[%b20, %i30] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %v50 = constant <i32: 64> : tile<i32>
      %v51 = muli %b21, %v50  : tile<i32>
      %v52 = reshape %v51 : tile<i32> -> tile<1xi32>
      %v53 = broadcast %v52 : tile<1xi32> -> tile<64xi32>
      %v54 = iota : tile<64xi32>
      %v55 = addi %v53, %v54  : tile<64xi32>
      %v56 = reshape %v46 : tile<64xi32> -> tile<64x1xi32>
      %v57 = reshape %v18 : tile<i32> -> tile<1x1xi32>
      %v58 = broadcast %v57 : tile<1x1xi32> -> tile<64x1xi32>
      %v59 = muli %v56, %v58  : tile<64x1xi32>
      %v60 = broadcast %v59 : tile<64x1xi32> -> tile<64x64xi32>
      %v61 = reshape %v55 : tile<64xi32> -> tile<1x64xi32>
      %v62 = broadcast %v61 : tile<1x64xi32> -> tile<64x64xi32>
      %v63 = addi %v60, %v62  : tile<64x64xi32>
      %v64 = reshape %v41 : tile<64xi1> -> tile<64x1xi1>
      %v65 = broadcast %v64 : tile<64x1xi1> -> tile<64x64xi1>
      %v66 = reshape %v55 : tile<64xi32> -> tile<1x64xi32>
      %v67 = reshape %v18 : tile<i32> -> tile<1x1xi32>
      %v68 = broadcast %v67 : tile<1x1xi32> -> tile<1x64xi32>
      %v69 = cmpi less_than %v66, %v68, signed : tile<1x64xi32> -> tile<1x64xi1>
      %v70 = broadcast %v69 : tile<1x64xi1> -> tile<64x64xi1>
      %v71 = andi %v65, %v70  : tile<64x64xi1>
      %v72 = reshape %y8 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
      %v73 = broadcast %v72 : tile<1x1xptr<f16>> -> tile<64x64xptr<f16>>
      %p74 = offset %v73, %v63 : tile<64x64xptr<f16>>, tile<64x64xi32> -> tile<64x64xptr<f16>>
      %v77 = constant <f16: 0.0> : tile<64x64xf16>
      %v75, %t76 = load_ptr_tko weak %p74, %v71, %v77 token=%tok : tile<64x64xptr<f16>>, tile<64x64xi1>, tile<64x64xf16> -> tile<64x64xf16>, token
      %v78 = mmaf %v48, %v75, %c31  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %v78 : tile<128x64xf32>
    }
    %t79 = store_view_tko weak %f32, %pv24[%b20, %b21] token = %tok : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
