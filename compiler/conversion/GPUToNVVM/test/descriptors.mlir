// Descriptors of every swizzle: each thread writes half a row where the swizzle puts it, chunk c of row r holding
// (c + 1) * (r mod 4 + 1); the product of the matrix with its first eight rows shows chunks that were read elsewhere.
// RUN: tile-opt --convert-gpu-to-nvvm %s | tee %t.mlir | tile-translate --mlir-to-llvmir -o %t.ll
// RUN: FileCheck --check-prefixes=CHECK,N43 %s --input-file=%t.mlir
// RUN: tilesmith emulate %t.ll --kernel none --block 128 --arg out:%t.out:512
// RUN: %python %S/Inputs/values.py %t.out:f32:40.0,120.0,40.0,120.0,80.0,240.0,80.0,240.0,120.0,360.0,120.0,360.0,160.0,480.0,160.0,480.0,40.0,120.0,40.0,120.0,80.0,240.0,80.0,240.0,120.0,360.0,120.0,360.0,160.0,480.0,160.0,480.0
// RUN: tilesmith emulate %t.ll --kernel bytes32 --block 128 --arg out:%t.out:512
// RUN: %python %S/Inputs/values.py %t.out:f32:40.0,120.0,40.0,120.0,80.0,240.0,80.0,240.0,120.0,360.0,120.0,360.0,160.0,480.0,160.0,480.0,40.0,120.0,40.0,120.0,80.0,240.0,80.0,240.0,120.0,360.0,120.0,360.0,160.0,480.0,160.0,480.0
// RUN: tilesmith emulate %t.ll --kernel bytes64 --block 128 --arg out:%t.out:512
// RUN: %python %S/Inputs/values.py %t.out:f32:240.0,720.0,240.0,720.0,480.0,1440.0,480.0,1440.0,720.0,2160.0,720.0,2160.0,960.0,2880.0,960.0,2880.0,240.0,720.0,240.0,720.0,480.0,1440.0,480.0,1440.0,720.0,2160.0,720.0,2160.0,960.0,2880.0,960.0,2880.0
// RUN: tilesmith emulate %t.ll --kernel bytes128 --block 128 --arg out:%t.out:512
// RUN: %python %S/Inputs/values.py %t.out:f32:1632.0,4896.0,1632.0,4896.0,3264.0,9792.0,3264.0,9792.0,4896.0,14688.0,4896.0,14688.0,6528.0,19584.0,6528.0,19584.0,1632.0,4896.0,1632.0,4896.0,3264.0,9792.0,3264.0,9792.0,4896.0,14688.0,4896.0,14688.0,6528.0,19584.0,6528.0,19584.0
// CHECK-LABEL: llvm.func @bytes64
// N43: llvm.mlir.constant(-9223371899415756800 : i64)
// N43-NOT: {{(= |^ *)}}nvgpu_ext

