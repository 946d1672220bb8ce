cuda_tile.module @m {

  entry @k(%p0: tile<ptr<tf32>>, %p1: tile<ptr<tf32>>) {
    %tv = make_tensor_view %p0, shape = [13], strides = [1] : tensor_view<13xtf32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(16), padding_value = neg_inf, tensor_view<13xtf32, strides=[1]>>
    %v1 = constant <i32: 0> : tile<i32>
    %x, %tk = load_view_tko weak %pv[%v1] : partition_view<tile=(16), padding_value = neg_inf, tensor_view<13xtf32, strides=[1]>>, tile<i32> -> tile<16xtf32>, token
    %v2 = iota : tile<16xi32>
    %v3 = reshape %v2 : tile<16xi32> -> tile<16xi32>
    %v4 = broadcast %v3 : tile<16xi32> -> tile<16xi32>
    %v5 = constant <i32: 1> : tile<16xi32>
    %v6 = muli %v4, %v5 : tile<16xi32>
    %v7 = reshape %p1 : tile<ptr<tf32>> -> tile<1xptr<tf32>>
    %v8 = broadcast %v7 : tile<1xptr<tf32>> -> tile<16xptr<tf32>>
    %v9 = offset %v8, %v6 : tile<16xptr<tf32>>, tile<16xi32> -> tile<16xptr<tf32>>
    %v10 = store_ptr_tko weak %v9, %x : tile<16xptr<tf32>>, tile<16xtf32> -> token
  }
}
