// Newton-Schulz steps on a tile
cuda_tile.module @m {
  entry @newton_bf16(%a: tile<ptr<bf16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_2: tile<i32>, %a_s0: tile<i32>, %a_s1: tile<i32>, %c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_2: tile<i32>, %c_s0: tile<i32>, %c_s1: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %a_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %a_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %a1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %c11 = assume div_by<16>, %c : tile<ptr<bf16>>
    %v12 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %c_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %c_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %c11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %tok = make_token : token
    %b21, %b22, %b23 = get_tile_block_id : tile<i32>
    %pv24 = make_partition_view %tv10 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v25 = constant <i32: 0> : tile<i32>
    %v26 = constant <i32: 0> : tile<i32>
    %v27, %t28 = load_view_tko weak %pv24[%b21, %v25, %v26] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
    %v29 = reshape %v27 : tile<1x64x64xbf16> -> tile<64x64xbf16>
    %v30 = constant <f32: 0.0> : tile<64x64xf32>
    %v31 = constant <i32: 0> : tile<i32>
    %v32 = constant <i32: 5> : tile<i32>
    %v33 = constant <i32: 1> : tile<i32>
    %f36 = for %i34 in (%v31 to %v32, step %v33) : tile<i32> iter_values(%c35 = %v29) -> (tile<64x64xbf16>) {
      %v37 = permute %c35 [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %v38 = mmaf %c35, %v37, %v30  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v39 = ftof %v38  : tile<64x64xf32> -> tile<64x64xbf16>
      %v40 = mmaf %v39, %v39, %v30  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v41 = constant <f32: -4.775> : tile<64x64xf32>
      %v42 = mulf %v38, %v41  : tile<64x64xf32>
      %v43 = constant <f32: 2.0315> : tile<64x64xf32>
      %v44 = mulf %v40, %v43  : tile<64x64xf32>
      %v45 = addf %v42, %v44  : tile<64x64xf32>
      %v46 = ftof %v45  : tile<64x64xf32> -> tile<64x64xbf16>
      %v47 = ftof %c35  : tile<64x64xbf16> -> tile<64x64xf32>
      %v48 = constant <f32: 3.4445> : tile<64x64xf32>
      %v49 = mulf %v47, %v48  : tile<64x64xf32>
      %v50 = mmaf %v46, %c35, %v49  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %v51 = ftof %v50  : tile<64x64xf32> -> tile<64x64xbf16>
      continue %v51 : tile<64x64xbf16>
    }
    %v52 = reshape %f36 : tile<64x64xbf16> -> tile<1x64x64xbf16>
    %pv53 = make_partition_view %tv20 : partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v54 = constant <i32: 0> : tile<i32>
    %v55 = constant <i32: 0> : tile<i32>
    %t56 = store_view_tko weak %v52, %pv53[%b21, %v54, %v55] token = %tok : tile<1x64x64xbf16>, partition_view<tile=(1x64x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
