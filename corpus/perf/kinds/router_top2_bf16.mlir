// router: logits, softmax, the two best of 64
cuda_tile.module @m {
  entry @router_top2_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %pv: tile<ptr<f32>>, %pv_0: tile<i32>, %pv_1: tile<i32>, %pv_s0: tile<i32>, %pi: tile<ptr<i32>>, %pi_0: tile<i32>, %pi_1: tile<i32>, %pi_s0: tile<i32>) {
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
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %pv15 = assume div_by<16>, %pv : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %pv_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %pv_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %pv_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %pv15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pi22 = assume div_by<16>, %pi : tile<ptr<i32>>
    %v23 = assume bounded<0, ?>, %pi_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %pi_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %pi_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %pi22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?,1]>
    %tok = make_token : token
    %b29, %b30, %b31 = get_tile_block_id : tile<i32>
    %pv32 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv33 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v34 = constant <i32: 0> : tile<i32>
    %v35 = constant <i32: 64> : tile<i32>
    %v36 = divi %v4, %v35 signed rounding<positive_inf> : tile<i32>
    %v37 = constant <f32: 0.0> : tile<64x64xf32>
    %v38 = constant <i32: 1> : tile<i32>
    %f41 = for %i39 in (%v34 to %v36, step %v38) : tile<i32> iter_values(%c40 = %v37) -> (tile<64x64xf32>) {
      %v42, %t43 = load_view_tko weak %pv32[%b29, %i39] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v44 = constant <i32: 0> : tile<i32>
      %v45, %t46 = load_view_tko weak %pv33[%i39, %v44] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v47 = mmaf %v42, %v45, %c40  : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      continue %v47 : tile<64x64xf32>
    }
    %v48 = constant <f32: 1.442695> : tile<64x64xf32>
    %v49 = mulf %f41, %v48  : tile<64x64xf32>
    %v50 = reduce %v49 dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32>
    (%l51: tile<f32>, %r52: tile<f32>) {
      %y53 = maxf %l51, %r52 : tile<f32>
      yield %y53 : tile<f32>
    }
    %v54 = reshape %v50 : tile<64xf32> -> tile<64x1xf32>
    %v55 = broadcast %v54 : tile<64x1xf32> -> tile<64x64xf32>
    %v56 = subf %v49, %v55  : tile<64x64xf32>
    %v57 = exp2 %v56 flush_to_zero : tile<64x64xf32>
    %v58 = reduce %v57 dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
    (%l59: tile<f32>, %r60: tile<f32>) {
      %y61 = addf %l59, %r60 : tile<f32>
      yield %y61 : tile<f32>
    }
    %v62 = reshape %v58 : tile<64xf32> -> tile<64x1xf32>
    %v63 = broadcast %v62 : tile<64x1xf32> -> tile<64x64xf32>
    %v64 = divf %v57, %v63 rounding<approx> flush_to_zero : tile<64x64xf32>
    %v65 = iota : tile<64xi32>
    %v66 = reshape %v65 : tile<64xi32> -> tile<1x64xi32>
    %v67 = broadcast %v66 : tile<1x64xi32> -> tile<64x64xi32>
    %r68:2 = reduce %v64, %v67 dim=1 identities=[0xFF800000 : f32, -1 : i32] : tile<64x64xf32>, tile<64x64xi32> -> tile<64xf32>, tile<64xi32>
    (%a69: tile<f32>, %a71: tile<f32>, %a70: tile<i32>, %a72: tile<i32>) {
      %v73 = cmpf greater_than ordered %a71, %a69 : tile<f32> -> tile<i1>
      %v74 = select %v73, %a71, %a69 : tile<i1>, tile<f32>
      %v75 = select %v73, %a72, %a70 : tile<i1>, tile<i32>
      yield %v74, %v75 : tile<f32>, tile<i32>
    }
    %v76 = reshape %r68#0 : tile<64xf32> -> tile<64x1xf32>
    %pv77 = make_partition_view %tv21 : partition_view<tile=(64x1), tensor_view<?x?xf32, strides=[?,1]>>
    %v78 = constant <i32: 0> : tile<i32>
    %t79 = store_view_tko weak %v76, %pv77[%b29, %v78] token = %tok : tile<64x1xf32>, partition_view<tile=(64x1), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %v80 = reshape %r68#1 : tile<64xi32> -> tile<64x1xi32>
    %pv81 = make_partition_view %tv28 : partition_view<tile=(64x1), tensor_view<?x?xi32, strides=[?,1]>>
    %v82 = constant <i32: 0> : tile<i32>
    %t83 = store_view_tko weak %v80, %pv81[%b29, %v82] token = %tok : tile<64x1xi32>, partition_view<tile=(64x1), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> token
    %v84 = reshape %r68#1 : tile<64xi32> -> tile<64x1xi32>
    %v85 = broadcast %v84 : tile<64x1xi32> -> tile<64x64xi32>
    %v86 = cmpi equal %v67, %v85, signed : tile<64x64xi32> -> tile<64x64xi1>
    %v87 = constant <f32: -1.0> : tile<64x64xf32>
    %v88 = select %v86, %v87, %v64 : tile<64x64xi1>, tile<64x64xf32>
    %r89:2 = reduce %v88, %v67 dim=1 identities=[0xFF800000 : f32, -1 : i32] : tile<64x64xf32>, tile<64x64xi32> -> tile<64xf32>, tile<64xi32>
    (%a90: tile<f32>, %a92: tile<f32>, %a91: tile<i32>, %a93: tile<i32>) {
      %v94 = cmpf greater_than ordered %a92, %a90 : tile<f32> -> tile<i1>
      %v95 = select %v94, %a92, %a90 : tile<i1>, tile<f32>
      %v96 = select %v94, %a93, %a91 : tile<i1>, tile<i32>
      yield %v95, %v96 : tile<f32>, tile<i32>
    }
    %v97 = reshape %r89#0 : tile<64xf32> -> tile<64x1xf32>
    %pv98 = make_partition_view %tv21 : partition_view<tile=(64x1), tensor_view<?x?xf32, strides=[?,1]>>
    %v99 = constant <i32: 1> : tile<i32>
    %t100 = store_view_tko weak %v97, %pv98[%b29, %v99] token = %tok : tile<64x1xf32>, partition_view<tile=(64x1), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %v101 = reshape %r89#1 : tile<64xi32> -> tile<64x1xi32>
    %pv102 = make_partition_view %tv28 : partition_view<tile=(64x1), tensor_view<?x?xi32, strides=[?,1]>>
    %v103 = constant <i32: 1> : tile<i32>
    %t104 = store_view_tko weak %v101, %pv102[%b29, %v103] token = %tok : tile<64x1xi32>, partition_view<tile=(64x1), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> token
    %v105 = reshape %r89#1 : tile<64xi32> -> tile<64x1xi32>
    %v106 = broadcast %v105 : tile<64x1xi32> -> tile<64x64xi32>
    %v107 = cmpi equal %v67, %v106, signed : tile<64x64xi32> -> tile<64x64xi1>
    %v108 = constant <f32: -1.0> : tile<64x64xf32>
    %v109 = select %v107, %v108, %v88 : tile<64x64xi1>, tile<64x64xf32>
    return
  }
}
