// RUN: tile-opt %s --tilesmith-pipeline="opt-level=1 gpu-name=sm_80 stop-after=tileas-vectorize-memory" | FileCheck %s
// Accesses move up to 16 bytes at once where alignment, strides and layout allow, never more.

cuda_tile.module @m {
  // 16-byte aligned base, rows a multiple of four floats: four floats at once; bounds are no obstacle.
  // CHECK-LABEL: sym_name = "aligned"
  // CHECK: tiled_load{{.*}}nv_tileas.vector = 4 : i64
  // CHECK: tiled_store{{.*}}nv_tileas.vector = 4 : i64
  entry @aligned(%p: tile<ptr<f32>>, %rows: tile<i32>, %cols: tile<i32>, %pitch: tile<i32>) {
    %i = constant <i32: 0> : tile<i32>
    %q = assume div_by<16>, %p : tile<ptr<f32>>
    %s = assume div_by<4>, %pitch : tile<i32>
    %tv = make_tensor_view %q, shape = [%rows, %cols], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x128), tensor_view<?x?xf32, strides=[?,1]>>
    %x, %t0 = load_view_tko weak %pv[%i, %i] : partition_view<tile=(8x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<8x128xf32>, token
    %t1 = store_view_tko weak %x, %pv[%i, %i] token = %t0 : tile<8x128xf32>, partition_view<tile=(8x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // Rows are only known to be a multiple of two.
  // CHECK-LABEL: sym_name = "odd_pitch"
  // CHECK: tiled_load{{.*}}nv_tileas.vector = 2 : i64
  entry @odd_pitch(%p: tile<ptr<f32>>, %rows: tile<i32>, %cols: tile<i32>, %pitch: tile<i32>, %o: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %q = assume div_by<16>, %p : tile<ptr<f32>>
    %s = assume div_by<2>, %pitch : tile<i32>
    %tv = make_tensor_view %q, shape = [%rows, %cols], strides = [%s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x128), tensor_view<?x?xf32, strides=[?,1]>>
    %x, %t0 = load_view_tko weak %pv[%i, %i] : partition_view<tile=(8x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<8x128xf32>, token
    %t1 = store_view_tko weak %x, %pv[%i, %i] token = %t0 : tile<8x128xf32>, partition_view<tile=(8x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // No promise about the pointer, a tile along the strided dimension, an access with an ordering.
  // CHECK-LABEL: sym_name = "plain"
  // CHECK-NOT: nv_tileas.vector
  // CHECK: nv_tileaa.return
  entry @plain(%p: tile<ptr<f32>>, %rows: tile<i32>) {
    %i = constant <i32: 0> : tile<i32>
    %q = assume div_by<16>, %p : tile<ptr<f32>>
    %tv = make_tensor_view %p, shape = [%rows, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x64), tensor_view<?x64xf32, strides=[64,1]>>
    %x, %t0 = load_view_tko weak %pv[%i, %i] : partition_view<tile=(8x64), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x64xf32>, token
    %col = make_tensor_view %q, shape = [%rows], strides = [64] : tile<i32> -> tensor_view<?xf32, strides=[64]>
    %pc = make_partition_view %col : partition_view<tile=(512), tensor_view<?xf32, strides=[64]>>
    %y, %t1 = load_view_tko weak %pc[%i] : partition_view<tile=(512), tensor_view<?xf32, strides=[64]>>, tile<i32> -> tile<512xf32>, token
    %tz = make_tensor_view %q, shape = [%rows], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %pz = make_partition_view %tz : partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>
    %z, %t2 = load_view_tko relaxed device %pz[%i] : partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<512xf32>, token
    return
  }

  // Tiles of pointers: contiguous, aligned; the mask does not matter.
  // CHECK-LABEL: sym_name = "pointers"
  // CHECK: nv_tileas.load{{.*}}nv_tileas.vector = 4 : i64
  // CHECK: nv_tileas.store{{.*}}nv_tileas.vector = 4 : i64
  entry @pointers(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %q = assume div_by<16>, %p : tile<ptr<f32>>
    %iota = iota : tile<512xi32>
    %q1 = reshape %q : tile<ptr<f32>> -> tile<1xptr<f32>>
    %qs = broadcast %q1 : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %a = offset %qs, %iota : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<512xi32>
    %m = cmpi less_than %iota, %ns, signed : tile<512xi32> -> tile<512xi1>
    %x, %t0 = load_ptr_tko weak %a, %m : tile<512xptr<f32>>, tile<512xi1> -> tile<512xf32>, token
    %t1 = store_ptr_tko weak %a, %x, %m token = %t0 : tile<512xptr<f32>>, tile<512xf32>, tile<512xi1> -> token
    return
  }
}
