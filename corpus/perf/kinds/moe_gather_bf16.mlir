// moe: rows gathered by an index through pointers, weights by view
cuda_tile.module @m {
  entry @moe_gather_bf16(%x: tile<ptr<bf16>>, %ids: tile<ptr<i32>>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_2: tile<i32>, %w_s0: tile<i32>, %w_s1: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_s0: tile<i32>, %ex: tile<ptr<i32>>, %kk: tile<i32>, %nt: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %ids2 = assume div_by<16>, %ids : tile<ptr<i32>>
    %w3 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v4 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v5 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v6 = assume bounded<0, ?>, %w_2 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_s1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %tv12 = make_tensor_view %w3, shape = [%v4, %v5, %v7], strides = [%v9, %v11, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %c13 = assume div_by<16>, %c : tile<ptr<bf16>>
    %v14 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v15 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v16 = assume div_by<16>, %v15 : tile<i32>
    %v17 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %tv19 = make_tensor_view %c13, shape = [%v14, %v16], strides = [%v18, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %ex20 = assume div_by<16>, %ex : tile<ptr<i32>>
    %v21 = assume bounded<0, ?>, %kk : tile<i32>
    %v22 = assume div_by<16>, %v21 : tile<i32>
    %v23 = assume bounded<0, ?>, %nt : tile<i32>
    %tok = make_token : token
    %b24, %b25, %b26 = get_tile_block_id : tile<i32>
    %pv27 = make_partition_view %tv12 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv28 = make_partition_view %tv19 : partition_view<tile=(64x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %v29 = constant <i32: 64> : tile<i32>
    %v30 = muli %b24, %v29  : tile<i32>
    %v31 = reshape %v30 : tile<i32> -> tile<1xi32>
    %v32 = broadcast %v31 : tile<1xi32> -> tile<64xi32>
    %v33 = iota : tile<64xi32>
    %v34 = addi %v32, %v33  : tile<64xi32>
    %v35 = reshape %v23 : tile<i32> -> tile<1xi32>
    %v36 = broadcast %v35 : tile<1xi32> -> tile<64xi32>
    %v37 = cmpi less_than %v34, %v36, signed : tile<64xi32> -> tile<64xi1>
    %v38 = reshape %ids2 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v39 = broadcast %v38 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %p40 = offset %v39, %v34 : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v41 = constant <i32: 0> : tile<64xi32>
    %v42, %t43 = load_ptr_tko weak %p40, %v37, %v41 token=%tok : tile<64xptr<i32>>, tile<64xi1>, tile<64xi32> -> tile<64xi32>, token
    %v44 = reshape %b24 : tile<i32> -> tile<1xi32>
    %v45 = reshape %ex20 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p46 = offset %v45, %v44 : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
    %v47, %t48 = load_ptr_tko weak %p46 token=%tok : tile<1xptr<i32>> -> tile<1xi32>, token
    %v49 = reshape %v47 : tile<1xi32> -> tile<i32>
    %v50 = reshape %v42 : tile<64xi32> -> tile<64x1xi32>
    %v51 = reshape %v22 : tile<i32> -> tile<1x1xi32>
    %v52 = broadcast %v51 : tile<1x1xi32> -> tile<64x1xi32>
    %v53 = muli %v50, %v52  : tile<64x1xi32>
    %v54 = reshape %x1 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %v55 = broadcast %v54 : tile<1x1xptr<bf16>> -> tile<64x1xptr<bf16>>
    %p56 = offset %v55, %v53 : tile<64x1xptr<bf16>>, tile<64x1xi32> -> tile<64x1xptr<bf16>>
    %v57 = constant <i32: 0> : tile<i32>
    %v58 = constant <i32: 64> : tile<i32>
    %v59 = divi %v22, %v58 signed rounding<positive_inf> : tile<i32>
    %v60 = constant <f32: 0.0> : tile<64x128xf32>
    %v61 = constant <i32: 1> : tile<i32>
    %f64 = for %i62 in (%v57 to %v59, step %v61) : tile<i32> iter_values(%c63 = %v60) -> (tile<64x128xf32>) {
      %v65 = constant <i32: 64> : tile<i32>
      %v66 = muli %i62, %v65  : tile<i32>
      %v67 = reshape %v66 : tile<i32> -> tile<1xi32>
      %v68 = broadcast %v67 : tile<1xi32> -> tile<64xi32>
      %v69 = iota : tile<64xi32>
      %v70 = addi %v68, %v69  : tile<64xi32>
      %v71 = reshape %v37 : tile<64xi1> -> tile<64x1xi1>
      %v72 = broadcast %v71 : tile<64x1xi1> -> tile<64x64xi1>
      %v73 = reshape %v70 : tile<64xi32> -> tile<1x64xi32>
      %v74 = reshape %v22 : tile<i32> -> tile<1x1xi32>
      %v75 = broadcast %v74 : tile<1x1xi32> -> tile<1x64xi32>
      %v76 = cmpi less_than %v73, %v75, signed : tile<1x64xi32> -> tile<1x64xi1>
      %v77 = broadcast %v76 : tile<1x64xi1> -> tile<64x64xi1>
      %v78 = andi %v72, %v77  : tile<64x64xi1>
      %v79 = broadcast %p56 : tile<64x1xptr<bf16>> -> tile<64x64xptr<bf16>>
      %v80 = reshape %v70 : tile<64xi32> -> tile<1x64xi32>
      %v81 = broadcast %v80 : tile<1x64xi32> -> tile<64x64xi32>
      %p82 = offset %v79, %v81 : tile<64x64xptr<bf16>>, tile<64x64xi32> -> tile<64x64xptr<bf16>>
      %v85 = constant <bf16: 0.0> : tile<64x64xbf16>
      %v83, %t84 = load_ptr_tko weak %p82, %v78, %v85 token=%tok : tile<64x64xptr<bf16>>, tile<64x64xi1>, tile<64x64xbf16> -> tile<64x64xbf16>, token
      %v86, %t87 = load_view_tko weak %pv27[%v49, %b25, %i62] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
      %v88 = reshape %v86 : tile<1x128x64xbf16> -> tile<128x64xbf16>
      %v89 = permute %v88 [1, 0] : tile<128x64xbf16> -> tile<64x128xbf16>
      %v90 = mmaf %v83, %v89, %c63  : tile<64x64xbf16>, tile<64x128xbf16>, tile<64x128xf32>
      continue %v90 : tile<64x128xf32>
    }
    %v91 = ftof %f64  : tile<64x128xf32> -> tile<64x128xbf16>
    %t92 = store_view_tko weak %v91, %pv28[%b24, %b25] token = %tok : tile<64x128xbf16>, partition_view<tile=(64x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
