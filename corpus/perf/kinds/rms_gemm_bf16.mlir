// RMS norm of rows that come in tiles, behind the product
cuda_tile.module @m {
  entry @rms_gemm_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %g: tile<ptr<bf16>>, %g_0: tile<i32>, %o: tile<ptr<bf16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>, %inv: tile<f32>) {
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
    %g15 = assume div_by<16>, %g : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %g_0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %tv18 = make_tensor_view %g15, shape = [%v17], strides = [1] : tile<i32> -> tensor_view<?xbf16, strides=[1]>
    %o19 = assume div_by<16>, %o : tile<ptr<bf16>>
    %v20 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v21 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v22 = assume div_by<16>, %v21 : tile<i32>
    %v23 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v24 = assume div_by<16>, %v23 : tile<i32>
    %tv25 = make_tensor_view %o19, shape = [%v20, %v22], strides = [%v24, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %tok = make_token : token
    %b26, %b27, %b28 = get_tile_block_id : tile<i32>
    %pv29 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv30 = make_partition_view %tv14 : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv31 = make_partition_view %tv18 : partition_view<tile=(64), padding_value = zero, tensor_view<?xbf16, strides=[1]>>
    %v32 = constant <i32: 0> : tile<i32>
    %v33 = constant <i32: 64> : tile<i32>
    %v34 = divi %v4, %v33 signed rounding<positive_inf> : tile<i32>
    %v35 = constant <f32: 0.0> : tile<128x128xf32>
    %v36 = constant <f32: 0.0> : tile<128x1xf32>
    %v37 = constant <i32: 1> : tile<i32>
    %f41:2 = for %i38 in (%v32 to %v34, step %v37) : tile<i32> iter_values(%c39 = %v35, %c40 = %v36) -> (tile<128x128xf32>, tile<128x1xf32>) {
      %v42, %t43 = load_view_tko weak %pv29[%b26, %i38] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %v44 = ftof %v42  : tile<128x64xbf16> -> tile<128x64xf32>
      %v45 = mulf %v44, %v44  : tile<128x64xf32>
      %v46 = reduce %v45 dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%l47: tile<f32>, %r48: tile<f32>) {
        %y49 = addf %l47, %r48 : tile<f32>
        yield %y49 : tile<f32>
      }
      %v50 = reshape %v46 : tile<128xf32> -> tile<128x1xf32>
      %v51 = addf %c40, %v50  : tile<128x1xf32>
      %v52, %t53 = load_view_tko weak %pv31[%i38] token = %tok : partition_view<tile=(64), padding_value = zero, tensor_view<?xbf16, strides=[1]>>, tile<i32> -> tile<64xbf16>, token
      %v54 = ftof %v52  : tile<64xbf16> -> tile<64xf32>
      %v55 = reshape %v54 : tile<64xf32> -> tile<1x64xf32>
      %v56 = broadcast %v55 : tile<1x64xf32> -> tile<128x64xf32>
      %v57 = mulf %v44, %v56  : tile<128x64xf32>
      %v58 = ftof %v57  : tile<128x64xf32> -> tile<128x64xbf16>
      %v59, %t60 = load_view_tko weak %pv30[%i38, %b27] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %v61 = mmaf %v58, %v59, %c39  : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %v61, %v51 : tile<128x128xf32>, tile<128x1xf32>
    }
    %v62 = reshape %inv : tile<f32> -> tile<1x1xf32>
    %v63 = broadcast %v62 : tile<1x1xf32> -> tile<128x1xf32>
    %v64 = mulf %f41#1, %v63  : tile<128x1xf32>
    %v65 = constant <f32: 0.00001> : tile<128x1xf32>
    %v66 = addf %v64, %v65  : tile<128x1xf32>
    %v67 = rsqrt %v66  : tile<128x1xf32>
    %v68 = broadcast %v67 : tile<128x1xf32> -> tile<128x128xf32>
    %v69 = mulf %f41#0, %v68  : tile<128x128xf32>
    %v70 = ftof %v69  : tile<128x128xf32> -> tile<128x128xbf16>
    %pv71 = make_partition_view %tv25 : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %t72 = store_view_tko weak %v70, %pv71[%b26, %b27] token = %tok : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
