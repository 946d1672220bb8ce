// recurrence of outer products, a row at a time
cuda_tile.module @m {
  entry @wkv_bf16(%q: tile<ptr<bf16>>, %q_0: tile<i32>, %q_1: tile<i32>, %q_s0: tile<i32>, %k: tile<ptr<bf16>>, %k_0: tile<i32>, %k_1: tile<i32>, %k_s0: tile<i32>, %v: tile<ptr<bf16>>, %v_0: tile<i32>, %v_1: tile<i32>, %v_s0: tile<i32>, %w: tile<ptr<f32>>, %w_0: tile<i32>, %w_1: tile<i32>, %w_s0: tile<i32>, %o: tile<ptr<f32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
    %q1 = assume div_by<16>, %q : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %q_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %q_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %q_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %q1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %k8 = assume div_by<16>, %k : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %k_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %k_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %k_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %k8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %v15 = assume div_by<16>, %v : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %v_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %v_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %v_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %v15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w22 = assume div_by<16>, %w : tile<ptr<f32>>
    %v23 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %w_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %w_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %w22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o29 = assume div_by<16>, %o : tile<ptr<f32>>
    %v30 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %o29, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b36, %b37, %b38 = get_tile_block_id : tile<i32>
    %pv39 = make_partition_view %tv7 : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv40 = make_partition_view %tv14 : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv41 = make_partition_view %tv21 : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv42 = make_partition_view %tv28 : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %pv43 = make_partition_view %tv35 : partition_view<tile=(1x64), tensor_view<?x?xf32, strides=[?,1]>>
    %v44 = constant <i32: 0> : tile<i32>
    %v45 = constant <f32: 0.0> : tile<64x64xf32>
    %v46 = constant <i32: 1> : tile<i32>
    %f49 = for %i47 in (%v44 to %v2, step %v46) : tile<i32> iter_values(%c48 = %v45) -> (tile<64x64xf32>) {
      %v50, %t51 = load_view_tko weak %pv39[%i47, %b36] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x64xbf16>, token
      %v52 = ftof %v50  : tile<1x64xbf16> -> tile<1x64xf32>
      %v53 = reshape %v52 : tile<1x64xf32> -> tile<64x1xf32>
      %v54, %t55 = load_view_tko weak %pv40[%i47, %b36] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x64xbf16>, token
      %v56 = ftof %v54  : tile<1x64xbf16> -> tile<1x64xf32>
      %v57 = reshape %v56 : tile<1x64xf32> -> tile<64x1xf32>
      %v58, %t59 = load_view_tko weak %pv41[%i47, %b36] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x64xbf16>, token
      %v60 = ftof %v58  : tile<1x64xbf16> -> tile<1x64xf32>
      %v61, %t62 = load_view_tko weak %pv42[%i47, %b36] token = %tok : partition_view<tile=(1x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
      %v63 = reshape %v61 : tile<1x64xf32> -> tile<64x1xf32>
      %v64 = broadcast %v63 : tile<64x1xf32> -> tile<64x64xf32>
      %v65 = mulf %c48, %v64  : tile<64x64xf32>
      %v66 = broadcast %v57 : tile<64x1xf32> -> tile<64x64xf32>
      %v67 = broadcast %v60 : tile<1x64xf32> -> tile<64x64xf32>
      %v68 = mulf %v66, %v67  : tile<64x64xf32>
      %v69 = addf %v65, %v68  : tile<64x64xf32>
      %v70 = broadcast %v53 : tile<64x1xf32> -> tile<64x64xf32>
      %v71 = mulf %v69, %v70  : tile<64x64xf32>
      %v72 = reduce %v71 dim=0 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l73: tile<f32>, %r74: tile<f32>) {
        %y75 = addf %l73, %r74 : tile<f32>
        yield %y75 : tile<f32>
      }
      %v76 = reshape %v72 : tile<64xf32> -> tile<1x64xf32>
      %t77 = store_view_tko weak %v76, %pv43[%i47, %b36] token = %tok : tile<1x64xf32>, partition_view<tile=(1x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
      continue %v69 : tile<64x64xf32>
    }
    return
  }
}
