// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 to=tileas" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=CODE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 warp-specialize stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=ALONE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 remarks to=tileas" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 tensor-map remarks to=tileas" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TOGETHER
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 warp-specialize to=tileas" | FileCheck %s --check-prefix=HOPPER
// RUN: tile-opt %corpus/perf/kinds/gemm_f8_blocks.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps to=tileas" | FileCheck %s --check-prefix=LONE
// A lone product, whose sums are scaled and added up, is issued behind the wait for those of the turn before; eight warps hold the two sums.
// LONE: %[[S:.*]] = nv_tileas.tensor_memory.store %{{.*}} {column = 0 : i32, second = 128 : i32, tracked} : tensor<128x128xf32, #nv_tileas.layout<{{.*}}warp = [{{[0-9]+, [0-9]+, [0-9]+}}]>>
// LONE: "nv_tileas.tensor_memory.issue"{{.*}}first
// LONE: scf.for {{.*}}%[[TURN:[0-9a-z]*]] = %c0_i32
// LONE: nv_tileas.tensor_memory.wait %[[S]] turn %[[TURN]]
// LONE-NEXT: "nv_tileas.tensor_memory.issue"
// LONE: tensor_memory.load %[[S]] turn %[[TURN]]
// The first product of attention is issued a turn ahead, into the other one of two sets of columns; both products have a ring
// of their own, and both rings one iterator.
// CHECK-LABEL: sym_name = "ahead"
// CHECK: %[[K:.*]] = nv_tileas.async.pipeline.create_pipeline
// CHECK: %[[V:.*]] = nv_tileas.async.pipeline.create_pipeline
// CHECK: %[[S:.*]] = nv_tileas.tensor_memory.store %{{.*}} {column = 0 : i32, second = 64 : i32, tracked} : tensor<128x32xf32
// CHECK: %[[O:.*]] = nv_tileas.tensor_memory.store %{{.*}} {column = 32 : i32, tracked} : tensor<128x32xf32
// CHECK: %[[P:.*]] = nv_tileas.tensor_memory.store %{{.*}} {column = 0 : i32, second = 64 : i32} : tensor<128x32xf16
// CHECK: "nv_tileas.tensor_memory.issue"(%c0_i32{{[_0-9]*}}) <{agent = 2 : i32, first}>
// CHECK: scf.if
// CHECK: "nv_tileas.async.pipeline.consumer_wait"(%[[K]], %[[FIRST:[0-9a-z]*]])
// CHECK: "nv_tileas.tensor_memory.dot"(%{{.*}}, %{{.*}}, %[[S]]) <{atom = "tcgen05.f16", {{.*}}overwrites
// CHECK: consumer_release %[[K]]
// CHECK: %[[LOOP:.*]]:{{.*}} = scf.for {{.*}} %[[I:[0-9a-z]*]] = %[[FIRST]], %[[TURN:[0-9a-z]*]] = %c0_i32
// CHECK: %[[AFTER:.*]] = arith.addi %[[TURN]]
// CHECK: %[[NEXT:.*]] = nv_tileas.async.pipeline.inc_iter %[[I]]
// CHECK: "nv_tileas.tensor_memory.issue"(%[[AFTER]]) <{agent = 2 : i32}>
// CHECK: scf.if
// CHECK: "nv_tileas.async.pipeline.consumer_wait"(%[[K]], %[[NEXT]])
// CHECK: "nv_tileas.tensor_memory.dot"(%{{.*}}, %{{.*}}, %[[S]])
// CHECK: consumer_release %[[K]]
// CHECK: nv_tileas.tensor_memory.wait %[[S]] turn %[[TURN]]
// CHECK-NEXT: nv_tileas.tensor_memory.load %[[S]] turn %[[TURN]]
// CHECK: nv_tileas.tensor_memory.update %{{.*}} into %[[P]] turn %[[TURN]]
// CHECK: nv_tileas.tensor_memory.wait %[[O]] turn %[[TURN]]
// CHECK-NEXT: nv_tileas.tensor_memory.scale %[[O]]
// CHECK-NEXT: "nv_tileas.tensor_memory.issue"(%[[TURN]]) <{agent = 2 : i32}>
// CHECK: "nv_tileas.async.pipeline.consumer_wait"(%[[V]], %[[I]])
// CHECK: "nv_tileas.tensor_memory.dot"(%[[P]], %{{.*}}, %[[O]])
// CHECK: consumer_release %[[V]]
// CHECK: scf.yield
// CHECK: nv_tileas.tensor_memory.wait %[[O]] turn %[[LOOP]]#
// CHECK-NEXT: nv_tileas.tensor_memory.load %[[O]]
// Half of the warps beside those that compute issue the products: threads wait for sums, and arrive where they have written.
// CODE-LABEL: gpu.func @ahead
// CODE: nvgpu.mbarrier.arrive
// CODE: scf.for
// CODE-NOT: "llvm.nvvm.tcgen05.mma
// CODE-NOT: nvvm.barrier id
// CODE: "llvm.nvvm.tcgen05.ld.32x32b.x32"
// CODE-NOT: "llvm.nvvm.tcgen05.mma
// CODE-NOT: nvvm.barrier id
// CODE: "llvm.nvvm.tcgen05.st.32x32b.x16"
// CODE: nvvm.vote.sync any
// CODE-NOT: "llvm.nvvm.tcgen05.mma
// CODE-NOT: nvvm.barrier id
// CODE: nvgpu.mbarrier.arrive
// CODE: scf.yield
// One thread of those warps waits for them in front of the first product of the loop, and in each turn for the second one.
// CODE: "llvm.nvvm.tcgen05.fence.after.thread.sync"
// CODE: scf.if
// CODE: nvgpu.mbarrier.try_wait.parity
// CODE-COUNT-2: "llvm.nvvm.tcgen05.mma.shared"
// CODE-COUNT-2: "llvm.nvvm.tcgen05.commit.shared.cg1"
// CODE: scf.for
// CODE: scf.if
// CODE: nvgpu.mbarrier.try_wait.parity
// CODE-COUNT-2: "llvm.nvvm.tcgen05.mma.shared"
// CODE-COUNT-2: "llvm.nvvm.tcgen05.commit.shared.cg1"
// CODE-COUNT-2: nvgpu.mbarrier.try_wait.parity
// CODE-COUNT-2: "llvm.nvvm.tcgen05.mma.tensor"
// CODE-COUNT-2: "llvm.nvvm.tcgen05.commit.shared.cg1"
// Where threads copy, one thread of those that compute does it.
// Products and waits for stages are one thread's; all meet once in a turn, in front of the second product.
// ALONE-LABEL: gpu.func @ahead
// ALONE: scf.for
// ALONE: scf.if
// ALONE: scf.if
// ALONE: nvgpu.mbarrier.try_wait.parity
// ALONE-NOT: nvvm.barrier id
// ALONE-COUNT-2: "llvm.nvvm.tcgen05.mma.shared"
// ALONE-COUNT-2: "llvm.nvvm.tcgen05.commit.shared.cg1"
// ALONE-NOT: nvvm.barrier id
// ALONE: "llvm.nvvm.tcgen05.ld.32x32b.x32"
// ALONE: "llvm.nvvm.tcgen05.st.32x32b.x16"
// ALONE: nvvm.vote.sync any
// ALONE: nvvm.barrier
// ALONE: scf.if
// ALONE: nvgpu.mbarrier.try_wait.parity
// ALONE-COUNT-2: "llvm.nvvm.tcgen05.mma.tensor"
// ALONE-COUNT-2: "llvm.nvvm.tcgen05.commit.shared.cg1"
// SAID: remark: the first product of a turn is issued a turn ahead
// SAID: remark: warps of their own issue products
// TOGETHER: remark: no product is issued a turn ahead: a ring is shared by all warps
// HOPPER: create_pipeline
// HOPPER-NOT: create_pipeline
cuda_tile.module @m {
  entry @ahead(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %po: tile<ptr<f32>>, %rows: tile<i32>, %keys: tile<i32>) optimization_hints=<default = {occupancy = 1}> {
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
    %wq = make_partition_view %vq : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>
    %wk = make_partition_view %vk : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>
    %wv = make_partition_view %vv : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>
    %wo = make_partition_view %vo : partition_view<tile=(128x32), tensor_view<?x32xf32, strides=[32,1]>>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %tok = make_token : token
    %tq, %t0 = load_view_tko weak %wq[%bx, %c0] token = %tok : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<128x32xf16>, token
    %n = divi %keys, %c32 signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x32xf32>
    %start = constant <f32: -8.0> : tile<128x1xf32>
    %top, %acc = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%m = %start, %s = %zero) -> (tile<128x1xf32>, tile<128x32xf32>) {
      %tk, %t1 = load_view_tko weak %wk[%i, %c0] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
      %tv, %t2 = load_view_tko weak %wv[%i, %c0] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
      %kt = permute %tk [1, 0] : tile<32x32xf16> -> tile<32x32xf16>
      %sc = mmaf %tq, %kt, %zero : tile<128x32xf16>, tile<32x32xf16>, tile<128x32xf32>
      %r = reduce %sc dim=1 identities=[0xFF800000 : f32] : tile<128x32xf32> -> tile<128xf32> (%x: tile<f32>, %y: tile<f32>) {
        %z = maxf %x, %y : tile<f32>
        yield %z : tile<f32>
      }
      %r1 = reshape %r : tile<128xf32> -> tile<128x1xf32>
      %nm = maxf %m, %r1 : tile<128x1xf32>
      %mb = broadcast %nm : tile<128x1xf32> -> tile<128x32xf32>
      %d = subf %sc, %mb : tile<128x32xf32>
      %p = ftof %d : tile<128x32xf32> -> tile<128x32xf16>
      %al = subf %m, %nm : tile<128x1xf32>
      %ab = broadcast %al : tile<128x1xf32> -> tile<128x32xf32>
      %so = mulf %s, %ab : tile<128x32xf32>
      %no = mmaf %p, %tv, %so : tile<128x32xf16>, tile<32x32xf16>, tile<128x32xf32>
      continue %nm, %no : tile<128x1xf32>, tile<128x32xf32>
    }
    %tb = broadcast %top : tile<128x1xf32> -> tile<128x32xf32>
    %res = addf %acc, %tb : tile<128x32xf32>
    %st = store_view_tko weak %res, %wo[%bx, %c0] token = %tok : tile<128x32xf32>, partition_view<tile=(128x32), tensor_view<?x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
