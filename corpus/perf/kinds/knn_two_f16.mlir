// the two smallest distances of each row
cuda_tile.module @m {
  entry @knn_two_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<f16>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %nb: tile<ptr<f32>>, %nb_0: tile<i32>, %nb_1: tile<i32>, %nb_s0: tile<i32>, %o: tile<ptr<f32>>) {
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
    %nb15 = assume div_by<16>, %nb : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %nb_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %nb_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %nb_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %nb15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o22 = assume div_by<16>, %o : tile<ptr<f32>>
    %tok = make_token : token
    %b23, %b24, %b25 = get_tile_block_id : tile<i32>
    %pv26 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v27 = constant <i32: 0> : tile<i32>
    %v28, %t29 = load_view_tko weak %pv26[%b23, %v27] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
    %pv30 = make_partition_view %tv14 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv31 = make_partition_view %tv21 : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v32 = constant <i32: 128> : tile<i32>
    %v33 = divi %v9, %v32 signed rounding<positive_inf> : tile<i32>
    %v34 = constant <i32: 0> : tile<i32>
    %v35 = constant <f32: 3.0e38> : tile<128x1xf32>
    %v36 = constant <f32: 3.0e38> : tile<128x1xf32>
    %v37 = constant <i32: 1> : tile<i32>
    %f41:2 = for %i38 in (%v34 to %v33, step %v37) : tile<i32> iter_values(%c39 = %v35, %c40 = %v36) -> (tile<128x1xf32>, tile<128x1xf32>) {
      %v42 = constant <i32: 0> : tile<i32>
      %v43, %t44 = load_view_tko weak %pv30[%i38, %v42] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %v45 = permute %v43 [1, 0] : tile<128x64xf16> -> tile<64x128xf16>
      %v46 = constant <f32: 0.0> : tile<128x128xf32>
      %v47 = mmaf %v28, %v45, %v46  : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      %v48 = constant <i32: 0> : tile<i32>
      %v49, %t50 = load_view_tko weak %pv31[%v48, %i38] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x128xf32>, token
      %v51 = constant <f32: 2.0> : tile<128x128xf32>
      %v52 = mulf %v47, %v51  : tile<128x128xf32>
      %v53 = broadcast %v49 : tile<1x128xf32> -> tile<128x128xf32>
      %v54 = subf %v53, %v52  : tile<128x128xf32>
      %v55 = negf %v54  : tile<128x128xf32>
      %v56 = reduce %v55 dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%l57: tile<f32>, %r58: tile<f32>) {
        %y59 = maxf %l57, %r58 : tile<f32>
        yield %y59 : tile<f32>
      }
      %v60 = reshape %v56 : tile<128xf32> -> tile<128x1xf32>
      %v61 = negf %v60  : tile<128x1xf32>
      %v62 = broadcast %v61 : tile<128x1xf32> -> tile<128x128xf32>
      %v63 = cmpf less_than_or_equal ordered %v54, %v62 : tile<128x128xf32> -> tile<128x128xi1>
      %v64 = constant <f32: 3.0e38> : tile<128x128xf32>
      %v65 = select %v63, %v64, %v54 : tile<128x128xi1>, tile<128x128xf32>
      %v66 = negf %v65  : tile<128x128xf32>
      %v67 = reduce %v66 dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%l68: tile<f32>, %r69: tile<f32>) {
        %y70 = maxf %l68, %r69 : tile<f32>
        yield %y70 : tile<f32>
      }
      %v71 = reshape %v67 : tile<128xf32> -> tile<128x1xf32>
      %v72 = negf %v71  : tile<128x1xf32>
      %v73 = minf %c39, %v61  : tile<128x1xf32>
      %v74 = maxf %c39, %v61  : tile<128x1xf32>
      %v75 = minf %c40, %v72  : tile<128x1xf32>
      %v76 = minf %v74, %v75  : tile<128x1xf32>
      continue %v73, %v76 : tile<128x1xf32>, tile<128x1xf32>
    }
    %v77 = constant <i32: 128> : tile<i32>
    %v78 = muli %b23, %v77  : tile<i32>
    %v79 = reshape %v78 : tile<i32> -> tile<1xi32>
    %v80 = broadcast %v79 : tile<1xi32> -> tile<128xi32>
    %v81 = iota : tile<128xi32>
    %v82 = addi %v80, %v81  : tile<128xi32>
    %v83 = reshape %o22 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v84 = broadcast %v83 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %p85 = offset %v84, %v82 : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %v86 = addf %f41#0, %f41#1  : tile<128x1xf32>
    %v87 = reshape %v86 : tile<128x1xf32> -> tile<128xf32>
    %t88 = store_ptr_tko weak %p85, %v87 token=%tok : tile<128xptr<f32>>, tile<128xf32> -> token
    return
  }
}
