// One special register and one extension to index per query.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N1,N2,N3,N4,N5,N6,N7,N8,N9 %s
// RUN: tile-opt --convert-gpu-to-nvvm=index-bitwidth=32 %s | FileCheck --check-prefixes=NARROW,N10 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefix=PTX %s

gpu.module @m {

  // CHECK-LABEL: llvm.func @thread_id
  // NARROW-LABEL: llvm.func @thread_id
  // PTX-LABEL: .entry thread_id(
  gpu.func @thread_id(%p: !llvm.ptr<1>) kernel {
    // N1: %[[X:.*]] = nvvm.read.ptx.sreg.tid.x : i32
    // N1-NEXT: llvm.sext %[[X]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.tid.x : i32
    // N10-NOT: llvm.sext
    // PTX: %tid.x
    %x = gpu.thread_id x
    %xi = arith.index_cast %x : index to i32
    llvm.store volatile %xi, %p : i32, !llvm.ptr<1>
    // N1: %[[Y:.*]] = nvvm.read.ptx.sreg.tid.y : i32
    // N1-NEXT: llvm.sext %[[Y]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.tid.y : i32
    // N10-NOT: llvm.sext
    // PTX: %tid.y
    %y = gpu.thread_id y
    %yi = arith.index_cast %y : index to i32
    llvm.store volatile %yi, %p : i32, !llvm.ptr<1>
    // N1: %[[Z:.*]] = nvvm.read.ptx.sreg.tid.z : i32
    // N1-NEXT: llvm.sext %[[Z]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.tid.z : i32
    // N10-NOT: llvm.sext
    // PTX: %tid.z
    %z = gpu.thread_id z
    %zi = arith.index_cast %z : index to i32
    llvm.store volatile %zi, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @block_id
  // NARROW-LABEL: llvm.func @block_id
  // PTX-LABEL: .entry block_id(
  gpu.func @block_id(%p: !llvm.ptr<1>) kernel {
    // N2: %[[X:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
    // N2-NEXT: llvm.sext %[[X]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.ctaid.x : i32
    // N10-NOT: llvm.sext
    // PTX: %ctaid.x
    %x = gpu.block_id x
    %xi = arith.index_cast %x : index to i32
    llvm.store volatile %xi, %p : i32, !llvm.ptr<1>
    // N2: %[[Y:.*]] = nvvm.read.ptx.sreg.ctaid.y : i32
    // N2-NEXT: llvm.sext %[[Y]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.ctaid.y : i32
    // N10-NOT: llvm.sext
    // PTX: %ctaid.y
    %y = gpu.block_id y
    %yi = arith.index_cast %y : index to i32
    llvm.store volatile %yi, %p : i32, !llvm.ptr<1>
    // N2: %[[Z:.*]] = nvvm.read.ptx.sreg.ctaid.z : i32
    // N2-NEXT: llvm.sext %[[Z]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.ctaid.z : i32
    // N10-NOT: llvm.sext
    // PTX: %ctaid.z
    %z = gpu.block_id z
    %zi = arith.index_cast %z : index to i32
    llvm.store volatile %zi, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @block_dim
  // NARROW-LABEL: llvm.func @block_dim
  // PTX-LABEL: .entry block_dim(
  gpu.func @block_dim(%p: !llvm.ptr<1>) kernel {
    // N3: %[[X:.*]] = nvvm.read.ptx.sreg.ntid.x : i32
    // N3-NEXT: llvm.sext %[[X]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.ntid.x : i32
    // N10-NOT: llvm.sext
    // PTX: %ntid.x
    %x = gpu.block_dim x
    %xi = arith.index_cast %x : index to i32
    llvm.store volatile %xi, %p : i32, !llvm.ptr<1>
    // N3: %[[Y:.*]] = nvvm.read.ptx.sreg.ntid.y : i32
    // N3-NEXT: llvm.sext %[[Y]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.ntid.y : i32
    // N10-NOT: llvm.sext
    // PTX: %ntid.y
    %y = gpu.block_dim y
    %yi = arith.index_cast %y : index to i32
    llvm.store volatile %yi, %p : i32, !llvm.ptr<1>
    // N3: %[[Z:.*]] = nvvm.read.ptx.sreg.ntid.z : i32
    // N3-NEXT: llvm.sext %[[Z]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.ntid.z : i32
    // N10-NOT: llvm.sext
    // PTX: %ntid.z
    %z = gpu.block_dim z
    %zi = arith.index_cast %z : index to i32
    llvm.store volatile %zi, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @grid_dim
  // NARROW-LABEL: llvm.func @grid_dim
  // PTX-LABEL: .entry grid_dim(
  gpu.func @grid_dim(%p: !llvm.ptr<1>) kernel {
    // N4: %[[X:.*]] = nvvm.read.ptx.sreg.nctaid.x : i32
    // N4-NEXT: llvm.sext %[[X]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.nctaid.x : i32
    // N10-NOT: llvm.sext
    // PTX: %nctaid.x
    %x = gpu.grid_dim x
    %xi = arith.index_cast %x : index to i32
    llvm.store volatile %xi, %p : i32, !llvm.ptr<1>
    // N4: %[[Y:.*]] = nvvm.read.ptx.sreg.nctaid.y : i32
    // N4-NEXT: llvm.sext %[[Y]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.nctaid.y : i32
    // N10-NOT: llvm.sext
    // PTX: %nctaid.y
    %y = gpu.grid_dim y
    %yi = arith.index_cast %y : index to i32
    llvm.store volatile %yi, %p : i32, !llvm.ptr<1>
    // N4: %[[Z:.*]] = nvvm.read.ptx.sreg.nctaid.z : i32
    // N4-NEXT: llvm.sext %[[Z]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.nctaid.z : i32
    // N10-NOT: llvm.sext
    // PTX: %nctaid.z
    %z = gpu.grid_dim z
    %zi = arith.index_cast %z : index to i32
    llvm.store volatile %zi, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @cluster_id
  // NARROW-LABEL: llvm.func @cluster_id
  // PTX-LABEL: .entry cluster_id(
  gpu.func @cluster_id(%p: !llvm.ptr<1>) kernel {
    // N5: %[[X:.*]] = nvvm.read.ptx.sreg.clusterid.x : i32
    // N5-NEXT: llvm.sext %[[X]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.clusterid.x : i32
    // N10-NOT: llvm.sext
    // PTX: %clusterid.x
    %x = gpu.cluster_id x
    %xi = arith.index_cast %x : index to i32
    llvm.store volatile %xi, %p : i32, !llvm.ptr<1>
    // N5: %[[Y:.*]] = nvvm.read.ptx.sreg.clusterid.y : i32
    // N5-NEXT: llvm.sext %[[Y]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.clusterid.y : i32
    // N10-NOT: llvm.sext
    // PTX: %clusterid.y
    %y = gpu.cluster_id y
    %yi = arith.index_cast %y : index to i32
    llvm.store volatile %yi, %p : i32, !llvm.ptr<1>
    // N5: %[[Z:.*]] = nvvm.read.ptx.sreg.clusterid.z : i32
    // N5-NEXT: llvm.sext %[[Z]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.clusterid.z : i32
    // N10-NOT: llvm.sext
    // PTX: %clusterid.z
    %z = gpu.cluster_id z
    %zi = arith.index_cast %z : index to i32
    llvm.store volatile %zi, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @cluster_dim
  // NARROW-LABEL: llvm.func @cluster_dim
  // PTX-LABEL: .entry cluster_dim(
  gpu.func @cluster_dim(%p: !llvm.ptr<1>) kernel {
    // N6: %[[X:.*]] = nvvm.read.ptx.sreg.nclusterid.x : i32
    // N6-NEXT: llvm.sext %[[X]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.nclusterid.x : i32
    // N10-NOT: llvm.sext
    // PTX: %nclusterid.x
    %x = gpu.cluster_dim x
    %xi = arith.index_cast %x : index to i32
    llvm.store volatile %xi, %p : i32, !llvm.ptr<1>
    // N6: %[[Y:.*]] = nvvm.read.ptx.sreg.nclusterid.y : i32
    // N6-NEXT: llvm.sext %[[Y]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.nclusterid.y : i32
    // N10-NOT: llvm.sext
    // PTX: %nclusterid.y
    %y = gpu.cluster_dim y
    %yi = arith.index_cast %y : index to i32
    llvm.store volatile %yi, %p : i32, !llvm.ptr<1>
    // N6: %[[Z:.*]] = nvvm.read.ptx.sreg.nclusterid.z : i32
    // N6-NEXT: llvm.sext %[[Z]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.nclusterid.z : i32
    // N10-NOT: llvm.sext
    // PTX: %nclusterid.z
    %z = gpu.cluster_dim z
    %zi = arith.index_cast %z : index to i32
    llvm.store volatile %zi, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @cluster_block_id
  // NARROW-LABEL: llvm.func @cluster_block_id
  // PTX-LABEL: .entry cluster_block_id(
  gpu.func @cluster_block_id(%p: !llvm.ptr<1>) kernel {
    // N7: %[[X:.*]] = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
    // N7-NEXT: llvm.sext %[[X]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.cluster.ctaid.x : i32
    // N10-NOT: llvm.sext
    // PTX: %cluster_ctaid.x
    %x = gpu.cluster_block_id x
    %xi = arith.index_cast %x : index to i32
    llvm.store volatile %xi, %p : i32, !llvm.ptr<1>
    // N7: %[[Y:.*]] = nvvm.read.ptx.sreg.cluster.ctaid.y : i32
    // N7-NEXT: llvm.sext %[[Y]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.cluster.ctaid.y : i32
    // N10-NOT: llvm.sext
    // PTX: %cluster_ctaid.y
    %y = gpu.cluster_block_id y
    %yi = arith.index_cast %y : index to i32
    llvm.store volatile %yi, %p : i32, !llvm.ptr<1>
    // N7: %[[Z:.*]] = nvvm.read.ptx.sreg.cluster.ctaid.z : i32
    // N7-NEXT: llvm.sext %[[Z]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.cluster.ctaid.z : i32
    // N10-NOT: llvm.sext
    // PTX: %cluster_ctaid.z
    %z = gpu.cluster_block_id z
    %zi = arith.index_cast %z : index to i32
    llvm.store volatile %zi, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @cluster_dim_blocks
  // NARROW-LABEL: llvm.func @cluster_dim_blocks
  // PTX-LABEL: .entry cluster_dim_blocks(
  gpu.func @cluster_dim_blocks(%p: !llvm.ptr<1>) kernel {
    // CHECK: %[[X:.*]] = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
    // CHECK-NEXT: llvm.sext %[[X]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.cluster.nctaid.x : i32
    // N10-NOT: llvm.sext
    // PTX: %cluster_nctaid.x
    %x = gpu.cluster_dim_blocks x
    %xi = arith.index_cast %x : index to i32
    llvm.store volatile %xi, %p : i32, !llvm.ptr<1>
    // CHECK: %[[Y:.*]] = nvvm.read.ptx.sreg.cluster.nctaid.y : i32
    // CHECK-NEXT: llvm.sext %[[Y]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.cluster.nctaid.y : i32
    // N10-NOT: llvm.sext
    // PTX: %cluster_nctaid.y
    %y = gpu.cluster_dim_blocks y
    %yi = arith.index_cast %y : index to i32
    llvm.store volatile %yi, %p : i32, !llvm.ptr<1>
    // CHECK: %[[Z:.*]] = nvvm.read.ptx.sreg.cluster.nctaid.z : i32
    // CHECK-NEXT: llvm.sext %[[Z]] : i32 to i64
    // N10: nvvm.read.ptx.sreg.cluster.nctaid.z : i32
    // N10-NOT: llvm.sext
    // PTX: %cluster_nctaid.z
    %z = gpu.cluster_dim_blocks z
    %zi = arith.index_cast %z : index to i32
    llvm.store volatile %zi, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @subgroup_size
  // PTX-LABEL: .entry subgroup_size(
  gpu.func @subgroup_size(%p: !llvm.ptr<1>) kernel {
    // N8: nvvm.read.ptx.sreg.warpsize
    // PTX: {{WARP_SZ|32;}}
    %x = gpu.subgroup_size : index
    %i = arith.index_cast %x : index to i32
    llvm.store volatile %i, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @lane_id
  // PTX-LABEL: .entry lane_id(
  gpu.func @lane_id(%p: !llvm.ptr<1>) kernel {
    // N9: nvvm.read.ptx.sreg.laneid
    // PTX: %laneid
    %x = gpu.lane_id
    %i = arith.index_cast %x : index to i32
    llvm.store volatile %i, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}
