// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 stop-after=convert-tileaa-to-tileas" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=1 stop-after=convert-tileaa-to-tileas" | FileCheck %s --check-prefix=USUAL
// Warps hold whole rows where reductions then take fewer instructions.

// USUAL-LABEL: sym_name = "rows"
// USUAL: tiled_load{{.*}}warp = [128, 256]
cuda_tile.module @m {
  // Eight rows of 512: two for each warp.
  // CHECK-LABEL: sym_name = "rows"
  // CHECK: tiled_load{{.*}}shape = [8, 512], register = [1, 2, 128, 256, 512], lane = [4, 8, 16, 32, 64], warp = [1024, 2048]>
  entry @rows(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %in = make_tensor_view %p, shape = [8, 512], strides = [512, 1] : tensor_view<8x512xf32, strides=[512,1]>
    %out = make_tensor_view %q, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %v = make_partition_view %in : partition_view<tile=(8x512), tensor_view<8x512xf32, strides=[512,1]>>
    %w = make_partition_view %out : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
    %x, %t0 = load_view_tko weak %v[%i, %i] : partition_view<tile=(8x512), tensor_view<8x512xf32, strides=[512,1]>>, tile<i32> -> tile<8x512xf32>, token
    %s = reduce %x dim=1 identities=[0.0 : f32] : tile<8x512xf32> -> tile<8xf32> (%l: tile<f32>, %r: tile<f32>) {
      %y = addf %l, %r : tile<f32>
      yield %y : tile<f32>
    }
    %t1 = store_view_tko weak %s, %w[%i] : tile<8xf32>, partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> token
    return
  }

  // Columns: all warps meet, whatever they hold.
  // CHECK-LABEL: sym_name = "columns"
  // CHECK: tiled_load{{.*}}warp = [128, 256]>
  entry @columns(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %in = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %out = make_tensor_view %q, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %in : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %w = make_partition_view %out : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
    %x, %t0 = load_view_tko weak %v[%i, %i] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %s = reduce %x dim=0 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32> (%l: tile<f32>, %r: tile<f32>) {
      %y = addf %l, %r : tile<f32>
      yield %y : tile<f32>
    }
    %t1 = store_view_tko weak %s, %w[%i] : tile<64xf32>, partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    return
  }

  // Weights that all rows share would be loaded by each warp.
  // CHECK-LABEL: sym_name = "shared"
  // CHECK: tiled_load{{.*}}shape = [4, 2048]{{.*}}warp = [128, 256]>
  entry @shared(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %in = make_tensor_view %p, shape = [4, 2048], strides = [2048, 1] : tensor_view<4x2048xf32, strides=[2048,1]>
    %weights = make_tensor_view %q, shape = [1, 2048], strides = [2048, 1] : tensor_view<1x2048xf32, strides=[2048,1]>
    %v = make_partition_view %in : partition_view<tile=(4x2048), tensor_view<4x2048xf32, strides=[2048,1]>>
    %w = make_partition_view %weights : partition_view<tile=(1x2048), tensor_view<1x2048xf32, strides=[2048,1]>>
    %x, %t0 = load_view_tko weak %v[%i, %i] : partition_view<tile=(4x2048), tensor_view<4x2048xf32, strides=[2048,1]>>, tile<i32> -> tile<4x2048xf32>, token
    %g, %t1 = load_view_tko weak %w[%i, %i] : partition_view<tile=(1x2048), tensor_view<1x2048xf32, strides=[2048,1]>>, tile<i32> -> tile<1x2048xf32>, token
    %s = reduce %x dim=1 identities=[0.0 : f32] : tile<4x2048xf32> -> tile<4xf32> (%l: tile<f32>, %r: tile<f32>) {
      %y = addf %l, %r : tile<f32>
      yield %y : tile<f32>
    }
    %column = reshape %s : tile<4xf32> -> tile<4x1xf32>
    %sums = broadcast %column : tile<4x1xf32> -> tile<4x2048xf32>
    %rows = broadcast %g : tile<1x2048xf32> -> tile<4x2048xf32>
    %scaled = mulf %x, %sums : tile<4x2048xf32>
    %weighed = mulf %scaled, %rows : tile<4x2048xf32>
    %t2 = store_view_tko weak %weighed, %v[%i, %i] token = %t0 : tile<4x2048xf32>, partition_view<tile=(4x2048), tensor_view<4x2048xf32, strides=[2048,1]>>, tile<i32> -> token
    return
  }
}
