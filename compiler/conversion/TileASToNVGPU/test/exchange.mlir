// RUN: tile-opt --tileas-plan-exchanges %s | FileCheck %s
// RUN: tile-opt --tileas-plan-exchanges --convert-tileas-to-nvgpu %s | FileCheck --check-prefix=THREAD %s
// RUN: tile-opt --convert-tileas-to-nvgpu %s | FileCheck --check-prefix=GENERIC %s
// RUN: tile-opt %corpus/perf/kinds/addmm_bf16.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps stop-after=gpu-remove-barriers" | FileCheck --check-prefix=BEHIND %s
// RUN: tile-opt %corpus/perf/kinds/two_epilogues_f16.mlir --tilesmith-pipeline="gpu-name=sm_90 auto host-maps stop-after=gpu-remove-barriers" | FileCheck --check-prefix=BETWEEN %s
// Behind the loops that read a ring 64 KiB of sums change hands at once, in its place; where a later loop shares the ring, in rounds beside it.
// BEHIND: nvgpu_ext.reach = array<i64: 1024, 66560>
// BEHIND: nvvm.barrier id
// BEHIND: nvvm.barrier id
// BEHIND-NOT: nvvm.barrier id
// BETWEEN-NOT: nvgpu_ext.reach = array<i64: 1024, 66560>
// BETWEEN: nvvm.barrier id
// BETWEEN: nvgpu_ext.reach = array<i64: 1024, 66560>
// BETWEEN-COUNT-2: nvvm.barrier id
// Every way of a conversion: lanes swapped inside a warp by shuffles, and what each warp has all of; a transpose through swizzled shared memory; truth values as bytes; halves as matrices.

#rows = #nv_tileas.layout<shape = [32, 32], register = [1, 2, 512], lane = [4, 8, 16, 32, 64], warp = [128, 256]>
#columns = #nv_tileas.layout<shape = [32, 32], register = [32, 64, 16], lane = [128, 256, 512, 1, 2], warp = [4, 8]>
#line = #nv_tileas.layout<shape = [256], register = [1], lane = [2, 4, 8, 16, 32], warp = [64, 128]>
#swapped = #nv_tileas.layout<shape = [256], register = [32], lane = [1, 2, 4, 8, 16], warp = [64, 128]>
#one = #nv_tileas.layout<shape = [16], register = [], lane = [1, 2, 4, 8, 0], warp = [0, 0]>
#two = #nv_tileas.layout<shape = [16], register = [1], lane = [2, 4, 8, 0, 0], warp = [0, 0]>
#apart = #nv_tileas.layout<shape = [256], register = [128], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
#along = #nv_tileas.layout<shape = [32, 64], register = [64, 128, 256, 32], lane = [512, 1024, 1, 2, 4], warp = [8, 16]>
#across = #nv_tileas.layout<shape = [32, 64], register = [1, 2, 4, 1024], lane = [8, 16, 64, 128, 256], warp = [32, 512]>

gpu.module @m {
  // THREAD: gpu.func @moves
  // GENERIC: gpu.func @moves
  "nv_tileaa.func"() <{sym_name = "moves", function_type = (f32, i1, f16) -> ()}> ({
  ^bb0(%f: f32, %b: i1, %h: f16):
    %x = "nv_tileaa.splat"(%f) : (f32) -> tensor<256xf32, #line>
    // CHECK: convert_layout {{.*}} {nv_tileas.exchange = #nv_tileas.exchange<shuffle>}
    // THREAD-COUNT-2: gpu.shuffle idx
    // THREAD-NOT: gpu.shuffle
    // GENERIC-NOT: gpu.shuffle
    %y = nv_tileas.convert_layout %x : tensor<256xf32, #line> -> tensor<256xf32, #swapped>
    %t = "nv_tileaa.splat"(%f) : (f32) -> tensor<32x32xf32, #rows>
    // CHECK: convert_layout {{.*}} {nv_tileas.exchange = #nv_tileas.exchange<swizzle>}
    // THREAD: gpu.barrier
    // THREAD: gpu.barrier
    // THREAD: llvm.load {{.*}} : !llvm.ptr<3> -> {{f32|vector}}
    %u = nv_tileas.convert_layout %t : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #columns>
    %m = "nv_tileaa.splat"(%b) : (i1) -> tensor<256xi1, #apart>
    // CHECK: convert_layout {{.*}} {nv_tileas.exchange = #nv_tileas.exchange<swizzle>}
    // THREAD: llvm.load {{.*}} : !llvm.ptr<3> -> vector<2xi8>
    %n = nv_tileas.convert_layout %m : tensor<256xi1, #apart> -> tensor<256xi1, #line>
    // Duplicates in lanes and warps: the lane of an element is computed from its position.
    %d = "nv_tileaa.splat"(%f) : (f32) -> tensor<16xf32, #one>
    // CHECK: convert_layout {{.*}} {nv_tileas.exchange = #nv_tileas.exchange<shuffle>}
    // THREAD-NOT: gpu.barrier
    // THREAD: scf.for
    // THREAD: gpu.shuffle idx
    // THREAD-NOT: gpu.shuffle
    // THREAD: }
    %e = nv_tileas.convert_layout %d : tensor<16xf32, #one> -> tensor<16xf32, #two>
    // CHECK: convert_layout {{.*}} {nv_tileas.exchange = #nv_tileas.exchange<matrix>}
    // THREAD: gpu.barrier
    // THREAD: llvm.store {{.*}} : vector<8xf16>, !llvm.ptr<3>
    // THREAD: gpu.barrier
    // THREAD: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, nvgpu_ext.reach = array<i64: 0, 4096>, transpose = true}
    // GENERIC-NOT: nvgpu.ldmatrix
    %g = "nv_tileaa.splat"(%h) : (f16) -> tensor<32x64xf16, #along>
    %o = nv_tileas.convert_layout %g : tensor<32x64xf16, #along> -> tensor<32x64xf16, #across>
    "nv_tileaa.return"() : () -> ()
  }) {nv_tileas.threads = 128 : i32} : () -> ()
}
