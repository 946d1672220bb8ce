// cf.assert guards __assertfail(message, file, line, function, size of a character); texts are shared.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefix=PTX %s

#record = #llvm.di_subprogram<name = "outer">
gpu.module @m {
  // CHECK-DAG: llvm.mlir.global internal constant @assert_message_0("first\00")
  // CHECK-DAG: llvm.mlir.global internal constant @assert_message_1("second\00")
  // CHECK-DAG: llvm.mlir.global internal constant @assert_file_0("kern.py\00")
  // CHECK-DAG: llvm.mlir.global internal constant @assert_func_0("checks\00")
  // CHECK-DAG: llvm.mlir.global internal constant @assert_func_1("outer\00")
  // CHECK-DAG: llvm.func @__assertfail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64) attributes {passthrough = ["noreturn"]}
  // CHECK-NOT: @assert_file_1

  // CHECK-LABEL: llvm.func @checks
  // CHECK-SAME: %[[C:.*]]: i1, %[[D:.*]]: i1
  // CHECK: llvm.cond_br %[[C]], ^[[GOOD:bb[0-9]+]], ^[[BAD:bb[0-9]+]]
  // CHECK: ^[[BAD]]:
  // CHECK-DAG: %[[MSG:.*]] = llvm.mlir.addressof @assert_message_0
  // CHECK-DAG: %[[FILE:.*]] = llvm.mlir.addressof @assert_file_0
  // CHECK-DAG: %[[LINE:.*]] = llvm.mlir.constant(12 : i32) : i32
  // CHECK-DAG: %[[FUNC:.*]] = llvm.mlir.addressof @assert_func_0
  // CHECK-DAG: %[[SIZE:.*]] = llvm.mlir.constant(1 : i64) : i64
  // CHECK: llvm.call @__assertfail(%[[MSG]], %[[FILE]], %[[LINE]], %[[FUNC]], %[[SIZE]])
  // CHECK-NEXT: llvm.br ^[[GOOD]]
  // CHECK: ^[[GOOD]]:
  // CHECK: llvm.cond_br %[[D]]
  // CHECK: llvm.mlir.addressof @assert_message_1
  // CHECK: llvm.mlir.addressof @assert_file_0
  // CHECK: llvm.mlir.constant(7 : i32) : i32
  // CHECK: llvm.mlir.addressof @assert_func_1
  gpu.func @checks(%c: i1, %d: i1) kernel {
    cf.assert %c, "first" loc("kern.py":12:3)
    cf.assert %d, "second" loc(callsite(fused<#record>["kern.py":7:1] at "other.py":1:1))
    gpu.return
  }

  // The name of the runtime's function and its five parameters.
  // PTX: .extern .func __assertfail
  // PTX-NEXT: (
  // PTX-NEXT: .param .b64 __assertfail_param_0,
  // PTX-NEXT: .param .b64 __assertfail_param_1,
  // PTX-NEXT: .param .b32 __assertfail_param_2,
  // PTX-NEXT: .param .b64 __assertfail_param_3,
  // PTX-NEXT: .param .b64 __assertfail_param_4
  // PTX: call.uni{{[[:space:]]+}}__assertfail,
}
