// rows of both operands by indices
cuda_tile.module @m {
  entry @gemm_rows_both_f16(%x: tile<ptr<f16>>, %ia: tile<ptr<i32>>, %y: tile<ptr<f16>>, %ib: tile<ptr<i32>>, %o: tile<ptr<f32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>, %kk: tile<i32>, %na: tile<i32>, %nb: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<f16>>
    %ia2 = assume div_by<16>, %ia : tile<ptr<i32>>
    %y3 = assume div_by<16>, %y : tile<ptr<f16>>
    %ib4 = assume div_by<16>, %ib : tile<ptr<i32>>
    %o5 = assume div_by<16>, %o : tile<ptr<f32>>
    %v6 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v7 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v8 = assume div_by<16>, %v7 : tile<i32>
    %v9 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v10 = assume div_by<16>, %v9 : tile<i32>
    %tv11 = make_tensor_view %o5, shape = [%v6, %v8], strides = [%v10, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %v12 = assume bounded<0, ?>, %kk : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %v14 = assume bounded<0, ?>, %na : tile<i32>
    %v15 = assume bounded<0, ?>, %nb : tile<i32>
    %tok = make_token : token
    %b16, %b17, %b18 = get_tile_block_id : tile<i32>
    %pv19 = make_partition_view %tv11 : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %v20 = constant <i32: 64> : tile<i32>
    %v21 = muli %b16, %v20  : tile<i32>
    %v22 = reshape %v21 : tile<i32> -> tile<1xi32>
    %v23 = broadcast %v22 : tile<1xi32> -> tile<64xi32>
    %v24 = iota : tile<64xi32>
    %v25 = addi %v23, %v24  : tile<64xi32>
    %v26 = reshape %v14 : tile<i32> -> tile<1xi32>
    %v27 = broadcast %v26 : tile<1xi32> -> tile<64xi32>
    %v28 = cmpi less_than %v25, %v27, signed : tile<64xi32> -> tile<64xi1>
    %v29 = reshape %ia2 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v30 = broadcast %v29 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %p31 = offset %v30, %v25 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v32 = constant <i32: 0> : tile<64xi32>
    %v33, %t34 = load_ptr_tko weak %p31, %v28, %v32 token=%tok : tile<64xptr<i32>>, tile<64xi1>, tile<64xi32> -> tile<64xi32>, token
    %v35 = constant <i32: 64> : tile<i32>
    %v36 = muli %b17, %v35  : tile<i32>
    %v37 = reshape %v36 : tile<i32> -> tile<1xi32>
    %v38 = broadcast %v37 : tile<1xi32> -> tile<64xi32>
    %v39 = iota : tile<64xi32>
    %v40 = addi %v38, %v39  : tile<64xi32>
    %v41 = reshape %v15 : tile<i32> -> tile<1xi32>
    %v42 = broadcast %v41 : tile<1xi32> -> tile<64xi32>
    %v43 = cmpi less_than %v40, %v42, signed : tile<64xi32> -> tile<64xi1>
    %v44 = reshape %ib4 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v45 = broadcast %v44 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %p46 = offset %v45, %v40 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v47 = constant <i32: 0> : tile<64xi32>
    %v48, %t49 = load_ptr_tko weak %p46, %v43, %v47 token=%tok : tile<64xptr<i32>>, tile<64xi1>, tile<64xi32> -> tile<64xi32>, token
    %v50 = constant <i32: 64> : tile<i32>
    %v51 = divi %v13, %v50 signed rounding<positive_inf> : tile<i32>
    %v52 = constant <i32: 0> : tile<i32>
    %v53 = constant <f32: 0.0> : tile<64x64xf32>
    %v54 = constant <i32: 1> : tile<i32>
    %f57 = for %i55 in (%v52 to %v51, step %v54) : tile<i32> iter_values(%c56 = %v53) -> (tile<64x64xf32>) {
      %v58 = constant <i32: 64> : tile<i32>
      %v59 = muli %i55, %v58  : tile<i32>
      %v60 = reshape %v59 : tile<i32> -> tile<1xi32>
      %v61 = broadcast %v60 : tile<1xi32> -> tile<64xi32>
      %v62 = iota : tile<64xi32>
      %v63 = addi %v61, %v62  : tile<64xi32>
      %v64 = reshape %v33 : tile<64xi32> -> tile<64x1xi32>
      %v65 = reshape %v13 : tile<i32> -> tile<1x1xi32>
      %v66 = broadcast %v65 : tile<1x1xi32> -> tile<64x1xi32>
      %v67 = muli %v64, %v66  : tile<64x1xi32>
      %v68 = broadcast %v67 : tile<64x1xi32> -> tile<64x64xi32>
      %v69 = reshape %v63 : tile<64xi32> -> tile<1x64xi32>
      %v70 = broadcast %v69 : tile<1x64xi32> -> tile<64x64xi32>
      %v71 = addi %v68, %v70  : tile<64x64xi32>
      %v72 = reshape %v28 : tile<64xi1> -> tile<64x1xi1>
      %v73 = broadcast %v72 : tile<64x1xi1> -> tile<64x64xi1>
      %v74 = reshape %v63 : tile<64xi32> -> tile<1x64xi32>
      %v75 = reshape %v13 : tile<i32> -> tile<1x1xi32>
      %v76 = broadcast %v75 : tile<1x1xi32> -> tile<1x64xi32>
      %v77 = cmpi less_than %v74, %v76, signed : tile<1x64xi32> -> tile<1x64xi1>
      %v78 = broadcast %v77 : tile<1x64xi1> -> tile<64x64xi1>
      %v79 = andi %v73, %v78  : tile<64x64xi1>
      %v80 = reshape %x1 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
      %v81 = broadcast %v80 : tile<1x1xptr<f16>> -> tile<64x64xptr<f16>>
      %p82 = offset %v81, %v71 : tile<64x64xptr<f16>>, tile<64x64xi32> -> tile<64x64xptr<f16>>
      %v85 = constant <f16: 0.0> : tile<64x64xf16>
      %v83, %t84 = load_ptr_tko weak %p82, %v79, %v85 token=%tok : tile<64x64xptr<f16>>, tile<64x64xi1>, tile<64x64xf16> -> tile<64x64xf16>, token
      %v86 = constant <i32: 64> : tile<i32>
      %v87 = muli %i55, %v86  : tile<i32>
      %v88 = reshape %v87 : tile<i32> -> tile<1xi32>
      %v89 = broadcast %v88 : tile<1xi32> -> tile<64xi32>
      %v90 = iota : tile<64xi32>
      %v91 = addi %v89, %v90  : tile<64xi32>
      %v92 = reshape %v48 : tile<64xi32> -> tile<64x1xi32>
      %v93 = reshape %v13 : tile<i32> -> tile<1x1xi32>
      %v94 = broadcast %v93 : tile<1x1xi32> -> tile<64x1xi32>
      %v95 = muli %v92, %v94  : tile<64x1xi32>
      %v96 = broadcast %v95 : tile<64x1xi32> -> tile<64x64xi32>
      %v97 = reshape %v91 : tile<64xi32> -> tile<1x64xi32>
      %v98 = broadcast %v97 : tile<1x64xi32> -> tile<64x64xi32>
      %v99 = addi %v96, %v98  : tile<64x64xi32>
      %v100 = reshape %v43 : tile<64xi1> -> tile<64x1xi1>
      %v101 = broadcast %v100 : tile<64x1xi1> -> tile<64x64xi1>
      %v102 = reshape %v91 : tile<64xi32> -> tile<1x64xi32>
      %v103 = reshape %v13 : tile<i32> -> tile<1x1xi32>
      %v104 = broadcast %v103 : tile<1x1xi32> -> tile<1x64xi32>
      %v105 = cmpi less_than %v102, %v104, signed : tile<1x64xi32> -> tile<1x64xi1>
      %v106 = broadcast %v105 : tile<1x64xi1> -> tile<64x64xi1>
      %v107 = andi %v101, %v106  : tile<64x64xi1>
      %v108 = reshape %y3 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
      %v109 = broadcast %v108 : tile<1x1xptr<f16>> -> tile<64x64xptr<f16>>
      %p110 = offset %v109, %v99 : tile<64x64xptr<f16>>, tile<64x64xi32> -> tile<64x64xptr<f16>>
      %v113 = constant <f16: 0.0> : tile<64x64xf16>
      %v111, %t112 = load_ptr_tko weak %p110, %v107, %v113 token=%tok : tile<64x64xptr<f16>>, tile<64x64xi1>, tile<64x64xf16> -> tile<64x64xf16>, token
      %v114 = permute %v111 [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %v115 = mmaf %v83, %v114, %c56  : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %v115 : tile<64x64xf32>
    }
    %t116 = store_view_tko weak %f57, %pv19[%b16, %b17] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
