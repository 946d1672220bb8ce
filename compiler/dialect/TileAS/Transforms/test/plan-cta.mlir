// RUN: tile-opt %s --split-input-file --convert-cudatile-to-tileaa=compute-capability=sm_90 --cse --tileas-plan-cta=remarks --cse 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: tile-opt %s --split-input-file --convert-cudatile-to-tileaa=compute-capability=sm_80 --tileas-plan-cta=remarks 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: tile-opt %s --split-input-file --tilesmith-pipeline="gpu-name=sm_90 to=gpu" | FileCheck %s --check-prefix=THREAD
// Tiles are divided among the blocks of a cluster where the hint asks for it, else the kernel stays as it is.

// A range starts at the block's piece, masks and pointers follow; the scalar atomic is the leader's.
// REMARK: remark: clusters of 4 blocks: each has 30 percent of the work
// OLD-NOT: cluster_block_id
// OLD: clusterDimX = 0
// CHECK-LABEL: sym_name = "pointers"
// CHECK: %[[ID:.*]] = gpu.cluster_block_id
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[ID]] : index to i32
// CHECK: %[[RANK:.*]] = "nv_tileaa.assume"(%[[INDEX]]) <{predicates = [#nv_tileaa.bounded<0, 3>]}>
// CHECK: %[[LEADER:.*]] = arith.cmpi eq, %[[RANK]]
// CHECK: %[[FIRST:.*]] = arith.muli %[[RANK]], %c128_i32
// CHECK: arith.addi %{{.*}}, %[[FIRST]] : i32
// CHECK: "nv_tileaa.make_range"{{.*}} -> tensor<128xi32>
// CHECK: "nv_tileaa.store"{{.*}}tensor<128x!nv_tileaa.ptr<i32, 1>>, tensor<128xi32>, tensor<128xi1>
// CHECK: "nv_tileaa.atomic_rmw"(%{{.*}}, %{{.*}}, %[[LEADER]]
// CHECK: clusterDimX = 4
// THREAD: gpu.func @pointers({{.*}}nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 4, 1, 1>
// THREAD: gpu.cluster_id
// THREAD: gpu.cluster_dim
cuda_tile.module @m {
  entry @pointers(%p: tile<ptr<i32>>, %count: tile<ptr<i32>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 4}> {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    %b = addi %x, %nx : tile<i32>
    %b1 = reshape %b : tile<i32> -> tile<1xi32>
    %b2 = broadcast %b1 : tile<1xi32> -> tile<512xi32>
    %i = iota : tile<512xi32>
    %o = addi %b2, %i : tile<512xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %n2 = broadcast %n1 : tile<1xi32> -> tile<512xi32>
    %m = cmpi less_than %o, %n2, signed : tile<512xi32> -> tile<512xi1>
    %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p2 = broadcast %p1 : tile<1xptr<i32>> -> tile<512xptr<i32>>
    %q = offset %p2, %o : tile<512xptr<i32>>, tile<512xi32> -> tile<512xptr<i32>>
    %t = store_ptr_tko weak %q, %o, %m : tile<512xptr<i32>>, tile<512xi32>, tile<512xi1> -> token
    %old, %t2 = atomic_rmw_tko relaxed device %count, add, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
  }
}

// -----

// The transposed view is divided along the columns of the loaded tile, the rows of the stored one; its index counts smaller tiles.
// REMARK: remark: clusters of 2 blocks: each has 50 percent of the work
// CHECK-LABEL: sym_name = "transposed"
// CHECK: %[[WIDE:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK: %[[TWICE:.*]] = arith.muli %[[WIDE]], %c2_i64
// CHECK: %[[AT:.*]] = arith.addi %[[TWICE]]
// CHECK: "nv_tileaa.tiled_load"(%{{[^,]*}}, %{{[^,]*}}, %[[AT]], {{.*}} -> (tensor<64x32xf32>
// CHECK: "nv_tileaa.permute"{{.*}} -> tensor<32x64xf32>
// CHECK: "nv_tileaa.tiled_store"(%{{[^,]*}}, %{{[^,]*}}, %[[AT]],
// The store is ordered behind the load: all blocks of the cluster meet.
// THREAD: gpu.func @transposed
// THREAD: nvvm.cluster.arrive {aligned}
// THREAD-NEXT: nvvm.cluster.wait {aligned}
cuda_tile.module @m {
  entry @transposed(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) optimization_hints=<sm_90 = {num_cta_in_cga = 2}> {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = make_tensor_view %p, shape = [512, 512], strides = [512, 1] : tensor_view<512x512xf32, strides=[512,1]>
    %b = make_tensor_view %q, shape = [512, 512], strides = [512, 1] : tensor_view<512x512xf32, strides=[512,1]>
    %pa = make_partition_view %a : partition_view<tile=(64x64), tensor_view<512x512xf32, strides=[512,1]>>
    %pb = make_partition_view %b : partition_view<tile=(64x64), tensor_view<512x512xf32, strides=[512,1]>>
    %v, %t1 = load_view_tko weak %pa[%x, %y] : partition_view<tile=(64x64), tensor_view<512x512xf32, strides=[512,1]>>, tile<i32> -> tile<64x64xf32>, token
    %w = permute %v [1, 0] : tile<64x64xf32> -> tile<64x64xf32>
    %t2 = store_view_tko weak %w, %pb[%y, %x] token=%t1 : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<512x512xf32, strides=[512,1]>>, tile<i32> -> token
    return
  }
}

