// down projection of experts: rows scattered by an index and scaled
cuda_tile.module @m {
  entry @moe_down_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_2: tile<i32>, %w_s0: tile<i32>, %w_s1: tile<i32>, %ids: tile<ptr<i32>>, %ids_0: tile<i32>, %sc: tile<ptr<f32>>, %sc_0: tile<i32>, %out: tile<ptr<bf16>>, %ex: tile<ptr<i32>>, %ex_0: tile<i32>, %n: tile<i32>, %T: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w8 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v11 = assume bounded<0, ?>, %w_2 : tile<i32>
    %v12 = assume div_by<16>, %v11 : tile<i32>
    %v13 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %v15 = assume bounded<0, ?>, %w_s1 : tile<i32>
    %v16 = assume div_by<16>, %v15 : tile<i32>
    %tv17 = make_tensor_view %w8, shape = [%v9, %v10, %v12], strides = [%v14, %v16, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %ids18 = assume div_by<16>, %ids : tile<ptr<i32>>
    %v19 = assume bounded<0, ?>, %ids_0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %ids18, shape = [%v20], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %sc22 = assume div_by<16>, %sc : tile<ptr<f32>>
    %v23 = assume bounded<0, ?>, %sc_0 : tile<i32>
    %v24 = assume div_by<16>, %v23 : tile<i32>
    %tv25 = make_tensor_view %sc22, shape = [%v24], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %out26 = assume div_by<16>, %out : tile<ptr<bf16>>
    %ex27 = assume div_by<16>, %ex : tile<ptr<i32>>
    %v28 = assume bounded<0, ?>, %ex_0 : tile<i32>
    %v29 = assume div_by<16>, %v28 : tile<i32>
    %tv30 = make_tensor_view %ex27, shape = [%v29], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %v31 = assume bounded<0, ?>, %n : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %T : tile<i32>
    %tok = make_token : token
    %b34, %b35, %b36 = get_tile_block_id : tile<i32>
    %pv37 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv38 = make_partition_view %tv17 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %pv39 = make_partition_view %tv30 : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
    %v40, %t41 = load_view_tko weak %pv39[%b34] token = %tok : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %v42 = reshape %v40 : tile<1xi32> -> tile<i32>
    %v43 = constant <i32: 0> : tile<i32>
    %v44 = constant <i32: 64> : tile<i32>
    %v45 = divi %v4, %v44 signed rounding<positive_inf> : tile<i32>
    %v46 = constant <f32: 0.0> : tile<64x128xf32>
    %v47 = constant <i32: 1> : tile<i32>
    %f50 = for %i48 in (%v43 to %v45, step %v47) : tile<i32> iter_values(%c49 = %v46) -> (tile<64x128xf32>) {
      %v51, %t52 = load_view_tko weak %pv37[%b34, %i48] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v53, %t54 = load_view_tko weak %pv38[%v42, %b35, %i48] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
      %v55 = reshape %v53 : tile<1x128x64xbf16> -> tile<128x64xbf16>
      %v56 = permute %v55 [1, 0] : tile<128x64xbf16> -> tile<64x128xbf16>
      %v57 = mmaf %v51, %v56, %c49  : tile<64x64xbf16>, tile<64x128xbf16>, tile<64x128xf32>
      continue %v57 : tile<64x128xf32>
    }
    %pv58 = make_partition_view %tv21 : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>
    %v59, %t60 = load_view_tko weak %pv58[%b34] token = %tok : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %pv61 = make_partition_view %tv25 : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %v62, %t63 = load_view_tko weak %pv61[%b34] token = %tok : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %v64 = reshape %v62 : tile<64xf32> -> tile<64x1xf32>
    %v65 = broadcast %v64 : tile<64x1xf32> -> tile<64x128xf32>
    %v66 = mulf %f50, %v65  : tile<64x128xf32>
    %v67 = constant <i32: 128> : tile<i32>
    %v68 = muli %b35, %v67  : tile<i32>
    %v69 = reshape %v68 : tile<i32> -> tile<1xi32>
    %v70 = broadcast %v69 : tile<1xi32> -> tile<128xi32>
    %v71 = iota : tile<128xi32>
    %v72 = addi %v70, %v71  : tile<128xi32>
    %v73 = reshape %v33 : tile<i32> -> tile<1xi32>
    %v74 = broadcast %v73 : tile<1xi32> -> tile<64xi32>
    %v75 = cmpi less_than %v59, %v74, signed : tile<64xi32> -> tile<64xi1>
    %v76 = reshape %v59 : tile<64xi32> -> tile<64x1xi32>
    %v77 = reshape %v32 : tile<i32> -> tile<1x1xi32>
    %v78 = broadcast %v77 : tile<1x1xi32> -> tile<64x1xi32>
    %v79 = muli %v76, %v78  : tile<64x1xi32>
    %v80 = reshape %v72 : tile<128xi32> -> tile<1x128xi32>
    %v81 = broadcast %v79 : tile<64x1xi32> -> tile<64x128xi32>
    %v82 = broadcast %v80 : tile<1x128xi32> -> tile<64x128xi32>
    %v83 = addi %v81, %v82  : tile<64x128xi32>
    %v84 = reshape %out26 : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %v85 = broadcast %v84 : tile<1x1xptr<bf16>> -> tile<64x128xptr<bf16>>
    %p86 = offset %v85, %v83 : tile<64x128xptr<bf16>>, tile<64x128xi32> -> tile<64x128xptr<bf16>>
    %v87 = ftof %v66  : tile<64x128xf32> -> tile<64x128xbf16>
    %v88 = reshape %v75 : tile<64xi1> -> tile<64x1xi1>
    %v89 = broadcast %v88 : tile<64x1xi1> -> tile<64x128xi1>
    %t90 = store_ptr_tko weak %p86, %v87, %v89 token=%tok : tile<64x128xptr<bf16>>, tile<64x128xbf16>, tile<64x128xi1> -> token
    return
  }
}
