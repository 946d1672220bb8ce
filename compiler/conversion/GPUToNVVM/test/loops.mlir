// A loop's request to LLVM ends on the back edge as loop metadata; without it, register loops stay rolled and tiles in local memory.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-llvmir | FileCheck --check-prefix=LLVM %s

gpu.module @m {
  // CHECK-LABEL: llvm.func @unrolled
  // CHECK: llvm.br ^{{.*}} {loop_annotation = #{{.*}}}
  // LLVM: br label {{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
  // LLVM: ![[LOOP]] = distinct !{![[LOOP]], ![[FULL:[0-9]+]]}
  // LLVM: ![[FULL]] = !{!"llvm.loop.unroll.full"}
  gpu.func @unrolled(%p: !llvm.ptr<1>) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      llvm.store volatile %i, %p : i32, !llvm.ptr<1>
    } {llvm.loop_annotation = #llvm.loop_annotation<unroll = <full = true>>}
    gpu.return
  }
}
