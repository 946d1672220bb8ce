// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 tensor-map to=tileas" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 tensor-map stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=CODE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 tensor-map to=tileas" | FileCheck %s --check-prefix=GROUP
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_80 plain to=tileas" | FileCheck %s --check-prefix=WARPS
// Linear attention: a product adds to the state in each turn, another one reads it, rounded, and adds to what a third
// one left. In tensor memory the state is loaded in front of the products that follow each other, next to the scores;
// both operands that threads write are staged in front of the first one, and nothing is put back.
// CHECK-LABEL: sym_name = "state"
// CHECK: %[[P:.*]] = nv_tileas.tensor_memory.store {{.*}}tensor<64x64xf32
// CHECK: %[[O:.*]] = nv_tileas.tensor_memory.store {{.*}}tensor<64x64xf32
// CHECK: %[[S:.*]] = nv_tileas.tensor_memory.store {{.*}}tensor<64x64xf32
// CHECK: scf.for
// CHECK: "nv_tileas.tensor_memory.dot"({{.*}}, %[[P]]) <{atom = "tcgen05.bf16", {{.*}}overwrites
// CHECK: nv_tileas.tensor_memory.load %[[P]]
// CHECK-NEXT: nv_tileas.tensor_memory.load %[[S]]
// CHECK-NOT: tensor_memory.dot
// CHECK: %[[WEIGHTS:.*]] = nv_tileas.tensor_memory.stage
// CHECK-NOT: tensor_memory.dot
// CHECK: %[[STATE:.*]] = nv_tileas.tensor_memory.stage
// CHECK-NOT: nv_tileas.tensor_memory.update
// CHECK: "nv_tileas.tensor_memory.dot"(%[[WEIGHTS]], {{.*}}, %[[O]]) <{atom = "tcgen05.bf16", {{.*}}overwrites
// CHECK-NOT: nv_tileas.tensor_memory.update
// CHECK: "nv_tileas.tensor_memory.dot"({{.*}}, %[[STATE]], %[[O]]) <{atom = "tcgen05.bf16", {{.*}}scale_column
// CHECK: nv_tileas.tensor_memory.load %[[O]]
// CHECK-NOT: nv_tileas.tensor_memory.update
// CHECK: "nv_tileas.tensor_memory.dot"({{.*}}, %[[S]]) <{atom = "tcgen05.bf16", {{.*}}scale_column
// CHECK: scf.yield
// Threads wait twice in a turn, for the scores and for the result, and meet twice in it: for operands, and so that nobody is
// still in the second wait when the first one of the next turn ends.
// CODE-LABEL: gpu.func @state
// CODE: scf.for
// CODE: llvm.nvvm.tcgen05.mma
// CODE: gpu.barrier
// CODE: llvm.nvvm.tcgen05.commit
// CODE: llvm.nvvm.tcgen05.ld
// CODE: gpu.barrier
// CODE: llvm.nvvm.tcgen05.mma
// CODE: llvm.nvvm.tcgen05.commit
// CODE: llvm.nvvm.tcgen05.ld
// CODE-NOT: gpu.barrier
// CODE: llvm.nvvm.tcgen05.mma
// Warpgroups carry the state as the product holds it. They write it to shared memory from there, and read their left operand
// from its slot.
// GROUP-LABEL: sym_name = "state"
// GROUP: scf.for {{.*}}iter_args(%[[CARRIED:[a-z0-9]+]] = {{.*}}tensor<64x64xf32, #nv_tileas.layout<shape = [64, 64], register = [1, 512, 8, 16, 32], lane = [2, 4, 64, 128, 256], warp = [1024, 2048]>
// GROUP-NOT: nv_tileas.convert_layout
// GROUP: %[[STATE:.*]] = "nv_tileaa.fp_to_fp"(%[[CARRIED]])
// GROUP: ^bb0(%[[SLOT:[a-z0-9]+]]: tensor
// GROUP-NEXT: "nv_tileas.dot"(%[[SLOT]], %[[STATE]], %{{.*}}) <{atom = "wgmma.bf16"
// GROUP-NOT: nv_tileas.convert_layout
// GROUP: "nv_tileas.dot"
// GROUP: scf.yield
// Warps of mma.sync carry it as their product holds it, too; the rounded one is exchanged.
// WARPS-LABEL: sym_name = "state"
// WARPS: scf.for
// WARPS-NOT: nv_tileas.convert_layout {{.*}}tensor<64x64xf32
// WARPS: scf.yield
cuda_tile.module @m {
  entry @state(%pq: tile<ptr<bf16>>, %pk: tile<ptr<bf16>>, %pv: tile<ptr<bf16>>, %po: tile<ptr<bf16>>, %rows: tile<i32>) optimization_hints=<default = {occupancy = 1}> {
    %q = assume div_by<16>, %pq : tile<ptr<bf16>>
    %k = assume div_by<16>, %pk : tile<ptr<bf16>>
    %v = assume div_by<16>, %pv : tile<ptr<bf16>>
    %o = assume div_by<16>, %po : tile<ptr<bf16>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %vq = make_tensor_view %q, shape = [%rows, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xbf16, strides=[64,1]>
    %vk = make_tensor_view %k, shape = [%rows, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xbf16, strides=[64,1]>
    %vv = make_tensor_view %v, shape = [%rows, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xbf16, strides=[64,1]>
    %vo = make_tensor_view %o, shape = [%rows, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xbf16, strides=[64,1]>
    %wq = make_partition_view %vq : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xbf16, strides=[64,1]>>
    %wk = make_partition_view %vk : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xbf16, strides=[64,1]>>
    %wv = make_partition_view %vv : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xbf16, strides=[64,1]>>
    %wo = make_partition_view %vo : partition_view<tile=(64x64), tensor_view<?x64xbf16, strides=[64,1]>>
    %tok = make_token : token
    %n = divi %rows, %c64 signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %last = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<64x64xf32>) {
      %tq, %t0 = load_view_tko weak %wq[%i, %c0] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xbf16, strides=[64,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %tk, %t1 = load_view_tko weak %wk[%i, %c0] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xbf16, strides=[64,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %tv, %t2 = load_view_tko weak %wv[%i, %c0] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xbf16, strides=[64,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %kt = permute %tk [1, 0] : tile<64x64xbf16> -> tile<64x64xbf16>
      %p = mmaf %tq, %kt, %zero : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %w = ftof %p : tile<64x64xf32> -> tile<64x64xbf16>
      %o1 = mmaf %w, %tv, %zero : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %st = ftof %s : tile<64x64xf32> -> tile<64x64xbf16>
      %o2 = mmaf %tq, %st, %o1 : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %next = mmaf %kt, %tv, %s : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %res = ftof %o2 : tile<64x64xf32> -> tile<64x64xbf16>
      %t3 = store_view_tko weak %res, %wo[%i, %c0] token = %tok : tile<64x64xbf16>, partition_view<tile=(64x64), tensor_view<?x64xbf16, strides=[64,1]>>, tile<i32> -> token
      continue %next : tile<64x64xf32>
    }
    return
  }
}
