// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 auto host-maps remarks to=tileas" 2>&1 | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 warp-specialize tensor-map remarks to=tileas" 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 auto host-maps stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=CODE
// A convolution: the outer loop steps over taps, and its number says which weights a turn multiplies. A map that the block
// makes would be made anew in each turn, while copies read it; one of the host says where all taps are, and each copy has
// the number as its coordinate.
// CHECK: remark: strategy warp-specialize tensor-map
// CHECK: remark: tensor copies: 1 boxes of 8192 bytes, swizzle 128
// CHECK: remark: tensor copies: 1 boxes of 8192 bytes, swizzle 128
// DEVICE: remark: tensor copies: 1 boxes
// DEVICE: remark: no tensor copies: its view is made inside of a loop or branch
// Two maps, also where stages are filled in several places.
// CODE-LABEL: gpu.func @taps(
// CODE-SAME: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr) kernel
// CODE: nvgpu_ext.tma.async.load {{.*}}[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]
cuda_tile.module @m {
  entry @taps(%px: tile<ptr<f16>>, %pw: tile<ptr<f16>>, %py: tile<ptr<f32>>, %pixels: tile<i32>, %channels: tile<i32>) {
    %x = assume div_by<16>, %px : tile<ptr<f16>>
    %w = assume div_by<16>, %pw : tile<ptr<f16>>
    %y = assume div_by<16>, %py : tile<ptr<f32>>
    %n0 = assume bounded<0, ?>, %pixels : tile<i32>
    %c0 = assume bounded<0, ?>, %channels : tile<i32>
    %c = assume div_by<16>, %c0 : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %size = constant <i32: 64> : tile<i32>
    %tok = make_token : token
    %b, %b1, %b2 = get_tile_block_id : tile<i32>
    %vx = make_tensor_view %x, shape = [%n0, %c], strides = [%c, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vw = make_tensor_view %w, shape = [3, %c, 64], strides = [%c, 64, 1] : tile<i32> -> tensor_view<3x?x64xf16, strides=[?,64,1]>
    %tx = make_partition_view %vx : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %tw = make_partition_view %vw : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<3x?x64xf16, strides=[?,64,1]>>
    %turns = divi %c, %size signed rounding<positive_inf> : tile<i32>
    %r = for %tap in (%zero to %three, step %one) : tile<i32> iter_values(%outer = %none) -> (tile<64x64xf32>) {
      %row = addi %b, %tap : tile<i32>
      %inner = for %k in (%zero to %turns, step %one) : tile<i32> iter_values(%s = %outer) -> (tile<64x64xf32>) {
        %a, %t0 = load_view_tko weak %tx[%row, %k] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
        %f, %t1 = load_view_tko weak %tw[%tap, %k, %zero] token = %tok : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<3x?x64xf16, strides=[?,64,1]>>, tile<i32> -> tile<1x64x64xf16>, token
        %g = reshape %f : tile<1x64x64xf16> -> tile<64x64xf16>
        %p = mmaf %a, %g, %s : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
        continue %p : tile<64x64xf32>
      }
      continue %inner : tile<64x64xf32>
    }
    %vy = make_tensor_view %y, shape = [%n0, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %ty = make_partition_view %vy : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>
    %t2 = store_view_tko weak %r, %ty[%b, %zero] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
