// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 remarks stop-after=tileas-generate-schedule" 2>&1 | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=1 to=tileas" | FileCheck %s --check-prefix=PLAIN
// A hint asks for three blocks on a multiprocessor. Rings of 160 KiB leave room for one of them, those of 64 KiB for all.
// CHECK: remark: rings of 163840 bytes leave room for 1 of the 3 blocks that the hint asks for
// CHECK-NOT: leave room
// CHECK: sym_name = "large"
// CHECK: occupancy = 1>
// CHECK: sym_name = "small"
// CHECK: occupancy = 3>
// PLAIN: sym_name = "large"
// PLAIN: occupancy = 3>
cuda_tile.module @m {
  entry @large(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {occupancy = 3}> {
    %a = assume div_by<16>, %pa : tile<ptr<f16>>
    %b = assume div_by<16>, %pb : tile<ptr<f16>>
    %c = assume div_by<16>, %pc : tile<ptr<f32>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [128, 4096], strides = [4096, 1] : tensor_view<128x4096xf16, strides=[4096,1]>
    %vb = make_tensor_view %b, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
    %vc = make_tensor_view %c, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %wa = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>
    %wb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>
    %wc = make_partition_view %vc : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %tok = make_token : token
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %wa[%c0, %i] token = %tok : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<128x64xf16>, token
      %y, %t1 = load_view_tko weak %wb[%i, %c0] token = %tok : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %p = mmaf %x, %y, %s : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %p : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %sum, %wc[%c0, %c0] token = %tok : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }

  entry @small(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {occupancy = 3}> {
    %a = assume div_by<16>, %pa : tile<ptr<f16>>
    %b = assume div_by<16>, %pb : tile<ptr<f16>>
    %c = assume div_by<16>, %pc : tile<ptr<f32>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [64, 4096], strides = [4096, 1] : tensor_view<64x4096xf16, strides=[4096,1]>
    %vb = make_tensor_view %b, shape = [4096, 64], strides = [64, 1] : tensor_view<4096x64xf16, strides=[64,1]>
    %vc = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %wa = make_partition_view %va : partition_view<tile=(64x64), tensor_view<64x4096xf16, strides=[4096,1]>>
    %wb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<4096x64xf16, strides=[64,1]>>
    %wc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %tok = make_token : token
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<64x64xf32>) {
      %x, %t0 = load_view_tko weak %wa[%c0, %i] token = %tok : partition_view<tile=(64x64), tensor_view<64x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<64x64xf16>, token
      %y, %t1 = load_view_tko weak %wb[%i, %c0] token = %tok : partition_view<tile=(64x64), tensor_view<4096x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %p = mmaf %x, %y, %s : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %p : tile<64x64xf32>
    }
    %t2 = store_view_tko weak %sum, %wc[%c0, %c0] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
