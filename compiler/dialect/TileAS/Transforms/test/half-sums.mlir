// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 to=tileas plain" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=tileas plain" | FileCheck %s --check-prefix=WARPGROUPS
// Tensor cores add to a sum that the program keeps in f16 as it is. Where the program widens and rounds, the sum of a turn is one
// of f32, and the loop carries what is rounded in the layout of the products: nothing is exchanged between threads.

cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "kept"
  // CHECK: scf.for {{.*}}tensor<128x128xf16
  // CHECK-NOT: {{fp_to_fp|convert_layout}}
  // CHECK: nv_tileas.dot{{.*}}"m16n8k16.f16.f16"
  // CHECK-NOT: {{fp_to_fp|convert_layout}}
  // CHECK: scf.yield
  // WARPGROUPS-LABEL: sym_name = "kept"
  // WARPGROUPS: scf.for
  // WARPGROUPS-NOT: {{fp_to_fp|convert_layout}}
  // WARPGROUPS: nv_tileas.dot{{.*}}"wgmma.f16.f16"
  entry @kept(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f16>>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %zero = constant <f16: 0.0> : tile<128x128xf16>
    %a16 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b16 = assume div_by<16>, %pb : tile<ptr<f16>>
    %c16 = assume div_by<16>, %pc : tile<ptr<f16>>
    %va = make_tensor_view %a16, shape = [128, 4096], strides = [4096, 1] : tensor_view<128x4096xf16, strides=[4096,1]>
    %vb = make_tensor_view %b16, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
    %vc = make_tensor_view %c16, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf16, strides=[128,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>
    %tc = make_partition_view %vc : partition_view<tile=(128x128), tensor_view<128x128xf16, strides=[128,1]>>
    %sum = for %k in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128x128xf16>) {
      %a, %at = load_view_tko weak %ta[%c0, %k] : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<128x64xf16>, token
      %b, %bt = load_view_tko weak %tb[%k, %c0] : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %h = mmaf %a, %b, %s : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf16>
      continue %h : tile<128x128xf16>
    }
    %t = store_view_tko weak %sum, %tc[%c0, %c0] : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<128x128xf16, strides=[128,1]>>, tile<i32> -> token
    return
  }

  // CHECK-LABEL: sym_name = "widened"
  // CHECK: scf.for {{.*}}tensor<128x128xf16
  // CHECK-NOT: convert_layout
  // CHECK: nv_tileaa.fp_to_fp
  // CHECK-NOT: convert_layout
  // CHECK: nv_tileas.dot{{.*}}"m16n8k16.f16"
  // CHECK-NOT: convert_layout
  // CHECK: nv_tileaa.fp_to_fp
  // CHECK-NOT: convert_layout
  // CHECK: scf.yield
  // WARPGROUPS-LABEL: sym_name = "widened"
  // WARPGROUPS: scf.for
  // WARPGROUPS: nv_tileaa.fp_to_fp
  // WARPGROUPS: nv_tileas.dot{{.*}}"wgmma.f16"
  // WARPGROUPS: nv_tileaa.fp_to_fp
  entry @widened(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f16>>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %zero = constant <f16: 0.0> : tile<128x128xf16>
    %a16 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b16 = assume div_by<16>, %pb : tile<ptr<f16>>
    %c16 = assume div_by<16>, %pc : tile<ptr<f16>>
    %va = make_tensor_view %a16, shape = [128, 4096], strides = [4096, 1] : tensor_view<128x4096xf16, strides=[4096,1]>
    %vb = make_tensor_view %b16, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
    %vc = make_tensor_view %c16, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf16, strides=[128,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>
    %tc = make_partition_view %vc : partition_view<tile=(128x128), tensor_view<128x128xf16, strides=[128,1]>>
    %sum = for %k in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128x128xf16>) {
      %a, %at = load_view_tko weak %ta[%c0, %k] : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<128x64xf16>, token
      %b, %bt = load_view_tko weak %tb[%k, %c0] : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %w = ftof %s : tile<128x128xf16> -> tile<128x128xf32>
      %p = mmaf %a, %b, %w : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      %h = ftof %p : tile<128x128xf32> -> tile<128x128xf16>
      continue %h : tile<128x128xf16>
    }
    %t = store_view_tko weak %sum, %tc[%c0, %c0] : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<128x128xf16, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
