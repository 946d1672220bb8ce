cuda_tile.module @m {
  entry @shapes(%s: tile<f32>, %i: tile<i32>) {
    %0 = reshape %s : tile<f32> -> tile<1x1xf32>
    %1 = broadcast %0 : tile<1x1xf32> -> tile<8x16xf32>
    %2 = reshape %0 : tile<1x1xf32> -> tile<f32>
    %3 = iota : tile<16xi16>
    %4 = reshape %3 : tile<16xi16> -> tile<1x16xi16>
    %5 = broadcast %4 : tile<1x16xi16> -> tile<4x16xi16>
    %6 = reshape %5 : tile<4x16xi16> -> tile<8x8xi16>
    %7 = permute %5 [1, 0] : tile<4x16xi16> -> tile<16x4xi16>
    %8 = cat %6, %6 dim = 0 : tile<8x8xi16>, tile<8x8xi16> -> tile<16x8xi16>
    %9 = extract %8[%i, %i] : tile<16x8xi16> -> tile<4x4xi16>
    %10 = extract %9[%i, %i] : tile<4x4xi16> -> tile<1x1xi16>
    %11 = constant <f16: 2.0> : tile<4xf16>
    %12 = constant <i1: true> : tile<i1>
    return
  }
  entry @insert(%i: tile<i32>) {
    %small = constant <i32: 7> : tile<4xi32>
    %big = constant <i32: 0> : tile<16xi32>
    %r = insert %small, %big[%i] : tile<4xi32>, tile<16xi32>
    return
  }
}
