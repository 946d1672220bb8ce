cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<f4E2M1FN>>, %arg1: tile<ptr<f4E2M1FN>>, %arg2: tile<ptr<f32>>, %arg3: tile<i32>) {
    %assume = assume div_by<32>, %arg0 : tile<ptr<f4E2M1FN>>
    %assume_0 = assume div_by<32>, %arg1 : tile<ptr<f4E2M1FN>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<128x64xf32>
    %cst_1_f8E8M0FNU = constant <f8E8M0FNU: 1.000000e+00> : tile<128x8xf8E8M0FNU>
    %cst_2_f8E8M0FNU = constant <f8E8M0FNU: 2.000000e+00> : tile<8x64xf8E8M0FNU>
    %tview = make_tensor_view %assume, shape = [128, 512], strides = [512, 1] : tensor_view<128x512xf4E2M1FN, strides=[512,1]>
    %pview = make_partition_view %tview : partition_view<tile=(128x256), tensor_view<128x512xf4E2M1FN, strides=[512,1]>>
    %tview_1 = make_tensor_view %assume_0, shape = [64, 512], strides = [512, 1] : tensor_view<64x512xf4E2M1FN, strides=[512,1]>
    %pview_2 = make_partition_view %tview_1 : partition_view<tile=(64x256), tensor_view<64x512xf4E2M1FN, strides=[512,1]>>
    %for = for %loopIdx in (%cst_0_i32 to %arg3, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_f32) -> (tile<128x64xf32>) {
      %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %loopIdx] : partition_view<tile=(128x256), tensor_view<128x512xf4E2M1FN, strides=[512,1]>>, tile<i32> -> tile<128x256xf4E2M1FN>, token
      %tile_5, %result_token_6 = load_view_tko weak %pview_2[%cst_0_i32, %loopIdx] : partition_view<tile=(64x256), tensor_view<64x512xf4E2M1FN, strides=[512,1]>>, tile<i32> -> tile<64x256xf4E2M1FN>, token
      %1 = permute %tile_5 [1, 0] : tile<64x256xf4E2M1FN> -> tile<256x64xf4E2M1FN>
      %2 = mmaf_scaled %tile, %1, %iterArg0, %cst_1_f8E8M0FNU, %cst_2_f8E8M0FNU : tile<128x256xf4E2M1FN>, tile<256x64xf4E2M1FN>, tile<128x64xf32>, tile<128x8xf8E8M0FNU>, tile<8x64xf8E8M0FNU>
      continue %2 : tile<128x64xf32>
    }
    %tview_3 = make_tensor_view %arg2, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %pview_4 = make_partition_view %tview_3 : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %0 = store_view_tko weak %for, %pview_4[%cst_0_i32, %cst_0_i32] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