gpu.module @m {
  gpu.func @none(%out: !llvm.ptr<1>) workgroup(%m: memref<8x2x8x8xf16, 3> {llvm.align = 1024 : i64}) kernel attributes {nvgpu_ext.threads = 128 : i32} {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %row = arith.divui %tid, %c2 : index
    %half = arith.remui %tid, %c2 : index
    %low = arith.andi %row, %c3 : index
    %factor = arith.addi %low, %c1 : index
    %group = arith.divui %row, %c8 : index
    %inner = arith.andi %row, %c7 : index
    %per = arith.constant 1 : index
    %first = arith.muli %half, %per : index
    %j0 = arith.constant 0 : index
    %chunk0 = arith.addi %first, %j0 : index
    %next0 = arith.addi %chunk0, %c1 : index
    %value0 = arith.muli %next0, %factor : index
    %int0 = arith.index_cast %value0 : index to i32
    %float0 = arith.uitofp %int0 : i32 to f16
    %vector0 = vector.broadcast %float0 : f16 to vector<8xf16>
    vector.store %vector0, %m[%group, %chunk0, %inner, %c0] : memref<8x2x8x8xf16, 3>, vector<8xf16>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %d0 = nvgpu_ext.warpgroup.descriptor %m swizzle = 0 leading = 128 stride = 256 : memref<8x2x8x8xf16, 3>
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %p0 = llvm.mlir.poison : !llvm.struct<(f32, f32, f32, f32)>
    %p1 = llvm.insertvalue %zero, %p0[0] : !llvm.struct<(f32, f32, f32, f32)>
    %p2 = llvm.insertvalue %zero, %p1[1] : !llvm.struct<(f32, f32, f32, f32)>
    %p3 = llvm.insertvalue %zero, %p2[2] : !llvm.struct<(f32, f32, f32, f32)>
    %s0 = llvm.insertvalue %zero, %p3[3] : !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.fence.aligned
    %s1 = nvvm.wgmma.mma_async %d0, %d0, %s0, <m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %r = llvm.extractvalue %s1[0] : !llvm.struct<(f32, f32, f32, f32)>
    %at = arith.index_cast %tid : index to i32
    %to = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %r, %to : f32, !llvm.ptr<1>
    gpu.return
  }

  gpu.func @bytes32(%out: !llvm.ptr<1>) workgroup(%m: memref<64x16xf16, 3> {llvm.align = 1024 : i64}) kernel attributes {nvgpu_ext.threads = 128 : i32} {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %row = arith.divui %tid, %c2 : index
    %half = arith.remui %tid, %c2 : index
    %low = arith.andi %row, %c3 : index
    %factor = arith.addi %low, %c1 : index
    %group = arith.divui %row, %c8 : index
    %inner = arith.andi %row, %c7 : index
    %shift = arith.constant 2 : index
    %mask = arith.constant 1 : index
    %shifted = arith.shrui %row, %shift : index
    %bits = arith.andi %shifted, %mask : index
    %per = arith.constant 1 : index
    %first = arith.muli %half, %per : index
    %j0 = arith.constant 0 : index
    %chunk0 = arith.addi %first, %j0 : index
    %next0 = arith.addi %chunk0, %c1 : index
    %value0 = arith.muli %next0, %factor : index
    %int0 = arith.index_cast %value0 : index to i32
    %float0 = arith.uitofp %int0 : i32 to f16
    %vector0 = vector.broadcast %float0 : f16 to vector<8xf16>
    %place0 = arith.xori %chunk0, %bits : index
    %column0 = arith.muli %place0, %c8 : index
    vector.store %vector0, %m[%row, %column0] : memref<64x16xf16, 3>, vector<8xf16>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %d0 = nvgpu_ext.warpgroup.descriptor %m swizzle = 32 leading = 16 stride = 256 : memref<64x16xf16, 3>
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %p0 = llvm.mlir.poison : !llvm.struct<(f32, f32, f32, f32)>
    %p1 = llvm.insertvalue %zero, %p0[0] : !llvm.struct<(f32, f32, f32, f32)>
    %p2 = llvm.insertvalue %zero, %p1[1] : !llvm.struct<(f32, f32, f32, f32)>
    %p3 = llvm.insertvalue %zero, %p2[2] : !llvm.struct<(f32, f32, f32, f32)>
    %s0 = llvm.insertvalue %zero, %p3[3] : !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.fence.aligned
    %s1 = nvvm.wgmma.mma_async %d0, %d0, %s0, <m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %r = llvm.extractvalue %s1[0] : !llvm.struct<(f32, f32, f32, f32)>
    %at = arith.index_cast %tid : index to i32
    %to = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %r, %to : f32, !llvm.ptr<1>
    gpu.return
  }

  gpu.func @bytes64(%out: !llvm.ptr<1>) workgroup(%m: memref<64x32xf16, 3> {llvm.align = 1024 : i64}) kernel attributes {nvgpu_ext.threads = 128 : i32} {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %row = arith.divui %tid, %c2 : index
    %half = arith.remui %tid, %c2 : index
    %low = arith.andi %row, %c3 : index
    %factor = arith.addi %low, %c1 : index
    %group = arith.divui %row, %c8 : index
    %inner = arith.andi %row, %c7 : index
    %shift = arith.constant 1 : index
    %mask = arith.constant 3 : index
    %shifted = arith.shrui %row, %shift : index
    %bits = arith.andi %shifted, %mask : index
    %per = arith.constant 2 : index
    %first = arith.muli %half, %per : index
    %j0 = arith.constant 0 : index
    %chunk0 = arith.addi %first, %j0 : index
    %next0 = arith.addi %chunk0, %c1 : index
    %value0 = arith.muli %next0, %factor : index
    %int0 = arith.index_cast %value0 : index to i32
    %float0 = arith.uitofp %int0 : i32 to f16
    %vector0 = vector.broadcast %float0 : f16 to vector<8xf16>
    %place0 = arith.xori %chunk0, %bits : index
    %column0 = arith.muli %place0, %c8 : index
    vector.store %vector0, %m[%row, %column0] : memref<64x32xf16, 3>, vector<8xf16>
    %j1 = arith.constant 1 : index
    %chunk1 = arith.addi %first, %j1 : index
    %next1 = arith.addi %chunk1, %c1 : index
    %value1 = arith.muli %next1, %factor : index
    %int1 = arith.index_cast %value1 : index to i32
    %float1 = arith.uitofp %int1 : i32 to f16
    %vector1 = vector.broadcast %float1 : f16 to vector<8xf16>
    %place1 = arith.xori %chunk1, %bits : index
    %column1 = arith.muli %place1, %c8 : index
    vector.store %vector1, %m[%row, %column1] : memref<64x32xf16, 3>, vector<8xf16>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %d0 = nvgpu_ext.warpgroup.descriptor %m swizzle = 64 leading = 16 stride = 512 : memref<64x32xf16, 3>
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %p0 = llvm.mlir.poison : !llvm.struct<(f32, f32, f32, f32)>
    %p1 = llvm.insertvalue %zero, %p0[0] : !llvm.struct<(f32, f32, f32, f32)>
    %p2 = llvm.insertvalue %zero, %p1[1] : !llvm.struct<(f32, f32, f32, f32)>
    %p3 = llvm.insertvalue %zero, %p2[2] : !llvm.struct<(f32, f32, f32, f32)>
    %s0 = llvm.insertvalue %zero, %p3[3] : !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.fence.aligned
    %s1 = nvvm.wgmma.mma_async %d0, %d0, %s0, <m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    %step1 = llvm.mlir.constant(2 : i64) : i64
    %d1 = llvm.add %d0, %step1 : i64
    %s2 = nvvm.wgmma.mma_async %d1, %d1, %s1, <m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %r = llvm.extractvalue %s2[0] : !llvm.struct<(f32, f32, f32, f32)>
    %at = arith.index_cast %tid : index to i32
    %to = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %r, %to : f32, !llvm.ptr<1>
    gpu.return
  }

  gpu.func @bytes128(%out: !llvm.ptr<1>) workgroup(%m: memref<64x64xf16, 3> {llvm.align = 1024 : i64}) kernel attributes {nvgpu_ext.threads = 128 : i32} {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %row = arith.divui %tid, %c2 : index
    %half = arith.remui %tid, %c2 : index
    %low = arith.andi %row, %c3 : index
    %factor = arith.addi %low, %c1 : index
    %group = arith.divui %row, %c8 : index
    %inner = arith.andi %row, %c7 : index
    %shift = arith.constant 0 : index
    %mask = arith.constant 7 : index
    %shifted = arith.shrui %row, %shift : index
    %bits = arith.andi %shifted, %mask : index
    %per = arith.constant 4 : index
    %first = arith.muli %half, %per : index
    %j0 = arith.constant 0 : index
    %chunk0 = arith.addi %first, %j0 : index
    %next0 = arith.addi %chunk0, %c1 : index
    %value0 = arith.muli %next0, %factor : index
    %int0 = arith.index_cast %value0 : index to i32
    %float0 = arith.uitofp %int0 : i32 to f16
    %vector0 = vector.broadcast %float0 : f16 to vector<8xf16>
    %place0 = arith.xori %chunk0, %bits : index
    %column0 = arith.muli %place0, %c8 : index
    vector.store %vector0, %m[%row, %column0] : memref<64x64xf16, 3>, vector<8xf16>
    %j1 = arith.constant 1 : index
    %chunk1 = arith.addi %first, %j1 : index
    %next1 = arith.addi %chunk1, %c1 : index
    %value1 = arith.muli %next1, %factor : index
    %int1 = arith.index_cast %value1 : index to i32
    %float1 = arith.uitofp %int1 : i32 to f16
    %vector1 = vector.broadcast %float1 : f16 to vector<8xf16>
    %place1 = arith.xori %chunk1, %bits : index
    %column1 = arith.muli %place1, %c8 : index
    vector.store %vector1, %m[%row, %column1] : memref<64x64xf16, 3>, vector<8xf16>
    %j2 = arith.constant 2 : index
    %chunk2 = arith.addi %first, %j2 : index
    %next2 = arith.addi %chunk2, %c1 : index
    %value2 = arith.muli %next2, %factor : index
    %int2 = arith.index_cast %value2 : index to i32
    %float2 = arith.uitofp %int2 : i32 to f16
    %vector2 = vector.broadcast %float2 : f16 to vector<8xf16>
    %place2 = arith.xori %chunk2, %bits : index
    %column2 = arith.muli %place2, %c8 : index
    vector.store %vector2, %m[%row, %column2] : memref<64x64xf16, 3>, vector<8xf16>
    %j3 = arith.constant 3 : index
    %chunk3 = arith.addi %first, %j3 : index
    %next3 = arith.addi %chunk3, %c1 : index
    %value3 = arith.muli %next3, %factor : index
    %int3 = arith.index_cast %value3 : index to i32
    %float3 = arith.uitofp %int3 : i32 to f16
    %vector3 = vector.broadcast %float3 : f16 to vector<8xf16>
    %place3 = arith.xori %chunk3, %bits : index
    %column3 = arith.muli %place3, %c8 : index
    vector.store %vector3, %m[%row, %column3] : memref<64x64xf16, 3>, vector<8xf16>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %d0 = nvgpu_ext.warpgroup.descriptor %m swizzle = 128 leading = 16 stride = 1024 : memref<64x64xf16, 3>
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %p0 = llvm.mlir.poison : !llvm.struct<(f32, f32, f32, f32)>
    %p1 = llvm.insertvalue %zero, %p0[0] : !llvm.struct<(f32, f32, f32, f32)>
    %p2 = llvm.insertvalue %zero, %p1[1] : !llvm.struct<(f32, f32, f32, f32)>
    %p3 = llvm.insertvalue %zero, %p2[2] : !llvm.struct<(f32, f32, f32, f32)>
    %s0 = llvm.insertvalue %zero, %p3[3] : !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.fence.aligned
    %s1 = nvvm.wgmma.mma_async %d0, %d0, %s0, <m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    %step1 = llvm.mlir.constant(2 : i64) : i64
    %d1 = llvm.add %d0, %step1 : i64
    %s2 = nvvm.wgmma.mma_async %d1, %d1, %s1, <m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    %step2 = llvm.mlir.constant(4 : i64) : i64
    %d2 = llvm.add %d0, %step2 : i64
    %s3 = nvvm.wgmma.mma_async %d2, %d2, %s2, <m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    %step3 = llvm.mlir.constant(6 : i64) : i64
    %d3 = llvm.add %d0, %step3 : i64
    %s4 = nvvm.wgmma.mma_async %d3, %d3, %s3, <m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %r = llvm.extractvalue %s4[0] : !llvm.struct<(f32, f32, f32, f32)>
    %at = arith.index_cast %tid : index to i32
    %to = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %r, %to : f32, !llvm.ptr<1>
    gpu.return
  }
}
