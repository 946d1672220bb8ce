// a part of K for each block, added by atomics
cuda_tile.module @m {
  entry @parts_of_k_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<f16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<f32>>, %st: tile<i32>, %per: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b8 = assume div_by<16>, %b : tile<ptr<f16>>
    %v9 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %b8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %c15 = assume div_by<16>, %c : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %st : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %per : tile<i32>
    %tok = make_token : token
    %b19, %b20, %b21 = get_tile_block_id : tile<i32>
    %pv22 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv23 = make_partition_view %tv14 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v24 = muli %b21, %v18  : tile<i32>
    %v25 = addi %v24, %v18  : tile<i32>
    %v26 = constant <i32: 64> : tile<i32>
    %v27 = divi %v4, %v26 signed rounding<positive_inf> : tile<i32>
    %v28 = mini %v25, %v27 signed : tile<i32>
    %v29 = constant <f32: 0.0> : tile<128x128xf32>
    %v30 = constant <i32: 1> : tile<i32>
    %f33 = for %i31 in (%v24 to %v28, step %v30) : tile<i32> iter_values(%c32 = %v29) -> (tile<128x128xf32>) {
      %v34, %t35 = load_view_tko weak %pv22[%b19, %i31] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %v36, %t37 = load_view_tko weak %pv23[%b20, %i31] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %v38 = permute %v36 [1, 0] : tile<128x64xf16> -> tile<64x128xf16>
      %v39 = mmaf %v34, %v38, %c32  : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %v39 : tile<128x128xf32>
    }
    %v40 = constant <i32: 128> : tile<i32>
    %v41 = muli %b19, %v40  : tile<i32>
    %v42 = reshape %v41 : tile<i32> -> tile<1xi32>
    %v43 = broadcast %v42 : tile<1xi32> -> tile<128xi32>
    %v44 = iota : tile<128xi32>
    %v45 = addi %v43, %v44  : tile<128xi32>
    %v46 = constant <i32: 128> : tile<i32>
    %v47 = muli %b20, %v46  : tile<i32>
    %v48 = reshape %v47 : tile<i32> -> tile<1xi32>
    %v49 = broadcast %v48 : tile<1xi32> -> tile<128xi32>
    %v50 = iota : tile<128xi32>
    %v51 = addi %v49, %v50  : tile<128xi32>
    %v52 = reshape %v2 : tile<i32> -> tile<1xi32>
    %v53 = broadcast %v52 : tile<1xi32> -> tile<128xi32>
    %v54 = cmpi less_than %v45, %v53, signed : tile<128xi32> -> tile<128xi1>
    %v55 = reshape %v54 : tile<128xi1> -> tile<128x1xi1>
    %v56 = broadcast %v55 : tile<128x1xi1> -> tile<128x128xi1>
    %v57 = reshape %v9 : tile<i32> -> tile<1xi32>
    %v58 = broadcast %v57 : tile<1xi32> -> tile<128xi32>
    %v59 = cmpi less_than %v51, %v58, signed : tile<128xi32> -> tile<128xi1>
    %v60 = reshape %v59 : tile<128xi1> -> tile<1x128xi1>
    %v61 = broadcast %v60 : tile<1x128xi1> -> tile<128x128xi1>
    %v62 = andi %v56, %v61  : tile<128x128xi1>
    %v63 = reshape %v45 : tile<128xi32> -> tile<128x1xi32>
    %v64 = reshape %v17 : tile<i32> -> tile<1x1xi32>
    %v65 = broadcast %v64 : tile<1x1xi32> -> tile<128x1xi32>
    %v66 = muli %v63, %v65  : tile<128x1xi32>
    %v67 = reshape %v51 : tile<128xi32> -> tile<1x128xi32>
    %v68 = broadcast %v66 : tile<128x1xi32> -> tile<128x128xi32>
    %v69 = broadcast %v67 : tile<1x128xi32> -> tile<128x128xi32>
    %v70 = addi %v68, %v69  : tile<128x128xi32>
    %v71 = reshape %c15 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %v72 = broadcast %v71 : tile<1x1xptr<f32>> -> tile<128x128xptr<f32>>
    %p73 = offset %v72, %v70 : tile<128x128xptr<f32>>, tile<128x128xi32> -> tile<128x128xptr<f32>>
    %v74, %t75 = atomic_rmw_tko relaxed device %p73, addf, %f33, %v62 token=%tok : tile<128x128xptr<f32>>, tile<128x128xf32>, tile<128x128xi1> -> tile<128x128xf32>, token
    return
  }
}
