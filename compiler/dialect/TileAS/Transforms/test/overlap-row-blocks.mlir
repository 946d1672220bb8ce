// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 to=tileas" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=CODE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 warp-specialize stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=ALONE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 remarks to=tileas" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID
// 256 rows, of which each group of four warps holds a block: blocks are products of their own, without second columns.
// CHECK-LABEL: sym_name = "apart"
// CHECK: %[[K:.*]] = nv_tileas.async.pipeline.create_pipeline
// CHECK: %[[V:.*]] = nv_tileas.async.pipeline.create_pipeline
// CHECK: %[[S:.*]] = nv_tileas.tensor_memory.store %{{.*}} {apart, column = 0 : i32, tracked} : tensor<256x32xf32
// CHECK: %[[O:.*]] = nv_tileas.tensor_memory.store %{{.*}} {apart, column = 64 : i32, tracked} : tensor<256x32xf32
// CHECK: %[[P:.*]] = nv_tileas.tensor_memory.store %{{.*}} {column = 128 : i32} : tensor<256x32xf16
// CHECK: "nv_tileas.tensor_memory.issue"(%c0_i32{{[_0-9]*}}) <{agent = 2 : i32, first}>
// CHECK: scf.if
// CHECK: "nv_tileas.async.pipeline.consumer_wait"(%[[K]], %[[FIRST:[0-9a-z]*]])
// CHECK: "nv_tileas.tensor_memory.dot"(%{{.*}}, %{{.*}}, %[[S]]) <{atom = "tcgen05.f16", {{.*}}overwrites, scale_column
// CHECK: consumer_release %[[K]]
// CHECK: nv_tileas.tensor_memory.announce %[[S]] {row_block = 0 : i32}
// CHECK-NEXT: nv_tileas.tensor_memory.announce %[[S]] {row_block = 1 : i32}
// CHECK: %[[LOOP:.*]]:{{.*}} = scf.for {{.*}} %[[I:[0-9a-z]*]] = %[[FIRST]], %[[TURN:[0-9a-z]*]] = %c0_i32
// CHECK: %[[AFTER:.*]] = arith.addi %[[TURN]]
// CHECK: %[[NEXT:.*]] = nv_tileas.async.pipeline.inc_iter %[[I]]
// CHECK-NOT: tensor_memory.issue
// CHECK: nv_tileas.tensor_memory.wait %[[S]] turn %[[AFTER]]
// CHECK-NEXT: nv_tileas.tensor_memory.load %[[S]] :
// CHECK: nv_tileas.tensor_memory.update %{{.*}} into %[[P]] :
// CHECK-NOT: tensor_memory.wait
// CHECK: nv_tileas.tensor_memory.scale %[[O]]
// CHECK-NEXT: "nv_tileas.tensor_memory.issue"(%[[TURN]]) <{agent = 2 : i32}>
// CHECK-NEXT: nv_tileas.tensor_memory.arrived {row_block = 0 : i32}
// CHECK-NEXT: %[[VALUES:.*]], %{{.*}} = "nv_tileas.async.pipeline.consumer_wait"(%[[V]], %[[I]])
// CHECK: "nv_tileas.tensor_memory.dot"(%[[P]], %{{.*}}, %[[O]]) <{atom = "tcgen05.f16", {{.*}}row_block = 0 : i32
// CHECK: scf.if
// CHECK-NEXT: "nv_tileas.async.pipeline.consumer_wait"(%[[K]], %[[NEXT]]) :
// CHECK: "nv_tileas.tensor_memory.dot"(%{{.*}}, %{{.*}}, %[[S]]) <{atom = "tcgen05.f16", {{.*}}overwrites, row_block = 0 : i32
// CHECK-NOT: consumer_release
// CHECK: nv_tileas.tensor_memory.announce %[[S]] {row_block = 0 : i32}
// CHECK-NEXT: nv_tileas.tensor_memory.arrived {row_block = 1 : i32}
// CHECK: "nv_tileas.tensor_memory.dot"(%[[P]], %{{.*}}, %[[O]]) <{atom = "tcgen05.f16", {{.*}}row_block = 1 : i32
// CHECK: consumer_release %[[V]], %[[VALUES]]
// CHECK: scf.if
// CHECK-NEXT: "nv_tileas.async.pipeline.consumer_wait"(%[[K]], %[[NEXT]]) <{waited}>
// CHECK: "nv_tileas.tensor_memory.dot"(%{{.*}}, %{{.*}}, %[[S]]) <{atom = "tcgen05.f16", {{.*}}overwrites, row_block = 1 : i32
// CHECK: consumer_release %[[K]]
// CHECK: nv_tileas.tensor_memory.announce %[[S]] {row_block = 1 : i32}
// CHECK: scf.yield
// CHECK: %[[LAST:.*]] = arith.addi %[[LOOP]]#
// CHECK-NEXT: nv_tileas.tensor_memory.wait %[[S]] turn %[[LAST]]
// CHECK-NEXT: nv_tileas.tensor_memory.load %[[O]]
// Warps wait for sums once in a turn and arrive once, at the barriers of their block.
// CODE-LABEL: gpu.func @apart
// CODE: scf.for
// CODE: nvgpu.mbarrier.try_wait.parity
// CODE-NOT: nvgpu.mbarrier.try_wait.parity
// CODE-NOT: "llvm.nvvm.tcgen05.mma
// CODE-NOT: nvvm.barrier id
// CODE: nvvm.vote.sync any
// CODE-NOT: nvgpu.mbarrier.try_wait.parity
// CODE: nvgpu.mbarrier.arrive
// CODE: scf.yield
// One thread waits for the warps of a block in front of its products, for the stages in front of the first ones.
// CODE: "llvm.nvvm.tcgen05.fence.after.thread.sync"
// CODE: scf.if
// CODE-COUNT-4: "llvm.nvvm.tcgen05.mma.shared"
// CODE-COUNT-3: "llvm.nvvm.tcgen05.commit.shared.cg1"
// CODE: scf.for
// CODE-COUNT-2: nvgpu.mbarrier.try_wait.parity
// CODE-COUNT-2: "llvm.nvvm.tcgen05.mma.tensor"
// CODE: nvgpu.mbarrier.try_wait.parity
// CODE-COUNT-2: "llvm.nvvm.tcgen05.mma.shared"
// CODE: "llvm.nvvm.tcgen05.commit.shared.cg1"
// CODE: nvgpu.mbarrier.try_wait.parity
// CODE-COUNT-2: "llvm.nvvm.tcgen05.mma.tensor"
// CODE: "llvm.nvvm.tcgen05.commit.shared.cg1"
// CODE-NOT: nvgpu.mbarrier.try_wait.parity
// CODE-COUNT-2: "llvm.nvvm.tcgen05.mma.shared"
// CODE-COUNT-2: "llvm.nvvm.tcgen05.commit.shared.cg1"
// Where threads copy, one of those that compute issues: all meet once in a turn, in front of all blocks.
// ALONE-LABEL: gpu.func @apart
// ALONE: "llvm.nvvm.tcgen05.ld.32x32b.x32"
// ALONE-NOT: nvvm.barrier id
// ALONE: nvvm.vote.sync any
// ALONE: nvvm.barrier id
// ALONE-COUNT-2: "llvm.nvvm.tcgen05.mma.tensor"
// ALONE-COUNT-2: "llvm.nvvm.tcgen05.mma.shared"
// ALONE-NOT: nvvm.barrier id
// ALONE-COUNT-2: "llvm.nvvm.tcgen05.mma.tensor"
// ALONE-COUNT-2: "llvm.nvvm.tcgen05.mma.shared"
// SAID: remark: the first product of a turn is issued a turn ahead
// SAID: remark: warps of their own issue products
cuda_tile.module @m {
  entry @apart(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %po: tile<ptr<f32>>, %rows: tile<i32>, %keys: tile<i32>) optimization_hints=<default = {occupancy = 1, num_worker_warps_per_cta = 8}> {
    %q = assume div_by<16>, %pq : tile<ptr<f16>>
    %k = assume div_by<16>, %pk : tile<ptr<f16>>
    %v = assume div_by<16>, %pv : tile<ptr<f16>>
    %o = assume div_by<16>, %po : tile<ptr<f32>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c32 = constant <i32: 32> : tile<i32>
    %vq = make_tensor_view %q, shape = [%rows, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf16, strides=[32,1]>
    %vk = make_tensor_view %k, shape = [%keys, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf16, strides=[32,1]>
    %vv = make_tensor_view %v, shape = [%keys, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf16, strides=[32,1]>
    %vo = make_tensor_view %o, shape = [%rows, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf32, strides=[32,1]>
    %wq = make_partition_view %vq : partition_view<tile=(256x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>
    %wk = make_partition_view %vk : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>
    %wv = make_partition_view %vv : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>
    %wo = make_partition_view %vo : partition_view<tile=(256x32), tensor_view<?x32xf32, strides=[32,1]>>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %tok = make_token : token
    %tq, %t0 = load_view_tko weak %wq[%bx, %c0] token = %tok : partition_view<tile=(256x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<256x32xf16>, token
    %n = divi %keys, %c32 signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<256x32xf32>
    %start = constant <f32: -8.0> : tile<256x1xf32>
    %top, %acc = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%m = %start, %s = %zero) -> (tile<256x1xf32>, tile<256x32xf32>) {
      %tk, %t1 = load_view_tko weak %wk[%i, %c0] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
      %tv, %t2 = load_view_tko weak %wv[%i, %c0] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
      %kt = permute %tk [1, 0] : tile<32x32xf16> -> tile<32x32xf16>
      %sc = mmaf %tq, %kt, %zero : tile<256x32xf16>, tile<32x32xf16>, tile<256x32xf32>
      %r = reduce %sc dim=1 identities=[0xFF800000 : f32] : tile<256x32xf32> -> tile<256xf32> (%x: tile<f32>, %y: tile<f32>) {
        %z = maxf %x, %y : tile<f32>
        yield %z : tile<f32>
      }
      %r1 = reshape %r : tile<256xf32> -> tile<256x1xf32>
      %nm = maxf %m, %r1 : tile<256x1xf32>
      %mb = broadcast %nm : tile<256x1xf32> -> tile<256x32xf32>
      %d = subf %sc, %mb : tile<256x32xf32>
      %p = ftof %d : tile<256x32xf32> -> tile<256x32xf16>
      %al = subf %m, %nm : tile<256x1xf32>
      %ab = broadcast %al : tile<256x1xf32> -> tile<256x32xf32>
      %so = mulf %s, %ab : tile<256x32xf32>
      %no = mmaf %p, %tv, %so : tile<256x32xf16>, tile<32x32xf16>, tile<256x32xf32>
      continue %nm, %no : tile<256x1xf32>, tile<256x32xf32>
    }
    %tb = broadcast %top : tile<256x1xf32> -> tile<256x32xf32>
    %res = addf %acc, %tb : tile<256x32xf32>
    %st = store_view_tko weak %res, %wo[%bx, %c0] token = %tok : tile<256x32xf32>, partition_view<tile=(256x32), tensor_view<?x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
