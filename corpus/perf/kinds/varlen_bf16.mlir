// attention over sequences packed one behind the other: rows begin where a table says
cuda_tile.module @m {
  entry @varlen_bf16(%q: tile<ptr<bf16>>, %k: tile<ptr<bf16>>, %v: tile<ptr<bf16>>, %o: tile<ptr<bf16>>, %cu: tile<ptr<i32>>, %st: tile<i32>, %scale: tile<f32>) {
    %q1 = assume div_by<16>, %q : tile<ptr<bf16>>
    %k2 = assume div_by<16>, %k : tile<ptr<bf16>>
    %v3 = assume div_by<16>, %v : tile<ptr<bf16>>
    %o4 = assume div_by<16>, %o : tile<ptr<bf16>>
    %cu5 = assume div_by<16>, %cu : tile<ptr<i32>>
    %v6 = assume bounded<0, ?>, %st : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %tok = make_token : token
    %b8, %b9, %b10 = get_tile_block_id : tile<i32>
    %v11 = reshape %b10 : tile<i32> -> tile<1xi32>
    %v12 = reshape %cu5 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p13 = offset %v12, %v11 : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
    %v14, %t15 = load_ptr_tko weak %p13 token=%tok : tile<1xptr<i32>> -> tile<1xi32>, token
    %v16 = reshape %v14 : tile<1xi32> -> tile<i32>
    %v17 = constant <i32: 1> : tile<i32>
    %v18 = addi %b10, %v17  : tile<i32>
    %v19 = reshape %v18 : tile<i32> -> tile<1xi32>
    %v20 = reshape %cu5 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p21 = offset %v20, %v19 : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
    %v22, %t23 = load_ptr_tko weak %p21 token=%tok : tile<1xptr<i32>> -> tile<1xi32>, token
    %v24 = reshape %v22 : tile<1xi32> -> tile<i32>
    %v25 = subi %v24, %v16  : tile<i32>
    %v26 = assume bounded<0, ?>, %v25 : tile<i32>
    %v27 = muli %v16, %v7  : tile<i32>
    %v28 = constant <i32: 128> : tile<i32>
    %v29 = muli %b9, %v28  : tile<i32>
    %v30 = addi %v27, %v29  : tile<i32>
    %p31 = offset %q1, %v30 : tile<ptr<bf16>>, tile<i32> -> tile<ptr<bf16>>
    %tv32 = make_tensor_view %p31, shape = [%v26, 128], strides = [%v7, 1] : tile<i32> -> tensor_view<?x128xbf16, strides=[?,1]>
    %pv33 = make_partition_view %tv32 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xbf16, strides=[?,1]>>
    %p34 = offset %k2, %v30 : tile<ptr<bf16>>, tile<i32> -> tile<ptr<bf16>>
    %tv35 = make_tensor_view %p34, shape = [%v26, 128], strides = [%v7, 1] : tile<i32> -> tensor_view<?x128xbf16, strides=[?,1]>
    %pv36 = make_partition_view %tv35 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xbf16, strides=[?,1]>>
    %p37 = offset %v3, %v30 : tile<ptr<bf16>>, tile<i32> -> tile<ptr<bf16>>
    %tv38 = make_tensor_view %p37, shape = [%v26, 128], strides = [%v7, 1] : tile<i32> -> tensor_view<?x128xbf16, strides=[?,1]>
    %pv39 = make_partition_view %tv38 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xbf16, strides=[?,1]>>
    %p40 = offset %o4, %v30 : tile<ptr<bf16>>, tile<i32> -> tile<ptr<bf16>>
    %tv41 = make_tensor_view %p40, shape = [%v26, 128], strides = [%v7, 1] : tile<i32> -> tensor_view<?x128xbf16, strides=[?,1]>
    %pv42 = make_partition_view %tv41 : partition_view<tile=(128x128), tensor_view<?x128xbf16, strides=[?,1]>>
    %v43 = constant <i32: 0> : tile<i32>
    %v44, %t45 = load_view_tko weak %pv33[%b8, %v43] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xbf16, strides=[?,1]>>, tile<i32> -> tile<128x128xbf16>, token
    %v46 = constant <f32: 1.442695> : tile<f32>
    %v47 = mulf %scale, %v46  : tile<f32>
    %v48 = constant <i32: 0> : tile<i32>
    %v49 = constant <i32: 64> : tile<i32>
    %v50 = divi %v26, %v49 signed rounding<positive_inf> : tile<i32>
    %v51 = constant <f32: 0xFF800000> : tile<128x1xf32>
    %v52 = constant <f32: 0.0> : tile<128x1xf32>
    %v53 = constant <f32: 0.0> : tile<128x128xf32>
    %v54 = constant <i32: 1> : tile<i32>
    %f59:3 = for %i55 in (%v48 to %v50, step %v54) : tile<i32> iter_values(%c56 = %v51, %c57 = %v52, %c58 = %v53) -> (tile<128x1xf32>, tile<128x1xf32>, tile<128x128xf32>) {
      %v60 = constant <i32: 0> : tile<i32>
      %v61, %t62 = load_view_tko weak %pv36[%i55, %v60] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %v63 = permute %v61 [1, 0] : tile<64x128xbf16> -> tile<128x64xbf16>
      %v64 = constant <f32: 0.0> : tile<128x64xf32>
      %v65 = mmaf %v44, %v63, %v64  : tile<128x128xbf16>, tile<128x64xbf16>, tile<128x64xf32>
      %v66 = reshape %v47 : tile<f32> -> tile<1x1xf32>
      %v67 = broadcast %v66 : tile<1x1xf32> -> tile<128x64xf32>
      %v68 = mulf %v65, %v67  : tile<128x64xf32>
      %v69 = constant <i32: 64> : tile<i32>
      %v70 = muli %i55, %v69  : tile<i32>
      %v71 = reshape %v70 : tile<i32> -> tile<1xi32>
      %v72 = broadcast %v71 : tile<1xi32> -> tile<64xi32>
      %v73 = iota : tile<64xi32>
      %v74 = addi %v72, %v73  : tile<64xi32>
      %v75 = reshape %v74 : tile<64xi32> -> tile<1x64xi32>
      %v76 = reshape %v26 : tile<i32> -> tile<1x1xi32>
      %v77 = broadcast %v76 : tile<1x1xi32> -> tile<1x64xi32>
      %v78 = cmpi less_than %v75, %v77, signed : tile<1x64xi32> -> tile<1x64xi1>
      %v79 = broadcast %v78 : tile<1x64xi1> -> tile<128x64xi1>
      %v80 = constant <f32: 0xFF800000> : tile<128x64xf32>
      %v81 = select %v79, %v68, %v80 : tile<128x64xi1>, tile<128x64xf32>
      %v82 = reduce %v81 dim=1 identities=[0xFF800000 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l83: tile<f32>, %r84: tile<f32>) {
        %y85 = maxf %l83, %r84 : tile<f32>
        yield %y85 : tile<f32>
      }
      %v86 = reshape %v82 : tile<128xf32> -> tile<128x1xf32>
      %v87 = maxf %c56, %v86  : tile<128x1xf32>
      %v88 = broadcast %v87 : tile<128x1xf32> -> tile<128x64xf32>
      %v89 = subf %v81, %v88  : tile<128x64xf32>
      %v90 = exp2 %v89 flush_to_zero : tile<128x64xf32>
      %v91 = subf %c56, %v87  : tile<128x1xf32>
      %v92 = exp2 %v91 flush_to_zero : tile<128x1xf32>
      %v93 = mulf %c57, %v92  : tile<128x1xf32>
      %v94 = reduce %v90 dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l95: tile<f32>, %r96: tile<f32>) {
        %y97 = addf %l95, %r96 : tile<f32>
        yield %y97 : tile<f32>
      }
      %v98 = reshape %v94 : tile<128xf32> -> tile<128x1xf32>
      %v99 = addf %v93, %v98  : tile<128x1xf32>
      %v100 = broadcast %v92 : tile<128x1xf32> -> tile<128x128xf32>
      %v101 = mulf %c58, %v100  : tile<128x128xf32>
      %v102 = ftof %v90  : tile<128x64xf32> -> tile<128x64xbf16>
      %v103 = constant <i32: 0> : tile<i32>
      %v104, %t105 = load_view_tko weak %pv39[%i55, %v103] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %v106 = mmaf %v102, %v104, %v101  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %v87, %v99, %v106 : tile<128x1xf32>, tile<128x1xf32>, tile<128x128xf32>
    }
    %v107 = broadcast %f59#1 : tile<128x1xf32> -> tile<128x128xf32>
    %v108 = divf %f59#2, %v107 rounding<approx> flush_to_zero : tile<128x128xf32>
    %v109 = ftof %v108  : tile<128x128xf32> -> tile<128x128xbf16>
    %v110 = constant <i32: 0> : tile<i32>
    %t111 = store_view_tko weak %v109, %pv42[%b8, %v110] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x128xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
