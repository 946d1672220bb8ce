// state space recurrence: a scan of each chunk and a carried state
cuda_tile.module @m {
  entry @ssm_f32(%x: tile<ptr<f32>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %g: tile<ptr<f32>>, %g_0: tile<i32>, %g_1: tile<i32>, %g_s0: tile<i32>, %y: tile<ptr<f32>>, %y_0: tile<i32>, %y_1: tile<i32>, %y_s0: tile<i32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<f32>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %g8 = assume div_by<16>, %g : tile<ptr<f32>>
    %v9 = assume bounded<0, ?>, %g_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %g_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %g_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %g8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %y15 = assume div_by<16>, %y : tile<ptr<f32>>
    %v16 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %y_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %y_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %y15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b22, %b23, %b24 = get_tile_block_id : tile<i32>
    %pv25 = make_partition_view %tv7 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %pv26 = make_partition_view %tv14 : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %pv27 = make_partition_view %tv21 : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %v28 = constant <i32: 0> : tile<i32>
    %v29 = constant <i32: 64> : tile<i32>
    %v30 = divi %v2, %v29 signed rounding<positive_inf> : tile<i32>
    %v31 = constant <f32: 0.0> : tile<1x64xf32>
    %v32 = constant <i32: 1> : tile<i32>
    %f35 = for %i33 in (%v28 to %v30, step %v32) : tile<i32> iter_values(%c34 = %v31) -> (tile<1x64xf32>) {
      %v36, %t37 = load_view_tko weak %pv26[%i33, %b22] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<64x64xf32>, token
      %v38 = scan %v36 dim=0 reverse=false identities=[0.0 : f32] : tile<64x64xf32> -> tile<64x64xf32>
      (%l39: tile<f32>, %r40: tile<f32>) {
        %y41 = addf %l39, %r40 : tile<f32>
        yield %y41 : tile<f32>
      }
      %v42 = exp2 %v38 flush_to_zero : tile<64x64xf32>
      %v43, %t44 = load_view_tko weak %pv25[%i33, %b22] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<64x64xf32>, token
      %v45 = divf %v43, %v42  : tile<64x64xf32>
      %v46 = scan %v45 dim=0 reverse=false identities=[0.0 : f32] : tile<64x64xf32> -> tile<64x64xf32>
      (%l47: tile<f32>, %r48: tile<f32>) {
        %y49 = addf %l47, %r48 : tile<f32>
        yield %y49 : tile<f32>
      }
      %v50 = broadcast %c34 : tile<1x64xf32> -> tile<64x64xf32>
      %v51 = addf %v46, %v50  : tile<64x64xf32>
      %v52 = mulf %v42, %v51  : tile<64x64xf32>
      %t53 = store_view_tko weak %v52, %pv27[%i33, %b22] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
      %v54 = iota : tile<64xi32>
      %v55 = reshape %v54 : tile<64xi32> -> tile<64x1xi32>
      %v56 = constant <i32: 63> : tile<64x1xi32>
      %v57 = cmpi equal %v55, %v56, signed : tile<64x1xi32> -> tile<64x1xi1>
      %v58 = broadcast %v57 : tile<64x1xi1> -> tile<64x64xi1>
      %v59 = constant <f32: 0.0> : tile<64x64xf32>
      %v60 = select %v58, %v52, %v59 : tile<64x64xi1>, tile<64x64xf32>
      %v61 = reduce %v60 dim=0 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l62: tile<f32>, %r63: tile<f32>) {
        %y64 = addf %l62, %r63 : tile<f32>
        yield %y64 : tile<f32>
      }
      %v65 = reshape %v61 : tile<64xf32> -> tile<1x64xf32>
      continue %v65 : tile<1x64xf32>
    }
    return
  }
}
