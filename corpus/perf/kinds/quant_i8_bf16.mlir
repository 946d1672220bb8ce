// rows to i8 by their own scale
cuda_tile.module @m {
  entry @quant_i8_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %y: tile<ptr<i8>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_s0: tile<i32>, %s: tile<ptr<f32>>, %s_0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %y8 = assume div_by<16>, %y : tile<ptr<i8>>
    %v9 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %y_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %y_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %y8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %s15 = assume div_by<16>, %s : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %s_0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %tv18 = make_tensor_view %s15, shape = [%v17], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tok = make_token : token
    %b19, %b20, %b21 = get_tile_block_id : tile<i32>
    %pv22 = make_partition_view %tv7 : partition_view<tile=(4x2048), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v23 = constant <i32: 0> : tile<i32>
    %v24, %t25 = load_view_tko weak %pv22[%b19, %v23] token = %tok : partition_view<tile=(4x2048), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<4x2048xbf16>, token
    %v26 = ftof %v24  : tile<4x2048xbf16> -> tile<4x2048xf32>
    %v27 = absf %v26  : tile<4x2048xf32>
    %v28 = reduce %v27 dim=1 identities=[0.0 : f32] : tile<4x2048xf32> -> tile<4xf32>
    (%l29: tile<f32>, %r30: tile<f32>) {
      %y31 = maxf %l29, %r30 : tile<f32>
      yield %y31 : tile<f32>
    }
    %v32 = reshape %v28 : tile<4xf32> -> tile<4x1xf32>
    %v33 = constant <f32: 0.000001> : tile<4x1xf32>
    %v34 = maxf %v32, %v33  : tile<4x1xf32>
    %v35 = constant <f32: 0.007874016> : tile<4x1xf32>
    %v36 = mulf %v34, %v35  : tile<4x1xf32>
    %v37 = broadcast %v36 : tile<4x1xf32> -> tile<4x2048xf32>
    %v38 = divf %v26, %v37 rounding<approx> flush_to_zero : tile<4x2048xf32>
    %v39 = constant <f32: 0.0> : tile<4x2048xf32>
    %v40 = cmpf less_than ordered %v38, %v39 : tile<4x2048xf32> -> tile<4x2048xi1>
    %v41 = constant <f32: -0.5> : tile<4x2048xf32>
    %v42 = constant <f32: 0.5> : tile<4x2048xf32>
    %v43 = select %v40, %v41, %v42 : tile<4x2048xi1>, tile<4x2048xf32>
    %v44 = addf %v38, %v43  : tile<4x2048xf32>
    %v45 = ftoi %v44 signed rounding<nearest_int_to_zero> : tile<4x2048xf32> -> tile<4x2048xi8>
    %pv46 = make_partition_view %tv14 : partition_view<tile=(4x2048), tensor_view<?x?xi8, strides=[?,1]>>
    %v47 = constant <i32: 0> : tile<i32>
    %t48 = store_view_tko weak %v45, %pv46[%b19, %v47] token = %tok : tile<4x2048xi8>, partition_view<tile=(4x2048), tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> token
    %v49 = reshape %v36 : tile<4x1xf32> -> tile<4xf32>
    %pv50 = make_partition_view %tv18 : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>
    %t51 = store_view_tko weak %v49, %pv50[%b19] token = %tok : tile<4xf32>, partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
