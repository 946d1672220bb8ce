// cross entropy over a long vocabulary: running maximum and sum
cuda_tile.module @m {
  entry @xent_f32(%x: tile<ptr<f32>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %lab: tile<ptr<i32>>, %lab_0: tile<i32>, %out: tile<ptr<f32>>, %out_0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<f32>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
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
    %pv19 = make_partition_view %tv7 : partition_view<tile=(1x1024), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>
    %pv20 = make_partition_view %tv11 : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
    %v21, %t22 = load_view_tko weak %pv20[%b16] token = %tok : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %v23 = constant <i32: 0> : tile<i32>
    %v24 = constant <i32: 1024> : tile<i32>
    %v25 = divi %v4, %v24 signed rounding<positive_inf> : tile<i32>
    %v26 = constant <f32: -1.0e30> : tile<1x1xf32>
    %v27 = constant <f32: 0.0> : tile<1x1xf32>
    %v28 = constant <f32: 0.0> : tile<1x1xf32>
    %v29 = constant <i32: 1> : tile<i32>
    %f34:3 = for %i30 in (%v23 to %v25, step %v29) : tile<i32> iter_values(%c31 = %v26, %c32 = %v27, %c33 = %v28) -> (tile<1x1xf32>, tile<1x1xf32>, tile<1x1xf32>) {
      %v35, %t36 = load_view_tko weak %pv19[%b16, %i30] token = %tok : partition_view<tile=(1x1024), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x1024xf32>, token
      %v37 = reduce %v35 dim=1 identities=[0xFF800000 : f32] : tile<1x1024xf32> -> tile<1xf32>
      (%l38: tile<f32>, %r39: tile<f32>) {
        %y40 = maxf %l38, %r39 : tile<f32>
        yield %y40 : tile<f32>
      }
      %v41 = reshape %v37 : tile<1xf32> -> tile<1x1xf32>
      %v42 = maxf %c31, %v41  : tile<1x1xf32>
      %v43 = subf %c31, %v42  : tile<1x1xf32>
      %v44 = constant <f32: 1.442695> : tile<1x1xf32>
      %v45 = mulf %v43, %v44  : tile<1x1xf32>
      %v46 = exp2 %v45 flush_to_zero : tile<1x1xf32>
      %v47 = mulf %c32, %v46  : tile<1x1xf32>
      %v48 = broadcast %v42 : tile<1x1xf32> -> tile<1x1024xf32>
      %v49 = subf %v35, %v48  : tile<1x1024xf32>
      %v50 = constant <f32: 1.442695> : tile<1x1024xf32>
      %v51 = mulf %v49, %v50  : tile<1x1024xf32>
      %v52 = exp2 %v51 flush_to_zero : tile<1x1024xf32>
      %v53 = reduce %v52 dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32>
      (%l54: tile<f32>, %r55: tile<f32>) {
        %y56 = addf %l54, %r55 : tile<f32>
        yield %y56 : tile<f32>
      }
      %v57 = reshape %v53 : tile<1xf32> -> tile<1x1xf32>
      %v58 = addf %v47, %v57  : tile<1x1xf32>
      %v59 = constant <i32: 1024> : tile<i32>
      %v60 = muli %i30, %v59  : tile<i32>
      %v61 = reshape %v60 : tile<i32> -> tile<1xi32>
      %v62 = broadcast %v61 : tile<1xi32> -> tile<1024xi32>
      %v63 = iota : tile<1024xi32>
      %v64 = addi %v62, %v63  : tile<1024xi32>
      %v65 = reshape %v64 : tile<1024xi32> -> tile<1x1024xi32>
      %v66 = reshape %v21 : tile<1xi32> -> tile<1x1xi32>
      %v67 = broadcast %v66 : tile<1x1xi32> -> tile<1x1024xi32>
      %v68 = cmpi equal %v65, %v67, signed : tile<1x1024xi32> -> tile<1x1024xi1>
      %v69 = constant <f32: 0.0> : tile<1x1024xf32>
      %v70 = select %v68, %v35, %v69 : tile<1x1024xi1>, tile<1x1024xf32>
      %v71 = reduce %v70 dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32>
      (%l72: tile<f32>, %r73: tile<f32>) {
        %y74 = addf %l72, %r73 : tile<f32>
        yield %y74 : tile<f32>
      }
      %v75 = reshape %v71 : tile<1xf32> -> tile<1x1xf32>
      %v76 = addf %c33, %v75  : tile<1x1xf32>
      continue %v42, %v58, %v76 : tile<1x1xf32>, tile<1x1xf32>, tile<1x1xf32>
    }
    %v77 = log %f34#1  : tile<1x1xf32>
    %v78 = addf %f34#0, %v77  : tile<1x1xf32>
    %v79 = subf %v78, %f34#2  : tile<1x1xf32>
    %v80 = reshape %v79 : tile<1x1xf32> -> tile<1xf32>
    %pv81 = make_partition_view %tv15 : partition_view<tile=(1), tensor_view<?xf32, strides=[1]>>
    %t82 = store_view_tko weak %v80, %pv81[%b16] token = %tok : tile<1xf32>, partition_view<tile=(1), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
