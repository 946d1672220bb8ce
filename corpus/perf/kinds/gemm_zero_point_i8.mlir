// bytes, with the sums of rows for a zero point
cuda_tile.module @m {
  entry @gemm_zero_point_i8(%a: tile<ptr<i8>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<i8>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %o: tile<ptr<f16>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>, %zb: tile<ptr<f32>>, %zb_0: tile<i32>, %zb_1: tile<i32>, %zb_s0: tile<i32>, %sb: tile<ptr<f32>>, %sb_0: tile<i32>, %sb_1: tile<i32>, %sb_s0: tile<i32>) {
    %a1 = assume div_by<16>, %a : tile<ptr<i8>>
    %v2 = assume bounded<0, ?>, %a_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %a_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %a_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %a1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %b8 = assume div_by<16>, %b : tile<ptr<i8>>
    %v9 = assume bounded<0, ?>, %b_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %b_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %b_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %b8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %o15 = assume div_by<16>, %o : tile<ptr<f16>>
    %v16 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %o15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %zb22 = assume div_by<16>, %zb : tile<ptr<f32>>
    %v23 = assume bounded<0, ?>, %zb_0 : tile<i32>
    %v24 = assume bounded<0, ?>, %zb_1 : tile<i32>
    %v25 = assume div_by<16>, %v24 : tile<i32>
    %v26 = assume bounded<0, ?>, %zb_s0 : tile<i32>
    %v27 = assume div_by<16>, %v26 : tile<i32>
    %tv28 = make_tensor_view %zb22, shape = [%v23, %v25], strides = [%v27, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %sb29 = assume div_by<16>, %sb : tile<ptr<f32>>
    %v30 = assume bounded<0, ?>, %sb_0 : tile<i32>
    %v31 = assume bounded<0, ?>, %sb_1 : tile<i32>
    %v32 = assume div_by<16>, %v31 : tile<i32>
    %v33 = assume bounded<0, ?>, %sb_s0 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %tv35 = make_tensor_view %sb29, shape = [%v30, %v32], strides = [%v34, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %tok = make_token : token
    %b36, %b37, %b38 = get_tile_block_id : tile<i32>
    %pv39 = make_partition_view %tv7 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %pv40 = make_partition_view %tv14 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %v41 = constant <i32: 64> : tile<i32>
    %v42 = divi %v4, %v41 signed rounding<positive_inf> : tile<i32>
    %v43 = constant <i32: 0> : tile<i32>
    %v44 = constant <i32: 0> : tile<128x128xi32>
    %v45 = constant <i32: 0> : tile<128x1xi32>
    %v46 = constant <i32: 1> : tile<i32>
    %f50:2 = for %i47 in (%v43 to %v42, step %v46) : tile<i32> iter_values(%c48 = %v44, %c49 = %v45) -> (tile<128x128xi32>, tile<128x1xi32>) {
      %v51, %t52 = load_view_tko weak %pv39[%b36, %i47] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x64xi8>, token
      %v53, %t54 = load_view_tko weak %pv40[%b37, %i47] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x64xi8>, token
      %v56 = permute %v53 [1, 0] : tile<128x64xi8> -> tile<64x128xi8>
      %v55 = mmai %v51, %v56, %c48 signed signed : tile<128x64xi8>, tile<64x128xi8>, tile<128x128xi32>
      %v57 = exti %v51 signed : tile<128x64xi8> -> tile<128x64xi32>
      %v58 = reduce %v57 dim=1 identities=[0 : i32] : tile<128x64xi32> -> tile<128xi32>
      (%l59: tile<i32>, %r60: tile<i32>) {
        %y61 = addi %l59, %r60 : tile<i32>
        yield %y61 : tile<i32>
      }
      %v62 = reshape %v58 : tile<128xi32> -> tile<128x1xi32>
      %v63 = addi %c49, %v62  : tile<128x1xi32>
      continue %v55, %v63 : tile<128x128xi32>, tile<128x1xi32>
    }
    %v64 = itof %f50#0 signed : tile<128x128xi32> -> tile<128x128xf32>
    %v65 = itof %f50#1 signed : tile<128x1xi32> -> tile<128x1xf32>
    %v66 = broadcast %v65 : tile<128x1xf32> -> tile<128x128xf32>
    %pv67 = make_partition_view %tv28 : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v68 = constant <i32: 0> : tile<i32>
    %v69, %t70 = load_view_tko weak %pv67[%v68, %b37] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x128xf32>, token
    %v71 = broadcast %v69 : tile<1x128xf32> -> tile<128x128xf32>
    %v72 = mulf %v66, %v71  : tile<128x128xf32>
    %v73 = subf %v64, %v72  : tile<128x128xf32>
    %pv74 = make_partition_view %tv35 : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %v75 = constant <i32: 0> : tile<i32>
    %v76, %t77 = load_view_tko weak %pv74[%v75, %b37] token = %tok : partition_view<tile=(1x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x128xf32>, token
    %v78 = broadcast %v76 : tile<1x128xf32> -> tile<128x128xf32>
    %v79 = mulf %v73, %v78  : tile<128x128xf32>
    %v80 = ftof %v79  : tile<128x128xf32> -> tile<128x128xf16>
    %pv81 = make_partition_view %tv21 : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
    %t82 = store_view_tko weak %v80, %pv81[%b36, %b37] token = %tok : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
