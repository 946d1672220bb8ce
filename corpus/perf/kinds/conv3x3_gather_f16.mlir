// 3 x 3 convolution by addresses
cuda_tile.module @m {
  entry @conv3x3_gather_f16(%x: tile<ptr<f16>>, %w: tile<ptr<f16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_2: tile<i32>, %w_s0: tile<i32>, %w_s1: tile<i32>, %o: tile<ptr<f16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>, %h: tile<i32>, %wd: tile<i32>, %c: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<f16>>
    %w2 = assume div_by<16>, %w : tile<ptr<f16>>
    %v3 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v4 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v5 = assume bounded<0, ?>, %w_2 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %v7 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v8 = assume div_by<16>, %v7 : tile<i32>
    %v9 = assume bounded<0, ?>, %w_s1 : tile<i32>
    %v10 = assume div_by<16>, %v9 : tile<i32>
    %tv11 = make_tensor_view %w2, shape = [%v3, %v4, %v6], strides = [%v8, %v10, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %o12 = assume div_by<16>, %o : tile<ptr<f16>>
    %v13 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v14 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %tv18 = make_tensor_view %o12, shape = [%v13, %v15], strides = [%v17, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %v19 = assume bounded<0, ?>, %h : tile<i32>
    %v20 = assume bounded<0, ?>, %wd : tile<i32>
    %v21 = assume bounded<0, ?>, %c : tile<i32>
    %v22 = assume div_by<16>, %v21 : tile<i32>
    %tok = make_token : token
    %b23, %b24, %b25 = get_tile_block_id : tile<i32>
    %pv26 = make_partition_view %tv11 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv27 = make_partition_view %tv18 : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
    %v28 = constant <i32: 64> : tile<i32>
    %v29 = divi %v22, %v28 signed rounding<positive_inf> : tile<i32>
    %v30 = constant <i32: 128> : tile<i32>
    %v31 = muli %b23, %v30  : tile<i32>
    %v32 = reshape %v31 : tile<i32> -> tile<1xi32>
    %v33 = broadcast %v32 : tile<1xi32> -> tile<128xi32>
    %v34 = iota : tile<128xi32>
    %v35 = addi %v33, %v34  : tile<128xi32>
    %v36 = reshape %v20 : tile<i32> -> tile<1xi32>
    %v37 = broadcast %v36 : tile<1xi32> -> tile<128xi32>
    %v38 = divi %v35, %v37 signed : tile<128xi32>
    %v39 = reshape %v20 : tile<i32> -> tile<1xi32>
    %v40 = broadcast %v39 : tile<1xi32> -> tile<128xi32>
    %v41 = remi %v35, %v40 signed : tile<128xi32>
    %v42 = constant <i32: 0> : tile<i32>
    %v43 = constant <i32: 9> : tile<i32>
    %v44 = muli %v29, %v43  : tile<i32>
    %v45 = constant <f32: 0.0> : tile<128x128xf32>
    %v46 = constant <i32: 1> : tile<i32>
    %f49 = for %i47 in (%v42 to %v44, step %v46) : tile<i32> iter_values(%c48 = %v45) -> (tile<128x128xf32>) {
      %v50 = divi %i47, %v29 signed : tile<i32>
      %v51 = remi %i47, %v29 signed : tile<i32>
      %v52 = constant <i32: 3> : tile<i32>
      %v53 = divi %v50, %v52 signed : tile<i32>
      %v54 = constant <i32: 1> : tile<i32>
      %v55 = subi %v53, %v54  : tile<i32>
      %v56 = constant <i32: 3> : tile<i32>
      %v57 = remi %v50, %v56 signed : tile<i32>
      %v58 = constant <i32: 1> : tile<i32>
      %v59 = subi %v57, %v58  : tile<i32>
      %v60 = reshape %v55 : tile<i32> -> tile<1xi32>
      %v61 = broadcast %v60 : tile<1xi32> -> tile<128xi32>
      %v62 = addi %v38, %v61  : tile<128xi32>
      %v63 = reshape %v59 : tile<i32> -> tile<1xi32>
      %v64 = broadcast %v63 : tile<1xi32> -> tile<128xi32>
      %v65 = addi %v41, %v64  : tile<128xi32>
      %v66 = constant <i32: 0> : tile<128xi32>
      %v67 = cmpi greater_than_or_equal %v62, %v66, signed : tile<128xi32> -> tile<128xi1>
      %v68 = reshape %v19 : tile<i32> -> tile<1xi32>
      %v69 = broadcast %v68 : tile<1xi32> -> tile<128xi32>
      %v70 = cmpi less_than %v62, %v69, signed : tile<128xi32> -> tile<128xi1>
      %v71 = andi %v67, %v70  : tile<128xi1>
      %v72 = constant <i32: 0> : tile<128xi32>
      %v73 = cmpi greater_than_or_equal %v65, %v72, signed : tile<128xi32> -> tile<128xi1>
      %v74 = reshape %v20 : tile<i32> -> tile<1xi32>
      %v75 = broadcast %v74 : tile<1xi32> -> tile<128xi32>
      %v76 = cmpi less_than %v65, %v75, signed : tile<128xi32> -> tile<128xi1>
      %v77 = andi %v73, %v76  : tile<128xi1>
      %v78 = andi %v71, %v77  : tile<128xi1>
      %v79 = reshape %v20 : tile<i32> -> tile<1xi32>
      %v80 = broadcast %v79 : tile<1xi32> -> tile<128xi32>
      %v81 = muli %v62, %v80  : tile<128xi32>
      %v82 = addi %v81, %v65  : tile<128xi32>
      %v83 = constant <i32: 64> : tile<i32>
      %v84 = muli %v51, %v83  : tile<i32>
      %v85 = reshape %v84 : tile<i32> -> tile<1xi32>
      %v86 = broadcast %v85 : tile<1xi32> -> tile<64xi32>
      %v87 = iota : tile<64xi32>
      %v88 = addi %v86, %v87  : tile<64xi32>
      %v89 = reshape %v82 : tile<128xi32> -> tile<128x1xi32>
      %v90 = reshape %v22 : tile<i32> -> tile<1x1xi32>
      %v91 = broadcast %v90 : tile<1x1xi32> -> tile<128x1xi32>
      %v92 = muli %v89, %v91  : tile<128x1xi32>
      %v93 = broadcast %v92 : tile<128x1xi32> -> tile<128x64xi32>
      %v94 = reshape %v88 : tile<64xi32> -> tile<1x64xi32>
      %v95 = broadcast %v94 : tile<1x64xi32> -> tile<128x64xi32>
      %v96 = addi %v93, %v95  : tile<128x64xi32>
      %v97 = reshape %v78 : tile<128xi1> -> tile<128x1xi1>
      %v98 = broadcast %v97 : tile<128x1xi1> -> tile<128x64xi1>
      %v99 = reshape %v88 : tile<64xi32> -> tile<1x64xi32>
      %v100 = reshape %v22 : tile<i32> -> tile<1x1xi32>
      %v101 = broadcast %v100 : tile<1x1xi32> -> tile<1x64xi32>
      %v102 = cmpi less_than %v99, %v101, signed : tile<1x64xi32> -> tile<1x64xi1>
      %v103 = broadcast %v102 : tile<1x64xi1> -> tile<128x64xi1>
      %v104 = andi %v98, %v103  : tile<128x64xi1>
      %v105 = reshape %x1 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
      %v106 = broadcast %v105 : tile<1x1xptr<f16>> -> tile<128x64xptr<f16>>
      %p107 = offset %v106, %v96 : tile<128x64xptr<f16>>, tile<128x64xi32> -> tile<128x64xptr<f16>>
      %v110 = constant <f16: 0.0> : tile<128x64xf16>
      %v108, %t109 = load_ptr_tko weak %p107, %v104, %v110 token=%tok : tile<128x64xptr<f16>>, tile<128x64xi1>, tile<128x64xf16> -> tile<128x64xf16>, token
      %v111, %t112 = load_view_tko weak %pv26[%v50, %v51, %b24] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xf16>, token
      %v113 = reshape %v111 : tile<1x64x128xf16> -> tile<64x128xf16>
      %v114 = mmaf %v108, %v113, %c48  : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %v114 : tile<128x128xf32>
    }
    %v115 = ftof %f49  : tile<128x128xf32> -> tile<128x128xf16>
    %t116 = store_view_tko weak %v115, %pv27[%b23, %b24] token = %tok : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
