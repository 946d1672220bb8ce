cuda_tile.module @m {
  entry @kernel(%p: tile<ptr<i64>>, %o: tile<ptr<i64>>) {
    %i = iota : tile<256xi32>
    %r = reshape %p : tile<ptr<i64>> -> tile<1xptr<i64>>
    %b = broadcast %r : tile<1xptr<i64>> -> tile<256xptr<i64>>
    %at = offset %b, %i : tile<256xptr<i64>>, tile<256xi32> -> tile<256xptr<i64>>
    %x, %t = load_ptr_tko weak %at : tile<256xptr<i64>> -> tile<256xi64>, token
    %v = reshape %x : tile<256xi64> -> tile<2x32x4xi64>
    %u = constant <i32: 1> : tile<2x32x4xi32>
    %s:2 = scan %u, %v dim=1 reverse=false identities=[0 : i32, 0 : i64] : tile<2x32x4xi32>, tile<2x32x4xi64> -> tile<2x32x4xi32>, tile<2x32x4xi64>
    (%a0: tile<i32>, %a1: tile<i32>, %a2: tile<i64>, %a3: tile<i64>) {
      %5 = addi %a0, %a1 : tile<i32>
      %6 = addi %a2, %a3 : tile<i64>
      yield %5, %6 : tile<i32>, tile<i64>
    }
    %f = reshape %s#1 : tile<2x32x4xi64> -> tile<256xi64>
    %ro = reshape %o : tile<ptr<i64>> -> tile<1xptr<i64>>
    %bo = broadcast %ro : tile<1xptr<i64>> -> tile<256xptr<i64>>
    %ao = offset %bo, %i : tile<256xptr<i64>>, tile<256xi32> -> tile<256xptr<i64>>
    %t4 = store_ptr_tko weak %ao, %f : tile<256xptr<i64>>, tile<256xi64> -> token
    return
  }
}
