// experts by rows, blocks in a loop
cuda_tile.module @m {
  entry @moe_persist_bf16(%x: tile<ptr<bf16>>, %ids: tile<ptr<i32>>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_2: tile<i32>, %w_s0: tile<i32>, %w_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>, %ex: tile<ptr<i32>>, %kk: tile<i32>, %nt: tile<i32>) {
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
    %o13 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v14 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v15 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v16 = assume div_by<16>, %v15 : tile<i32>
    %v17 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %tv19 = make_tensor_view %o13, shape = [%v14, %v16], strides = [%v18, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %ex20 = assume div_by<16>, %ex : tile<ptr<i32>>
    %v21 = assume bounded<0, ?>, %kk : tile<i32>
    %v22 = assume div_by<16>, %v21 : tile<i32>
    %v23 = assume bounded<0, ?>, %nt : tile<i32>
    %tok = make_token : token
    %b24, %b25, %b26 = get_tile_block_id : tile<i32>
    %g27, %g28, %g29 = get_num_tile_blocks : tile<i32>
    %pv30 = make_partition_view %tv12 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv31 = make_partition_view %tv19 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %v32 = constant <i32: 64> : tile<i32>
    %v33 = divi %v22, %v32 signed rounding<positive_inf> : tile<i32>
    %v34 = constant <i32: 128> : tile<i32>
    %v35 = divi %v23, %v34 signed rounding<positive_inf> : tile<i32>
    for %i36 in (%b24 to %v35, step %g27) : tile<i32> {
      %v38 = constant <i32: 128> : tile<i32>
      %v39 = muli %i36, %v38  : tile<i32>
      %v40 = reshape %v39 : tile<i32> -> tile<1xi32>
      %v41 = broadcast %v40 : tile<1xi32> -> tile<128xi32>
      %v42 = iota : tile<128xi32>
      %v43 = addi %v41, %v42  : tile<128xi32>
      %v44 = reshape %v23 : tile<i32> -> tile<1xi32>
      %v45 = broadcast %v44 : tile<1xi32> -> tile<128xi32>
      %v46 = cmpi less_than %v43, %v45, signed : tile<128xi32> -> tile<128xi1>
      %v47 = reshape %ids2 : tile<ptr<i32>> -> tile<1xptr<i32>>
      %v48 = broadcast %v47 : tile<1xptr<i32>> -> tile<128xptr<i32>>
      %p49 = offset %v48, %v43 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
      %v50 = constant <i32: 0> : tile<128xi32>
      %v51, %t52 = load_ptr_tko weak %p49, %v46, %v50 token=%tok : tile<128xptr<i32>>, tile<128xi1>, tile<128xi32> -> tile<128xi32>, token
      %v53 = reshape %i36 : tile<i32> -> tile<1xi32>
      %v54 = reshape %ex20 : tile<ptr<i32>> -> tile<1xptr<i32>>
      %p55 = offset %v54, %v53 : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
      %v56, %t57 = load_ptr_tko weak %p55 token=%tok : tile<1xptr<i32>> -> tile<1xi32>, token
      %v58 = reshape %v56 : tile<1xi32> -> tile<i32>
      %v59 = constant <i32: 0> : tile<i32>
      %v60 = constant <f32: 0.0> : tile<128x128xf32>
      %v61 = constant <i32: 1> : tile<i32>
      %f64 = for %i62 in (%v59 to %v33, step %v61) : tile<i32> iter_values(%c63 = %v60) -> (tile<128x128xf32>) {
        %v65 = constant <i32: 64> : tile<i32>
        %v66 = muli %i62, %v65  : tile<i32>
        %v67 = reshape %v66 : tile<i32> -> tile<1xi32>
        %v68 = broadcast %v67 : tile<1xi32> -> tile<64xi32>
        %v69 = iota : tile<64xi32>
        %v70 = addi %v68, %v69  : tile<64xi32>
        %v71 = reshape %v51 : tile<128xi32> -> tile<128x1xi32>
        %v72 = reshape %v22 : tile<i32> -> tile<1x1xi32>
        %v73 = broadcast %v72 : tile<1x1xi32> -> tile<128x1xi32>
        %v74 = muli %v71, %v73  : tile<128x1xi32>
        %v75 = broadcast %v74 : tile<128x1xi32> -> tile<128x64xi32>
        %v76 = reshape %v70 : tile<64xi32> -> tile<1x64xi32>
        %v77 = broadcast %v76 : tile<1x64xi32> -> tile<128x64xi32>
        %v78 = addi %v75, %v77  : tile<128x64xi32>
        %v79 = reshape %v46 : tile<128xi1> -> tile<128x1xi1>
        %v80 = broadcast %v79 : tile<128x1xi1> -> tile<128x64xi1>
        %v81 = reshape %v70 : tile<64xi32> -> tile<1x64xi32>
        %v82 = reshape %v22 : tile<i32> -> tile<1x1xi32>
        %v83 = broadcast %v82 : tile<1x1xi32> -> tile<1x64xi32>
        %v84 = cmpi less_than %v81, %v83, signed : tile<1x64xi32> -> tile<1x64xi1>
        %v85 = broadcast %v84 : tile<1x64xi1> -> tile<128x64xi1>
        %v86 = andi %v80, %v85  : tile<128x64xi1>
        %v87 = reshape %x1 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
        %v88 = broadcast %v87 : tile<1x1xptr<bf16>> -> tile<128x64xptr<bf16>>
        %p89 = offset %v88, %v78 : tile<128x64xptr<bf16>>, tile<128x64xi32> -> tile<128x64xptr<bf16>>
        %v92 = constant <bf16: 0.0> : tile<128x64xbf16>
        %v90, %t91 = load_ptr_tko weak %p89, %v86, %v92 token=%tok : tile<128x64xptr<bf16>>, tile<128x64xi1>, tile<128x64xbf16> -> tile<128x64xbf16>, token
        %v93, %t94 = load_view_tko weak %pv30[%v58, %i62, %b25] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xbf16>, token
        %v95 = reshape %v93 : tile<1x64x128xbf16> -> tile<64x128xbf16>
        %v96 = mmaf %v90, %v95, %c63  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
        continue %v96 : tile<128x128xf32>
      }
      %v97 = ftof %f64  : tile<128x128xf32> -> tile<128x128xbf16>
      %t98 = store_view_tko weak %v97, %pv31[%i36, %b25] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
