// vprintf gets the format and a buffer that holds the arguments at their C alignment; f32 is promoted.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N14 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefix=PTX %s

gpu.module @m {
  // CHECK: llvm.mlir.global internal constant @[[FORMAT:printfFormat_0]]("%d %f %lld %s\0A\00")
  // CHECK: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
  // CHECK-LABEL: llvm.func @prints
  // N14-SAME: %[[I:.*]]: i32, %[[F:.*]]: f32, %[[L:.*]]: i64
  // N14: %[[TEXT:.*]] = llvm.getelementptr %{{.*}}[0, 0]
  // N14: %[[D:.*]] = llvm.fpext %[[F]] : f32 to f64
  // N14: %[[BUFFER:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i32, f64, i64)>
  // N14: %[[P0:.*]] = llvm.getelementptr %[[BUFFER]][0, 0]
  // N14: llvm.store %[[I]], %[[P0]] : i32
  // N14: %[[P1:.*]] = llvm.getelementptr %[[BUFFER]][0, 1]
  // N14: llvm.store %[[D]], %[[P1]] : f64
  // N14: %[[P2:.*]] = llvm.getelementptr %[[BUFFER]][0, 2]
  // N14: llvm.store %[[L]], %[[P2]] : i64
  // N14: llvm.call @vprintf(%[[TEXT]], %[[BUFFER]])
  gpu.func @prints(%i: i32, %f: f32, %l: i64) kernel {
    gpu.printf "%d %f %lld %s\0A", %i, %f, %l : i32, f32, i64
    gpu.return
  }

  // The i32 at 0, the f64 at 8 (not 4), the i64 at 16.
  // PTX: .local .align 8 .b8 __local_depot0[24];
  // PTX-DAG: st{{(.local)?}}.b32 [%{{SP|rd[0-9]+}}]
  // PTX-DAG: st{{(.local)?}}.b64 [%{{SP|rd[0-9]+}}+8]
  // PTX: vprintf,
}
