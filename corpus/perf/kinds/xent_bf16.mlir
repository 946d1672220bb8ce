// cross entropy over a long vocabulary: running maximum and sum
cuda_tile.module @m {
  entry @xent_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %lab: tile<ptr<i32>>, %lab_0: tile<i32>, %out: tile<ptr<f32>>, %out_0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %lab8 = assume div_by<16>, %lab : tile<ptr<i32>>
    %v9 = assume bounded<0, ?>, %lab_0 : tile<i32>
    %v10 = assume div_by<16>, %v9 : tile<i32>
    %tv11 = make_tensor_view %lab8, shape = [%v10], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %out12 = assume div_by<16>, %out : tile<ptr<f32>>
    %v13 = assume bounded<0, ?>, %out_0 : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %tv15 = make_tensor_view %out12, shape = [%v14], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tok = make_token : token
    %b16, %b17, %b18 = get_tile_block_id : tile<i32>
    %pv19 = make_partition_view %tv7 : partition_view<tile=(1x4096), padding_value = neg_inf, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv20 = make_partition_view %tv11 : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
    %v21, %t22 = load_view_tko weak %pv20[%b16] token = %tok : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %v23 = constant <i32: 0> : tile<i32>
    %v24 = constant <i32: 4096> : tile<i32>
    %v25 = divi %v4, %v24 signed rounding<positive_inf> : tile<i32>
    %v26 = constant <f32: -1.0e30> : tile<1x1xf32>
    %v27 = constant <f32: 0.0> : tile<1x1xf32>
    %v28 = constant <f32: 0.0> : tile<1x1xf32>
    %v29 = constant <i32: 1> : tile<i32>
    %f34:3 = for %i30 in (%v23 to %v25, step %v29) : tile<i32> iter_values(%c31 = %v26, %c32 = %v27, %c33 = %v28) -> (tile<1x1xf32>, tile<1x1xf32>, tile<1x1xf32>) {
      %v35, %t36 = load_view_tko weak %pv19[%b16, %i30] token = %tok : partition_view<tile=(1x4096), padding_value = neg_inf, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x4096xbf16>, token
      %v37 = ftof %v35  : tile<1x4096xbf16> -> tile<1x4096xf32>
      %v38 = reduce %v37 dim=1 identities=[0xFF800000 : f32] : tile<1x4096xf32> -> tile<1xf32>
      (%l39: tile<f32>, %r40: tile<f32>) {
        %y41 = maxf %l39, %r40 : tile<f32>
        yield %y41 : tile<f32>
      }
      %v42 = reshape %v38 : tile<1xf32> -> tile<1x1xf32>
      %v43 = maxf %c31, %v42  : tile<1x1xf32>
      %v44 = subf %c31, %v43  : tile<1x1xf32>
      %v45 = constant <f32: 1.442695> : tile<1x1xf32>
      %v46 = mulf %v44, %v45  : tile<1x1xf32>
      %v47 = exp2 %v46 flush_to_zero : tile<1x1xf32>
      %v48 = mulf %c32, %v47  : tile<1x1xf32>
      %v49 = broadcast %v43 : tile<1x1xf32> -> tile<1x4096xf32>
      %v50 = subf %v37, %v49  : tile<1x4096xf32>
      %v51 = constant <f32: 1.442695> : tile<1x4096xf32>
      %v52 = mulf %v50, %v51  : tile<1x4096xf32>
      %v53 = exp2 %v52 flush_to_zero : tile<1x4096xf32>
      %v54 = reduce %v53 dim=1 identities=[0.0 : f32] : tile<1x4096xf32> -> tile<1xf32>
      (%l55: tile<f32>, %r56: tile<f32>) {
        %y57 = addf %l55, %r56 : tile<f32>
        yield %y57 : tile<f32>
      }
      %v58 = reshape %v54 : tile<1xf32> -> tile<1x1xf32>
      %v59 = addf %v48, %v58  : tile<1x1xf32>
      %v60 = constant <i32: 4096> : tile<i32>
      %v61 = muli %i30, %v60  : tile<i32>
      %v62 = reshape %v61 : tile<i32> -> tile<1xi32>
      %v63 = broadcast %v62 : tile<1xi32> -> tile<4096xi32>
      %v64 = iota : tile<4096xi32>
      %v65 = addi %v63, %v64  : tile<4096xi32>
      %v66 = reshape %v65 : tile<4096xi32> -> tile<1x4096xi32>
      %v67 = reshape %v21 : tile<1xi32> -> tile<1x1xi32>
      %v68 = broadcast %v67 : tile<1x1xi32> -> tile<1x4096xi32>
      %v69 = cmpi equal %v66, %v68, signed : tile<1x4096xi32> -> tile<1x4096xi1>
      %v70 = constant <f32: 0.0> : tile<1x4096xf32>
      %v71 = select %v69, %v37, %v70 : tile<1x4096xi1>, tile<1x4096xf32>
      %v72 = reduce %v71 dim=1 identities=[0.0 : f32] : tile<1x4096xf32> -> tile<1xf32>
      (%l73: tile<f32>, %r74: tile<f32>) {
        %y75 = addf %l73, %r74 : tile<f32>
        yield %y75 : tile<f32>
      }
      %v76 = reshape %v72 : tile<1xf32> -> tile<1x1xf32>
      %v77 = addf %c33, %v76  : tile<1x1xf32>
      continue %v43, %v59, %v77 : tile<1x1xf32>, tile<1x1xf32>, tile<1x1xf32>
    }
    %v78 = log %f34#1  : tile<1x1xf32>
    %v79 = addf %f34#0, %v78  : tile<1x1xf32>
    %v80 = subf %v79, %f34#2  : tile<1x1xf32>
    %v81 = reshape %v80 : tile<1x1xf32> -> tile<1xf32>
    %pv82 = make_partition_view %tv15 : partition_view<tile=(1), tensor_view<?xf32, strides=[1]>>
    %t83 = store_view_tko weak %v81, %pv82[%b16] token = %tok : tile<1xf32>, partition_view<tile=(1), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
