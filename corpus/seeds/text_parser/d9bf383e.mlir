cuda_tile.module @m {
  entry @combine() {
    %x = constant <f32: 1.0> : tile<8x64xf32>
    %0 = reduce %x dim=1 identities=[0.0 : f32] : tile<8x64xf32> -> tile<8xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = addf %a, %b : tile<f32>
        yield %s : tile<f32>
      }
    %1 = reduce %0 dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = maxf %a, %b : tile<f32>
        yield %s : tile<f32>
      }
    %2 = scan %x dim=1 reverse=true identities=[0.0 : f32] : tile<8x64xf32> -> tile<8x64xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = addf %a, %b : tile<f32>
        yield %s : tile<f32>
      }
    return
  }
  entry @products() {
    %a = constant <f16: 1.0> : tile<16x8xf16>
    %b = constant <f16: 1.0> : tile<8x32xf16>
    %c = constant <f32: 1.0> : tile<16x32xf32>
    %0 = mmaf %a, %b, %c {fastmath = "contract"} : tile<16x8xf16>, tile<8x32xf16>, tile<16x32xf32>
    %c16 = constant <f16: 1.0> : tile<16x32xf16>
    %1 = mmaf %a, %b, %c16 : tile<16x8xf16>, tile<8x32xf16>, tile<16x32xf16>
    %fa = constant <f32: 1.0> : tile<16x8xf32>
    %fb = constant <f32: 1.0> : tile<8x32xf32>
    %2 = mmaf %fa, %fb, %c : tile<16x8xf32>, tile<8x32xf32>, tile<16x32xf32>
    %ia = constant <i8: 1> : tile<16x8xi8>
    %ib = constant <i8: 1> : tile<8x32xi8>
    %ic = constant <i32: 1> : tile<16x32xi32>
    %3 = mmai %ia, %ib, %ic signed unsigned : tile<16x8xi8>, tile<8x32xi8>, tile<16x32xi32>
    return
  }
}
