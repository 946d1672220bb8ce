cuda_tile.module @kernels {
  entry @kernel(%arg0: tile<ptr<bf16>>, %arg1: tile<i32>, %arg2: tile<ptr<f32>>, %arg3: tile<ptr<f32>>, %arg4: tile<i32>, %arg5: tile<i32>, %arg6: tile<i32>, %arg7: tile<i32>, %arg8: tile<i32>, %arg9: tile<ptr<bf16>>, %arg10: tile<i32>, %arg11: tile<i32>, %arg12: tile<i32>, %arg13: tile<i32>, %arg14: tile<ptr<bf16>>, %arg15: tile<i32>, %arg16: tile<i32>, %arg17: tile<i32>, %arg18: tile<ptr<bf16>>, %arg19: tile<ptr<bf16>>) optimization_hints=<default = {num_cta_in_cga = 16, num_worker_warps_per_cta = 1, occupancy = 7}> {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %0 = iota : tile<64xi32>
    %cst_0_i32_0 = constant <i32: 0> : tile<64xi32>
    %reshape = reshape %arg1 : tile<i32> -> tile<1xi32>
    %bcast = broadcast %reshape : tile<1xi32> -> tile<64xi32>
    %1 = cmpi less_than %cst_0_i32_0, %bcast, signed : tile<64xi32> -> tile<64xi1>
    %reshape_1 = reshape %arg0 : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %bcast_2 = broadcast %reshape_1 : tile<1xptr<bf16>> -> tile<64xptr<bf16>>
    %cst_bf16 = constant <bf16: 0x7F80> : tile<64xbf16>
    %result, %result_token = load_ptr_tko weak %bcast_2, %1, %cst_bf16 : tile<64xptr<bf16>>, tile<64xi1>, tile<64xbf16> -> tile<64xbf16>, token
    %cst_0_i32_3 = constant <i32: 0> : tile<i32>
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %cst_bf16_4 = constant <bf16: 6.250000e-02> : tile<64xbf16>
    %cst_8_bf16 = constant <bf16: 8.000000e+00> : tile<64xbf16>
    %2 = minf %result, %cst_8_bf16 : tile<64xbf16>
    %cst_0_bf16 = constant <bf16: 0.000000e+00> : tile<64xbf16>
    %3 = maxf %cst_0_bf16, %cst_bf16_4 : tile<64xbf16>
    %cst_16_bf16 = constant <bf16: 1.600000e+01> : tile<64xbf16>
    %4 = sin %2 : tile<64xbf16>
    %5 = maxf %4, %cst_bf16_4 : tile<64xbf16>
    %6 = minf %5, %cst_16_bf16 : tile<64xbf16>
    %7 = divf %3, %6  : tile<64xbf16>
    %reshape_5 = reshape %arg2 : tile<ptr<f32>> -> tile<1xptr<f32>>
    %bcast_6 = broadcast %reshape_5 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %result_7, %result_token_8 = load_ptr_tko weak %bcast_6 optimization_hints = <sm_100 = {latency = 9}> : tile<64xptr<f32>> -> tile<64xf32>, token
    %reshape_9 = reshape %result_7 : tile<64xf32> -> tile<64x1xf32>
    %8 = scan %reshape_9 dim=0 reverse=false identities=[-0.000000e+00 : f32] : tile<64x1xf32> -> tile<64x1xf32> 
    (%arg20: tile<f32>, %arg21: tile<f32>) {
      %34 = addf %arg20, %arg21  : tile<f32>
      yield %34 : tile<f32>
    }
    %9 = exti %arg4 signed : tile<i32> -> tile<i64>
    %cst_0_i64_10 = constant <i64: 0> : tile<i64>
    %10 = exti %arg5 signed : tile<i32> -> tile<i64>
    %cst_0_i64_11 = constant <i64: 0> : tile<i64>
    %cst_0_i64_12 = constant <i64: 0> : tile<i64>
    %tview = make_tensor_view %arg3, shape = [%9, %10, 1], strides = [%cst_0_i64_10, %cst_0_i64_11, %cst_0_i64_12] : tile<i64> -> tensor_view<?x?x1xf32, strides=[?,?,?]>
    %reshape_13 = reshape %8 : tile<64x1xf32> -> tile<1x64x1xf32>
    %sview = make_strided_view %tview : strided_view<tile=(1x64x1), traversal_strides=[3,33,1], tensor_view<?x?x1xf32, strides=[?,?,?]>>
    %11 = store_view_tko weak %reshape_13, %sview[%cst_0_i32, %cst_0_i32_3, %cst_0_i32_3] : tile<1x64x1xf32>, strided_view<tile=(1x64x1), traversal_strides=[3,33,1], tensor_view<?x?x1xf32, strides=[?,?,?]>>, tile<i32> -> token
    %12 = maxf %7, %cst_bf16_4 : tile<64xbf16>
    %13 = minf %12, %cst_16_bf16 : tile<64xbf16>
    %14 = mulf %13, %13  : tile<64xbf16>
    %15 = addf %14, %13  : tile<64xbf16>
    %16 = iota : tile<128xi32>
    %cst_0_bf16_14 = constant <bf16: 0.000000e+00> : tile<128xbf16>
    %17 = make_token : token
    %18 = alloca num_elem = 128, alignment = 8 : tile<ptr<bf16>>
    %cst_127_i32 = constant <i32: 127> : tile<128xi32>
    %19 = andi %16, %cst_127_i32 : tile<128xi32>
    %reshape_15 = reshape %18 : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %bcast_16 = broadcast %reshape_15 : tile<1xptr<bf16>> -> tile<128xptr<bf16>>
    %20 = offset %bcast_16, %19 : tile<128xptr<bf16>>, tile<128xi32> -> tile<128xptr<bf16>>
    %21 = store_ptr_tko weak %20, %cst_0_bf16_14 token=%17 : tile<128xptr<bf16>>, tile<128xbf16> -> token
    %cst_0_i64_17 = constant <i64: 0> : tile<128xi64>
    %cst_0_i32_18 = constant <i32: 0> : tile<128xi32>
    %22 = cmpi greater_than %16, %cst_0_i32_18, signed : tile<128xi32> -> tile<128xi1>
    %result_19, %result_token_20 = load_ptr_tko weak %20, %22, %cst_0_bf16_14 token=%21 : tile<128xptr<bf16>>, tile<128xi1>, tile<128xbf16> -> tile<128xbf16>, token
    %23 = join_tokens %21, %result_token_20 : token
    %24 = subf %cst_0_bf16_14, %result_19  : tile<128xbf16>
    %25 = cmpi equal %arg8, %cst_0_i32_3, signed : tile<i32> -> tile<i1>
    if %25 {
      %34 = store_ptr_tko weak %20, %24 token=%23 : tile<128xptr<bf16>>, tile<128xbf16> -> token
    } else {
    }
    %tview_21 = make_tensor_view %arg9, shape = [%arg10, %arg11], strides = [%arg12, %arg13] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,?]>
    %cst_0_bf16_22 = constant <bf16: 0.000000e+00> : tile<1x128xbf16>
    %pview = make_partition_view %tview_21 : partition_view<tile=(1x128), tensor_view<?x?xbf16, strides=[?,?]>>
    %26 = store_view_tko weak %cst_0_bf16_22, %pview[%cst_0_i32, %cst_0_i32_3] optimization_hints = <default = {latency = 6}> : tile<1x128xbf16>, partition_view<tile=(1x128), tensor_view<?x?xbf16, strides=[?,?]>>, tile<i32> -> token
    %27 = exti %arg15 signed : tile<i32> -> tile<i64>
    %cst_0_i64_23 = constant <i64: 0> : tile<i64>
    %28 = exti %arg16 signed : tile<i32> -> tile<i64>
    %tview_24 = make_tensor_view %arg14, shape = [%27, %28], strides = [%cst_0_i64_23, 1] : tile<i64> -> tensor_view<?x?xbf16, strides=[?,1]>
    %gsview = make_gather_scatter_view %tview_24 : gather_scatter_view<tile=(1x128), tensor_view<?x?xbf16, strides=[?,1]>, sparse_dim=1>
    %29 = store_view_tko weak %cst_0_bf16_22, %gsview[%cst_0_i64, %cst_0_i64_17] : tile<1x128xbf16>, gather_scatter_view<tile=(1x128), tensor_view<?x?xbf16, strides=[?,1]>, sparse_dim=1>, tile<i64>, tile<128xi64> -> token
    %cst_63_i32 = constant <i32: 63> : tile<64xi32>
    %30 = subi %cst_63_i32, %0 overflow<no_signed_wrap> : tile<64xi32>
    %reshape_25 = reshape %arg18 : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %bcast_26 = broadcast %reshape_25 : tile<1xptr<bf16>> -> tile<64xptr<bf16>>
    %31 = offset %bcast_26, %30 : tile<64xptr<bf16>>, tile<64xi32> -> tile<64xptr<bf16>>
    %true = constant <i1: true> : tile<64xi1>
    %32 = store_ptr_tko weak %31, %15, %true : tile<64xptr<bf16>>, tile<64xbf16>, tile<64xi1> -> token
    %tview_27 = make_tensor_view %arg19, shape = [2], strides = [1] : tensor_view<2xbf16, strides=[1]>
    %cst_0_bf16_28 = constant <bf16: 0.000000e+00> : tile<1xbf16>
    %sview_29 = make_strided_view %tview_27 : strided_view<tile=(1), traversal_strides=[1], tensor_view<2xbf16, strides=[1]>>
    %33 = store_view_tko weak %cst_0_bf16_28, %sview_29[%cst_0_i32] : tile<1xbf16>, strided_view<tile=(1), traversal_strides=[1], tensor_view<2xbf16, strides=[1]>>, tile<i32> -> token
    return
  }
}

