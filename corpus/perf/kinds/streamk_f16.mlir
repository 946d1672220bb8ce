// pieces of sums handed out in order
cuda_tile.module @m {
  entry @streamk_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<f16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %c: tile<ptr<f32>>, %ldc: tile<i32>, %per: tile<i32>, %tiles: tile<i32>, %nt: tile<i32>) {
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
    %v16 = assume bounded<0, ?>, %ldc : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %per : tile<i32>
    %v19 = assume bounded<0, ?>, %tiles : tile<i32>
    %v20 = assume bounded<1, ?>, %nt : tile<i32>
    %tok = make_token : token
    %b21, %b22, %b23 = get_tile_block_id : tile<i32>
    %pv24 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv25 = make_partition_view %tv14 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v26 = constant <i32: 64> : tile<i32>
    %v27 = divi %v4, %v26 signed rounding<positive_inf> : tile<i32>
    %v28 = muli %b21, %v18  : tile<i32>
    %v29 = addi %v28, %v18  : tile<i32>
    %v30 = muli %v19, %v27  : tile<i32>
    %v31 = mini %v29, %v30 signed : tile<i32>
    %v32 = divi %v28, %v27 signed : tile<i32>
    %v33 = constant <i32: 1> : tile<i32>
    %v34 = subi %v27, %v33  : tile<i32>
    %v35 = addi %v31, %v34  : tile<i32>
    %v36 = divi %v35, %v27 signed : tile<i32>
    %v37 = constant <i32: 1> : tile<i32>
    for %i38 in (%v32 to %v36, step %v37) : tile<i32> {
      %v40 = divi %i38, %v20 signed : tile<i32>
      %v41 = remi %i38, %v20 signed : tile<i32>
      %v42 = muli %i38, %v27  : tile<i32>
      %v43 = subi %v28, %v42  : tile<i32>
      %v44 = constant <i32: 0> : tile<i32>
      %v45 = maxi %v43, %v44 signed : tile<i32>
      %v46 = muli %i38, %v27  : tile<i32>
      %v47 = subi %v31, %v46  : tile<i32>
      %v48 = mini %v47, %v27 signed : tile<i32>
      %v49 = constant <f32: 0.0> : tile<128x128xf32>
      %v50 = constant <i32: 1> : tile<i32>
      %f53 = for %i51 in (%v45 to %v48, step %v50) : tile<i32> iter_values(%c52 = %v49) -> (tile<128x128xf32>) {
        %v54, %t55 = load_view_tko weak %pv24[%v40, %i51] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
        %v56, %t57 = load_view_tko weak %pv25[%i51, %v41] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
        %v58 = mmaf %v54, %v56, %c52  : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
        continue %v58 : tile<128x128xf32>
      }
      %v59 = constant <i32: 128> : tile<i32>
      %v60 = muli %v40, %v59  : tile<i32>
      %v61 = reshape %v60 : tile<i32> -> tile<1x1xi32>
      %v62 = broadcast %v61 : tile<1x1xi32> -> tile<128x1xi32>
      %v63 = iota : tile<128xi32>
      %v64 = reshape %v63 : tile<128xi32> -> tile<128x1xi32>
      %v65 = addi %v62, %v64  : tile<128x1xi32>
      %v66 = constant <i32: 128> : tile<i32>
      %v67 = muli %v41, %v66  : tile<i32>
      %v68 = reshape %v67 : tile<i32> -> tile<1x1xi32>
      %v69 = broadcast %v68 : tile<1x1xi32> -> tile<1x128xi32>
      %v70 = iota : tile<128xi32>
      %v71 = reshape %v70 : tile<128xi32> -> tile<1x128xi32>
      %v72 = addi %v69, %v71  : tile<1x128xi32>
      %v73 = reshape %v17 : tile<i32> -> tile<1x1xi32>
      %v74 = broadcast %v73 : tile<1x1xi32> -> tile<128x1xi32>
      %v75 = muli %v65, %v74  : tile<128x1xi32>
      %v76 = broadcast %v75 : tile<128x1xi32> -> tile<128x128xi32>
      %v77 = broadcast %v72 : tile<1x128xi32> -> tile<128x128xi32>
      %v78 = addi %v76, %v77  : tile<128x128xi32>
      %v79 = reshape %c15 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
      %v80 = broadcast %v79 : tile<1x1xptr<f32>> -> tile<128x128xptr<f32>>
      %p81 = offset %v80, %v78 : tile<128x128xptr<f32>>, tile<128x128xi32> -> tile<128x128xptr<f32>>
      %v82 = reshape %v2 : tile<i32> -> tile<1x1xi32>
      %v83 = broadcast %v82 : tile<1x1xi32> -> tile<128x1xi32>
      %v84 = cmpi less_than %v65, %v83, signed : tile<128x1xi32> -> tile<128x1xi1>
      %v85 = broadcast %v84 : tile<128x1xi1> -> tile<128x128xi1>
      %v86 = reshape %v17 : tile<i32> -> tile<1x1xi32>
      %v87 = broadcast %v86 : tile<1x1xi32> -> tile<1x128xi32>
      %v88 = cmpi less_than %v72, %v87, signed : tile<1x128xi32> -> tile<1x128xi1>
      %v89 = broadcast %v88 : tile<1x128xi1> -> tile<128x128xi1>
      %v90 = andi %v85, %v89  : tile<128x128xi1>
      %v91, %t92 = atomic_rmw_tko relaxed device %p81, addf, %f53, %v90 token=%tok : tile<128x128xptr<f32>>, tile<128x128xf32>, tile<128x128xi1> -> tile<128x128xf32>, token
      continue
    }
    return
  }
}
