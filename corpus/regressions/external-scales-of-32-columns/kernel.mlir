cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<f8E4M3FN>>, %arg1: tile<ptr<f32>>) {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<128x32xf32>
    %cst_1_f4E2M1FN = constant <f4E2M1FN: 1.000000e+00> : tile<128x256xf4E2M1FN>
    %cst_1_f4E2M1FN_0 = constant <f4E2M1FN: 1.000000e+00> : tile<256x32xf4E2M1FN>
    %cst_1_f8E4M3FN = constant <f8E4M3FN: 1.000000e+00> : tile<128x16xf8E4M3FN>
    %tview = make_tensor_view %arg0, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf8E4M3FN, strides=[16,1]>
    %pview = make_partition_view %tview : partition_view<tile=(32x16), tensor_view<32x16xf8E4M3FN, strides=[16,1]>>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32] : partition_view<tile=(32x16), tensor_view<32x16xf8E4M3FN, strides=[16,1]>>, tile<i32> -> tile<32x16xf8E4M3FN>, token
    %0 = permute %tile [1, 0] : tile<32x16xf8E4M3FN> -> tile<16x32xf8E4M3FN>
    %1 = mmaf_scaled %cst_1_f4E2M1FN, %cst_1_f4E2M1FN_0, %cst_0_f32, %cst_1_f8E4M3FN, %0 : tile<128x256xf4E2M1FN>, tile<256x32xf4E2M1FN>, tile<128x32xf32>, tile<128x16xf8E4M3FN>, tile<16x32xf8E4M3FN>
    %tview_1 = make_tensor_view %arg1, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xf32, strides=[32,1]>
    %pview_2 = make_partition_view %tview_1 : partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>
    %2 = store_view_tko weak %1, %pview_2[%cst_0_i32, %cst_0_i32] : tile<128x32xf32>, partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
