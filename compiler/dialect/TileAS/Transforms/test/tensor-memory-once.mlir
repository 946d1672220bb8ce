// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 auto stop-after=tileas-refine-atom-by-resource" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 auto stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=CODE
// RUN: tile-opt %corpus/perf/kinds/mlp_one_tile_bf16.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps stop-after=tileas-refine-atom-by-resource" | FileCheck %s --check-prefix=MLP
// RUN: tile-opt %corpus/perf/kinds/mlp_one_tile_bf16.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=ONCE
// Products outside of loops accumulate in tensor memory: threads stage the tiles next to where they are made, and what
// is computed from the sums of one product goes to its columns as the left operand of the next.
// MLP: nv_tileas.tensor_memory.stage
// MLP: nv_tileas.tensor_memory.stage
// MLP: "nv_tileas.tensor_memory.dot"
// MLP: %[[SUMS:.*]] = nv_tileas.tensor_memory.load
// MLP: %[[LEFT:.*]] = nv_tileas.tensor_memory.store %{{.*}} {column = 0 : i32} : tensor<128x128xbf16
// MLP: nv_tileas.tensor_memory.update %{{.*}} into %[[LEFT]]
// MLP: "nv_tileas.tensor_memory.dot"(%[[LEFT]],
// MLP-NOT: nv_tileas.dot
// MLP: nv_tileas.tensor_memory.load
// Nobody reads the zeros: only the left operand of the second product is put into columns by threads.
// ONCE-NOT: tcgen05.st
// ONCE: "llvm.nvvm.tcgen05.mma.shared"
// ONCE-NOT: tcgen05.st
// ONCE: "llvm.nvvm.tcgen05.ld
// ONCE: "llvm.nvvm.tcgen05.st
// ONCE: "llvm.nvvm.tcgen05.mma.tensor"
// ONCE-NOT: tcgen05.st
// ONCE: "llvm.nvvm.tcgen05.dealloc
// Sums that begin with a number are put into the columns.
// CHECK-LABEL: sym_name = "from_zero"
// CHECK: nv_tileas.tensor_memory.store
// CHECK: "nv_tileas.tensor_memory.dot"{{.*}}overwrites
// CODE-LABEL: gpu.func @from_zero
// CODE-NOT: tcgen05.st
// CODE: "llvm.nvvm.tcgen05.mma.shared"
// CHECK-LABEL: sym_name = "from_number"
// CHECK: nv_tileas.tensor_memory.store
// CHECK-NOT: overwrites
// CHECK: "nv_tileas.tensor_memory.dot"
// CODE-LABEL: gpu.func @from_number
// CODE: "llvm.nvvm.tcgen05.st
// CODE: "llvm.nvvm.tcgen05.mma.shared"
// Bytes are staged as their loads hold them, and the sums, of 32 bits, leave by tensor copies though no operand comes so.
// RUN: tile-opt %corpus/perf/kinds/gemm_one_i8.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps remarks stop-after=tileas-insert-barriers" 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: tile-opt %corpus/perf/kinds/gemm_f16_64x512.mlir --tilesmith-pipeline="gpu-name=sm_100 auto host-maps stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=PIECES
// More words than a thread holds come piece by piece.
// PIECES: tcgen05.ld
// PIECES-NEXT: tcgen05.wait.ld
// PIECES: tcgen05.ld
// PIECES-NEXT: tcgen05.wait.ld
// BYTES: remark: tensor copies of the result
// BYTES: "nv_tileas.tiled_load"
// BYTES-NOT: nv_tileas.convert_layout
// BYTES: "nv_tileas.tensor_memory.dot"{{.*}}atom = "tcgen05.s8"
// A product of few instructions does not pay for its columns.
// CHECK-LABEL: sym_name = "few"
// CHECK-NOT: tensor_memory
// CHECK: "nv_tileas.dot"
// CHECK-NOT: tensor_memory
cuda_tile.module @m {
  entry @from_zero(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f32>>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %sum = constant <f32: 0.0> : tile<128x128xf32>
    %tok = make_token : token
    %va = make_tensor_view %a0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
    %vb = make_tensor_view %b0, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf16, strides=[128,1]>
    %vo = make_tensor_view %o0, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %a, %t0 = load_view_tko weak %ta[%zero, %zero] token = %tok : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
    %w, %t1 = load_view_tko weak %tb[%zero, %zero] token = %tok : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
    %s = mmaf %a, %w, %sum : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
    %t3 = store_view_tko weak %s, %to[%zero, %zero] token = %tok : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
  entry @from_number(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f32>>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %sum = constant <f32: 1.5> : tile<128x128xf32>
    %tok = make_token : token
    %va = make_tensor_view %a0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
    %vb = make_tensor_view %b0, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf16, strides=[128,1]>
    %vo = make_tensor_view %o0, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %a, %t0 = load_view_tko weak %ta[%zero, %zero] token = %tok : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
    %w, %t1 = load_view_tko weak %tb[%zero, %zero] token = %tok : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
    %s = mmaf %a, %w, %sum : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
    %t3 = store_view_tko weak %s, %to[%zero, %zero] token = %tok : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
  entry @few(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f32>>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %sum = constant <f32: 0.0> : tile<128x32xf32>
    %tok = make_token : token
    %va = make_tensor_view %a0, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xf16, strides=[32,1]>
    %vb = make_tensor_view %b0, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32,1]>
    %vo = make_tensor_view %o0, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xf32, strides=[32,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x32), tensor_view<128x32xf16, strides=[32,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>
    %a, %t0 = load_view_tko weak %ta[%zero, %zero] token = %tok : partition_view<tile=(128x32), tensor_view<128x32xf16, strides=[32,1]>>, tile<i32> -> tile<128x32xf16>, token
    %w, %t1 = load_view_tko weak %tb[%zero, %zero] token = %tok : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
    %s = mmaf %a, %w, %sum : tile<128x32xf16>, tile<32x32xf16>, tile<128x32xf32>
    %t3 = store_view_tko weak %s, %to[%zero, %zero] token = %tok : tile<128x32xf32>, partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
