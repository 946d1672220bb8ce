// RUN: tile-opt %corpus/perf/gemm_gelu_f16_128x128x64.mlir --tilesmith-pipeline="gpu-name=sm_90 tensor-store auto host-maps from=cudatile to=tileas remarks" 2>&1 | FileCheck %s --check-prefix=HALVES
// The result of a product is stored as warps hold it: nothing converts its layout, 64 columns are a panel.
// HALVES: remark: tensor copies of the result: 2 boxes of 16384 bytes, swizzle 128
// HALVES: "nv_tileas.tiled_store"{{.*}}nv_tileas.staging = #nv_tileas.shared<shape = [128, 128], offset = [1, 2, 4, 8, 16, 32, 136, 272, 544, 1024, 2048, 4096, 8192, 64]>{{.*}}register = [1, 1024, 8, 16, 32, 64, 8192], lane = [2, 4, 128, 256, 512]
// HALVES-NOT: nv_tileas.awaited

// Words of 32 bits: 32 columns are a panel, and the tile takes the place of the rings.
// RUN: tile-opt %corpus/perf/gemm_i8_128x128x128.mlir --tilesmith-pipeline="gpu-name=sm_90 tensor-store auto host-maps from=cudatile to=tileas remarks" 2>&1 | FileCheck %s --check-prefix=WORDS
// WORDS: remark: tensor copies of the result: 4 boxes of 16384 bytes, swizzle 128

// Nobody asked: taken where threads would exchange 64 KiB in rounds, not where 32 KiB go at once, nor where they store
// what they hold; not where each block would make the map, not where it would wait in a loop.
// RUN: tile-opt %corpus/perf/gemm_bf16_128x256x64.mlir --tilesmith-pipeline="gpu-name=sm_90 host-maps from=cudatile to=tileas remarks" 2>&1 | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: remark: tensor copies of the result: 4 boxes of 16384 bytes, swizzle 128
// RUN: tile-opt %corpus/perf/gemm_gelu_f16_128x128x64.mlir --tilesmith-pipeline="gpu-name=sm_90 host-maps from=cudatile to=tileas remarks" 2>&1 | FileCheck %s --check-prefix=ATONCE --implicit-check-not=nv_tileas.staging
// RUN: tile-opt %corpus/perf/gemm_i8_128x128x128.mlir --tilesmith-pipeline="gpu-name=sm_90 host-maps from=cudatile to=tileas remarks" 2>&1 | FileCheck %s --check-prefix=ATONCE --implicit-check-not=nv_tileas.staging
// ATONCE: remark: no tensor copies of the result: threads store it without rounds of exchanges
// RUN: tile-opt %corpus/perf/gemm_bf16_128x256x64.mlir --tilesmith-pipeline="gpu-name=sm_90 from=cudatile to=tileas remarks" 2>&1 | FileCheck %s --check-prefix=DEVICE --implicit-check-not=nv_tileas.staging
// DEVICE: remark: no tensor copies of the result: each block would have to make the tensor map
// RUN: tile-opt %corpus/perf/gemm_persistent_bf16_128x128x64.mlir --tilesmith-pipeline="gpu-name=sm_90 host-maps from=cudatile to=tileas remarks" 2>&1 | FileCheck %s --check-prefix=LOOP --implicit-check-not=nv_tileas.staging
// LOOP: remark: no tensor copies of the result: it stands in a loop, which would wait for the copy

// By name both are. Turns of a loop follow each other in token order.
// RUN: tile-opt %corpus/perf/gemm_persistent_bf16_128x128x64.mlir --tilesmith-pipeline="gpu-name=sm_90 tensor-store auto from=cudatile to=tileas" | FileCheck %s --check-prefix=NAMED
// NAMED: "nv_tileas.tiled_store"{{.*}}nv_tileas.staging

// RUN: tile-opt %corpus/perf/gemm_i8_128x128x128.mlir --tilesmith-pipeline="gpu-name=sm_80 tensor-store from=cudatile to=tileas" | FileCheck %s --check-prefix=OLD --implicit-check-not=nv_tileas.staging
// OLD: "nv_tileas.tiled_store"

// RUN: tile-opt %s --tilesmith-pipeline="opt-level=2 gpu-name=sm_90 tensor-store from=cudatile to=tileas remarks" 2>&1 | FileCheck %s
cuda_tile.module @m {
  // A load behind the store in token order finds its bytes in memory.
  // CHECK-DAG: remark: tensor copies of the result: 2 boxes of 4096 bytes, swizzle 128
  // CHECK-DAG: remark: no tensor copies of the result: it orders other accesses
  // CHECK-DAG: remark: no tensor copies of the result: its hint forbids it
  // CHECK-DAG: remark: no tensor copies of the result: its rows are not contiguous in memory
  // CHECK-DAG: remark: no tensor copies of the result: a stride is not a multiple of 16 bytes
  // CHECK-LABEL: sym_name = "read_back"
  // CHECK: "nv_tileas.tiled_store"{{.*}}nv_tileas.awaited, nv_tileas.staging
  // CHECK: gpu.barrier
  // CHECK: "nv_tileas.tiled_load"
  entry @read_back(%p: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %z = constant <f32: 1.0> : tile<32x64xf32>
    %q = assume div_by<16>, %p : tile<ptr<f32>>
    %tv = make_tensor_view %q, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,1]>>
    %j = constant <i32: 1> : tile<i32>
    %t = store_view_tko weak %z, %pv[%i, %i] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %x, %t1 = load_view_tko weak %pv[%i, %i] token = %t : partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token
    %t2 = store_view_tko relaxed device %x, %pv[%j, %i] token = %t1 : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @kept(%p: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %z = constant <f32: 1.0> : tile<32x64xf32>
    %q = assume div_by<16>, %p : tile<ptr<f32>>
    %tv = make_tensor_view %q, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,1]>>
    %t = store_view_tko weak %z, %pv[%i, %i] optimization_hints = <default = {allow_tma = false}> : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %sv = make_tensor_view %q, shape = [64, 64], strides = [64, 2] : tensor_view<64x64xf32, strides=[64,2]>
    %spv = make_partition_view %sv : partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,2]>>
    %t1 = store_view_tko weak %z, %spv[%i, %i] token = %t : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[64,2]>>, tile<i32> -> token
    %ov = make_tensor_view %q, shape = [64, 64], strides = [66, 1] : tensor_view<64x64xf32, strides=[66,1]>
    %opv = make_partition_view %ov : partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[66,1]>>
    %t2 = store_view_tko weak %z, %opv[%i, %i] token = %t1 : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<64x64xf32, strides=[66,1]>>, tile<i32> -> token
    return
  }
}
