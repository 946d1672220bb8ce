// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 tensor-map remarks stop-after=tileas-lower-tma-load-store-to-async" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 tensor-map to=gpu" | FileCheck %s --check-prefix=CODE
// Tiles of views by tensor copies: which buffers they fill, under which swizzle, and why others stay.

cuda_tile.module @m {
  // Operands of a warpgroup product have their layout already; half of a panel's rows per 128 bytes.
  // CHECK-LABEL: sym_name = "warpgroup"
  // CHECK: create_pipeline {{.*}} {late_release, mbarriers}
  // CHECK-COUNT-2: async.tiled_load{{.*}}atom = "tma_tensor_load"
  // REMARK: remark: tensor copies: 2 boxes of 8192 bytes, swizzle 128
  // REMARK: remark: tensor copies: 1 boxes of 16384 bytes, swizzle 128

  // One slot per block: taken by its first thread, read by all, given back at the end.
  // CODE: llvm.mlir.global internal @tensor_maps_warpgroup() {addr_space = 1 : i32, alignment = 128 : i64} : !llvm.array<524288 x i8>
  // CODE: llvm.mlir.global internal @tensor_map_slots_warpgroup() {addr_space = 1 : i32, alignment = 4 : i64} : !llvm.array<2048 x i32>
  // CODE-LABEL: gpu.func @warpgroup
  // CODE: scf.for
  // CODE: llvm.cmpxchg {{.*}} syncscope("device") acquire monotonic
  // CODE: gpu.barrier
  // CODE: %[[SLOT:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i32
  // Its maps: fields by one thread in shared memory, then a warp publishes them.
  // CODE: nvgpu_ext.tensormap.create {{.*}} <3>, <1> -> <tensor = memref<64x64xi16, 3>, swizzle = swizzle_128b
  // CODE: nvvm.bar.warp.sync
  // CODE: nvgpu_ext.tensormap.publish
  // CODE: nvgpu_ext.tensormap.create {{.*}} -> <tensor = memref<128x64xi16, 3>, swizzle = swizzle_128b
  // CODE: nvgpu_ext.tensormap.publish
  // Bytes are announced before the copies; without a map the threads copy.
  // CODE: nvvm.mbarrier.expect_tx
  // CODE: nvgpu_ext.tma.async.load %{{.*}}[%{{[^,]*}}, %{{[^,]*}}], %
  // CODE: nvgpu_ext.tma.async.load
  // CODE: else
  // CODE: nvgpu.device_async_copy
  // CODE: nvgpu_ext.warpgroup.mma_async
  // CODE: gpu.barrier
  // CODE: llvm.store %{{.*}} atomic syncscope("device") release
  // CODE: gpu.return

  entry @warpgroup(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %k], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<64x64xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<64x128xf16>, tile<128x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // Buffers that are read by ldmatrix take the swizzle that suits it; a hint keeps the other load away.
  // CHECK-LABEL: sym_name = "fragments"
  // CHECK: create_pipeline {{.*}} {mbarriers}
  // REMARK: remark: tensor copies: 1 boxes of 2048 bytes, swizzle 64
  // REMARK: remark: no tensor copies: its hint forbids it

  entry @fragments(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %k], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<32x32xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<32x32xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] optimization_hints = <sm_90 = {allow_tma = false}> : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %d : tile<32x32xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // A padding that copies do not make: whole tiles only, which is a test at run time.
  // CHECK-LABEL: sym_name = "padding"
  // REMARK: remark: tensor copies: 1 boxes of 8192 bytes, swizzle 128
  // REMARK: remark: tensor copies: 1 boxes of 8192 bytes, swizzle 128

  entry @padding(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %k], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %qb, shape = [%k, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(64x64), padding_value = nan, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<64x64xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(64x64), padding_value = nan, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // Rows that do not start at multiples of 16 bytes.
  // CHECK-LABEL: sym_name = "stride"
  // REMARK: remark: no tensor copies: a stride is not a multiple of 16 bytes
  // REMARK: remark: tensor copies: 1 boxes of 8192 bytes, swizzle 128

  entry @stride(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %ld0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f16>>
    %qb = assume div_by<16>, %pb : tile<ptr<f16>>
    %ld = assume div_by<16>, %ld0 : tile<i32>
    %va = make_tensor_view %qa, shape = [%m, %k], strides = [100, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[100,1]>
    %vb = make_tensor_view %qb, shape = [%k, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %pc, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[100,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %init = constant <f32: 0.000000e+00> : tile<64x64xf32>
    %sum = for %i in (%zero to %k, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<64x64xf32>) {
      %ta, %t0 = load_view_tko weak %pva[%zero, %i] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[100,1]>>, tile<i32> -> tile<64x64xf16>, token
      %tb, %t1 = load_view_tko weak %pvb[%i, %zero] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %t2 = store_view_tko weak %sum, %pvc[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
