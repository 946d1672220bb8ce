// means and variances of columns, rows in a loop
cuda_tile.module @m {
  entry @column_stats_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %mu: tile<ptr<f32>>, %mu_0: tile<i32>, %va: tile<ptr<f32>>, %va_0: tile<i32>, %inv: tile<f32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %mu8 = assume div_by<16>, %mu : tile<ptr<f32>>
    %v9 = assume bounded<0, ?>, %mu_0 : tile<i32>
    %v10 = assume div_by<16>, %v9 : tile<i32>
    %tv11 = make_tensor_view %mu8, shape = [%v10], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %va12 = assume div_by<16>, %va : tile<ptr<f32>>
    %v13 = assume bounded<0, ?>, %va_0 : tile<i32>
    %v14 = assume div_by<16>, %v13 : tile<i32>
    %tv15 = make_tensor_view %va12, shape = [%v14], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tok = make_token : token
    %b16, %b17, %b18 = get_tile_block_id : tile<i32>
    %pv19 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v20 = constant <i32: 0> : tile<i32>
    %v21 = constant <i32: 64> : tile<i32>
    %v22 = divi %v2, %v21 signed rounding<positive_inf> : tile<i32>
    %v23 = constant <f32: 0.0> : tile<1x64xf32>
    %v24 = constant <f32: 0.0> : tile<1x64xf32>
    %v25 = constant <i32: 1> : tile<i32>
    %f29:2 = for %i26 in (%v20 to %v22, step %v25) : tile<i32> iter_values(%c27 = %v23, %c28 = %v24) -> (tile<1x64xf32>, tile<1x64xf32>) {
      %v30, %t31 = load_view_tko weak %pv19[%i26, %b16] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %v32 = ftof %v30  : tile<64x64xbf16> -> tile<64x64xf32>
      %v33 = reduce %v32 dim=0 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l34: tile<f32>, %r35: tile<f32>) {
        %y36 = addf %l34, %r35 : tile<f32>
        yield %y36 : tile<f32>
      }
      %v37 = reshape %v33 : tile<64xf32> -> tile<1x64xf32>
      %v38 = addf %c27, %v37  : tile<1x64xf32>
      %v39 = mulf %v32, %v32  : tile<64x64xf32>
      %v40 = reduce %v39 dim=0 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l41: tile<f32>, %r42: tile<f32>) {
        %y43 = addf %l41, %r42 : tile<f32>
        yield %y43 : tile<f32>
      }
      %v44 = reshape %v40 : tile<64xf32> -> tile<1x64xf32>
      %v45 = addf %c28, %v44  : tile<1x64xf32>
      continue %v38, %v45 : tile<1x64xf32>, tile<1x64xf32>
    }
    %v46 = reshape %inv : tile<f32> -> tile<1x1xf32>
    %v47 = broadcast %v46 : tile<1x1xf32> -> tile<1x64xf32>
    %v48 = mulf %f29#0, %v47  : tile<1x64xf32>
    %v49 = reshape %v48 : tile<1x64xf32> -> tile<64xf32>
    %pv50 = make_partition_view %tv11 : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %t51 = store_view_tko weak %v49, %pv50[%b16] token = %tok : tile<64xf32>, partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    %v52 = reshape %inv : tile<f32> -> tile<1x1xf32>
    %v53 = broadcast %v52 : tile<1x1xf32> -> tile<1x64xf32>
    %v54 = mulf %f29#1, %v53  : tile<1x64xf32>
    %v55 = mulf %v48, %v48  : tile<1x64xf32>
    %v56 = subf %v54, %v55  : tile<1x64xf32>
    %v57 = reshape %v56 : tile<1x64xf32> -> tile<64xf32>
    %pv58 = make_partition_view %tv15 : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %t59 = store_view_tko weak %v57, %pv58[%b16] token = %tok : tile<64xf32>, partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
