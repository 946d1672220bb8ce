// cf.assert guards __assertfail(message, file, line, function, size of a character); texts are shared.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N12,N13 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefix=PTX %s

#record = #llvm.di_subprogram<name = "outer">
gpu.module @m {
  // N12-DAG: llvm.mlir.global internal constant @assert_message_0("first\00")
  // N12-DAG: llvm.mlir.global internal constant @assert_message_1("second\00")
  // N12-DAG: llvm.mlir.global internal constant @assert_file_0("kern.py\00")
  // N12-DAG: llvm.mlir.global internal constant @assert_func_0("checks\00")
  // N12-DAG: llvm.mlir.global internal constant @assert_func_1("outer\00")
  // N12-DAG: llvm.func @__assertfail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64) attributes {passthrough = ["noreturn"]}
  // N12-NOT: @assert_file_1

  // CHECK-LABEL: llvm.func @checks
  // N12-SAME: %[[C:.*]]: i1, %[[D:.*]]: i1
  // N12: llvm.cond_br %[[C]], ^[[GOOD:bb[0-9]+]], ^[[BAD:bb[0-9]+]]
  // N12: ^[[BAD]]:
  // N12-DAG: %[[MSG:.*]] = llvm.mlir.addressof @assert_message_0
  // N12-DAG: %[[FILE:.*]] = llvm.mlir.addressof @assert_file_0
  // N12-DAG: %[[LINE:.*]] = llvm.mlir.constant(12 : i32) : i32
  // N12-DAG: %[[FUNC:.*]] = llvm.mlir.addressof @assert_func_0
  // N13-DAG: %[[SIZE:.*]] = llvm.mlir.constant(1 : i64) : i64
  // N12: llvm.call @__assertfail(%[[MSG]], %[[FILE]], %[[LINE]], %[[FUNC]], %[[SIZE]])
  // N12-NEXT: llvm.br ^[[GOOD]]
  // N12: ^[[GOOD]]:
  // N12: llvm.cond_br %[[D]]
  // N12: llvm.mlir.addressof @assert_message_1
  // N12: llvm.mlir.addressof @assert_file_0
  // N12: llvm.mlir.constant(7 : i32) : i32
  // N12: llvm.mlir.addressof @assert_func_1
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
