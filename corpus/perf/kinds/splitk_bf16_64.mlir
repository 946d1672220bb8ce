// split-K GEMM, sums added by atomics
cuda_tile.module @m {
  entry @splitk_bf16_64(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<f32>>, %n: tile<i32>, %per: tile<i32>) {
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
    %c15 = assume div_by<16>, %c : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %n : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %per : tile<i32>
    %tok = make_token : token
    %b19, %b20, %b21 = get_tile_block_id : tile<i32>
    %pv22 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv23 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v24 = muli %b21, %v18  : tile<i32>
    %v25 = addi %v24, %v18  : tile<i32>
    %v26 = constant <i32: 64> : tile<i32>
    %v27 = divi %v4, %v26 signed rounding<positive_inf> : tile<i32>
    %v28 = mini %v25, %v27 signed : tile<i32>
    %v29 = constant <f32: 0.0> : tile<64x64xf32>
    %v30 = constant <i32: 1> : tile<i32>
    %f33 = for %i31 in (%v24 to %v28, step %v30) : tile<i32> iter_values(%c32 = %v29) -> (tile<64x64xf32>) {
      %v34, %t35 = load_view_tko weak %pv22[%b19, %i31] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v36, %t37 = load_view_tko weak %pv23[%i31, %b20] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v38 = mmaf %v34, %v36, %c32  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      continue %v38 : tile<64x64xf32>
    }
    %v39 = constant <i32: 64> : tile<i32>
    %v40 = muli %b19, %v39  : tile<i32>
    %v41 = reshape %v40 : tile<i32> -> tile<1xi32>
    %v42 = broadcast %v41 : tile<1xi32> -> tile<64xi32>
    %v43 = iota : tile<64xi32>
    %v44 = addi %v42, %v43  : tile<64xi32>
    %v45 = constant <i32: 64> : tile<i32>
    %v46 = muli %b20, %v45  : tile<i32>
    %v47 = reshape %v46 : tile<i32> -> tile<1xi32>
    %v48 = broadcast %v47 : tile<1xi32> -> tile<64xi32>
    %v49 = iota : tile<64xi32>
    %v50 = addi %v48, %v49  : tile<64xi32>
    %v51 = reshape %v44 : tile<64xi32> -> tile<64x1xi32>
    %v52 = reshape %v17 : tile<i32> -> tile<1x1xi32>
    %v53 = broadcast %v52 : tile<1x1xi32> -> tile<64x1xi32>
    %v54 = muli %v51, %v53  : tile<64x1xi32>
    %v55 = reshape %v50 : tile<64xi32> -> tile<1x64xi32>
    %v56 = broadcast %v54 : tile<64x1xi32> -> tile<64x64xi32>
    %v57 = broadcast %v55 : tile<1x64xi32> -> tile<64x64xi32>
    %v58 = addi %v56, %v57  : tile<64x64xi32>
    %v59 = reshape %c15 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %v60 = broadcast %v59 : tile<1x1xptr<f32>> -> tile<64x64xptr<f32>>
    %p61 = offset %v60, %v58 : tile<64x64xptr<f32>>, tile<64x64xi32> -> tile<64x64xptr<f32>>
    %v62 = reshape %v44 : tile<64xi32> -> tile<64x1xi32>
    %v63 = reshape %v2 : tile<i32> -> tile<1x1xi32>
    %v64 = broadcast %v63 : tile<1x1xi32> -> tile<64x1xi32>
    %v65 = cmpi less_than %v62, %v64, signed : tile<64x1xi32> -> tile<64x1xi1>
    %v66 = broadcast %v65 : tile<64x1xi1> -> tile<64x64xi1>
    %v67 = reshape %v50 : tile<64xi32> -> tile<1x64xi32>
    %v68 = reshape %v17 : tile<i32> -> tile<1x1xi32>
    %v69 = broadcast %v68 : tile<1x1xi32> -> tile<1x64xi32>
    %v70 = cmpi less_than %v67, %v69, signed : tile<1x64xi32> -> tile<1x64xi1>
    %v71 = broadcast %v70 : tile<1x64xi1> -> tile<64x64xi1>
    %v72 = andi %v66, %v71  : tile<64x64xi1>
    %v73, %t74 = atomic_rmw_tko relaxed device %p61, addf, %f33, %v72 token=%tok : tile<64x64xptr<f32>>, tile<64x64xf32>, tile<64x64xi1> -> tile<64x64xf32>, token
    return
  }
}
