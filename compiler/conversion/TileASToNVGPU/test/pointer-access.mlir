// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=3 to=nvvm" | tile-translate --mlir-to-ptx | FileCheck %s
// Pointers that rise: one address for all registers, and one comparison for each group of four. Without what is known of
// them each element would have both.

cuda_tile.module @m {
  // CHECK-LABEL: .entry square(
  // CHECK-COUNT-2: ld.global.v4.{{.*}}[%rd[[#P:]]{{\]|\+2048\]}}
  // CHECK-NOT: setp.{{.*}}64
  entry @square(%x_raw: tile<ptr<f32>>, %n: tile<i64>) {
    %x = assume div_by<16>, %x_raw : tile<ptr<f32>>
    %range = iota : tile<1024xi64>
    %n1 = reshape %n : tile<i64> -> tile<1xi64>
    %ns = broadcast %n1 : tile<1xi64> -> tile<1024xi64>
    %mask = cmpi less_than %range, %ns, signed : tile<1024xi64> -> tile<1024xi1>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xs = broadcast %x1 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %p = offset %xs, %range : tile<1024xptr<f32>>, tile<1024xi64> -> tile<1024xptr<f32>>
    %a, %ta = load_ptr_tko weak %p, %mask : tile<1024xptr<f32>>, tile<1024xi1> -> tile<1024xf32>, token
    %b = mulf %a, %a : tile<1024xf32>
    %t = store_ptr_tko weak %p, %b, %mask token = %ta : tile<1024xptr<f32>>, tile<1024xf32>, tile<1024xi1> -> token
    return
  }
}
