// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 dynamic-persistent stop-after=tileas-dynamic-persistent" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 dynamic-persistent stop-after=tileas-dynamic-persistent" --tileas-dynamic-persistent 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 dynamic-persistent stop-after=tileas-dynamic-persistent" | FileCheck %s --check-prefix=OLD
// A block that has finished goes on as a block that has not started; older targets cannot cancel launches.

// TWICE: warning: Kernel is already dynamic persistent
// OLD-NOT: cancel_next_program_id
// OLD: "nv_tileaa.get_program_id"
// OLD-NOT: cancel_next_program_id
// OLD: nv_tileaa.return

// CHECK: %[[X:.*]] = "nv_tileaa.get_program_id"() <{axis = 0 : i32}>
// CHECK: scf.while (%{{.*}} = %[[X]],
// CHECK: scf.condition
// CHECK: ^bb0(%[[NOW:[a-z0-9]*]]: i32,
// CHECK-NOT: get_program_id
// CHECK: tiled_store{{.*}}%[[NOW]]
// CHECK: %[[NEXT:.*]] = nv_tileas.cancel_next_program_id
// CHECK: %[[VALID:.*]] = "nv_tileaa.is_valid_program_id"(%[[NEXT]])
// CHECK: scf.if %[[VALID]]
// CHECK-COUNT-3: nv_tileas.program_id_axis {{[012]}} of %[[NEXT]]
// CHECK: scf.yield {{.*}}, %[[VALID]]
// CHECK: nv_tileaa.return
cuda_tile.module @m {
  entry @fill(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %v = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %pv = make_partition_view %v : partition_view<tile=(128), tensor_view<?xi32, strides=[1]>>
    %w = reshape %x : tile<i32> -> tile<1xi32>
    %value = broadcast %w : tile<1xi32> -> tile<128xi32>
    %t = store_view_tko weak %value, %pv[%x] : tile<128xi32>, partition_view<tile=(128), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
