// RMS norm backward, rows by the grid's step, the weights' gradient kept
cuda_tile.module @m {
  entry @rms_bwd_rows_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %dy: tile<ptr<bf16>>, %dy_0: tile<i32>, %dy_1: tile<i32>, %dy_s0: tile<i32>, %w: tile<ptr<bf16>>, %w_0: tile<i32>, %rs: tile<ptr<f32>>, %rs_0: tile<i32>, %dx: tile<ptr<bf16>>, %dx_0: tile<i32>, %dx_1: tile<i32>, %dx_s0: tile<i32>, %dw: tile<ptr<f32>>, %dw_0: tile<i32>, %dw_1: tile<i32>, %dw_s0: tile<i32>, %inv: tile<f32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %dy8 = assume div_by<16>, %dy : tile<ptr<bf16>>
    %v9 = assume bounded<0, ?>, %dy_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %dy_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %dy_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %dy8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %w15 = assume div_by<16>, %w : tile<ptr<bf16>>
    %v16 = assume bounded<0, ?>, %w_0 : tile<i32>
    %v17 = assume div_by<16>, %v16 : tile<i32>
    %tv18 = make_tensor_view %w15, shape = [%v17], strides = [1] : tile<i32> -> tensor_view<?xbf16, strides=[1]>
    %rs19 = assume div_by<16>, %rs : tile<ptr<f32>>
    %v20 = assume bounded<0, ?>, %rs_0 : tile<i32>
    %v21 = assume div_by<16>, %v20 : tile<i32>
    %tv22 = make_tensor_view %rs19, shape = [%v21], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %dx23 = assume div_by<16>, %dx : tile<ptr<bf16>>
    %v24 = assume bounded<0, ?>, %dx_0 : tile<i32>
    %v25 = assume bounded<0, ?>, %dx_1 : tile<i32>
    %v26 = assume div_by<16>, %v25 : tile<i32>
    %v27 = assume bounded<0, ?>, %dx_s0 : tile<i32>
    %v28 = assume div_by<16>, %v27 : tile<i32>
    %tv29 = make_tensor_view %dx23, shape = [%v24, %v26], strides = [%v28, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %dw30 = assume div_by<16>, %dw : tile<ptr<f32>>
    %v31 = assume bounded<0, ?>, %dw_0 : tile<i32>
    %v32 = assume bounded<0, ?>, %dw_1 : tile<i32>
    %v33 = assume div_by<16>, %v32 : tile<i32>
    %v34 = assume bounded<0, ?>, %dw_s0 : tile<i32>
    %v35 = assume div_by<16>, %v34 : tile<i32>
    %tv36 = make_tensor_view %dw30, shape = [%v31, %v33], strides = [%v35, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b37, %b38, %b39 = get_tile_block_id : tile<i32>
    %g40, %g41, %g42 = get_num_tile_blocks : tile<i32>
    %pv43 = make_partition_view %tv7 : partition_view<tile=(1x4096), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv44 = make_partition_view %tv14 : partition_view<tile=(1x4096), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %pv45 = make_partition_view %tv29 : partition_view<tile=(1x4096), tensor_view<?x?xbf16, strides=[?,1]>>
    %pv46 = make_partition_view %tv18 : partition_view<tile=(4096), padding_value = zero, tensor_view<?xbf16, strides=[1]>>
    %v47 = constant <i32: 0> : tile<i32>
    %v48, %t49 = load_view_tko weak %pv46[%v47] token = %tok : partition_view<tile=(4096), padding_value = zero, tensor_view<?xbf16, strides=[1]>>, tile<i32> -> tile<4096xbf16>, token
    %v50 = ftof %v48  : tile<4096xbf16> -> tile<4096xf32>
    %v51 = reshape %v50 : tile<4096xf32> -> tile<1x4096xf32>
    %pv52 = make_partition_view %tv22 : partition_view<tile=(1), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %v53 = constant <f32: 0.0> : tile<1x4096xf32>
    %f56 = for %i54 in (%b37 to %v2, step %g40) : tile<i32> iter_values(%c55 = %v53) -> (tile<1x4096xf32>) {
      %v57 = constant <i32: 0> : tile<i32>
      %v58, %t59 = load_view_tko weak %pv43[%i54, %v57] token = %tok : partition_view<tile=(1x4096), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x4096xbf16>, token
      %v60 = ftof %v58  : tile<1x4096xbf16> -> tile<1x4096xf32>
      %v61 = constant <i32: 0> : tile<i32>
      %v62, %t63 = load_view_tko weak %pv44[%i54, %v61] token = %tok : partition_view<tile=(1x4096), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x4096xbf16>, token
      %v64 = ftof %v62  : tile<1x4096xbf16> -> tile<1x4096xf32>
      %v65, %t66 = load_view_tko weak %pv52[%i54] token = %tok : partition_view<tile=(1), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1xf32>, token
      %v67 = reshape %v65 : tile<1xf32> -> tile<1x1xf32>
      %v68 = broadcast %v67 : tile<1x1xf32> -> tile<1x4096xf32>
      %v69 = mulf %v60, %v68  : tile<1x4096xf32>
      %v70 = mulf %v64, %v51  : tile<1x4096xf32>
      %v71 = mulf %v70, %v69  : tile<1x4096xf32>
      %v72 = reduce %v71 dim=1 identities=[0.0 : f32] : tile<1x4096xf32> -> tile<1xf32>
      (%l73: tile<f32>, %r74: tile<f32>) {
        %y75 = addf %l73, %r74 : tile<f32>
        yield %y75 : tile<f32>
      }
      %v76 = reshape %v72 : tile<1xf32> -> tile<1x1xf32>
      %v77 = reshape %inv : tile<f32> -> tile<1x1xf32>
      %v78 = mulf %v76, %v77  : tile<1x1xf32>
      %v79 = broadcast %v78 : tile<1x1xf32> -> tile<1x4096xf32>
      %v80 = mulf %v69, %v79  : tile<1x4096xf32>
      %v81 = subf %v70, %v80  : tile<1x4096xf32>
      %v82 = broadcast %v67 : tile<1x1xf32> -> tile<1x4096xf32>
      %v83 = mulf %v81, %v82  : tile<1x4096xf32>
      %v84 = ftof %v83  : tile<1x4096xf32> -> tile<1x4096xbf16>
      %v85 = constant <i32: 0> : tile<i32>
      %t86 = store_view_tko weak %v84, %pv45[%i54, %v85] token = %tok : tile<1x4096xbf16>, partition_view<tile=(1x4096), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      %v87 = mulf %v64, %v69  : tile<1x4096xf32>
      %v88 = addf %c55, %v87  : tile<1x4096xf32>
      continue %v88 : tile<1x4096xf32>
    }
    %pv89 = make_partition_view %tv36 : partition_view<tile=(1x4096), tensor_view<?x?xf32, strides=[?,1]>>
    %v90 = constant <i32: 0> : tile<i32>
    %t91 = store_view_tko weak %f56, %pv89[%b37, %v90] token = %tok : tile<1x4096xf32>, partition_view<tile=(1x4096), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
