// logits tile by tile, their log of sums of exponentials kept online
cuda_tile.module @m {
  entry @linear_lse_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %lse: tile<ptr<f32>>, %lse_0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w8 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %w8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %lse15 = assume div_by<16>, %lse : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %lse_0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %tv18 = make_tensor_view %lse15, shape = [%v17], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tok = make_token : token
    %b19, %b20, %b21 = get_tile_block_id : tile<i32>
    %pv22 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv23 = make_partition_view %tv14 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v24 = constant <i32: 0> : tile<i32>
    %v25 = constant <i32: 128> : tile<i32>
    %v26 = divi %v9, %v25 signed rounding<positive_inf> : tile<i32>
    %v27 = constant <f32: -1.0e30> : tile<128x1xf32>
    %v28 = constant <f32: 0.0> : tile<128x1xf32>
    %v29 = constant <i32: 1> : tile<i32>
    %f33:2 = for %i30 in (%v24 to %v26, step %v29) : tile<i32> iter_values(%c31 = %v27, %c32 = %v28) -> (tile<128x1xf32>, tile<128x1xf32>) {
      %v34 = constant <i32: 0> : tile<i32>
      %v35 = constant <i32: 64> : tile<i32>
      %v36 = divi %v4, %v35 signed rounding<positive_inf> : tile<i32>
      %v37 = constant <f32: 0.0> : tile<128x128xf32>
      %v38 = constant <i32: 1> : tile<i32>
      %f41 = for %i39 in (%v34 to %v36, step %v38) : tile<i32> iter_values(%c40 = %v37) -> (tile<128x128xf32>) {
        %v42, %t43 = load_view_tko weak %pv22[%b19, %i39] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
        %v44, %t45 = load_view_tko weak %pv23[%i30, %i39] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
        %v46 = permute %v44 [1, 0] : tile<128x64xbf16> -> tile<64x128xbf16>
        %v47 = mmaf %v42, %v46, %c40  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
        continue %v47 : tile<128x128xf32>
      }
      %v48 = constant <f32: 1.442695> : tile<128x128xf32>
      %v49 = mulf %f41, %v48  : tile<128x128xf32>
      %v50 = constant <i32: 128> : tile<i32>
      %v51 = muli %i30, %v50  : tile<i32>
      %v52 = reshape %v51 : tile<i32> -> tile<1xi32>
      %v53 = broadcast %v52 : tile<1xi32> -> tile<128xi32>
      %v54 = iota : tile<128xi32>
      %v55 = addi %v53, %v54  : tile<128xi32>
      %v56 = reshape %v55 : tile<128xi32> -> tile<1x128xi32>
      %v57 = reshape %v9 : tile<i32> -> tile<1x1xi32>
      %v58 = broadcast %v57 : tile<1x1xi32> -> tile<1x128xi32>
      %v59 = cmpi less_than %v56, %v58, signed : tile<1x128xi32> -> tile<1x128xi1>
      %v60 = broadcast %v59 : tile<1x128xi1> -> tile<128x128xi1>
      %v61 = constant <f32: 0xFF800000> : tile<128x128xf32>
      %v62 = select %v60, %v49, %v61 : tile<128x128xi1>, tile<128x128xf32>
      %v63 = reduce %v62 dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%l64: tile<f32>, %r65: tile<f32>) {
        %y66 = maxf %l64, %r65 : tile<f32>
        yield %y66 : tile<f32>
      }
      %v67 = reshape %v63 : tile<128xf32> -> tile<128x1xf32>
      %v68 = maxf %c31, %v67  : tile<128x1xf32>
      %v69 = subf %c31, %v68  : tile<128x1xf32>
      %v70 = exp2 %v69 flush_to_zero : tile<128x1xf32>
      %v71 = mulf %c32, %v70  : tile<128x1xf32>
      %v72 = broadcast %v68 : tile<128x1xf32> -> tile<128x128xf32>
      %v73 = subf %v62, %v72  : tile<128x128xf32>
      %v74 = exp2 %v73 flush_to_zero : tile<128x128xf32>
      %v75 = reduce %v74 dim=1 identities=[0.0 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%l76: tile<f32>, %r77: tile<f32>) {
        %y78 = addf %l76, %r77 : tile<f32>
        yield %y78 : tile<f32>
      }
      %v79 = reshape %v75 : tile<128xf32> -> tile<128x1xf32>
      %v80 = addf %v71, %v79  : tile<128x1xf32>
      continue %v68, %v80 : tile<128x1xf32>, tile<128x1xf32>
    }
    %v81 = log2 %f33#1  : tile<128x1xf32>
    %v82 = addf %f33#0, %v81  : tile<128x1xf32>
    %v83 = reshape %v82 : tile<128x1xf32> -> tile<128xf32>
    %pv84 = make_partition_view %tv18 : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>
    %t85 = store_view_tko weak %v83, %pv84[%b19] token = %tok : tile<128xf32>, partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
