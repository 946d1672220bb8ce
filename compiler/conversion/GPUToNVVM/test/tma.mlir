// Tensor copies of rank 1 to 5: operand order, multicast and cache hint; what is absent stays absent.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N31,N32,N34,N38,N39 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefixes=PTX,N35 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-llvmir | FileCheck --check-prefix=N33 %s

!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!mem1 = memref<64xf32, 3>
!map1 = !nvgpu.tensormap.descriptor<tensor = memref<64xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mem2 = memref<8x16xf32, 3>
!map2 = !nvgpu.tensormap.descriptor<tensor = memref<8x16xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mem3 = memref<2x8x16xf32, 3>
!map3 = !nvgpu.tensormap.descriptor<tensor = memref<2x8x16xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mem4 = memref<2x2x8x16xf32, 3>
!map4 = !nvgpu.tensormap.descriptor<tensor = memref<2x2x8x16xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mem5 = memref<2x2x2x8x8xf32, 3>
!map5 = !nvgpu.tensormap.descriptor<tensor = memref<2x2x2x8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>

gpu.module @m {

  // CHECK-LABEL: llvm.func @load_1d
  // PTX-LABEL: .entry load_1d(
  // N31: %[[TO:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr<3> to !llvm.ptr<7>
  // N31: %[[BAR:.*]] = llvm.getelementptr %{{.*}} : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
  // N31-NEXT: %[[C0:.*]] = llvm.trunc %arg9 : i64 to i32
  // N31-NEXT: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO]], %arg0, %[[BAR]], box[%[[C0]]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}] multicast_mask = %[[MASK:arg[0-9]+]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}] multicast_mask = %[[MASK]] l2_cache_hint = %[[HINT:arg[0-9]+]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}] l2_cache_hint = %[[HINT]] : !llvm.ptr<7>, !llvm.ptr
  // N31: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}] predicate = %{{.*}} : !llvm.ptr<7>, !llvm.ptr
  // PTX: cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}{{[}]}}], [{{.*}}];
  // PTX: cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}{{[}]}}], [{{.*}}], %rs{{[0-9]+}};
  // PTX: cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}{{[}]}}], [{{.*}}], %rs{{[0-9]+}}, %rd{{[0-9]+}};
  // PTX: cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}{{[}]}}], [{{.*}}], %rd{{[0-9]+}};
  // PTX: @%p{{[0-9]+}} cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [
  gpu.func @load_1d(%d: !map1, %s: !mem1, %mask: i16, %hint: i64, %q: i1, %c0: index) kernel {
    %b = nvgpu.mbarrier.create -> !bar
    %z = arith.constant 0 : index
    nvgpu.tma.async.load %d[%c0], %b[%z] to %s : !map1, !bar -> !mem1
    nvgpu.tma.async.load %d[%c0], %b[%z] to %s multicast_mask = %mask : !map1, !bar -> !mem1
    nvgpu_ext.tma.async.load %d[%c0], %b[%z] to %s multicast_mask = %mask l2_cache_hint = %hint : !map1, !bar -> !mem1
    nvgpu_ext.tma.async.load %d[%c0], %b[%z] to %s l2_cache_hint = %hint : !map1, !bar -> !mem1
    nvgpu.tma.async.load %d[%c0], %b[%z] to %s, predicate = %q : !map1, !bar -> !mem1
    gpu.return
  }

  // CHECK-LABEL: llvm.func @store_1d
  // PTX-LABEL: .entry store_1d(
  // N34: %[[FROM:.*]] = llvm.extractvalue %{{.*}}[1]
  // N34-NEXT: %[[C0:.*]] = llvm.trunc %arg7 : i64 to i32
  // N34-NEXT: nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %[[FROM]], box[%[[C0]]] : !llvm.ptr, <3>
  // N34: nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}] l2_cache_hint = %{{.*}} : !llvm.ptr, <3>
  // PTX: cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%{{.*}}, {{[{]}}%r{{[0-9]+}}{{[}]}}], [{{.*}}];
  // PTX: cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group.L2::cache_hint [%{{.*}}, {{[{]}}%r{{[0-9]+}}{{[}]}}], [{{.*}}], %rd{{[0-9]+}};
  gpu.func @store_1d(%d: !map1, %s: !mem1, %hint: i64, %c0: index) kernel {
    nvgpu.tma.async.store %s to %d[%c0] : !mem1 -> !map1
    nvgpu_ext.tma.async.store %s to %d[%c0] l2_cache_hint = %hint : !mem1 -> !map1
    gpu.return
  }

  // CHECK-LABEL: llvm.func @load_2d
  // PTX-LABEL: .entry load_2d(
  // N31: %[[TO:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr<3> to !llvm.ptr<7>
  // N31: %[[BAR:.*]] = llvm.getelementptr %{{.*}} : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
  // N31-NEXT: %[[C0:.*]] = llvm.trunc %arg11 : i64 to i32
  // N31-NEXT: %[[C1:.*]] = llvm.trunc %arg12 : i64 to i32
  // N31-NEXT: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO]], %arg0, %[[BAR]], box[%[[C0]], %[[C1]]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}] multicast_mask = %[[MASK:arg[0-9]+]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}] multicast_mask = %[[MASK]] l2_cache_hint = %[[HINT:arg[0-9]+]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}] l2_cache_hint = %[[HINT]] : !llvm.ptr<7>, !llvm.ptr
  // N31: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}] predicate = %{{.*}} : !llvm.ptr<7>, !llvm.ptr
  // PTX: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}];
  // PTX: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rs{{[0-9]+}};
  // PTX: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rs{{[0-9]+}}, %rd{{[0-9]+}};
  // PTX: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rd{{[0-9]+}};
  // PTX: @%p{{[0-9]+}} cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [
  gpu.func @load_2d(%d: !map2, %s: !mem2, %mask: i16, %hint: i64, %q: i1, %c0: index, %c1: index) kernel {
    %b = nvgpu.mbarrier.create -> !bar
    %z = arith.constant 0 : index
    nvgpu.tma.async.load %d[%c0, %c1], %b[%z] to %s : !map2, !bar -> !mem2
    nvgpu.tma.async.load %d[%c0, %c1], %b[%z] to %s multicast_mask = %mask : !map2, !bar -> !mem2
    nvgpu_ext.tma.async.load %d[%c0, %c1], %b[%z] to %s multicast_mask = %mask l2_cache_hint = %hint : !map2, !bar -> !mem2
    nvgpu_ext.tma.async.load %d[%c0, %c1], %b[%z] to %s l2_cache_hint = %hint : !map2, !bar -> !mem2
    nvgpu.tma.async.load %d[%c0, %c1], %b[%z] to %s, predicate = %q : !map2, !bar -> !mem2
    gpu.return
  }

  // CHECK-LABEL: llvm.func @store_2d
  // PTX-LABEL: .entry store_2d(
  // N34: %[[FROM:.*]] = llvm.extractvalue %{{.*}}[1]
  // N34-NEXT: %[[C0:.*]] = llvm.trunc %arg9 : i64 to i32
  // N34-NEXT: %[[C1:.*]] = llvm.trunc %arg10 : i64 to i32
  // N34-NEXT: nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %[[FROM]], box[%[[C0]], %[[C1]]] : !llvm.ptr, <3>
  // N34: nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}] l2_cache_hint = %{{.*}} : !llvm.ptr, <3>
  // PTX: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}];
  // PTX: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rd{{[0-9]+}};
  gpu.func @store_2d(%d: !map2, %s: !mem2, %hint: i64, %c0: index, %c1: index) kernel {
    nvgpu.tma.async.store %s to %d[%c0, %c1] : !mem2 -> !map2
    nvgpu_ext.tma.async.store %s to %d[%c0, %c1] l2_cache_hint = %hint : !mem2 -> !map2
    gpu.return
  }

  // CHECK-LABEL: llvm.func @load_3d
  // PTX-LABEL: .entry load_3d(
  // N31: %[[TO:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr<3> to !llvm.ptr<7>
  // N31: %[[BAR:.*]] = llvm.getelementptr %{{.*}} : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
  // N31-NEXT: %[[C0:.*]] = llvm.trunc %arg13 : i64 to i32
  // N31-NEXT: %[[C1:.*]] = llvm.trunc %arg14 : i64 to i32
  // N31-NEXT: %[[C2:.*]] = llvm.trunc %arg15 : i64 to i32
  // N31-NEXT: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO]], %arg0, %[[BAR]], box[%[[C0]], %[[C1]], %[[C2]]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] multicast_mask = %[[MASK:arg[0-9]+]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] multicast_mask = %[[MASK]] l2_cache_hint = %[[HINT:arg[0-9]+]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] l2_cache_hint = %[[HINT]] : !llvm.ptr<7>, !llvm.ptr
  // N31: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] predicate = %{{.*}} : !llvm.ptr<7>, !llvm.ptr
  // PTX: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}];
  // PTX: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rs{{[0-9]+}};
  // PTX: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rs{{[0-9]+}}, %rd{{[0-9]+}};
  // PTX: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rd{{[0-9]+}};
  // PTX: @%p{{[0-9]+}} cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [
  // The intrinsic says by its own operands which of mask and hint counts.
  // N33-LABEL: void @load_3d(
  // N33: tensor.g2s.tile.3d(ptr addrspace(7) %{{[0-9]+}}, {{.*}} i16 0, i64 0, i1 false, i1 false, i32 0)
  // N33: tensor.g2s.tile.3d(ptr addrspace(7) %{{[0-9]+}}, {{.*}} i16 %[[MASK:[0-9]+]], i64 0, i1 true, i1 false, i32 0)
  // N33: tensor.g2s.tile.3d(ptr addrspace(7) %{{[0-9]+}}, {{.*}} i16 %[[MASK]], i64 %[[HINT:[0-9]+]], i1 true, i1 true, i32 0)
  // N33: tensor.g2s.tile.3d(ptr addrspace(7) %{{[0-9]+}}, {{.*}} i16 0, i64 %[[HINT]], i1 false, i1 true, i32 0)
  gpu.func @load_3d(%d: !map3, %s: !mem3, %mask: i16, %hint: i64, %q: i1, %c0: index, %c1: index, %c2: index) kernel {
    %b = nvgpu.mbarrier.create -> !bar
    %z = arith.constant 0 : index
    nvgpu.tma.async.load %d[%c0, %c1, %c2], %b[%z] to %s : !map3, !bar -> !mem3
    nvgpu.tma.async.load %d[%c0, %c1, %c2], %b[%z] to %s multicast_mask = %mask : !map3, !bar -> !mem3
    nvgpu_ext.tma.async.load %d[%c0, %c1, %c2], %b[%z] to %s multicast_mask = %mask l2_cache_hint = %hint : !map3, !bar -> !mem3
    nvgpu_ext.tma.async.load %d[%c0, %c1, %c2], %b[%z] to %s l2_cache_hint = %hint : !map3, !bar -> !mem3
    nvgpu.tma.async.load %d[%c0, %c1, %c2], %b[%z] to %s, predicate = %q : !map3, !bar -> !mem3
    gpu.return
  }

  // CHECK-LABEL: llvm.func @store_3d
  // PTX-LABEL: .entry store_3d(
  // N34: %[[FROM:.*]] = llvm.extractvalue %{{.*}}[1]
  // N34-NEXT: %[[C0:.*]] = llvm.trunc %arg11 : i64 to i32
  // N34-NEXT: %[[C1:.*]] = llvm.trunc %arg12 : i64 to i32
  // N34-NEXT: %[[C2:.*]] = llvm.trunc %arg13 : i64 to i32
  // N34-NEXT: nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %[[FROM]], box[%[[C0]], %[[C1]], %[[C2]]] : !llvm.ptr, <3>
  // N34: nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] l2_cache_hint = %{{.*}} : !llvm.ptr, <3>
  // PTX: cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}];
  // PTX: cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group.L2::cache_hint [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rd{{[0-9]+}};
  gpu.func @store_3d(%d: !map3, %s: !mem3, %hint: i64, %c0: index, %c1: index, %c2: index) kernel {
    nvgpu.tma.async.store %s to %d[%c0, %c1, %c2] : !mem3 -> !map3
    nvgpu_ext.tma.async.store %s to %d[%c0, %c1, %c2] l2_cache_hint = %hint : !mem3 -> !map3
    gpu.return
  }

  // CHECK-LABEL: llvm.func @load_4d
  // PTX-LABEL: .entry load_4d(
  // N31: %[[TO:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr<3> to !llvm.ptr<7>
  // N31: %[[BAR:.*]] = llvm.getelementptr %{{.*}} : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
  // N31-NEXT: %[[C0:.*]] = llvm.trunc %arg15 : i64 to i32
  // N31-NEXT: %[[C1:.*]] = llvm.trunc %arg16 : i64 to i32
  // N31-NEXT: %[[C2:.*]] = llvm.trunc %arg17 : i64 to i32
  // N31-NEXT: %[[C3:.*]] = llvm.trunc %arg18 : i64 to i32
  // N31-NEXT: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO]], %arg0, %[[BAR]], box[%[[C0]], %[[C1]], %[[C2]], %[[C3]]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] multicast_mask = %[[MASK:arg[0-9]+]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] multicast_mask = %[[MASK]] l2_cache_hint = %[[HINT:arg[0-9]+]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] l2_cache_hint = %[[HINT]] : !llvm.ptr<7>, !llvm.ptr
  // N31: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] predicate = %{{.*}} : !llvm.ptr<7>, !llvm.ptr
  // PTX: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}];
  // PTX: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rs{{[0-9]+}};
  // PTX: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rs{{[0-9]+}}, %rd{{[0-9]+}};
  // PTX: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rd{{[0-9]+}};
  // PTX: @%p{{[0-9]+}} cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [
  gpu.func @load_4d(%d: !map4, %s: !mem4, %mask: i16, %hint: i64, %q: i1, %c0: index, %c1: index, %c2: index, %c3: index) kernel {
    %b = nvgpu.mbarrier.create -> !bar
    %z = arith.constant 0 : index
    nvgpu.tma.async.load %d[%c0, %c1, %c2, %c3], %b[%z] to %s : !map4, !bar -> !mem4
    nvgpu.tma.async.load %d[%c0, %c1, %c2, %c3], %b[%z] to %s multicast_mask = %mask : !map4, !bar -> !mem4
    nvgpu_ext.tma.async.load %d[%c0, %c1, %c2, %c3], %b[%z] to %s multicast_mask = %mask l2_cache_hint = %hint : !map4, !bar -> !mem4
    nvgpu_ext.tma.async.load %d[%c0, %c1, %c2, %c3], %b[%z] to %s l2_cache_hint = %hint : !map4, !bar -> !mem4
    nvgpu.tma.async.load %d[%c0, %c1, %c2, %c3], %b[%z] to %s, predicate = %q : !map4, !bar -> !mem4
    gpu.return
  }

  // CHECK-LABEL: llvm.func @store_4d
  // PTX-LABEL: .entry store_4d(
  // N34: %[[FROM:.*]] = llvm.extractvalue %{{.*}}[1]
  // N34-NEXT: %[[C0:.*]] = llvm.trunc %arg13 : i64 to i32
  // N34-NEXT: %[[C1:.*]] = llvm.trunc %arg14 : i64 to i32
  // N34-NEXT: %[[C2:.*]] = llvm.trunc %arg15 : i64 to i32
  // N34-NEXT: %[[C3:.*]] = llvm.trunc %arg16 : i64 to i32
  // N34-NEXT: nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %[[FROM]], box[%[[C0]], %[[C1]], %[[C2]], %[[C3]]] : !llvm.ptr, <3>
  // N34: nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] l2_cache_hint = %{{.*}} : !llvm.ptr, <3>
  // PTX: cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}];
  // PTX: cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group.L2::cache_hint [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rd{{[0-9]+}};
  gpu.func @store_4d(%d: !map4, %s: !mem4, %hint: i64, %c0: index, %c1: index, %c2: index, %c3: index) kernel {
    nvgpu.tma.async.store %s to %d[%c0, %c1, %c2, %c3] : !mem4 -> !map4
    nvgpu_ext.tma.async.store %s to %d[%c0, %c1, %c2, %c3] l2_cache_hint = %hint : !mem4 -> !map4
    gpu.return
  }

  // CHECK-LABEL: llvm.func @load_5d
  // PTX-LABEL: .entry load_5d(
  // N31: %[[TO:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr<3> to !llvm.ptr<7>
  // N31: %[[BAR:.*]] = llvm.getelementptr %{{.*}} : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
  // N31-NEXT: %[[C0:.*]] = llvm.trunc %arg17 : i64 to i32
  // N31-NEXT: %[[C1:.*]] = llvm.trunc %arg18 : i64 to i32
  // N31-NEXT: %[[C2:.*]] = llvm.trunc %arg19 : i64 to i32
  // N31-NEXT: %[[C3:.*]] = llvm.trunc %arg20 : i64 to i32
  // N31-NEXT: %[[C4:.*]] = llvm.trunc %arg21 : i64 to i32
  // N31-NEXT: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO]], %arg0, %[[BAR]], box[%[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] multicast_mask = %[[MASK:arg[0-9]+]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] multicast_mask = %[[MASK]] l2_cache_hint = %[[HINT:arg[0-9]+]] : !llvm.ptr<7>, !llvm.ptr
  // N32: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] l2_cache_hint = %[[HINT]] : !llvm.ptr<7>, !llvm.ptr
  // N31: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{[0-9]+}}, %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] predicate = %{{.*}} : !llvm.ptr<7>, !llvm.ptr
  // PTX: cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}];
  // PTX: cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rs{{[0-9]+}};
  // PTX: cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rs{{[0-9]+}}, %rd{{[0-9]+}};
  // PTX: cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rd{{[0-9]+}};
  // PTX: @%p{{[0-9]+}} cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes [
  gpu.func @load_5d(%d: !map5, %s: !mem5, %mask: i16, %hint: i64, %q: i1, %c0: index, %c1: index, %c2: index, %c3: index, %c4: index) kernel {
    %b = nvgpu.mbarrier.create -> !bar
    %z = arith.constant 0 : index
    nvgpu.tma.async.load %d[%c0, %c1, %c2, %c3, %c4], %b[%z] to %s : !map5, !bar -> !mem5
    nvgpu.tma.async.load %d[%c0, %c1, %c2, %c3, %c4], %b[%z] to %s multicast_mask = %mask : !map5, !bar -> !mem5
    nvgpu_ext.tma.async.load %d[%c0, %c1, %c2, %c3, %c4], %b[%z] to %s multicast_mask = %mask l2_cache_hint = %hint : !map5, !bar -> !mem5
    nvgpu_ext.tma.async.load %d[%c0, %c1, %c2, %c3, %c4], %b[%z] to %s l2_cache_hint = %hint : !map5, !bar -> !mem5
    nvgpu.tma.async.load %d[%c0, %c1, %c2, %c3, %c4], %b[%z] to %s, predicate = %q : !map5, !bar -> !mem5
    gpu.return
  }

  // CHECK-LABEL: llvm.func @store_5d
  // PTX-LABEL: .entry store_5d(
  // N34: %[[FROM:.*]] = llvm.extractvalue %{{.*}}[1]
  // N34-NEXT: %[[C0:.*]] = llvm.trunc %arg15 : i64 to i32
  // N34-NEXT: %[[C1:.*]] = llvm.trunc %arg16 : i64 to i32
  // N34-NEXT: %[[C2:.*]] = llvm.trunc %arg17 : i64 to i32
  // N34-NEXT: %[[C3:.*]] = llvm.trunc %arg18 : i64 to i32
  // N34-NEXT: %[[C4:.*]] = llvm.trunc %arg19 : i64 to i32
  // N34-NEXT: nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %[[FROM]], box[%[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]]] : !llvm.ptr, <3>
  // N34: nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %{{[0-9]+}}, box[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] l2_cache_hint = %{{.*}} : !llvm.ptr, <3>
  // PTX: cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}];
  // PTX: cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group.L2::cache_hint [%{{.*}}, {{[{]}}%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}{{[}]}}], [{{.*}}], %rd{{[0-9]+}};
  gpu.func @store_5d(%d: !map5, %s: !mem5, %hint: i64, %c0: index, %c1: index, %c2: index, %c3: index, %c4: index) kernel {
    nvgpu.tma.async.store %s to %d[%c0, %c1, %c2, %c3, %c4] : !mem5 -> !map5
    nvgpu_ext.tma.async.store %s to %d[%c0, %c1, %c2, %c3, %c4] l2_cache_hint = %hint : !mem5 -> !map5
    gpu.return
  }

  // The eight reductions have no nvgpu op: producers emit the NVVM op, which passes.
  // PTX-LABEL: .entry reduce(
  // N35: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group
  // N35: cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.tile.bulk_group
  gpu.func @reduce(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: i32) kernel {
    nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%c, %c] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%c, %c] {redKind = #nvvm.tma_redux_kind<xor>} : !llvm.ptr, !llvm.ptr<3>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @descriptors
  // PTX-LABEL: .entry descriptors(
  gpu.func @descriptors(%d: !map2, %q: i1) kernel {
    // N38: nvvm.prefetch tensormap, %arg0 : !llvm.ptr
    // PTX: prefetch.tensormap [%rd{{[0-9]+}}];
    nvgpu.tma.prefetch.descriptor %d : !map2
    // N38: nvvm.prefetch tensormap, %arg0, predicate = %arg1
    // PTX: @%p{{[0-9]+}} prefetch.tensormap
    nvgpu.tma.prefetch.descriptor %d, predicate = %q : !map2
    // N39: %[[SIZE:.*]] = llvm.mlir.constant(128 : i32)
    // N39: nvvm.fence.proxy.acquire <sys> %arg0, %[[SIZE]]
    // PTX: fence.proxy.tensormap::generic.acquire.sys [%rd{{[0-9]+}}], 128;
    nvgpu.tma.fence.descriptor %d : !map2
    gpu.return
  }
}
