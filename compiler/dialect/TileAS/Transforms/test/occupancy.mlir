// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 remarks stop-after=tileas-generate-schedule" 2>&1 | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=1 to=tileas" | FileCheck %s --check-prefix=PLAIN
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 warp-specialize tensor-map remarks stop-after=tileas-materialize-schedule" 2>&1 | FileCheck %s --check-prefix=AGENTS
// A hint asks for blocks on a multiprocessor. Each gets a part of the registers, into which the sums of `large` go three
// times, and of the shared memory: its rings get smaller. Two stages of `deep` would not fit twice. Eight warps of three blocks
// begin with 80 registers, in which ptxas has no room for one product of `wide`, whatever `setmaxnreg` would add.
// AGENTS: remark: {{.*}}its threads would begin with 80 registers, and a product needs 100
// CHECK: remark: 164 registers of a thread leave room for 3 of the 4 blocks that the hint asks for
// CHECK: remark: pipelined with 2 stages
// CHECK: remark: rings of 65536 bytes leave room for 3 blocks on a multiprocessor
// CHECK: remark: pipelined with 4 stages
// CHECK: remark: rings of 65536 bytes leave room for 3 blocks on a multiprocessor
// CHECK: remark: rings of {{[0-9]+}} bytes leave room for 3 blocks on a multiprocessor
// CHECK: remark: two stages of all pipelines fit into the shared memory of 1 of 2 blocks
// CHECK: remark: pipelined with 3 stages
// CHECK: remark: 64 registers of a thread leave room for 8 of the 16 blocks that the hint asks for
// CHECK-NOT: leave room
// CHECK: sym_name = "large"
// CHECK: occupancy = 3>
// CHECK: sym_name = "small"
// CHECK: occupancy = 3>
// CHECK: sym_name = "deep"
// CHECK: occupancy = 1>
// PLAIN: sym_name = "large"
// PLAIN: occupancy = 4>
cuda_tile.module @m {
  entry @large(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {occupancy = 4}> {
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

  entry @wide(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {occupancy = 3}> {
    %a = assume div_by<16>, %pa : tile<ptr<f16>>
    %b = assume div_by<16>, %pb : tile<ptr<f16>>
    %c = assume div_by<16>, %pc : tile<ptr<f32>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [64, 4096], strides = [4096, 1] : tensor_view<64x4096xf16, strides=[4096,1]>
    %vb = make_tensor_view %b, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
    %vc = make_tensor_view %c, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf32, strides=[128,1]>
    %wa = make_partition_view %va : partition_view<tile=(64x32), tensor_view<64x4096xf16, strides=[4096,1]>>
    %wb = make_partition_view %vb : partition_view<tile=(32x128), tensor_view<4096x128xf16, strides=[128,1]>>
    %wc = make_partition_view %vc : partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>
    %tok = make_token : token
    %zero = constant <f32: 0.0> : tile<64x128xf32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<64x128xf32>) {
      %x, %t0 = load_view_tko weak %wa[%c0, %i] token = %tok : partition_view<tile=(64x32), tensor_view<64x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<64x32xf16>, token
      %y, %t1 = load_view_tko weak %wb[%i, %c0] token = %tok : partition_view<tile=(32x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<32x128xf16>, token
      %p = mmaf %x, %y, %s : tile<64x32xf16>, tile<32x128xf16>, tile<64x128xf32>
      continue %p : tile<64x128xf32>
    }
    %t2 = store_view_tko weak %sum, %wc[%c0, %c0] token = %tok : tile<64x128xf32>, partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }

  entry @deep(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {occupancy = 2}> {
    %a = assume div_by<16>, %pa : tile<ptr<f16>>
    %b = assume div_by<16>, %pb : tile<ptr<f16>>
    %c = assume div_by<16>, %pc : tile<ptr<f32>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [128, 4096], strides = [4096, 1] : tensor_view<128x4096xf16, strides=[4096,1]>
    %vb = make_tensor_view %b, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
    %vc = make_tensor_view %c, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %wa = make_partition_view %va : partition_view<tile=(128x128), tensor_view<128x4096xf16, strides=[4096,1]>>
    %wb = make_partition_view %vb : partition_view<tile=(128x128), tensor_view<4096x128xf16, strides=[128,1]>>
    %wc = make_partition_view %vc : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %tok = make_token : token
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %wa[%c0, %i] token = %tok : partition_view<tile=(128x128), tensor_view<128x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<128x128xf16>, token
      %y, %t1 = load_view_tko weak %wb[%i, %c0] token = %tok : partition_view<tile=(128x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
      %p = mmaf %x, %y, %s : tile<128x128xf16>, tile<128x128xf16>, tile<128x128xf32>
      continue %p : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %sum, %wc[%c0, %c0] token = %tok : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }

  entry @straight(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>) optimization_hints=<default = {occupancy = 16}> {
    %zero = constant <f32: 0.0> : tile<64x16xf32>
    %x = constant <f16: 1.0> : tile<64x64xf16>
    %va = make_tensor_view %pa, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xf16, strides=[16,1]>
    %vc = make_tensor_view %pc, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xf32, strides=[16,1]>
    %wa = make_partition_view %va : partition_view<tile=(64x16), tensor_view<64x16xf16, strides=[16,1]>>
    %wc = make_partition_view %vc : partition_view<tile=(64x16), tensor_view<64x16xf32, strides=[16,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %y, %t0 = load_view_tko weak %wa[%c0, %c0] : partition_view<tile=(64x16), tensor_view<64x16xf16, strides=[16,1]>>, tile<i32> -> tile<64x16xf16>, token
    %p = mmaf %x, %y, %zero : tile<64x64xf16>, tile<64x16xf16>, tile<64x16xf32>
    %t2 = store_view_tko weak %p, %wc[%c0, %c0] token = %t0 : tile<64x16xf32>, partition_view<tile=(64x16), tensor_view<64x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
