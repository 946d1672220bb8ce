// running sums of rows by a triangular matrix
cuda_tile.module @m {
  entry @scan_by_product_f16(%a: tile<ptr<f16>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %o: tile<ptr<f32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<f16>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %o8 = assume div_by<16>, %o : tile<ptr<f32>>
    %v9 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %o8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b15, %b16, %b17 = get_tile_block_id : tile<i32>
    %v18 = iota : tile<64xi32>
    %v19 = reshape %v18 : tile<64xi32> -> tile<64x1xi32>
    %v20 = broadcast %v19 : tile<64x1xi32> -> tile<64x64xi32>
    %v21 = iota : tile<64xi32>
    %v22 = reshape %v21 : tile<64xi32> -> tile<1x64xi32>
    %v23 = broadcast %v22 : tile<1x64xi32> -> tile<64x64xi32>
    %v24 = cmpi less_than_or_equal %v20, %v23, signed : tile<64x64xi32> -> tile<64x64xi1>
    %v25 = constant <f32: 1.0> : tile<64x64xf32>
    %v26 = constant <f32: 0.0> : tile<64x64xf32>
    %v27 = select %v24, %v25, %v26 : tile<64x64xi1>, tile<64x64xf32>
    %v28 = ftof %v27  : tile<64x64xf32> -> tile<64x64xf16>
    %pv29 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pv30 = make_partition_view %tv14 : partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>
    %v31 = constant <i32: 64> : tile<i32>
    %v32 = divi %v4, %v31 signed rounding<positive_inf> : tile<i32>
    %v33 = constant <i32: 0> : tile<i32>
    %v34 = constant <f32: 0.0> : tile<128x1xf32>
    %v35 = constant <i32: 1> : tile<i32>
    %f38 = for %i36 in (%v33 to %v32, step %v35) : tile<i32> iter_values(%c37 = %v34) -> (tile<128x1xf32>) {
      %v39, %t40 = load_view_tko weak %pv29[%b15, %i36] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %v41 = broadcast %c37 : tile<128x1xf32> -> tile<128x64xf32>
      %v42 = mmaf %v39, %v28, %v41  : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      %t43 = store_view_tko weak %v42, %pv30[%b15, %i36] token = %tok : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
      %v44 = iota : tile<64xi32>
      %v45 = reshape %v44 : tile<64xi32> -> tile<1x64xi32>
      %v46 = broadcast %v45 : tile<1x64xi32> -> tile<128x64xi32>
      %v47 = constant <i32: 63> : tile<128x64xi32>
      %v48 = cmpi equal %v46, %v47, signed : tile<128x64xi32> -> tile<128x64xi1>
      %v49 = constant <f32: 0.0> : tile<128x64xf32>
      %v50 = select %v48, %v42, %v49 : tile<128x64xi1>, tile<128x64xf32>
      %v51 = reduce %v50 dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l52: tile<f32>, %r53: tile<f32>) {
        %y54 = addf %l52, %r53 : tile<f32>
        yield %y54 : tile<f32>
      }
      %v55 = reshape %v51 : tile<128xf32> -> tile<128x1xf32>
      continue %v55 : tile<128x1xf32>
    }
    return
  }
}
