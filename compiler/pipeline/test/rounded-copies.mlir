// f32 that a loop multiplies as tf32 is rounded by the tensor copies that bring it; other ways round in registers.
// RUN: tile-opt %corpus/perf/gemm_tf32_128x128x32.mlir --tilesmith-pipeline="gpu-name=sm_100 to=tileas remarks" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: tile-opt %corpus/perf/gemm_tf32_128x128x32.mlir --tilesmith-pipeline="gpu-name=sm_90 to=tileas remarks" 2>%t.transposed | FileCheck --check-prefix=HOPPER %s
// RUN: FileCheck %s --check-prefix=TRANSPOSED < %t.transposed
// RUN: tile-opt %corpus/perf/gemm_tf32_128x128x32.mlir --tilesmith-pipeline="gpu-name=sm_100 to=tileas plain" | FileCheck --check-prefix=PLAIN %s
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.3 %corpus/perf/gemm_tf32_128x128x32.mlir -o %t
// RUN: tileiras %t --gpu-name sm_100 --emit=ptx -o - | FileCheck --check-prefix=PTX %s

// The right operand is contiguous along N: its rows are swizzled in pieces of 32 bytes.
// CHECK: nv_tileas.alloc_tensor{{.*}}tensor<128x32xtf32
// CHECK: nv_tileas.alloc_tensor{{.*}}tensor<32x128xtf32
// CHECK-NOT: fp_to_fp
// CHECK: nv_tileas.tensor_memory.dot{{.*}}atom = "tcgen05.tf32"
// CHECK-NOT: fp_to_fp
// REMARK-COUNT-2: remark: rounded to tf32 by the copy
// Where a warpgroup could not read it, the right operand comes to registers as the left one of the transposed product.
// HOPPER: create_pipeline {{.*}}tensor<128x32xtf32, {{.*}}tensor<32x128xtf32
// HOPPER-NOT: fp_to_fp
// HOPPER: consumer_read
// HOPPER: nv_tileas.copy {{.*}} -> tensor<128x32xtf32
// HOPPER: consumer_read
// HOPPER: "nv_tileas.dot"(%{{.*}}, %arg{{.*}}) <{atom = "wgmma.tf32"
// HOPPER-NOT: fp_to_fp
// HOPPER: nv_tileas.permute
// TRANSPOSED: remark: tensor copies: 4 boxes of 4096 bytes, swizzle 128
// TRANSPOSED: remark: tensor copies: 1 boxes of 16384 bytes, swizzle 128
// PLAIN: nv_tileas.alloc_tensor{{.*}}tensor<128x32xf32
// PLAIN: fp_to_fp
// PTX: .version 8.8
// PTX: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 {{.*}}, 11;
// PTX: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 {{.*}}, 11;
// PTX: tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 {{.*}}, 1;
// PTX-COUNT-16: tcgen05.mma.cta_group::1.kind::tf32