// -----

// Rows of A and C are divided, B is whole; the sum that the loop carries is divided with them.
// REMARK: remark: clusters of 2 blocks: each has 5{{.}} percent of the work
// CHECK-LABEL: sym_name = "product"
// CHECK: scf.for {{.*}} -> (tensor<64x64xf32>)
// CHECK: "nv_tileaa.dot"{{.*}} (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>)
cuda_tile.module @m {
  entry @product(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %k: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %x, %y, %w = get_tile_block_id : tile<i32>
    %ta = make_tensor_view %a, shape = [512, 512], strides = [512, 1] : tensor_view<512x512xf16, strides=[512,1]>
    %tb = make_tensor_view %b, shape = [512, 64], strides = [64, 1] : tensor_view<512x64xf16, strides=[64,1]>
    %tc = make_tensor_view %c, shape = [512, 64], strides = [64, 1] : tensor_view<512x64xf32, strides=[64,1]>
    %pa = make_partition_view %ta : partition_view<tile=(128x32), tensor_view<512x512xf16, strides=[512,1]>>
    %pb = make_partition_view %tb : partition_view<tile=(32x64), tensor_view<512x64xf16, strides=[64,1]>>
    %pc = make_partition_view %tc : partition_view<tile=(128x64), tensor_view<512x64xf32, strides=[64,1]>>
    %zero = constant <f32: 0.0> : tile<128x64xf32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %r = for %i in (%c0 to %k, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<128x64xf32>) {
      %u, %t1 = load_view_tko weak %pa[%x, %i] : partition_view<tile=(128x32), tensor_view<512x512xf16, strides=[512,1]>>, tile<i32> -> tile<128x32xf16>, token
      %v, %t2 = load_view_tko weak %pb[%i, %c0] : partition_view<tile=(32x64), tensor_view<512x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
      %s = mmaf %u, %v, %acc : tile<128x32xf16>, tile<32x64xf16>, tile<128x64xf32>
      continue %s : tile<128x64xf32>
    }
    %t = store_view_tko weak %r, %pc[%x, %c0] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<512x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}

// -----

// The sum of all elements would be computed by every block.
// REMARK: remark: no clusters of 2 blocks: each block would have {{[0-9]+}} percent of the work
// CHECK-LABEL: sym_name = "whole_sum"
// CHECK-NOT: gpu.cluster_block_id
// CHECK: clusterDimX = 0
// THREAD: gpu.func @whole_sum
// THREAD-NOT: cluster
cuda_tile.module @m {
  entry @whole_sum(%p: tile<ptr<f32>>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %c0 = constant <i32: 0> : tile<i32>
    %a = make_tensor_view %p, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %pa = make_partition_view %a : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %v, %t1 = load_view_tko weak %pa[%c0] : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %s = reduce %v dim=0 identities=[0.0 : f32] : tile<1024xf32> -> tile<f32> (%e: tile<f32>, %acc: tile<f32>) {
      %w = addf %e, %acc rounding<nearest_even> : tile<f32>
      yield %w : tile<f32>
    }
    %s1 = reshape %s : tile<f32> -> tile<1xf32>
    %s2 = broadcast %s1 : tile<1xf32> -> tile<1024xf32>
    %d = divf %v, %s2 rounding<nearest_even> : tile<1024xf32>
    %t2 = store_view_tko weak %d, %pa[%c0] token=%t1 : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}

// -----

// Four rows are divided among four of the 16 blocks that the hint asks for.
// REMARK: remark: clusters of 4 blocks: each has {{[0-9]+}} percent of the work
// CHECK-LABEL: sym_name = "quarters"
// CHECK: clusterDimX = 4
// THREAD: gpu.func @quarters({{.*}}nvvm.cluster_dim = array<i32: 4, 1, 1>
cuda_tile.module @m {
  entry @quarters(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) optimization_hints=<default = {num_cta_in_cga = 16}> {
    %c0 = constant <i32: 0> : tile<i32>
    %a = make_tensor_view %p, shape = [4, 256], strides = [256, 1] : tensor_view<4x256xf32, strides=[256,1]>
    %pa = make_partition_view %a : partition_view<tile=(4x256), tensor_view<4x256xf32, strides=[256,1]>>
    %v, %t1 = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(4x256), tensor_view<4x256xf32, strides=[256,1]>>, tile<i32> -> tile<4x256xf32>, token
    %s = reduce %v dim=1 identities=[0.0 : f32] : tile<4x256xf32> -> tile<4xf32> (%e: tile<f32>, %acc: tile<f32>) {
      %w = addf %e, %acc rounding<nearest_even> : tile<f32>
      yield %w : tile<f32>
    }
    %b = make_tensor_view %q, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %pb = make_partition_view %b : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %t2 = store_view_tko weak %s, %pb[%c0] token=%t1 : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}

// -----

// A block of 128 threads with 32 elements takes as long as with all 128; one of 32 threads does not.
// REMARK: remark: no clusters of 4 blocks: each block would have {{[0-9]+}} percent of the work
// REMARK: remark: clusters of 4 blocks: each has 27 percent of the work
// CHECK-LABEL: sym_name = "few_elements"
// CHECK: clusterDimX = 0
// CHECK-LABEL: sym_name = "few_threads"
// CHECK: clusterDimX = 4
cuda_tile.module @m {
  entry @few_elements(%p: tile<ptr<i32>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 4}> {
    %i = iota : tile<128xi32>
    %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p2 = broadcast %p1 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %q = offset %p2, %i : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %t = store_ptr_tko weak %q, %i : tile<128xptr<i32>>, tile<128xi32> -> token
    return
  }
  entry @few_threads(%p: tile<ptr<i32>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 4, num_worker_warps_per_cta = 1}> {
    %i = iota : tile<128xi32>
    %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p2 = broadcast %p1 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %q = offset %p2, %i : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %t = store_ptr_tko weak %q, %i : tile<128xptr<i32>>, tile<128xi32> -> token
    return
  }
}

// -----

// All threads of every block execute what a tile of 8 elements needs, as often as the loop turns: 16 blocks
// would do more than twice the work.
// REMARK: remark: clusters of 4 blocks: each has 38 percent of the work
// CHECK-LABEL: sym_name = "small_tile_in_loop"
// CHECK: clusterDimX = 4
cuda_tile.module @m {
  entry @small_tile_in_loop(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) optimization_hints=<default = {num_cta_in_cga = 16}> {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64,1]>
    %pv = make_partition_view %v : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64,1]>>
    %x, %t0 = load_view_tko weak %pv[%c0, %c0] : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> tile<64x64xi32>, token
    %t1 = store_view_tko weak %x, %pv[%c0, %c0] token=%t0 : tile<64x64xi32>, partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    %w = make_tensor_view %q, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %pw = make_partition_view %w : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %y, %t2 = load_view_tko weak %pw[%c0] : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %last = for %i in (%c0 to %c64, step %c1) : tile<i32> iter_values(%a = %y) -> (tile<8xi32>) {
      %m = muli %a, %y : tile<8xi32>
      %n = xori %m, %a : tile<8xi32>
      continue %n : tile<8xi32>
    }
    %t3 = store_view_tko weak %last, %pw[%c0] token=%t2 : tile<8xi32>, partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}

// -----

// REMARK: remark: no clusters of 2 blocks: no access can be divided
cuda_tile.module @m {
  entry @scalar(%p: tile<ptr<i32>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %t = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}

// -----

// REMARK: remark: no clusters of 2 blocks: every block needs the result of 'nv_tileaa.atomic_rmw'
cuda_tile.module @m {
  entry @ticket(%p: tile<ptr<i32>>, %count: tile<ptr<i32>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %old, %t2 = atomic_rmw_tko relaxed device %count, add, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %b1 = reshape %old : tile<i32> -> tile<1xi32>
    %b2 = broadcast %b1 : tile<1xi32> -> tile<256xi32>
    %i = iota : tile<256xi32>
    %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p2 = broadcast %p1 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %q = offset %p2, %i : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %t = store_ptr_tko weak %q, %b2 : tile<256xptr<i32>>, tile<256xi32> -> token
    return
  }
}

// -----

// REMARK: remark: no clusters of 2 blocks: 'nv_tileaa.store' orders other accesses
cuda_tile.module @m {
  entry @release(%p: tile<ptr<i32>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %t = store_ptr_tko release device %p, %n : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}

// -----

// REMARK: remark: no clusters of 2 blocks: memory of the tile block lies in one block
cuda_tile.module @m {
  entry @local(%n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %p = alloca num_elem = 4, alignment = 16 : tile<ptr<i32>>
    %t = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}

// -----

// The leader prints, every block checks its piece.
// THREAD: gpu.func @messages({{.*}}nvvm.blocksareclusters
// CHECK-LABEL: sym_name = "messages"
// CHECK: %[[LEADER:.*]] = arith.cmpi eq
// CHECK: "nv_tileaa.assert"(%{{.*}}) {{.*}} (tensor<128xi1>) -> ()
// CHECK: scf.if %[[LEADER]] {
// CHECK-NEXT: nv_tileaa.print
cuda_tile.module @m {
  entry @messages(%p: tile<ptr<i32>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %i = iota : tile<256xi32>
    %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p2 = broadcast %p1 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %q = offset %p2, %i : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %n2 = broadcast %n1 : tile<1xi32> -> tile<256xi32>
    %m = cmpi not_equal %i, %n2, signed : tile<256xi32> -> tile<256xi1>
    assert %m, "met" : tile<256xi1>
    %t0 = print_tko "n = %d\n", %n : tile<i32> -> token
    %t = store_ptr_tko weak %q, %n2 token=%t0 : tile<256xptr<i32>>, tile<256xi32> -> token
    return
  }
}
