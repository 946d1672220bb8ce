// experts by rows, gate and up
cuda_tile.module @m {
  entry @moe_two_f16(%x: tile<ptr<f16>>, %ids: tile<ptr<i32>>, %w: tile<ptr<f16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_2: tile<i32>, %w_s0: tile<i32>, %w_s1: tile<i32>, %w2: tile<ptr<f16>>, %w2_0: tile<i32>, %w2_1: tile<i32>, %w2_2: tile<i32>, %w2_s0: tile<i32>, %w2_s1: tile<i32>, %o: tile<ptr<f16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>, %ex: tile<ptr<i32>>, %kk: tile<i32>, %nt: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<f16>>
    %ids2 = assume div_by<16>, %ids : tile<ptr<i32>>
    %w3 = assume div_by<16>, %w : tile<ptr<f16>>
    %v4 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v5 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v6 = assume bounded<0, ?>, %w_2 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_s1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %tv12 = make_tensor_view %w3, shape = [%v4, %v5, %v7], strides = [%v9, %v11, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %w213 = assume div_by<16>, %w2 : tile<ptr<f16>>
    %v14 = assume bounded<0, ?>, %w2_0 : tile<i32>
    %v15 = assume bounded<0, ?>, %w2_1 : tile<i32>
    %v16 = assume bounded<0, ?>, %w2_2 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %w2_s0 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %v20 = assume bounded<0, ?>, %w2_s1 : tile<i32>
    %v21 = assume div_by<16>, %v20 : tile<i32>
    %tv22 = make_tensor_view %w213, shape = [%v14, %v15, %v17], strides = [%v19, %v21, 1] : tile<i32> -> tensor_view<?x?x?xf16, strides=[?,?,1]>
    %o23 = assume div_by<16>, %o : tile<ptr<f16>>
    %v24 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v25 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v26 = assume div_by<16>, %v25 : tile<i32>
    %v27 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v28 = assume div_by<16>, %v27 : tile<i32>
    %tv29 = make_tensor_view %o23, shape = [%v24, %v26], strides = [%v28, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %ex30 = assume div_by<16>, %ex : tile<ptr<i32>>
    %v31 = assume bounded<0, ?>, %kk : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %nt : tile<i32>
    %tok = make_token : token
    %b34, %b35, %b36 = get_tile_block_id : tile<i32>
    %pv37 = make_partition_view %tv12 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %pv38 = make_partition_view %tv29 : partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>
    %pv39 = make_partition_view %tv22 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>
    %v40 = constant <i32: 64> : tile<i32>
    %v41 = divi %v32, %v40 signed rounding<positive_inf> : tile<i32>
    %v42 = constant <i32: 128> : tile<i32>
    %v43 = muli %b34, %v42  : tile<i32>
    %v44 = reshape %v43 : tile<i32> -> tile<1xi32>
    %v45 = broadcast %v44 : tile<1xi32> -> tile<128xi32>
    %v46 = iota : tile<128xi32>
    %v47 = addi %v45, %v46  : tile<128xi32>
    %v48 = reshape %v33 : tile<i32> -> tile<1xi32>
    %v49 = broadcast %v48 : tile<1xi32> -> tile<128xi32>
    %v50 = cmpi less_than %v47, %v49, signed : tile<128xi32> -> tile<128xi1>
    %v51 = reshape %ids2 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v52 = broadcast %v51 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %p53 = offset %v52, %v47 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v54 = constant <i32: 0> : tile<128xi32>
    %v55, %t56 = load_ptr_tko weak %p53, %v50, %v54 token=%tok : tile<128xptr<i32>>, tile<128xi1>, tile<128xi32> -> tile<128xi32>, token
    %v57 = reshape %b34 : tile<i32> -> tile<1xi32>
    %v58 = reshape %ex30 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p59 = offset %v58, %v57 : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
    %v60, %t61 = load_ptr_tko weak %p59 token=%tok : tile<1xptr<i32>> -> tile<1xi32>, token
    %v62 = reshape %v60 : tile<1xi32> -> tile<i32>
    %v63 = constant <i32: 0> : tile<i32>
    %v64 = constant <f32: 0.0> : tile<128x64xf32>
    %v65 = constant <f32: 0.0> : tile<128x64xf32>
    %v66 = constant <i32: 1> : tile<i32>
    %f70:2 = for %i67 in (%v63 to %v41, step %v66) : tile<i32> iter_values(%c68 = %v64, %c69 = %v65) -> (tile<128x64xf32>, tile<128x64xf32>) {
      %v71 = constant <i32: 64> : tile<i32>
      %v72 = muli %i67, %v71  : tile<i32>
      %v73 = reshape %v72 : tile<i32> -> tile<1xi32>
      %v74 = broadcast %v73 : tile<1xi32> -> tile<64xi32>
      %v75 = iota : tile<64xi32>
      %v76 = addi %v74, %v75  : tile<64xi32>
      %v77 = reshape %v55 : tile<128xi32> -> tile<128x1xi32>
      %v78 = reshape %v32 : tile<i32> -> tile<1x1xi32>
      %v79 = broadcast %v78 : tile<1x1xi32> -> tile<128x1xi32>
      %v80 = muli %v77, %v79  : tile<128x1xi32>
      %v81 = broadcast %v80 : tile<128x1xi32> -> tile<128x64xi32>
      %v82 = reshape %v76 : tile<64xi32> -> tile<1x64xi32>
      %v83 = broadcast %v82 : tile<1x64xi32> -> tile<128x64xi32>
      %v84 = addi %v81, %v83  : tile<128x64xi32>
      %v85 = reshape %v50 : tile<128xi1> -> tile<128x1xi1>
      %v86 = broadcast %v85 : tile<128x1xi1> -> tile<128x64xi1>
      %v87 = reshape %v76 : tile<64xi32> -> tile<1x64xi32>
      %v88 = reshape %v32 : tile<i32> -> tile<1x1xi32>
      %v89 = broadcast %v88 : tile<1x1xi32> -> tile<1x64xi32>
      %v90 = cmpi less_than %v87, %v89, signed : tile<1x64xi32> -> tile<1x64xi1>
      %v91 = broadcast %v90 : tile<1x64xi1> -> tile<128x64xi1>
      %v92 = andi %v86, %v91  : tile<128x64xi1>
      %v93 = reshape %x1 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
      %v94 = broadcast %v93 : tile<1x1xptr<f16>> -> tile<128x64xptr<f16>>
      %p95 = offset %v94, %v84 : tile<128x64xptr<f16>>, tile<128x64xi32> -> tile<128x64xptr<f16>>
      %v98 = constant <f16: 0.0> : tile<128x64xf16>
      %v96, %t97 = load_ptr_tko weak %p95, %v92, %v98 token=%tok : tile<128x64xptr<f16>>, tile<128x64xi1>, tile<128x64xf16> -> tile<128x64xf16>, token
      %v99, %t100 = load_view_tko weak %pv37[%v62, %i67, %b35] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %v101 = reshape %v99 : tile<1x64x64xf16> -> tile<64x64xf16>
      %v102 = mmaf %v96, %v101, %c68  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      %v103, %t104 = load_view_tko weak %pv39[%v62, %i67, %b35] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %v105 = reshape %v103 : tile<1x64x64xf16> -> tile<64x64xf16>
      %v106 = mmaf %v96, %v105, %c69  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %v102, %v106 : tile<128x64xf32>, tile<128x64xf32>
    }
    %v107 = constant <f32: 1.0> : tile<128x64xf32>
    %v108 = constant <f32: 1.0> : tile<128x64xf32>
    %v109 = negf %f70#0  : tile<128x64xf32>
    %v110 = exp %v109  : tile<128x64xf32>
    %v111 = addf %v108, %v110  : tile<128x64xf32>
    %v112 = divf %v107, %v111  : tile<128x64xf32>
    %v113 = mulf %f70#0, %v112  : tile<128x64xf32>
    %v114 = mulf %v113, %f70#1  : tile<128x64xf32>
    %v115 = ftof %v114  : tile<128x64xf32> -> tile<128x64xf16>
    %t116 = store_view_tko weak %v115, %pv38[%b34, %b35] token = %tok : tile<128x64xf16>, partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
