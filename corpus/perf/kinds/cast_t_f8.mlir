// cast to f8 both ways
cuda_tile.module @m {
  entry @cast_t_f8(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %x_1: tile<i32>, %x_s0: tile<i32>, %o: tile<ptr<f8E4M3FN>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>, %ot: tile<ptr<f8E4M3FN>>, %ot_0: tile<i32>, %ot_1: tile<i32>, %ot_s0: tile<i32>, %am: tile<ptr<f32>>, %s: tile<ptr<f32>>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume bounded<0, ?>, %x_1 : tile<i32>
    %v4 = assume div_by<16>, %v3 : tile<i32>
    %v5 = assume bounded<0, ?>, %x_s0 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %tv7 = make_tensor_view %x1, shape = [%v2, %v4], strides = [%v6, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %o8 = assume div_by<16>, %o : tile<ptr<f8E4M3FN>>
    %v9 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v10 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v11 = assume div_by<16>, %v10 : tile<i32>
    %v12 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v13 = assume div_by<16>, %v12 : tile<i32>
    %tv14 = make_tensor_view %o8, shape = [%v9, %v11], strides = [%v13, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %ot15 = assume div_by<16>, %ot : tile<ptr<f8E4M3FN>>
    %v16 = assume bounded<0, ?>, %ot_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %ot_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %ot_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %ot15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %am22 = assume div_by<16>, %am : tile<ptr<f32>>
    %s23 = assume div_by<16>, %s : tile<ptr<f32>>
    %tok = make_token : token
    %b24, %b25, %b26 = get_tile_block_id : tile<i32>
    %pv27 = make_partition_view %tv7 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %v28, %t29 = load_view_tko weak %pv27[%b24, %b25] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x128xbf16>, token
    %v30 = ftof %v28  : tile<128x128xbf16> -> tile<128x128xf32>
    %v31 = constant <i32: 0> : tile<i32>
    %v32 = reshape %v31 : tile<i32> -> tile<1xi32>
    %v33 = reshape %s23 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %p34 = offset %v33, %v32 : tile<1xptr<f32>>, tile<1xi32> -> tile<1xptr<f32>>
    %v35, %t36 = load_ptr_tko weak %p34 token=%tok : tile<1xptr<f32>> -> tile<1xf32>, token
    %v37 = reshape %v35 : tile<1xf32> -> tile<1x1xf32>
    %v38 = broadcast %v37 : tile<1x1xf32> -> tile<128x128xf32>
    %v39 = mulf %v30, %v38  : tile<128x128xf32>
    %v40 = ftof %v39  : tile<128x128xf32> -> tile<128x128xf8E4M3FN>
    %pv41 = make_partition_view %tv14 : partition_view<tile=(128x128), tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %t42 = store_view_tko weak %v40, %pv41[%b24, %b25] token = %tok : tile<128x128xf8E4M3FN>, partition_view<tile=(128x128), tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> token
    %v43 = permute %v40 [1, 0] : tile<128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
    %pv44 = make_partition_view %tv21 : partition_view<tile=(128x128), tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %t45 = store_view_tko weak %v43, %pv44[%b25, %b24] token = %tok : tile<128x128xf8E4M3FN>, partition_view<tile=(128x128), tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> token
    %v46 = absf %v30  : tile<128x128xf32>
    %v47 = reduce %v46 dim=1 identities=[0.0 : f32] : tile<128x128xf32> -> tile<128xf32>
    (%l48: tile<f32>, %r49: tile<f32>) {
      %y50 = maxf %l48, %r49 : tile<f32>
      yield %y50 : tile<f32>
    }
    %v51 = reduce %v47 dim=0 identities=[0.0 : f32] : tile<128xf32> -> tile<f32>
    (%l52: tile<f32>, %r53: tile<f32>) {
      %y54 = maxf %l52, %r53 : tile<f32>
      yield %y54 : tile<f32>
    }
    %v55 = reshape %b24 : tile<i32> -> tile<1xi32>
    %v56 = reshape %am22 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %p57 = offset %v56, %v55 : tile<1xptr<f32>>, tile<1xi32> -> tile<1xptr<f32>>
    %v58 = reshape %v51 : tile<f32> -> tile<1xf32>
    %t59 = store_ptr_tko weak %p57, %v58 token=%tok : tile<1xptr<f32>>, tile<1xf32> -> token
    return
  }
}
