// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 tensor-map remarks stop-after=tileas-lower-tma-load-store-to-async" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 tensor-map warp-specialize to=gpu" | FileCheck %s --check-prefix=CODE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 tensor-map warp-specialize to=gpu" | FileCheck %s --check-prefix=COMMIT
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_120 tensor-map remarks to=gpu" 2>&1 | FileCheck %s --check-prefix=SLOW
// A tile that all blocks of a cluster read is copied by all of them, a part by each.

cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "rows"
  // CHECK: async.tiled_load
  // CHECK-NOT: multicast = 2
  // CHECK: async.tiled_load{{.*}}multicast = 2
  // REMARK: remark: tensor copies: 1 boxes of 8192 bytes, swizzle 128
  // REMARK: remark: no multicast: each block reads a tile of its own
  // REMARK: remark: tensor copies: 2 boxes of 8192 bytes, swizzle 128
  // REMARK: remark: multicast: each of 2 blocks copies 1/2 of the tile for all
  // SLOW: remark: no multicast: the target is slow at it
  // SLOW-NOT: multicast_mask

  // Both blocks have a slot, or none copies for the other.
  // CODE-LABEL: gpu.func @rows
  // CODE: nvvm.cluster.arrive {aligned}
  // CODE-NEXT: nvvm.cluster.wait {aligned}
  // CODE: nvvm.mapa
  // CODE: nvvm.vote.sync all
  // All barriers are made before the first copy.
  // CODE: nvvm.fence.mbarrier.init
  // CODE: nvvm.cluster.arrive {aligned}
  // Consumers arrive in both blocks.
  // CODE: nvvm.mapa %{{.*}} : !llvm.ptr<3> -> !llvm.ptr<7>
  // CODE: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<7>
  // "Full" expects both halves of the tile, 16 KiB, of which the block copies one.
  // CODE: %[[ALL:.*]] = arith.constant 16384 : i32
  // CODE: nvvm.mbarrier.expect_tx %{{.*}}, %[[ALL]]
  // CODE: nvgpu_ext.tma.async.load {{.*}} multicast_mask = %
  // CODE-NOT: nvgpu_ext.tma.async.load
  // Nobody leaves before.
  // CODE: nvvm.cluster.arrive {aligned}
  // CODE-NEXT: nvvm.cluster.wait {aligned}
  // CODE: llvm.store %{{.*}} atomic syncscope("device") release
  // The tensor core arrives in both.
  // COMMIT: tcgen05.commit.mc.shared.cg1
  entry @rows(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %k: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %va = make_tensor_view %qa, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
    %vb = make_tensor_view %qb, shape = [1024, 128], strides = [128, 1] : tensor_view<1024x128xf16, strides=[128,1]>
    %vc = make_tensor_view %pc, shape = [1024, 128], strides = [128, 1] : tensor_view<1024x128xf32, strides=[128,1]>
    %pva = make_partition_view %va : partition_view<tile=(128x64), tensor_view<1024x1024xf16, strides=[1024,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<1024x128xf16, strides=[128,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(128x128), tensor_view<1024x128xf32, strides=[128,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %init = constant <f32: 0.000000e+00> : tile<128x128xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<128x128xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%x, %i] : partition_view<tile=(128x64), tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<128x64xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(64x128), tensor_view<1024x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %d : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%x, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<1024x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }

  // 16 blocks would get eight rows of 64 bytes each, less than a swizzle repeats.
  // REMARK: remark: no multicast: its boxes are too small to be divided among 16 blocks
  entry @many(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %k: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 16}> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %va = make_tensor_view %qa, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
    %vb = make_tensor_view %qb, shape = [1024, 32], strides = [32, 1] : tensor_view<1024x32xf16, strides=[32,1]>
    %vc = make_tensor_view %pc, shape = [1024, 32], strides = [32, 1] : tensor_view<1024x32xf32, strides=[32,1]>
    %pva = make_partition_view %va : partition_view<tile=(1024x32), tensor_view<1024x1024xf16, strides=[1024,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(32x32), tensor_view<1024x32xf16, strides=[32,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(1024x32), tensor_view<1024x32xf32, strides=[32,1]>>
    %init = constant <f32: 0.000000e+00> : tile<1024x32xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<1024x32xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(1024x32), tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<1024x32xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(32x32), tensor_view<1024x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<1024x32xf16>, tile<32x32xf16>, tile<1024x32xf32>
      continue %d : tile<1024x32xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<1024x32xf32>, partition_view<tile=(1024x32), tensor_view<1024x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
