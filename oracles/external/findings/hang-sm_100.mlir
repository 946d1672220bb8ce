cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<f16>, %arg1: tile<i8>, %arg2: tile<ptr<f64>>, %arg3: tile<i32>, %arg4: tile<i32>, %arg5: tile<ptr<f64>>, %arg6: tile<i32>, %arg7: tile<i32>, %arg8: tile<ptr<f16>>, %arg9: tile<ptr<f16>>, %arg10: tile<ptr<f64>>, %arg11: tile<ptr<f32>>, %arg12: tile<i32>, %arg13: tile<i32>, %arg14: tile<ptr<tf32>>, %arg15: tile<i32>, %arg16: tile<i32>, %arg17: tile<i32>, %arg18: tile<ptr<f8E5M2>>, %arg19: tile<i32>, %arg20: tile<i32>) optimization_hints=<sm_100 = {num_cta_in_cga = 2, occupancy = 4}> {
    %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
    %0 = iota : tile<4096xi32>
    %cst_4096_i32 = constant <i32: 4096> : tile<i32>
    %1 = muli %blockId_x, %cst_4096_i32 overflow<no_signed_wrap> : tile<i32>
    %reshape = reshape %1 : tile<i32> -> tile<1xi32>
    %bcast = broadcast %reshape : tile<1xi32> -> tile<4096xi32>
    %2 = addi %0, %bcast overflow<no_signed_wrap> : tile<4096xi32>
    %reshape_0 = reshape %arg3 : tile<i32> -> tile<1xi32>
    %bcast_1 = broadcast %reshape_0 : tile<1xi32> -> tile<4096xi32>
    %3 = cmpi less_than %2, %bcast_1, signed : tile<4096xi32> -> tile<4096xi1>
    %reshape_2 = reshape %arg4 : tile<i32> -> tile<1xi32>
    %bcast_3 = broadcast %reshape_2 : tile<1xi32> -> tile<4096xi32>
    %4 = muli %2, %bcast_3 overflow<no_signed_wrap> : tile<4096xi32>
    %assume = assume div_by<1>, %arg2 : tile<ptr<f64>>
    %assume_assume = assume div_by<16>, %assume : tile<ptr<f64>>
    %reshape_4 = reshape %assume_assume : tile<ptr<f64>> -> tile<1xptr<f64>>
    %bcast_5 = broadcast %reshape_4 : tile<1xptr<f64>> -> tile<4096xptr<f64>>
    %5 = offset %bcast_5, %4 : tile<4096xptr<f64>>, tile<4096xi32> -> tile<4096xptr<f64>>
    %cst_6_f64 = constant <f64: 6.000000e+00> : tile<4096xf64>
    %result, %result_token = load_ptr_tko weak %5, %3, %cst_6_f64 : tile<4096xptr<f64>>, tile<4096xi1>, tile<4096xf64> -> tile<4096xf64>, token
    %tview = make_tensor_view %arg5, shape = [%arg6], strides = [1] : tile<i32> -> tensor_view<?xf64, strides=[1]>
    %pview = make_partition_view %tview : partition_view<tile=(4096), padding_value = zero, tensor_view<?xf64, strides=[1]>>
    %tile, %result_token_6 = load_view_tko weak %pview[%blockId_x] : partition_view<tile=(4096), padding_value = zero, tensor_view<?xf64, strides=[1]>>, tile<i32> -> tile<4096xf64>, token
    %cst_f64 = constant <f64: 6.250000e-02> : tile<4096xf64>
    %6 = maxf %result, %cst_f64 : tile<4096xf64>
    %cst_1_f64 = constant <f64: 1.000000e+00> : tile<4096xf64>
    %7 = minf %6, %cst_1_f64 : tile<4096xf64>
    %cst_f64_7 = constant <f64: 6.250000e-02> : tile<4096xf64>
    %8 = maxf %tile, %cst_f64_7 : tile<4096xf64>
    %cst_8_f64 = constant <f64: 8.000000e+00> : tile<4096xf64>
    %9 = minf %8, %cst_8_f64 : tile<4096xf64>
    %10 = cosh %9 : tile<4096xf64>
    %cst_f64_8 = constant <f64: 6.250000e-02> : tile<4096xf64>
    %11 = maxf %10, %cst_f64_8 : tile<4096xf64>
    %cst_2_f64 = constant <f64: 2.000000e+00> : tile<4096xf64>
    %12 = minf %11, %cst_2_f64 : tile<4096xf64>
    %cst_f64_9 = constant <f64: 6.250000e-02> : tile<4096xf64>
    %13 = maxf %tile, %cst_f64_9 : tile<4096xf64>
    %cst_16_f64 = constant <f64: 1.600000e+01> : tile<4096xf64>
    %14 = minf %13, %cst_16_f64 : tile<4096xf64>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_4_i32 = constant <i32: 4> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %for = for %loopIdx in (%cst_0_i32 to %cst_4_i32, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %14) -> (tile<4096xf64>) {
      %cst_f64_91 = constant <f64: 6.250000e-02> : tile<4096xf64>
      %107 = maxf %iterArg0, %cst_f64_91 : tile<4096xf64>
      %cst_16_f64_92 = constant <f64: 1.600000e+01> : tile<4096xf64>
      %108 = minf %107, %cst_16_f64_92 : tile<4096xf64>
      %109 = mulf %7, %108  : tile<4096xf64>
      %110 = addf %109, %12  : tile<4096xf64>
      continue %110 : tile<4096xf64>
    }
    %cst_f64_10 = constant <f64: 6.250000e-02> : tile<4096xf64>
    %15 = maxf %for, %cst_f64_10 : tile<4096xf64>
    %cst_16_f64_11 = constant <f64: 1.600000e+01> : tile<4096xf64>
    %16 = minf %15, %cst_16_f64_11 : tile<4096xf64>
    %cst_f64_12 = constant <f64: 6.250000e-02> : tile<4096xf64>
    %17 = maxf %tile, %cst_f64_12 : tile<4096xf64>
    %cst_8_f64_13 = constant <f64: 8.000000e+00> : tile<4096xf64>
    %18 = minf %17, %cst_8_f64_13 : tile<4096xf64>
    %19 = log %18 : tile<4096xf64>
    %cst_f64_14 = constant <f64: 6.250000e-02> : tile<4096xf64>
    %20 = maxf %19, %cst_f64_14 : tile<4096xf64>
    %cst_16_f64_15 = constant <f64: 1.600000e+01> : tile<4096xf64>
    %21 = minf %20, %cst_16_f64_15 : tile<4096xf64>
    %22 = addf %16, %21  : tile<4096xf64>
    %cst_f64_18 = constant <f64: 6.250000e-02> : tile<4096xf64>
    %25 = maxf %22, %cst_f64_18 : tile<4096xf64>
    %cst_16_f64_19 = constant <f64: 1.600000e+01> : tile<4096xf64>
    %26 = minf %25, %cst_16_f64_19 : tile<4096xf64>
    %cst_f64_20 = constant <f64: 6.250000e-02> : tile<4096xf64>
    %27 = maxf %22, %cst_f64_20 : tile<4096xf64>
    %cst_16_f64_21 = constant <f64: 1.600000e+01> : tile<4096xf64>
    %28 = minf %27, %cst_16_f64_21 : tile<4096xf64>
    %29 = mulf %26, %28  : tile<4096xf64>
    %cst_f64_22 = constant <f64: 6.250000e-02> : tile<4096xf64>
    %30 = maxf %29, %cst_f64_22 : tile<4096xf64>
    %cst_16_f64_23 = constant <f64: 1.600000e+01> : tile<4096xf64>
    %31 = minf %30, %cst_16_f64_23 : tile<4096xf64>
    %32 = sqrt %31 rounding<zero> : tile<4096xf64>
    %reshape_45 = reshape %32 : tile<4096xf64> -> tile<64x64xf64>
    %cst_f64_46 = constant <f64: -4.000000e+00> : tile<64x64xf64>
    %55 = maxf %reshape_45, %cst_f64_46 : tile<64x64xf64>
    %cst_4_f64 = constant <f64: 4.000000e+00> : tile<64x64xf64>
    %56 = minf %55, %cst_4_f64 : tile<64x64xf64>
    %57 = ftof %56  : tile<64x64xf64> -> tile<64x64xf8E4M3FN>
    %cst_f64_47 = constant <f64: -4.000000e+00> : tile<64x64xf64>
    %58 = maxf %reshape_45, %cst_f64_47 : tile<64x64xf64>
    %cst_4_f64_48 = constant <f64: 4.000000e+00> : tile<64x64xf64>
    %59 = minf %58, %cst_4_f64_48 : tile<64x64xf64>
    %60 = ftof %59  : tile<64x64xf64> -> tile<64x64xf8E4M3FN>
    %61 = permute %60 [1, 0] : tile<64x64xf8E4M3FN> -> tile<64x64xf8E4M3FN>
    %cst_5_f32 = constant <f32: 5.000000e+00> : tile<64x64xf32>
    %62 = mmaf %57, %61, %cst_5_f32 : tile<64x64xf8E4M3FN>, tile<64x64xf8E4M3FN>, tile<64x64xf32>
    %reshape_78 = reshape %62 : tile<64x64xf32> -> tile<4096xf32>
    %assume_79 = assume div_by<8>, %arg11 : tile<ptr<f32>>
    %assume_assume_80 = assume div_by<4>, %assume_79 : tile<ptr<f32>>
    %tview_81 = make_tensor_view %assume_assume_80, shape = [16384], strides = [1] : tensor_view<16384xf32, strides=[1]>
    %pview_82 = make_partition_view %tview_81 : partition_view<tile=(4096), tensor_view<16384xf32, strides=[1]>>
    %104 = store_view_tko weak %reshape_78, %pview_82[%blockId_x] : tile<4096xf32>, partition_view<tile=(4096), tensor_view<16384xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
