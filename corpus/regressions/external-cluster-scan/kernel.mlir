// Running sums of columns in a kernel whose blocks form clusters of two.
cuda_tile.module @kernels {
  entry @kernel(%data: tile<ptr<i32>>, %out: tile<ptr<i32>>) optimization_hints=<sm_90 = {num_cta_in_cga = 2}, sm_100 = {num_cta_in_cga = 2}> {
    %zero = constant <i32: 0> : tile<i32>
    %places = iota : tile<1024xi32>
    %base = reshape %data : tile<ptr<i32>> -> tile<1xptr<i32>>
    %bases = broadcast %base : tile<1xptr<i32>> -> tile<1024xptr<i32>>
    %pointers = offset %bases, %places : tile<1024xptr<i32>>, tile<1024xi32> -> tile<1024xptr<i32>>
    %line, %loaded = load_ptr_tko weak %pointers : tile<1024xptr<i32>> -> tile<1024xi32>, token
    %tile = reshape %line : tile<1024xi32> -> tile<4x256xi32>
    %sums = scan %tile dim=0 reverse=false identities=[0 : i32] : tile<4x256xi32> -> tile<4x256xi32>
    (%a: tile<i32>, %b: tile<i32>) {
      %c = addi %a, %b : tile<i32>
      yield %c : tile<i32>
    }
    %result = make_tensor_view %out, shape = [4, 256], strides = [256, 1] : tensor_view<4x256xi32, strides=[256,1]>
    %results = make_partition_view %result : partition_view<tile=(4x256), tensor_view<4x256xi32, strides=[256,1]>>
    %done = store_view_tko weak %sums, %results[%zero, %zero] : tile<4x256xi32>, partition_view<tile=(4x256), tensor_view<4x256xi32, strides=[256,1]>>, tile<i32> -> token
    return
  }
}
