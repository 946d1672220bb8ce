cuda_tile.module @kernels {
  entry @second(%arg0: tile<ptr<bf16>>) {
    %cst_-9223372036854775739_i64 = constant <i64: -9223372036854775739> : tile<i64>
    %cst_1_bf16 = constant <bf16: 1.000000e+00> : tile<2xbf16>
    %cst_9223372036854775776_i64 = constant <i64: 9223372036854775776> : tile<i64>
    %cst_1_i64 = constant <i64: 1> : tile<i64>
    %for = for unsigned %loopIdx in (%cst_9223372036854775776_i64 to %cst_-9223372036854775739_i64, step %cst_1_i64) : tile<i64> iter_values(%iterArg0 = %cst_1_bf16) -> (tile<2xbf16>) {
      %2 = subf %iterArg0, %iterArg0  : tile<2xbf16>
      continue %2 : tile<2xbf16>
    }
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %0 = extract %for[%cst_0_i32] : tile<2xbf16> -> tile<1xbf16>
    %reshape = reshape %arg0 : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %1 = store_ptr_tko weak %reshape, %0 : tile<1xptr<bf16>>, tile<1xbf16> -> token
    return
  }
}

