// What stands between a load and a product becomes part of the view.
// RUN: tile-opt --tilesmith-pipeline="gpu-name=sm_90 opt-level=3 from=cudatile to=tileaa stop-after=tileaa-fold-view-shapes" %s | FileCheck %s
// RUN: tile-opt --tilesmith-pipeline="gpu-name=sm_90 opt-level=1 from=cudatile to=tileaa" %s | FileCheck --check-prefix=O1 %s

// O1: nv_tileaa.permute
// O1: tensor<1x16x16xf32>

// CHECK: %[[B:.*]] = "nv_tileaa.block_tile"{{.*}}tileShape = [32, 16]{{.*}}dimMap = [1, 0], padding = <zero>
// The index of the dropped dimension is tested and moves the base, outside of the loop; the new extent is zero where it is outside.
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT:.*]], %{{.*}} : i64
// CHECK: %[[SOUND:.*]] = arith.select %[[IN]], %[[AT]], %{{.*}} : i64
// CHECK: %[[OFFSET:.*]] = arith.muli %[[SOUND]]
// CHECK: %[[SIZE:.*]] = arith.select %[[IN]], %{{.*}}, %{{.*}} : i64
// CHECK: %[[BASE:.*]] = "nv_tileaa.addptr"(%arg0, %[[OFFSET]])
// CHECK: %[[MEMORY:.*]] = "nv_tileaa.make_memref"(%[[BASE]], %[[SIZE]])
// CHECK: %[[A:.*]] = "nv_tileaa.block_tile"(%[[MEMORY]]) {{.*}}tileShape = [16, 32]{{.*}}dimMap = [0, 1], padding = <zero>
// The loop carries a matrix, and nothing is left between loads and product.
// CHECK: scf.for %[[J:[a-z0-9]+]] = {{.*}} -> (tensor<16x16xf32>)
// CHECK-NEXT: %[[X:.*]], %{{.*}} = "nv_tileaa.tiled_load"(%[[A]], %[[J]], %{{.*}}
// CHECK-NEXT: %[[Y:.*]], %{{.*}} = "nv_tileaa.tiled_load"(%[[B]], %{{.*}}, %[[J]],
// CHECK-NEXT: %[[R:.*]] = "nv_tileaa.dot"(%[[X]], %[[Y]], %{{.*}} -> tensor<16x16xf32>
// CHECK-NEXT: scf.yield %[[R]]
// A load with two readers stays.
// CHECK: %[[Z:.*]], %{{.*}} = "nv_tileaa.tiled_load"
// CHECK: "nv_tileaa.permute"(%[[Z]])

cuda_tile.module @bench {
  entry @e(%a: tile<ptr<f16>>, %n: tile<i32>, %i : tile<i32>, %c: tile<ptr<f32>>) {
    %v = make_tensor_view %a, shape = [%n, %n, 64], strides = [%n, 64, 1] : tile<i32> -> tensor_view<?x?x64xf16, strides=[?,64,1]>
    %w = make_tensor_view %a, shape = [%n, %n], strides = [64, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[64,1]>
    %p = make_partition_view %v : partition_view<tile=(1x16x32), padding_value = zero, tensor_view<?x?x64xf16, strides=[?,64,1]>>
    %q = make_partition_view %w : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x?xf16, strides=[64,1]>>
    %cv = make_tensor_view %c, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    %cp = make_partition_view %cv : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>
    %zero = constant <f32: 0.0> : tile<1x16x16xf32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %tok = make_token : token
    %acc = for %j in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<1x16x16xf32>) {
      %ta, %ta_t = load_view_tko weak %p[%i, %j, %c1] token = %tok : partition_view<tile=(1x16x32), padding_value = zero, tensor_view<?x?x64xf16, strides=[?,64,1]>>, tile<i32> -> tile<1x16x32xf16>, token
      %tb, %tb_t = load_view_tko weak %q[%j, %c1] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x?xf16, strides=[64,1]>>, tile<i32> -> tile<16x32xf16>, token
      %tbt = permute %tb [1, 0] : tile<16x32xf16> -> tile<32x16xf16>
      %tb3 = reshape %tbt : tile<32x16xf16> -> tile<1x32x16xf16>
      %n2 = mmaf %ta, %tb3, %s : tile<1x16x32xf16>, tile<1x32x16xf16>, tile<1x16x16xf32>
      continue %n2 : tile<1x16x16xf32>
    }
    %o = reshape %acc : tile<1x16x16xf32> -> tile<16x16xf32>
    %tz, %tz_t = load_view_tko weak %q[%i, %c1] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x?xf16, strides=[64,1]>>, tile<i32> -> tile<16x32xf16>, token
    %tzt = permute %tz [1, 0] : tile<16x32xf16> -> tile<32x16xf16>
    %o2 = mmaf %tz, %tzt, %o : tile<16x32xf16>, tile<32x16xf16>, tile<16x16xf32>
    %st1 = store_view_tko weak %o2, %cp[%c0, %c0] token = %tok : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
