// A product in a loop, of columns that threads load one by one and rows that the copy engine loads, from a place that is read in
// front of the loop and overwritten.
cuda_tile.module @kernels {
  entry @kernel(%left: tile<ptr<f16>>, %right: tile<ptr<f16>>, %sums: tile<ptr<f32>>, %turns: tile<i32>, %place: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x16xf32>
    %start, %read = load_ptr_tko weak %place : tile<ptr<i32>> -> tile<i32>, token
    %reset = store_ptr_tko weak %place, %zero token=%read : tile<ptr<i32>>, tile<i32> -> token
    %columns = make_tensor_view %left, shape = [64, 256], strides = [1, 64] : tensor_view<64x256xf16, strides=[1,64]>
    %lefts = make_partition_view %columns : partition_view<tile=(64x32), tensor_view<64x256xf16, strides=[1,64]>>
    %aligned = assume div_by<16>, %right : tile<ptr<f16>>
    %rows = make_tensor_view %aligned, shape = [256, 16], strides = [16, 1] : tensor_view<256x16xf16, strides=[16,1]>
    %rights = make_partition_view %rows : partition_view<tile=(32x16), tensor_view<256x16xf16, strides=[16,1]>>
    %sum = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%carried = %none) -> (tile<64x16xf32>) {
      %k = addi %i, %start : tile<i32>
      %a, %ta = load_view_tko weak %lefts[%zero, %k] : partition_view<tile=(64x32), tensor_view<64x256xf16, strides=[1,64]>>, tile<i32> -> tile<64x32xf16>, token
      %b, %tb = load_view_tko weak %rights[%k, %zero] : partition_view<tile=(32x16), tensor_view<256x16xf16, strides=[16,1]>>, tile<i32> -> tile<32x16xf16>, token
      %next = mmaf %a, %b, %carried : tile<64x32xf16>, tile<32x16xf16>, tile<64x16xf32>
      continue %next : tile<64x16xf32>
    }
    %result = make_tensor_view %sums, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xf32, strides=[16,1]>
    %results = make_partition_view %result : partition_view<tile=(64x16), tensor_view<64x16xf32, strides=[16,1]>>
    %stored = store_view_tko weak %sum, %results[%zero, %zero] : tile<64x16xf32>, partition_view<tile=(64x16), tensor_view<64x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
