// One barrier where the source had one, in its aligned form and without new control flow.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N11 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefix=PTX %s

gpu.module @m {
  // CHECK-LABEL: llvm.func @barrier
  // PTX-LABEL: .entry barrier(
  gpu.func @barrier(%p: !llvm.ptr<1>, %x: i32) kernel {
    // N11: llvm.store
    // N11-NEXT: nvvm.barrier0
    // N11-NEXT: llvm.load
    // N11-NOT: ^bb
    // PTX: st.global
    // PTX: bar.sync 0;
    // PTX: ld.global
    llvm.store %x, %p : i32, !llvm.ptr<1>
    gpu.barrier
    %y = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.store volatile %y, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}
