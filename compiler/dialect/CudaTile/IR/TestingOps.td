// TestingOps.td - ops that exist for test suites only. A tool registers them on request (see
// CudaTileTesting.h).
#ifndef TILESMITH_CUDATILE_TESTINGOPS_TD
#define TILESMITH_CUDATILE_TESTINGOPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"

def CudaTile_Test_FuncOp : CudaTile_Op<"testing$func", "250.0",
    [IsolatedFromAbove, FunctionOpInterface, SingleBlock, OpAsmOpInterface,
     SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "function with arguments and results of any type";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                           OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = CudaTile_defaultDialect # [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

#endif // TILESMITH_CUDATILE_TESTINGOPS_TD
