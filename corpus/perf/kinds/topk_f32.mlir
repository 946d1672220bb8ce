// the largest four of a row, one after the other
cuda_tile.module @m {
  entry @topk_f32(%x: tile<ptr<f32>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %v: tile<ptr<f32>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_s0: tile<i32>, %ix: tile<ptr<i32>>, %ix_0: tile<i32>, %ix_1: tile<i32>, %ix_s0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<f32>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %v8 = assume div_by<16>, %v : tile<ptr<f32>>
    %v9 = assume bounded<0, ?>, %v_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %v_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %v_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %v8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %ix15 = assume div_by<16>, %ix : tile<ptr<i32>>
    %v16 = assume bounded<0, ?>, %ix_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %ix_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %ix_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %ix15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?,1]>
    %tok = make_token : token
    %b22, %b23, %b24 = get_tile_block_id : tile<i32>
    %pv25 = make_partition_view %tv7 : partition_view<tile=(4x256), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>
    %v26 = constant <i32: 0> : tile<i32>
    %v27, %t28 = load_view_tko weak %pv25[%b22, %v26] token = %tok : partition_view<tile=(4x256), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<4x256xf32>, token
    %v29 = iota : tile<256xi32>
    %v30 = reshape %v29 : tile<256xi32> -> tile<1x256xi32>
    %v31 = broadcast %v30 : tile<1x256xi32> -> tile<4x256xi32>
    %pv32 = make_partition_view %tv14 : partition_view<tile=(4x1), tensor_view<?x?xf32, strides=[?,1]>>
    %pv33 = make_partition_view %tv21 : partition_view<tile=(4x1), tensor_view<?x?xi32, strides=[?,1]>>
    %r34:2 = reduce %v27, %v31 dim=1 identities=[0xFF800000 : f32, -1 : i32] : tile<4x256xf32>, tile<4x256xi32> -> tile<4xf32>, tile<4xi32>
    (%a35: tile<f32>, %a37: tile<f32>, %a36: tile<i32>, %a38: tile<i32>) {
      %v39 = cmpf greater_than ordered %a37, %a35 : tile<f32> -> tile<i1>
      %v40 = select %v39, %a37, %a35 : tile<i1>, tile<f32>
      %v41 = select %v39, %a38, %a36 : tile<i1>, tile<i32>
      yield %v40, %v41 : tile<f32>, tile<i32>
    }
    %v42 = reshape %r34#0 : tile<4xf32> -> tile<4x1xf32>
    %v43 = constant <i32: 0> : tile<i32>
    %t44 = store_view_tko weak %v42, %pv32[%b22, %v43] token = %tok : tile<4x1xf32>, partition_view<tile=(4x1), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %v45 = reshape %r34#1 : tile<4xi32> -> tile<4x1xi32>
    %v46 = constant <i32: 0> : tile<i32>
    %t47 = store_view_tko weak %v45, %pv33[%b22, %v46] token = %tok : tile<4x1xi32>, partition_view<tile=(4x1), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> token
    %v48 = reshape %r34#1 : tile<4xi32> -> tile<4x1xi32>
    %v49 = broadcast %v48 : tile<4x1xi32> -> tile<4x256xi32>
    %v50 = cmpi equal %v31, %v49, signed : tile<4x256xi32> -> tile<4x256xi1>
    %v51 = constant <f32: 0xFF800000> : tile<4x256xf32>
    %v52 = select %v50, %v51, %v27 : tile<4x256xi1>, tile<4x256xf32>
    %r53:2 = reduce %v52, %v31 dim=1 identities=[0xFF800000 : f32, -1 : i32] : tile<4x256xf32>, tile<4x256xi32> -> tile<4xf32>, tile<4xi32>
    (%a54: tile<f32>, %a56: tile<f32>, %a55: tile<i32>, %a57: tile<i32>) {
      %v58 = cmpf greater_than ordered %a56, %a54 : tile<f32> -> tile<i1>
      %v59 = select %v58, %a56, %a54 : tile<i1>, tile<f32>
      %v60 = select %v58, %a57, %a55 : tile<i1>, tile<i32>
      yield %v59, %v60 : tile<f32>, tile<i32>
    }
    %v61 = reshape %r53#0 : tile<4xf32> -> tile<4x1xf32>
    %v62 = constant <i32: 1> : tile<i32>
    %t63 = store_view_tko weak %v61, %pv32[%b22, %v62] token = %tok : tile<4x1xf32>, partition_view<tile=(4x1), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %v64 = reshape %r53#1 : tile<4xi32> -> tile<4x1xi32>
    %v65 = constant <i32: 1> : tile<i32>
    %t66 = store_view_tko weak %v64, %pv33[%b22, %v65] token = %tok : tile<4x1xi32>, partition_view<tile=(4x1), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> token
    %v67 = reshape %r53#1 : tile<4xi32> -> tile<4x1xi32>
    %v68 = broadcast %v67 : tile<4x1xi32> -> tile<4x256xi32>
    %v69 = cmpi equal %v31, %v68, signed : tile<4x256xi32> -> tile<4x256xi1>
    %v70 = constant <f32: 0xFF800000> : tile<4x256xf32>
    %v71 = select %v69, %v70, %v52 : tile<4x256xi1>, tile<4x256xf32>
    %r72:2 = reduce %v71, %v31 dim=1 identities=[0xFF800000 : f32, -1 : i32] : tile<4x256xf32>, tile<4x256xi32> -> tile<4xf32>, tile<4xi32>
    (%a73: tile<f32>, %a75: tile<f32>, %a74: tile<i32>, %a76: tile<i32>) {
      %v77 = cmpf greater_than ordered %a75, %a73 : tile<f32> -> tile<i1>
      %v78 = select %v77, %a75, %a73 : tile<i1>, tile<f32>
      %v79 = select %v77, %a76, %a74 : tile<i1>, tile<i32>
      yield %v78, %v79 : tile<f32>, tile<i32>
    }
    %v80 = reshape %r72#0 : tile<4xf32> -> tile<4x1xf32>
    %v81 = constant <i32: 2> : tile<i32>
    %t82 = store_view_tko weak %v80, %pv32[%b22, %v81] token = %tok : tile<4x1xf32>, partition_view<tile=(4x1), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %v83 = reshape %r72#1 : tile<4xi32> -> tile<4x1xi32>
    %v84 = constant <i32: 2> : tile<i32>
    %t85 = store_view_tko weak %v83, %pv33[%b22, %v84] token = %tok : tile<4x1xi32>, partition_view<tile=(4x1), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> token
    %v86 = reshape %r72#1 : tile<4xi32> -> tile<4x1xi32>
    %v87 = broadcast %v86 : tile<4x1xi32> -> tile<4x256xi32>
    %v88 = cmpi equal %v31, %v87, signed : tile<4x256xi32> -> tile<4x256xi1>
    %v89 = constant <f32: 0xFF800000> : tile<4x256xf32>
    %v90 = select %v88, %v89, %v71 : tile<4x256xi1>, tile<4x256xf32>
    %r91:2 = reduce %v90, %v31 dim=1 identities=[0xFF800000 : f32, -1 : i32] : tile<4x256xf32>, tile<4x256xi32> -> tile<4xf32>, tile<4xi32>
    (%a92: tile<f32>, %a94: tile<f32>, %a93: tile<i32>, %a95: tile<i32>) {
      %v96 = cmpf greater_than ordered %a94, %a92 : tile<f32> -> tile<i1>
      %v97 = select %v96, %a94, %a92 : tile<i1>, tile<f32>
      %v98 = select %v96, %a95, %a93 : tile<i1>, tile<i32>
      yield %v97, %v98 : tile<f32>, tile<i32>
    }
    %v99 = reshape %r91#0 : tile<4xf32> -> tile<4x1xf32>
    %v100 = constant <i32: 3> : tile<i32>
    %t101 = store_view_tko weak %v99, %pv32[%b22, %v100] token = %tok : tile<4x1xf32>, partition_view<tile=(4x1), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    %v102 = reshape %r91#1 : tile<4xi32> -> tile<4x1xi32>
    %v103 = constant <i32: 3> : tile<i32>
    %t104 = store_view_tko weak %v102, %pv33[%b22, %v103] token = %tok : tile<4x1xi32>, partition_view<tile=(4x1), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> token
    %v105 = reshape %r91#1 : tile<4xi32> -> tile<4x1xi32>
    %v106 = broadcast %v105 : tile<4x1xi32> -> tile<4x256xi32>
    %v107 = cmpi equal %v31, %v106, signed : tile<4x256xi32> -> tile<4x256xi1>
    %v108 = constant <f32: 0xFF800000> : tile<4x256xf32>
    %v109 = select %v107, %v108, %v90 : tile<4x256xi1>, tile<4x256xf32>
    return
  }
}
