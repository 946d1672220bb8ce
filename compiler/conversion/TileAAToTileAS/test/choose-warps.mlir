// Eight warps where the sums of products would not fit into the registers of four; a hint wins.
// RUN: tile-opt %s --convert-tileaa-to-tileas="choose-warps=true" | FileCheck %s
// RUN: tile-opt %s --convert-tileaa-to-tileas | FileCheck --check-prefix=FOUR %s
// RUN: tile-opt %corpus/perf/kinds/retention_bf16_128.mlir --tilesmith-pipeline="gpu-name=sm_90 auto stop-after=convert-tileaa-to-tileas" | FileCheck --check-prefix=COLUMNS %s
// RUN: tile-opt %corpus/perf/kinds/attn_bwd_dkv_f16_128.mlir --tilesmith-pipeline="gpu-name=sm_90 auto stop-after=convert-tileaa-to-tileas" | FileCheck --check-prefix=FEWER %s
// Sums of 64 rows are divided by columns where four warps could not hold them.
// COLUMNS: nv_tileas.threads = 256
// FEWER: nv_tileas.threads = 128

// FOUR-NOT: nv_tileas.threads = 256
// FOUR: sym_name = "deep"
// FOUR: nv_tileas.threads = 128
// CHECK-LABEL: sym_name = "small"
// CHECK: nv_tileas.threads = 128
// CHECK-LABEL: sym_name = "wide"
// CHECK: nv_tileas.threads = 256
// CHECK-LABEL: sym_name = "hinted"
// CHECK: nv_tileas.threads = 128
// CHECK-LABEL: sym_name = "flat"
// CHECK: nv_tileas.threads = 256
// CHECK-LABEL: sym_name = "together"
// CHECK: nv_tileas.threads = 256
// CHECK-LABEL: sym_name = "added"
// CHECK: nv_tileas.threads = 256
// Sums of a tile of K beside those of all, where these keep all their bits; a left operand in registers.
// CHECK-LABEL: sym_name = "promoted"
// CHECK: nv_tileas.threads = 256
// CHECK-LABEL: sym_name = "fast"
// CHECK: nv_tileas.threads = 128
// CHECK-LABEL: sym_name = "deep"
// CHECK: nv_tileas.threads = 256
// Without products a tile of 128 words of a thread of four warps takes eight, one of 256 sixteen.
// CHECK-LABEL: sym_name = "row"
// CHECK: nv_tileas.threads = 256
// CHECK-LABEL: sym_name = "halves"
// CHECK: nv_tileas.threads = 128
// CHECK-LABEL: sym_name = "square"
// CHECK: nv_tileas.threads = 512
module attributes {nv_tileaa.compute_capability = 90 : i32} {
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "small"}> ({
    %a = arith.constant dense<1.0> : tensor<128x16xf16>
    %b = arith.constant dense<1.0> : tensor<16x128xf16>
    %c = arith.constant dense<1.0> : tensor<128x128xf32>
    %r = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<128x16xf16>, tensor<16x128xf16>, tensor<128x128xf32>) -> tensor<128x128xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "wide"}> ({
    %a = arith.constant dense<1.0> : tensor<128x16xf16>
    %b = arith.constant dense<1.0> : tensor<16x256xf16>
    %c = arith.constant dense<1.0> : tensor<128x256xf32>
    %r = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<128x16xf16>, tensor<16x256xf16>, tensor<128x256xf32>) -> tensor<128x256xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "hinted"}> ({
    %a = arith.constant dense<1.0> : tensor<128x16xf16>
    %b = arith.constant dense<1.0> : tensor<16x256xf16>
    %c = arith.constant dense<1.0> : tensor<128x256xf32>
    %r = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<128x16xf16>, tensor<16x256xf16>, tensor<128x256xf32>) -> tensor<128x256xf32>
    "nv_tileaa.return"() : () -> ()
  }) {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, numCTAs = 0, clusterDimX = 0, clusterDimY = 0, clusterDimZ = 0, occupancy = 0>} : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "flat"}> ({
    %a = arith.constant dense<1.0> : tensor<64x16xf16>
    %b = arith.constant dense<1.0> : tensor<16x512xf16>
    %c = arith.constant dense<1.0> : tensor<64x512xf32>
    %r = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<64x16xf16>, tensor<16x512xf16>, tensor<64x512xf32>) -> tensor<64x512xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "together"}> ({
    %a = arith.constant dense<1.0> : tensor<128x16xf16>
    %b = arith.constant dense<1.0> : tensor<16x128xf16>
    %c = arith.constant dense<1.0> : tensor<128x128xf32>
    %d = arith.constant dense<1.0> : tensor<16x64xf16>
    %e = arith.constant dense<1.0> : tensor<128x64xf32>
    %r = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<128x16xf16>, tensor<16x128xf16>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %s = "nv_tileaa.dot"(%a, %d, %e) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<128x16xf16>, tensor<16x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "added"}> ({
    %a = arith.constant dense<1.0> : tensor<128x16xf16>
    %b = arith.constant dense<1.0> : tensor<16x128xf16>
    %c = arith.constant dense<0.0> : tensor<128x128xf32>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %l = scf.for %i = %zero to %one step %one iter_args(%sum = %c) -> (tensor<128x128xf32>) : i32 {
      %r = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<128x16xf16>, tensor<16x128xf16>, tensor<128x128xf32>) -> tensor<128x128xf32>
      %next = arith.addf %sum, %r : tensor<128x128xf32>
      scf.yield %next : tensor<128x128xf32>
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "promoted"}> ({
    %a = arith.constant dense<1.0> : tensor<128x32xf8E4M3FN>
    %b = arith.constant dense<1.0> : tensor<32x128xf8E4M3FN>
    %c = arith.constant dense<1.0> : tensor<128x128xf32>
    %r = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<128x32xf8E4M3FN>, tensor<32x128xf8E4M3FN>, tensor<128x128xf32>) -> tensor<128x128xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "fast"}> ({
    %a = arith.constant dense<1.0> : tensor<128x32xf8E4M3FN>
    %b = arith.constant dense<1.0> : tensor<32x128xf8E4M3FN>
    %c = arith.constant dense<1.0> : tensor<128x128xf32>
    %r = "nv_tileaa.dot"(%a, %b, %c) <{fast_acc, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<128x32xf8E4M3FN>, tensor<32x128xf8E4M3FN>, tensor<128x128xf32>) -> tensor<128x128xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "deep"}> ({
    %a = arith.constant dense<1.0> : tensor<128x64xtf32>
    %b = arith.constant dense<1.0> : tensor<64x128xtf32>
    %c = arith.constant dense<1.0> : tensor<128x128xf32>
    %r = "nv_tileaa.dot"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<128x64xtf32>, tensor<64x128xtf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "row"}> ({
    %a = arith.constant dense<1.0> : tensor<1x16384xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "halves"}> ({
    %a = arith.constant dense<1.0> : tensor<1x16384xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), sym_name = "square"}> ({
    %a = arith.constant dense<1.0> : tensor<128x256xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
