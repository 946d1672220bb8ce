// ldmatrix: count and transposition pass; the fragments come back as one vector whatever the count.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N48 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefix=PTX %s

gpu.module @m {

  // CHECK-LABEL: llvm.func @x1_false
  // N48: %[[F:.*]] = nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
  // N48: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // N48: llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.array<1 x vector<2xf16>>
  // PTX-LABEL: .entry x1_false(
  // PTX: ldmatrix.sync.aligned.m8n8.x1.shared.b16
  gpu.func @x1_false(%s: memref<128x128xf16, 3>, %p: !llvm.ptr<1>) kernel {
    %c = arith.constant 0 : index
    %v = nvgpu.ldmatrix %s[%c, %c] {numTiles = 1 : i32, transpose = false} : memref<128x128xf16, 3> -> vector<1x2xf16>
    %e = vector.extract %v[0] : vector<2xf16> from vector<1x2xf16>
    llvm.store volatile %e, %p : vector<2xf16>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @x1_true
  // CHECK: %[[F:.*]] = nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
  // CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.array<1 x vector<2xf16>>
  // PTX-LABEL: .entry x1_true(
  // PTX: ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16
  gpu.func @x1_true(%s: memref<128x128xf16, 3>, %p: !llvm.ptr<1>) kernel {
    %c = arith.constant 0 : index
    %v = nvgpu.ldmatrix %s[%c, %c] {numTiles = 1 : i32, transpose = true} : memref<128x128xf16, 3> -> vector<1x2xf16>
    %e = vector.extract %v[0] : vector<2xf16> from vector<1x2xf16>
    llvm.store volatile %e, %p : vector<2xf16>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @x2_false
  // CHECK: %[[F:.*]] = nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
  // CHECK: llvm.extractvalue %[[F]][0]
  // CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.array<2 x vector<2xf16>>
  // CHECK: llvm.extractvalue %[[F]][1]
  // CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[1] : !llvm.array<2 x vector<2xf16>>
  // PTX-LABEL: .entry x2_false(
  // PTX: ldmatrix.sync.aligned.m8n8.x2.shared.b16
  gpu.func @x2_false(%s: memref<128x128xf16, 3>, %p: !llvm.ptr<1>) kernel {
    %c = arith.constant 0 : index
    %v = nvgpu.ldmatrix %s[%c, %c] {numTiles = 2 : i32, transpose = false} : memref<128x128xf16, 3> -> vector<2x2xf16>
    %e = vector.extract %v[1] : vector<2xf16> from vector<2x2xf16>
    llvm.store volatile %e, %p : vector<2xf16>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @x2_true
  // N48: %[[F:.*]] = nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
  // N48: llvm.extractvalue %[[F]][0]
  // N48: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // N48: llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.array<2 x vector<2xf16>>
  // N48: llvm.extractvalue %[[F]][1]
  // N48: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // N48: llvm.insertvalue %{{.*}}, %{{.*}}[1] : !llvm.array<2 x vector<2xf16>>
  // PTX-LABEL: .entry x2_true(
  // PTX: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16
  gpu.func @x2_true(%s: memref<128x128xf16, 3>, %p: !llvm.ptr<1>) kernel {
    %c = arith.constant 0 : index
    %v = nvgpu.ldmatrix %s[%c, %c] {numTiles = 2 : i32, transpose = true} : memref<128x128xf16, 3> -> vector<2x2xf16>
    %e = vector.extract %v[1] : vector<2xf16> from vector<2x2xf16>
    llvm.store volatile %e, %p : vector<2xf16>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @x4_false
  // CHECK: %[[F:.*]] = nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  // CHECK: llvm.extractvalue %[[F]][0]
  // CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.array<4 x vector<2xf16>>
  // CHECK: llvm.extractvalue %[[F]][1]
  // CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[1] : !llvm.array<4 x vector<2xf16>>
  // CHECK: llvm.extractvalue %[[F]][2]
  // CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[2] : !llvm.array<4 x vector<2xf16>>
  // CHECK: llvm.extractvalue %[[F]][3]
  // CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[3] : !llvm.array<4 x vector<2xf16>>
  // PTX-LABEL: .entry x4_false(
  // PTX: ldmatrix.sync.aligned.m8n8.x4.shared.b16
  gpu.func @x4_false(%s: memref<128x128xf16, 3>, %p: !llvm.ptr<1>) kernel {
    %c = arith.constant 0 : index
    %v = nvgpu.ldmatrix %s[%c, %c] {numTiles = 4 : i32, transpose = false} : memref<128x128xf16, 3> -> vector<4x2xf16>
    %e = vector.extract %v[3] : vector<2xf16> from vector<4x2xf16>
    llvm.store volatile %e, %p : vector<2xf16>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @x4_true
  // N48: %[[F:.*]] = nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  // N48: llvm.extractvalue %[[F]][0]
  // N48: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // N48: llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.array<4 x vector<2xf16>>
  // N48: llvm.extractvalue %[[F]][1]
  // N48: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // N48: llvm.insertvalue %{{.*}}, %{{.*}}[1] : !llvm.array<4 x vector<2xf16>>
  // N48: llvm.extractvalue %[[F]][2]
  // N48: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // N48: llvm.insertvalue %{{.*}}, %{{.*}}[2] : !llvm.array<4 x vector<2xf16>>
  // N48: llvm.extractvalue %[[F]][3]
  // N48: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
  // N48: llvm.insertvalue %{{.*}}, %{{.*}}[3] : !llvm.array<4 x vector<2xf16>>
  // PTX-LABEL: .entry x4_true(
  // PTX: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
  gpu.func @x4_true(%s: memref<128x128xf16, 3>, %p: !llvm.ptr<1>) kernel {
    %c = arith.constant 0 : index
    %v = nvgpu.ldmatrix %s[%c, %c] {numTiles = 4 : i32, transpose = true} : memref<128x128xf16, 3> -> vector<4x2xf16>
    %e = vector.extract %v[3] : vector<2xf16> from vector<4x2xf16>
    llvm.store volatile %e, %p : vector<2xf16>, !llvm.ptr<1>
    gpu.return
  }
}
