// experts by rows, weights of bytes
cuda_tile.module @m {
  entry @moe_w8_bf16(%x: tile<ptr<bf16>>, %ids: tile<ptr<i32>>, %w: tile<ptr<i8>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_2: tile<i32>, %w_s0: tile<i32>, %w_s1: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>, %ex: tile<ptr<i32>>, %kk: tile<i32>, %nt: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %ids2 = assume div_by<16>, %ids : tile<ptr<i32>>
    %w3 = assume div_by<16>, %w : tile<ptr<i8>>
    %v4 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v5 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v6 = assume bounded<0, ?>, %w_2 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_s1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %tv12 = make_tensor_view %w3, shape = [%v4, %v5, %v7], strides = [%v9, %v11, 1] : tile<i32> -> tensor_view<?x?x?xi8, strides=[?,?,1]>
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
    %pv27 = make_partition_view %tv12 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xi8, strides=[?,?,1]>>
    %pv28 = make_partition_view %tv19 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %v29 = constant <i32: 64> : tile<i32>
    %v30 = divi %v22, %v29 signed rounding<positive_inf> : tile<i32>
    %v31 = constant <i32: 128> : tile<i32>
    %v32 = muli %b24, %v31  : tile<i32>
    %v33 = reshape %v32 : tile<i32> -> tile<1xi32>
    %v34 = broadcast %v33 : tile<1xi32> -> tile<128xi32>
    %v35 = iota : tile<128xi32>
    %v36 = addi %v34, %v35  : tile<128xi32>
    %v37 = reshape %v23 : tile<i32> -> tile<1xi32>
    %v38 = broadcast %v37 : tile<1xi32> -> tile<128xi32>
    %v39 = cmpi less_than %v36, %v38, signed : tile<128xi32> -> tile<128xi1>
    %v40 = reshape %ids2 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v41 = broadcast %v40 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %p42 = offset %v41, %v36 : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %v43 = constant <i32: 0> : tile<128xi32>
    %v44, %t45 = load_ptr_tko weak %p42, %v39, %v43 token=%tok : tile<128xptr<i32>>, tile<128xi1>, tile<128xi32> -> tile<128xi32>, token
    %v46 = reshape %b24 : tile<i32> -> tile<1xi32>
    %v47 = reshape %ex20 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p48 = offset %v47, %v46 : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
    %v49, %t50 = load_ptr_tko weak %p48 token=%tok : tile<1xptr<i32>> -> tile<1xi32>, token
    %v51 = reshape %v49 : tile<1xi32> -> tile<i32>
    %v52 = constant <i32: 0> : tile<i32>
    %v53 = constant <f32: 0.0> : tile<128x128xf32>
    %v54 = constant <i32: 1> : tile<i32>
    %f57 = for %i55 in (%v52 to %v30, step %v54) : tile<i32> iter_values(%c56 = %v53) -> (tile<128x128xf32>) {
      %v58 = constant <i32: 64> : tile<i32>
      %v59 = muli %i55, %v58  : tile<i32>
      %v60 = reshape %v59 : tile<i32> -> tile<1xi32>
      %v61 = broadcast %v60 : tile<1xi32> -> tile<64xi32>
      %v62 = iota : tile<64xi32>
      %v63 = addi %v61, %v62  : tile<64xi32>
      %v64 = reshape %v44 : tile<128xi32> -> tile<128x1xi32>
      %v65 = reshape %v22 : tile<i32> -> tile<1x1xi32>
      %v66 = broadcast %v65 : tile<1x1xi32> -> tile<128x1xi32>
      %v67 = muli %v64, %v66  : tile<128x1xi32>
      %v68 = broadcast %v67 : tile<128x1xi32> -> tile<128x64xi32>
      %v69 = reshape %v63 : tile<64xi32> -> tile<1x64xi32>
      %v70 = broadcast %v69 : tile<1x64xi32> -> tile<128x64xi32>
      %v71 = addi %v68, %v70  : tile<128x64xi32>
      %v72 = reshape %v39 : tile<128xi1> -> tile<128x1xi1>
      %v73 = broadcast %v72 : tile<128x1xi1> -> tile<128x64xi1>
      %v74 = reshape %v63 : tile<64xi32> -> tile<1x64xi32>
      %v75 = reshape %v22 : tile<i32> -> tile<1x1xi32>
      %v76 = broadcast %v75 : tile<1x1xi32> -> tile<1x64xi32>
      %v77 = cmpi less_than %v74, %v76, signed : tile<1x64xi32> -> tile<1x64xi1>
      %v78 = broadcast %v77 : tile<1x64xi1> -> tile<128x64xi1>
      %v79 = andi %v73, %v78  : tile<128x64xi1>
      %v80 = reshape %x1 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
      %v81 = broadcast %v80 : tile<1x1xptr<bf16>> -> tile<128x64xptr<bf16>>
      %p82 = offset %v81, %v71 : tile<128x64xptr<bf16>>, tile<128x64xi32> -> tile<128x64xptr<bf16>>
      %v85 = constant <bf16: 0.0> : tile<128x64xbf16>
      %v83, %t84 = load_ptr_tko weak %p82, %v79, %v85 token=%tok : tile<128x64xptr<bf16>>, tile<128x64xi1>, tile<128x64xbf16> -> tile<128x64xbf16>, token
      %v86, %t87 = load_view_tko weak %pv27[%v51, %i55, %b25] token = %tok : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<?x?x?xi8, strides=[?,?,1]>>, tile<i32> -> tile<1x64x128xi8>, token
      %v88 = reshape %v86 : tile<1x64x128xi8> -> tile<64x128xi8>
      %v89 = itof %v88 signed : tile<64x128xi8> -> tile<64x128xbf16>
      %v90 = mmaf %v83, %v89, %c56  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %v90 : tile<128x128xf32>
    }
    %v91 = ftof %f57  : tile<128x128xf32> -> tile<128x128xbf16>
    %t92 = store_view_tko weak %v91, %pv28[%b24, %b25] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
