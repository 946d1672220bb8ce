cuda_tile.module @kernels {
  entry @kernel(%p: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<64xi32>
    %c0 = constant <i32: 0> : tile<i32>
    %none = constant <i1: false> : tile<64xi1>
    %iota = iota : tile<64xi32>
    %tview = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xi32, strides=[8,1]>
    %pview = make_partition_view %tview : partition_view<tile=(8x8), tensor_view<8x8xi32, strides=[8,1]>>
    %r = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b = broadcast %r : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %at = offset %b, %iota : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %t1 = store_ptr_tko weak %at, %zero : tile<64xptr<i32>>, tile<64xi32> -> token
    %x, %t2 = load_ptr_tko weak %at, %none, %zero token=%t1 : tile<64xptr<i32>>, tile<64xi1>, tile<64xi32> -> tile<64xi32>, token
    %tile, %t3 = load_view_tko weak %pview[%c0, %c0] token = %t2 : partition_view<tile=(8x8), tensor_view<8x8xi32, strides=[8,1]>>, tile<i32> -> tile<8x8xi32>, token
    %flat = reshape %tile : tile<8x8xi32> -> tile<64xi32>
    %ro = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bo = broadcast %ro : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %ao = offset %bo, %iota : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %t4 = store_ptr_tko weak %ao, %flat : tile<64xptr<i32>>, tile<64xi32> -> token
    return
  }
}
