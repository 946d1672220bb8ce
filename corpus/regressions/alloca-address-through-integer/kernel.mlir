cuda_tile.module @kernels attributes {producer = "tilesmith"} {
  entry @kernel() {
    %0 = alloca num_elem = 16, alignment = 64 : tile<ptr<f32>>
    %1 = ptr_to_int %0 : tile<ptr<f32>> -> tile<i64>
    %2 = int_to_ptr %1 : tile<i64> -> tile<ptr<f32>>
    %reshape = reshape %2 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<1xf32>
    %3 = store_ptr_tko weak %reshape, %cst_0_f32 : tile<1xptr<f32>>, tile<1xf32> -> token
    return
  }
}

