// A text without tiles is one call of printf, which blocks cannot print into; others are printed piece
// by piece under a lock of the device. [spec: print-order]
// RUN: tile-opt --tilesmith-pipeline="gpu-name=sm_90 from=cudatile to=gpu" %s | FileCheck %s

cuda_tile.module @m {
  // CHECK: llvm.mlir.global internal @print_lock(0 : i32) {addr_space = 1 : i32, alignment = 4 : i64} : i32
  // CHECK-LABEL: gpu.func @scalars
  // CHECK-NOT: cmpxchg
  // CHECK: gpu.printf "%d of %lld: 100%% %u\0A", %{{.*}}, %{{.*}}, %{{.*}} : i32, i64, i32
  // CHECK-NOT: gpu.printf
  // CHECK: gpu.return
  entry @scalars(%a: tile<i32>, %b: tile<i64>, %c: tile<i8>) {
    %t = print_tko "%d of %d: 100%% %u\n", %a, %b, %c : tile<i32>, tile<i64>, tile<i8> -> token
    return
  }

  // CHECK-LABEL: gpu.func @tiles
  // CHECK: %[[LOCK:.*]] = llvm.mlir.addressof @print_lock
  // CHECK: scf.while
  // CHECK: llvm.cmpxchg %[[LOCK]], %{{.*}}, %{{.*}} syncscope("device") acquire monotonic
  // CHECK: scf.condition
  // CHECK: gpu.printf "tile "
  // CHECK: gpu.printf "\0A"
  // CHECK: llvm.store %{{.*}}, %[[LOCK]] atomic syncscope("device") release
  // CHECK-NOT: gpu.printf
  // CHECK: gpu.return
  entry @tiles() {
    %i = iota : tile<64xi32>
    %t = print_tko "tile %d\n", %i : tile<64xi32> -> token
    return
  }
}
