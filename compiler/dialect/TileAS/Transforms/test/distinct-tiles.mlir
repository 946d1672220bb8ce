// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=1 to=tileas" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=0 to=tileas" | FileCheck %s --check-prefix=PLAIN
// No barrier between tiles of one memory in which no two threads meet. One condition of DistinctTiles.cpp is broken by each other kernel.

// PLAIN-LABEL: sym_name = "constants"
// PLAIN: tiled_store
// PLAIN: gpu.barrier
// PLAIN-NEXT: tiled_store
cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "constants"
  // CHECK: tiled_store
  // CHECK-NOT: gpu.barrier
  // CHECK: tiled_store
  // The first tile again: the same threads store the same elements.
  // CHECK-NOT: gpu.barrier
  // CHECK: tiled_store
  // Another layout of the same elements, and one that several threads load.
  // CHECK: gpu.barrier
  // CHECK-NEXT: tiled_load{{.*}}tensor<256xi32
  // CHECK: gpu.barrier
  // CHECK-NEXT: tiled_store
  // CHECK-NOT: gpu.barrier
  // CHECK: tiled_store
  // CHECK: gpu.barrier
  // CHECK-NEXT: tiled_load{{.*}}tensor<64xi32
  entry @constants(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %x = iota : tile<64xi32>
    %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>
    %t0 = store_view_tko weak %x, %v[%c0] : tile<64xi32>, partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    %t1 = store_view_tko weak %x, %v[%c1] token = %t0 : tile<64xi32>, partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %x, %v[%c0] token = %t1 : tile<64xi32>, partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    %w = make_partition_view %tv : partition_view<tile=(256), tensor_view<?xi32, strides=[1]>>
    %y, %t3 = load_view_tko weak %w[%c0] token = %t2 : partition_view<tile=(256), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<256xi32>, token
    %t4 = store_view_tko weak %x, %v[%c0] token = %t3 : tile<64xi32>, partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    %t5 = store_view_tko weak %y, %w[%c1] token = %t3 : tile<256xi32>, partition_view<tile=(256), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    %z, %t6 = load_view_tko weak %v[%c0] token = %t4 : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %t7 = store_view_tko weak %z, %v[%c1] token = %t6 : tile<64xi32>, partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    return
  }

  // The rows of a matrix with a known stride; the same number plus different constants.
  // CHECK-LABEL: sym_name = "neighbours"
  // CHECK: tiled_store
  // CHECK-NOT: gpu.barrier
  // CHECK: tiled_store
  entry @neighbours(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %x = constant <i32: 7> : tile<8x32xi32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %next = addi %b, %c3 : tile<i32>
    %tv = make_tensor_view %p, shape = [%n, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xi32, strides=[32,1]>
    %v = make_partition_view %tv : partition_view<tile=(8x32), tensor_view<?x32xi32, strides=[32,1]>>
    %t0 = store_view_tko weak %x, %v[%b, %c0] : tile<8x32xi32>, partition_view<tile=(8x32), tensor_view<?x32xi32, strides=[32,1]>>, tile<i32> -> token
    %t1 = store_view_tko weak %x, %v[%next, %c0] token = %t0 : tile<8x32xi32>, partition_view<tile=(8x32), tensor_view<?x32xi32, strides=[32,1]>>, tile<i32> -> token
    return
  }

  // A turn reads what another one wrote, through a view that it makes itself: each element in the thread
  // that stored it. Without the last warps' copies of a small tile, that is: there it takes a barrier.
  // CHECK-LABEL: sym_name = "turns"
  // CHECK: scf.for
  // CHECK-NOT: gpu.barrier
  // CHECK: tiled_load
  // CHECK-NOT: gpu.barrier
  // CHECK: tiled_store
  // CHECK: scf.for
  // CHECK: gpu.barrier
  // CHECK-NEXT: tiled_load
  // CHECK: gpu.barrier
  // CHECK-NEXT: tiled_store
  entry @turns(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %c1 = constant <i32: 1> : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(256), tensor_view<?xi32, strides=[1]>>
    %t0 = make_token : token
    %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%t = %t0) -> (token) {
      %next = addi %i, %c1 : tile<i32>
      %ptv = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
      %padded = make_partition_view %ptv : partition_view<tile=(256), padding_value = zero, tensor_view<?xi32, strides=[1]>>
      %y, %t1 = load_view_tko weak %padded[%i] token = %t : partition_view<tile=(256), padding_value = zero, tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<256xi32>, token
      %t2 = store_view_tko weak %y, %v[%next] token = %t1 : tile<256xi32>, partition_view<tile=(256), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
      continue %t2 : token
    }
    %w = make_partition_view %tv : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>
    %s = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%t = %t0) -> (token) {
      %next = addi %i, %c1 : tile<i32>
      %y, %t1 = load_view_tko weak %w[%i] token = %t : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
      %t2 = store_view_tko weak %y, %w[%next] token = %t1 : tile<64xi32>, partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
      continue %t2 : token
    }
    return
  }

  // Strides that are not known are compared with the rows, once; those that are shorter than a row need no test.
  // CHECK-LABEL: sym_name = "strides"
  // CHECK: [[MEMREF:%.*]] = "nv_tileaa.make_memref"
  // CHECK: [[MOST:%.*]] = arith.constant 2147483647 : i64
  // CHECK-NEXT: arith.cmpi ugt, {{.*}}, [[MOST]] : i64
  // CHECK: [[BELOW:%.*]] = arith.addi
  // CHECK-NEXT: [[SHORT:%.*]] = arith.cmpi sle, [[STRIDE:%.*]], [[BELOW]] : i64
  // CHECK-NEXT: [[SHARED:%.*]] = arith.ori {{.*}}, [[SHORT]] : i1
  // CHECK: tiled_store
  // CHECK: scf.if [[SHARED]] {
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: }
  // CHECK-NEXT: tiled_store
  // The third one waits for the second, too.
  // CHECK: scf.if [[SHARED]] {
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: }
  // CHECK-NEXT: tiled_store
  // CHECK: gpu.barrier
  // CHECK-NEXT: tiled_store
  // CHECK: gpu.barrier
  // CHECK-NEXT: tiled_store
  entry @strides(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %x = constant <i32: 7> : tile<8x32xi32>
    %ta = make_tensor_view %p, shape = [%n, 32], strides = [%n, 1] : tile<i32> -> tensor_view<?x32xi32, strides=[?,1]>
    %a = make_partition_view %ta : partition_view<tile=(8x32), tensor_view<?x32xi32, strides=[?,1]>>
    %t0 = store_view_tko weak %x, %a[%c0, %c0] : tile<8x32xi32>, partition_view<tile=(8x32), tensor_view<?x32xi32, strides=[?,1]>>, tile<i32> -> token
    %t1 = store_view_tko weak %x, %a[%c1, %c0] token = %t0 : tile<8x32xi32>, partition_view<tile=(8x32), tensor_view<?x32xi32, strides=[?,1]>>, tile<i32> -> token
    %t1b = store_view_tko weak %x, %a[%c1, %c1] token = %t1 : tile<8x32xi32>, partition_view<tile=(8x32), tensor_view<?x32xi32, strides=[?,1]>>, tile<i32> -> token
    %tb = make_tensor_view %p, shape = [%n, 32], strides = [31, 1] : tile<i32> -> tensor_view<?x32xi32, strides=[31,1]>
    %b = make_partition_view %tb : partition_view<tile=(8x32), tensor_view<?x32xi32, strides=[31,1]>>
    %t2 = store_view_tko weak %x, %b[%c0, %c0] token = %t1b : tile<8x32xi32>, partition_view<tile=(8x32), tensor_view<?x32xi32, strides=[31,1]>>, tile<i32> -> token
    %t3 = store_view_tko weak %x, %b[%c1, %c0] token = %t2 : tile<8x32xi32>, partition_view<tile=(8x32), tensor_view<?x32xi32, strides=[31,1]>>, tile<i32> -> token
    return
  }

  // Neighbours overlap; two tiles away they do not, but nobody asks.
  // CHECK-LABEL: sym_name = "overlapping"
  // CHECK: tiled_store
  // CHECK: gpu.barrier
  // CHECK-NEXT: tiled_store
  entry @overlapping(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %x = iota : tile<64xi32>
    %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %v = make_strided_view %tv : strided_view<tile=(64), traversal_strides=[32], tensor_view<?xi32, strides=[1]>>
    %t0 = store_view_tko weak %x, %v[%c0] : tile<64xi32>, strided_view<tile=(64), traversal_strides=[32], tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    %t1 = store_view_tko weak %x, %v[%c1] token = %t0 : tile<64xi32>, strided_view<tile=(64), traversal_strides=[32], tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
