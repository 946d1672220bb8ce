// column sums and sums of squares, atomics at the end
cuda_tile.module @m {
  entry @bnorm_f16(%x: tile<ptr<f16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %s: tile<ptr<f32>>) {
    %x1 = assume div_by<16>, %x : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %s8 = assume div_by<16>, %s : tile<ptr<f32>>
    %tok = make_token : token
    %b9, %b10, %b11 = get_tile_block_id : tile<i32>
    %g12, %g13, %g14 = get_num_tile_blocks : tile<i32>
    %pv15 = make_partition_view %tv7 : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v16 = constant <i32: 32> : tile<i32>
    %v17 = divi %v2, %v16 signed rounding<positive_inf> : tile<i32>
    %v18 = constant <f32: 0.0> : tile<32x128xf32>
    %f22:2 = for %i19 in (%b9 to %v17, step %g12) : tile<i32> iter_values(%c20 = %v18, %c21 = %v18) -> (tile<32x128xf32>, tile<32x128xf32>) {
      %v23, %t24 = load_view_tko weak %pv15[%i19, %b10] token = %tok : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x128xf16>, token
      %v25 = ftof %v23  : tile<32x128xf16> -> tile<32x128xf32>
      %v26 = addf %c20, %v25  : tile<32x128xf32>
      %v27 = mulf %v25, %v25  : tile<32x128xf32>
      %v28 = addf %c21, %v27  : tile<32x128xf32>
      continue %v26, %v28 : tile<32x128xf32>, tile<32x128xf32>
    }
    %v29 = constant <i32: 128> : tile<i32>
    %v30 = muli %b10, %v29  : tile<i32>
    %v31 = reshape %v30 : tile<i32> -> tile<1xi32>
    %v32 = broadcast %v31 : tile<1xi32> -> tile<128xi32>
    %v33 = iota : tile<128xi32>
    %v34 = addi %v32, %v33  : tile<128xi32>
    %v35 = reshape %s8 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v36 = broadcast %v35 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %p37 = offset %v36, %v34 : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %v38 = reduce %f22#0 dim=0 identities=[0.0 : f32] : tile<32x128xf32> -> tile<128xf32>
    (%l39: tile<f32>, %r40: tile<f32>) {
      %y41 = addf %l39, %r40 : tile<f32>
      yield %y41 : tile<f32>
    }
    %v42, %t43 = atomic_rmw_tko relaxed device %p37, addf, %v38 token=%tok : tile<128xptr<f32>>, tile<128xf32> -> tile<128xf32>, token
    %v44 = reshape %v4 : tile<i32> -> tile<1xi32>
    %v45 = broadcast %v44 : tile<1xi32> -> tile<128xi32>
    %v46 = addi %v34, %v45  : tile<128xi32>
    %v47 = reshape %s8 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %v48 = broadcast %v47 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %p49 = offset %v48, %v46 : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %v50 = reduce %f22#1 dim=0 identities=[0.0 : f32] : tile<32x128xf32> -> tile<128xf32>
    (%l51: tile<f32>, %r52: tile<f32>) {
      %y53 = addf %l51, %r52 : tile<f32>
      yield %y53 : tile<f32>
    }
    %v54, %t55 = atomic_rmw_tko relaxed device %p49, addf, %v50 token=%tok : tile<128xptr<f32>>, tile<128xf32> -> tile<128xf32>, token
    return
  }
}
