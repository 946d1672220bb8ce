// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=1 to=tileas" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=0 to=tileas" | FileCheck %s --check-prefix=PLAIN
// No barrier between two tiles of one view that share no byte. One condition of DistinctTiles.cpp is broken by each other kernel.

// PLAIN-LABEL: sym_name = "constants"
// PLAIN: tiled_store
// PLAIN: gpu.barrier
// PLAIN-NEXT: tiled_store
cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "constants"
  // CHECK: tiled_store
  // CHECK-NOT: gpu.barrier
  // CHECK: tiled_store
  // Behind both, the first tile is waited for all the same.
  // CHECK: gpu.barrier
  // CHECK-NEXT: tiled_store
  entry @constants(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %x = iota : tile<64xi32>
    %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>
    %t0 = store_view_tko weak %x, %v[%c0] : tile<64xi32>, partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    %t1 = store_view_tko weak %x, %v[%c1] token = %t0 : tile<64xi32>, partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %x, %v[%c0] token = %t1 : tile<64xi32>, partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
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

  // A turn reads what another one wrote.
  // CHECK-LABEL: sym_name = "turns"
  // CHECK: scf.for
  // CHECK: gpu.barrier
  // CHECK-NEXT: tiled_load
  entry @turns(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>
    %t0 = make_token : token
    %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%t = %t0) -> (token) {
      %next = addi %i, %c1 : tile<i32>
      %y, %t1 = load_view_tko weak %v[%i] token = %t : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
      %t2 = store_view_tko weak %y, %v[%next] token = %t1 : tile<64xi32>, partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
      continue %t2 : token
    }
    return
  }

  // Strides that are not known, or shorter than a row.
  // CHECK-LABEL: sym_name = "strides"
  // CHECK: tiled_store
  // CHECK: gpu.barrier
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
    %tb = make_tensor_view %p, shape = [%n, 32], strides = [31, 1] : tile<i32> -> tensor_view<?x32xi32, strides=[31,1]>
    %b = make_partition_view %tb : partition_view<tile=(8x32), tensor_view<?x32xi32, strides=[31,1]>>
    %t2 = store_view_tko weak %x, %b[%c0, %c0] token = %t1 : tile<8x32xi32>, partition_view<tile=(8x32), tensor_view<?x32xi32, strides=[31,1]>>, tile<i32> -> token
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
