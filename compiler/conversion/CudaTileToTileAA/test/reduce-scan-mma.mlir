// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck --check-prefixes=CHECK,L14,L18,L19,L20,O7 %s

cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "combine"
  entry @combine() {
    %x = constant <f32: 1.0> : tile<8x64xf32>
    // L19: %[[SUM:.*]] = "nv_tileaa.reduce"(%{{.*}}) <{axis = 1 : i32, identities = [0.000000e+00 : f32]}> ({
    // L14-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
    // L19-NEXT: %[[S:.*]] = "nv_tileaa.addf"(%[[A]], %[[B]]) {{.*}} : (f32, f32) -> f32
    // L19-NEXT: "nv_tileaa.yield"(%[[S]]) : (f32) -> ()
    // L19-NEXT: }) : (tensor<8x64xf32>) -> tensor<8xf32>
    %0 = reduce %x dim=1 identities=[0.0 : f32] : tile<8x64xf32> -> tile<8xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = addf %a, %b : tile<f32>
        yield %s : tile<f32>
      }
    // Reducing rank 1 gives a scalar.
    // O7: "nv_tileaa.reduce"(%[[SUM]])
    // O7: }) : (tensor<8xf32>) -> f32
    %1 = reduce %0 dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = maxf %a, %b : tile<f32>
        yield %s : tile<f32>
      }
    // L20: "nv_tileaa.scan"(%{{.*}}) <{axis = 1 : i32, identities = [0.000000e+00 : f32], inclusive = true, reverse = true}> ({
    // L20-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
    // L20: }) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %2 = scan %x dim=1 reverse=true identities=[0.0 : f32] : tile<8x64xf32> -> tile<8x64xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = addf %a, %b : tile<f32>
        yield %s : tile<f32>
      }
    return
  }

  // CHECK-LABEL: sym_name = "products"
  entry @products() {
    %a = constant <f16: 1.0> : tile<16x8xf16>
    %b = constant <f16: 1.0> : tile<8x32xf16>
    %c = constant <f32: 1.0> : tile<16x32xf32>
    // L18: "nv_tileaa.dot"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> {fastmath = "contract"} : (tensor<16x8xf16>, tensor<8x32xf16>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %0 = mmaf %a, %b, %c {fastmath = "contract"} : tile<16x8xf16>, tile<8x32xf16>, tile<16x32xf32>
    // f16 accumulators are widened around the dot.
    // O7: %[[W:.*]] = "nv_tileaa.fp_to_fp"(%{{.*}}) {{.*}} : (tensor<16x32xf16>) -> tensor<16x32xf32>
    // O7: %[[D:.*]] = "nv_tileaa.dot"(%{{.*}}, %{{.*}}, %[[W]])
    // O7: "nv_tileaa.fp_to_fp"(%[[D]]) {{.*}} : (tensor<16x32xf32>) -> tensor<16x32xf16>
    %c16 = constant <f16: 1.0> : tile<16x32xf16>
    %1 = mmaf %a, %b, %c16 : tile<16x8xf16>, tile<8x32xf16>, tile<16x32xf16>
    // L18: input_precision = "ieee"
    %fa = constant <f32: 1.0> : tile<16x8xf32>
    %fb = constant <f32: 1.0> : tile<8x32xf32>
    %2 = mmaf %fa, %fb, %c : tile<16x8xf32>, tile<8x32xf32>, tile<16x32xf32>
    // L18: "nv_tileaa.dot"{{.*}}signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<unsigned>
    %ia = constant <i8: 1> : tile<16x8xi8>
    %ib = constant <i8: 1> : tile<8x32xi8>
    %ic = constant <i32: 1> : tile<16x32xi32>
    %3 = mmai %ia, %ib, %ic signed unsigned : tile<16x8xi8>, tile<8x32xi8>, tile<16x32xi32>
    return
  }
}
