// A tile that begins where the tensor does has coordinates of 32 bits, which its bounds are tested with; others begin anywhere.
// Values are checked by the planted bug thread-part-without-origin.
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=gpu" | FileCheck %s
// CHECK: %[[SIZE:.*]] = arith.extui %arg2 : i32 to i64
// CHECK: scf.for
// CHECK: %[[IN:.*]] = arith.andi %{{.*}}, %c1023_i32 : i32
// CHECK: %[[PLACE:.*]] = arith.addi %[[THREAD:.*]], %[[IN]] : i32
// CHECK-NEXT: %[[WIDE:.*]] = arith.extui %[[PLACE]] : i32 to i64
// CHECK-NEXT: arith.cmpi ult, %[[WIDE]], %[[SIZE]] : i64
// CHECK: arith.muli %{{.*}}, %c1024_i64
// CHECK-NEXT: %[[PART:.*]] = arith.extui %[[THREAD]] : i32 to i64
// CHECK-NEXT: %[[OWN:.*]] = arith.addi %{{.*}}, %[[PART]] : i64
// CHECK: scf.for
// CHECK: %[[PLACE:.*]] = arith.addi %[[OWN]], %{{.*}} : i64
// CHECK-NEXT: arith.cmpi ult, %[[PLACE]], %[[SIZE]] : i64
cuda_tile.module @m {
  entry @copy(%pa: tile<ptr<f32>>, %pc: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %va = make_tensor_view %pa, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %vc = make_tensor_view %pc, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %pva = make_partition_view %va : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %a, %t0 = load_view_tko weak %pva[%zero] : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %t1 = store_view_tko weak %a, %pvc[%bx] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
