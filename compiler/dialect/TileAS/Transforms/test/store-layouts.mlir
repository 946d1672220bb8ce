// RUN: tile-opt %s --tilesmith-pipeline="opt-level=2 gpu-name=sm_80 stop-after=tileas-vectorize-memory" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="opt-level=2 gpu-name=sm_90 from=cudatile to=gpu" | FileCheck %s --check-prefix=THREAD
// Results of products go to memory without an exchange between warps.

cuda_tile.module @m {
  // Four threads write a sector of sums of 32 bits together: registers are renamed, nothing else.
  // CHECK-LABEL: sym_name = "sums"
  // CHECK: convert_layout {{.*}}register = [1, 512, 16, 32, 2048], lane = [2, 4, 64, 128, 256], warp = [1024, 8]>> -> {{.*}}register = [1, 512, 16, 32, 2048], lane = [2, 4, 64, 128, 256], warp = [1024, 8]>>
  // CHECK-NEXT: tiled_store{{.*}}nv_tileas.vector = 2 : i64
  entry @sums(%p: tile<ptr<f16>>, %o: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %z = constant <f32: 0.0> : tile<64x64xf32>
    %q = assume div_by<16>, %p : tile<ptr<f16>>
    %r = assume div_by<16>, %o : tile<ptr<f32>>
    %tv = make_tensor_view %q, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %ov = make_tensor_view %r, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %sv = make_partition_view %ov : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %x, %t0 = load_view_tko weak %pv[%i, %i] : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %y = mmaf %x, %x, %z : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %t1 = store_view_tko weak %y, %sv[%i, %i] token = %t0 : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }

  // Of 16-bit elements they would write half a sector: a warp makes pieces of 16 bytes of its rows, by matrices.
  // THREAD-LABEL: gpu.func @halves
  // THREAD: nvvm.stmatrix {{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>
  // THREAD-NOT: barrier
  // THREAD: nvvm.bar.warp.sync
  // THREAD-NOT: barrier
  // THREAD: gpu.return
  entry @halves(%p: tile<ptr<f16>>, %o: tile<ptr<f16>>) {
    %i = constant <i32: 0> : tile<i32>
    %z = constant <f32: 0.0> : tile<64x64xf32>
    %q = assume div_by<16>, %p : tile<ptr<f16>>
    %r = assume div_by<16>, %o : tile<ptr<f16>>
    %tv = make_tensor_view %q, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %ov = make_tensor_view %r, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %sv = make_partition_view %ov : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %x, %t0 = load_view_tko weak %pv[%i, %i] : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %y = mmaf %x, %x, %z : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %h = ftof %y : tile<64x64xf32> -> tile<64x64xf16>
    %t1 = store_view_tko weak %h, %sv[%i, %i] token = %t0 : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
