// chunk of a scan (Mamba 2)
cuda_tile.module @m {
  entry @chunk_scan_bf16(%c: tile<ptr<bf16>>, %c_0: tile<i32>, %c_1: tile<i32>, %c_2: tile<i32>, %c_s0: tile<i32>, %c_s1: tile<i32>, %b: tile<ptr<bf16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_2: tile<i32>, %b_s0: tile<i32>, %b_s1: tile<i32>, %x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_2: tile<i32>, %x_s0: tile<i32>, %x_s1: tile<i32>, %s: tile<ptr<bf16>>, %s_0: tile<i32>, %s_1: tile<i32>, %s_2: tile<i32>, %s_s0: tile<i32>, %s_s1: tile<i32>, %dt: tile<ptr<f32>>, %dt_0: tile<i32>, %dt_1: tile<i32>, %dt_s0: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>) {
    %c1 = assume div_by<16>, %c : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %c_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %c_1 : tile<i32>
    %v4 = assume bounded<0, ?>, %c_2 : tile<i32>
    %v5 = assume div_by<16>, %v4 : tile<i32>
    %v6 = assume bounded<0, ?>, %c_s0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %v8 = assume bounded<0, ?>, %c_s1 : tile<i32>
    %v9 = assume div_by<16>, %v8 : tile<i32>
    %tv10 = make_tensor_view %c1, shape = [%v2, %v3, %v5], strides = [%v7, %v9, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %b11 = assume div_by<16>, %b : tile<ptr<bf16>>
    %v12 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v13 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v14 = assume bounded<0, ?>, %b_2 : tile<i32>
    %v15 = assume div_by<16>, %v14 : tile<i32>
    %v16 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %v18 = assume bounded<0, ?>, %b_s1 : tile<i32>
    %v19 = assume div_by<16>, %v18 : tile<i32>
    %tv20 = make_tensor_view %b11, shape = [%v12, %v13, %v15], strides = [%v17, %v19, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %x21 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v22 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v23 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v24 = assume bounded<0, ?>, %x_2 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %v28 = assume bounded<0, ?>, %x_s1 : tile<i32>
    %v29 = assume div_by<16>, %v28 : tile<i32>
    %tv30 = make_tensor_view %x21, shape = [%v22, %v23, %v25], strides = [%v27, %v29, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %s31 = assume div_by<16>, %s : tile<ptr<bf16>>
    %v32 = assume bounded<0, ?>, %s_0 : tile<i32>
    %v33 = assume bounded<0, ?>, %s_1 : tile<i32>
    %v34 = assume bounded<0, ?>, %s_2 : tile<i32>
    %v35 = assume div_by<16>, %v34 : tile<i32>
    %v36 = assume bounded<0, ?>, %s_s0 : tile<i32>
    %v37 = assume div_by<16>, %v36 : tile<i32>
    %v38 = assume bounded<0, ?>, %s_s1 : tile<i32>
    %v39 = assume div_by<16>, %v38 : tile<i32>
    %tv40 = make_tensor_view %s31, shape = [%v32, %v33, %v35], strides = [%v37, %v39, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %dt41 = assume div_by<16>, %dt : tile<ptr<f32>>
    %v42 = assume bounded<0, ?>, %dt_0 : tile<i32>
    %v43 = assume bounded<0, ?>, %dt_1 : tile<i32>
    %v44 = assume div_by<16>, %v43 : tile<i32>
    %v45 = assume bounded<0, ?>, %dt_s0 : tile<i32>
    %v46 = assume div_by<16>, %v45 : tile<i32>
    %tv47 = make_tensor_view %dt41, shape = [%v42, %v44], strides = [%v46, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o48 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v49 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v50 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v51 = assume bounded<0, ?>, %o_2 : tile<i32>
    %v52 = assume div_by<16>, %v51 : tile<i32>
    %v53 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v54 = assume div_by<16>, %v53 : tile<i32>
    %v55 = assume bounded<0, ?>, %o_s1 : tile<i32>
    %v56 = assume div_by<16>, %v55 : tile<i32>
    %tv57 = make_tensor_view %o48, shape = [%v49, %v50, %v52], strides = [%v54, %v56, 1] : tile<i32> -> tensor_view<?x?x?xbf16, strides=[?,?,1]>
    %tok = make_token : token
    %b58, %b59, %b60 = get_tile_block_id : tile<i32>
    %pv61 = make_partition_view %tv10 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v62 = constant <i32: 0> : tile<i32>
    %v63, %t64 = load_view_tko weak %pv61[%b59, %b58, %v62] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
    %v65 = reshape %v63 : tile<1x128x64xbf16> -> tile<128x64xbf16>
    %pv66 = make_partition_view %tv20 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v67 = constant <i32: 0> : tile<i32>
    %v68, %t69 = load_view_tko weak %pv66[%b59, %b58, %v67] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
    %v70 = reshape %v68 : tile<1x128x64xbf16> -> tile<128x64xbf16>
    %pv71 = make_partition_view %tv30 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v72 = constant <i32: 0> : tile<i32>
    %v73, %t74 = load_view_tko weak %pv71[%b59, %b58, %v72] token = %tok : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
    %v75 = reshape %v73 : tile<1x128x64xbf16> -> tile<128x64xbf16>
    %pv76 = make_partition_view %tv40 : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %g77, %g78, %g79 = get_num_tile_blocks : tile<i32>
    %v80 = muli %b59, %g77  : tile<i32>
    %v81 = addi %v80, %b58  : tile<i32>
    %v82 = constant <i32: 0> : tile<i32>
    %v83 = constant <i32: 0> : tile<i32>
    %v84, %t85 = load_view_tko weak %pv76[%v81, %v82, %v83] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> tile<1x64x64xbf16>, token
    %v86 = reshape %v84 : tile<1x64x64xbf16> -> tile<64x64xbf16>
    %pv87 = make_partition_view %tv47 : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v88, %t89 = load_view_tko weak %pv87[%b59, %b58] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x128xf32>, token
    %v90 = scan %v88 dim=1 reverse=false identities=[0.0 : f32] : tile<1x128xf32> -> tile<1x128xf32>
    (%l91: tile<f32>, %r92: tile<f32>) {
      %y93 = addf %l91, %r92 : tile<f32>
      yield %y93 : tile<f32>
    }
    %v94 = permute %v90 [1, 0] : tile<1x128xf32> -> tile<128x1xf32>
    %v95 = iota : tile<128xi32>
    %v96 = reshape %v95 : tile<128xi32> -> tile<128x1xi32>
    %v97 = iota : tile<128xi32>
    %v98 = reshape %v97 : tile<128xi32> -> tile<1x128xi32>
    %v99 = broadcast %v96 : tile<128x1xi32> -> tile<128x128xi32>
    %v100 = broadcast %v98 : tile<1x128xi32> -> tile<128x128xi32>
    %v101 = cmpi greater_than_or_equal %v99, %v100, signed : tile<128x128xi32> -> tile<128x128xi1>
    %v102 = broadcast %v94 : tile<128x1xf32> -> tile<128x128xf32>
    %v103 = broadcast %v90 : tile<1x128xf32> -> tile<128x128xf32>
    %v104 = subf %v102, %v103  : tile<128x128xf32>
    %v105 = exp2 %v104 flush_to_zero : tile<128x128xf32>
    %v106 = constant <f32: 0.0> : tile<128x128xf32>
    %v107 = select %v101, %v105, %v106 : tile<128x128xi1>, tile<128x128xf32>
    %v108 = permute %v70 [1, 0] : tile<128x64xbf16> -> tile<64x128xbf16>
    %v109 = constant <f32: 0.0> : tile<128x128xf32>
    %v110 = mmaf %v65, %v108, %v109  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
    %v111 = mulf %v110, %v107  : tile<128x128xf32>
    %v112 = broadcast %v88 : tile<1x128xf32> -> tile<128x128xf32>
    %v113 = mulf %v111, %v112  : tile<128x128xf32>
    %v114 = ftof %v113  : tile<128x128xf32> -> tile<128x128xbf16>
    %v115 = constant <f32: 0.0> : tile<128x64xf32>
    %v116 = mmaf %v65, %v86, %v115  : tile<128x64xbf16>, tile<64x64xbf16>, tile<128x64xf32>
    %v117 = exp2 %v94 flush_to_zero : tile<128x1xf32>
    %v118 = broadcast %v117 : tile<128x1xf32> -> tile<128x64xf32>
    %v119 = mulf %v116, %v118  : tile<128x64xf32>
    %v120 = mmaf %v114, %v75, %v119  : tile<128x128xbf16>, tile<128x64xbf16>, tile<128x64xf32>
    %v121 = ftof %v120  : tile<128x64xf32> -> tile<128x64xbf16>
    %v122 = reshape %v121 : tile<128x64xbf16> -> tile<1x128x64xbf16>
    %pv123 = make_partition_view %tv57 : partition_view<tile=(1x128x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>
    %v124 = constant <i32: 0> : tile<i32>
    %t125 = store_view_tko weak %v122, %pv123[%b59, %b58, %v124] token = %tok : tile<1x128x64xbf16>, partition_view<tile=(1x128x64), tensor_view<?x?x?xbf16, strides=[?,?,1]>>, tile<i32> -> token
    return
  }
}
