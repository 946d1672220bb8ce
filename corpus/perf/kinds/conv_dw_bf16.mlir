// gradient of weights of a convolution: positions are summed, shifted by the place in the window
cuda_tile.module @m {
  entry @conv_dw_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %g: tile<ptr<bf16>>, %g_0: tile<i32>, %g_1: tile<i32>, %g_s0: tile<i32>, %o: tile<ptr<f32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %xp: tile<ptr<bf16>>, %st: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %g8 = assume div_by<16>, %g : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %g_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %g_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %g_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %g8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %o15 = assume div_by<16>, %o : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v18 = assume bounded<0, ?>, %o_2 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %v20 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v21 = assume div_by<16>, %v20 : tile<i32>
    %v22 = assume bounded<0, ?>, %o_s1 : tile<i32>
    %v23 = assume div_by<16>, %v22 : tile<i32>
    %tv24 = make_tensor_view %o15, shape = [%v16, %v17, %v19], strides = [%v21, %v23, 1] : tile<i32> -> tensor_view<?x?x?xf32, strides=[?,?,1]>
    %tok = make_token : token
    %b25, %b26, %b27 = get_tile_block_id : tile<i32>
    %pv28 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv29 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v30 = constant <i32: 64> : tile<i32>
    %v31 = divi %v9, %v30 signed rounding<positive_inf> : tile<i32>
    %xp32 = assume div_by<16>, %xp : tile<ptr<bf16>>
    %v33 = assume bounded<0, ?>, %st : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %v35 = iota : tile<64xi32>
    %v36 = reshape %v35 : tile<64xi32> -> tile<64x1xi32>
    %v37 = iota : tile<64xi32>
    %v38 = reshape %v37 : tile<64xi32> -> tile<1x64xi32>
    %v39 = constant <i32: 0> : tile<i32>
    %v40 = constant <f32: 0.0> : tile<64x64xf32>
    %v41 = constant <i32: 1> : tile<i32>
    %f44 = for %i42 in (%v39 to %v31, step %v41) : tile<i32> iter_values(%c43 = %v40) -> (tile<64x64xf32>) {
      %v45 = constant <i32: 64> : tile<i32>
      %v46 = muli %i42, %v45  : tile<i32>
      %v47 = reshape %v46 : tile<i32> -> tile<1x1xi32>
      %v48 = broadcast %v47 : tile<1x1xi32> -> tile<64x1xi32>
      %v49 = addi %v36, %v48  : tile<64x1xi32>
      %v50 = reshape %b27 : tile<i32> -> tile<1x1xi32>
      %v51 = broadcast %v50 : tile<1x1xi32> -> tile<64x1xi32>
      %v52 = addi %v49, %v51  : tile<64x1xi32>
      %v53 = broadcast %v52 : tile<64x1xi32> -> tile<64x64xi32>
      %v54 = reshape %v34 : tile<i32> -> tile<1x1xi32>
      %v55 = broadcast %v54 : tile<1x1xi32> -> tile<64x64xi32>
      %v56 = muli %v53, %v55  : tile<64x64xi32>
      %v57 = constant <i32: 64> : tile<i32>
      %v58 = muli %b25, %v57  : tile<i32>
      %v59 = reshape %v58 : tile<i32> -> tile<1x1xi32>
      %v60 = broadcast %v59 : tile<1x1xi32> -> tile<1x64xi32>
      %v61 = addi %v38, %v60  : tile<1x64xi32>
      %v62 = broadcast %v61 : tile<1x64xi32> -> tile<64x64xi32>
      %v63 = addi %v56, %v62  : tile<64x64xi32>
      %v64 = reshape %v2 : tile<i32> -> tile<1x1xi32>
      %v65 = broadcast %v64 : tile<1x1xi32> -> tile<64x1xi32>
      %v66 = cmpi less_than %v52, %v65, signed : tile<64x1xi32> -> tile<64x1xi1>
      %v67 = broadcast %v66 : tile<64x1xi1> -> tile<64x64xi1>
      %v68 = reshape %xp32 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
      %v69 = broadcast %v68 : tile<1x1xptr<bf16>> -> tile<64x64xptr<bf16>>
      %p70 = offset %v69, %v63 : tile<64x64xptr<bf16>>, tile<64x64xi32> -> tile<64x64xptr<bf16>>
      %v73 = constant <bf16: 0.0> : tile<64x64xbf16>
      %v71, %t72 = load_ptr_tko weak %p70, %v67, %v73 token=%tok : tile<64x64xptr<bf16>>, tile<64x64xi1>, tile<64x64xbf16> -> tile<64x64xbf16>, token
      %v74 = permute %v71 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v75, %t76 = load_view_tko weak %pv29[%i42, %b26] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v77 = mmaf %v74, %v75, %c43  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      continue %v77 : tile<64x64xf32>
    }
    %v78 = reshape %f44 : tile<64x64xf32> -> tile<1x64x64xf32>
    %pv79 = make_partition_view %tv24 : partition_view<tile=(1x64x64), tensor_view<?x?x?xf32, strides=[?,?,1]>>
    %t80 = store_view_tko weak %v78, %pv79[%b27, %b25, %b26] token = %tok : tile<1x64x64xf32>, partition_view<tile=(1x64x64), tensor_view<?x?x?xf32, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
