// A loop that carries the sum of a tile that it loads, and stores the sum to the tile behind the load's token.
cuda_tile.module @kernels {
  entry @kernel(%data: tile<ptr<i32>>, %out: tile<ptr<i32>>, %turns: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %first = make_token : token
    %none = constant <i32: 0> : tile<8x8xi32>
    %matrix = make_tensor_view %data, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xi32, strides=[8,1]>
    %tiles = make_partition_view %matrix : partition_view<tile=(8x8), tensor_view<8x8xi32, strides=[8,1]>>
    %sum, %last = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%carried = %none, %before = %first) -> (tile<8x8xi32>, token) {
      %tile, %loaded = load_view_tko weak %tiles[%zero, %zero] token = %before : partition_view<tile=(8x8), tensor_view<8x8xi32, strides=[8,1]>>, tile<i32> -> tile<8x8xi32>, token
      %next = addi %carried, %tile : tile<8x8xi32>
      %stored = store_view_tko weak %next, %tiles[%zero, %zero] token = %loaded : tile<8x8xi32>, partition_view<tile=(8x8), tensor_view<8x8xi32, strides=[8,1]>>, tile<i32> -> token
      continue %next, %stored : tile<8x8xi32>, token
    }
    %line = reshape %sum : tile<8x8xi32> -> tile<64xi32>
    %places = iota : tile<64xi32>
    %base = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %base : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %pointers = offset %bases, %places : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %done = store_ptr_tko weak %pointers, %line : tile<64xptr<i32>>, tile<64xi32> -> token
    return
  }
}
