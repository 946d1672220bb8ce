// one product of bytes
cuda_tile.module @m {
  entry @gemm_one_i8(%a: tile<ptr<i8>>, %a_0: tile<i32>, %a_1: tile<i32>, %a_s0: tile<i32>, %b: tile<ptr<i8>>, %b_0: tile<i32>, %b_1: tile<i32>, %b_s0: tile<i32>, %o: tile<ptr<i32>>, %o_0: tile<i32>, %o_1: tile<i32>, %o_s0: tile<i32>) {
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
    %o15 = assume div_by<16>, %o : tile<ptr<i32>>
    %v16 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v17 = assume bounded<0, ?>, %o_1 : tile<i32>
    %v18 = assume div_by<16>, %v17 : tile<i32>
    %v19 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %tv21 = make_tensor_view %o15, shape = [%v16, %v18], strides = [%v20, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?,1]>
    %tok = make_token : token
    %b22, %b23, %b24 = get_tile_block_id : tile<i32>
    %pv25 = make_partition_view %tv7 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %v26 = constant <i32: 0> : tile<i32>
    %v27, %t28 = load_view_tko weak %pv25[%b22, %v26] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x128xi8>, token
    %pv29 = make_partition_view %tv14 : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %v30 = constant <i32: 0> : tile<i32>
    %v31, %t32 = load_view_tko weak %pv29[%b23, %v30] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x128xi8>, token
    %v33 = permute %v31 [1, 0] : tile<128x128xi8> -> tile<128x128xi8>
    %v34 = constant <i32: 0> : tile<128x128xi32>
    %v35 = mmai %v27, %v33, %v34 signed signed : tile<128x128xi8>, tile<128x128xi8>, tile<128x128xi32>
    %pv36 = make_partition_view %tv21 : partition_view<tile=(128x128), tensor_view<?x?xi32, strides=[?,1]>>
    %t37 = store_view_tko weak %v35, %pv36[%b22, %b23] token = %tok : tile<128x128xi32>, partition_view<tile=(128x128), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
