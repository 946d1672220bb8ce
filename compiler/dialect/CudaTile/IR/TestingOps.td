// TestingOps.td - ops that exist for test suites only. A tool registers them on request (see
// CudaTileTesting.h).
#ifndef TILESMITH_CUDATILE_TESTINGOPS_TD
#define TILESMITH_CUDATILE_TESTINGOPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"
include "compiler/dialect/CudaTile/IR/TestingAttrs.td"

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

// Ops whose attributes, operands and results came in different versions of a bytecode that only
// test suites write.
def CudaTile_BytecodeTest_NewAttributeOp
    : CudaTile_Op<"testing$bytecode_test_new_attribute", "250.0"> {
  let summary = "op that got attributes";
  let arguments = (ins UnitAttr:$new_flag, DefaultValuedAttr<I32Attr, "42">:$new_param);
  let assemblyFormat = "(`new_flag` $new_flag^)? (`new_param` `=` $new_param^)? attr-dict";
}

def CudaTile_BytecodeTest_EvolutionOp
    : CudaTile_Op<"testing$bytecode_test_evolution", "250.0", [AttrSizedOperandSegments]> {
  let summary = "op that got an operand, a result and attributes";
  let arguments = (ins Variadic<CudaTile_TileType>:$inputs, OptionalAttr<I32Attr>:$new_attr,
      Optional<CudaTile_TokenType>:$optional_token,
      OptionalAttr<CudaTile_BytecodeTestPriorityAttr>:$priority,
      OptionalAttr<CudaTile_BytecodeTestValueAttr>:$test_attr);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    `(` $inputs `:` type($inputs) `)` (`new_attr` `=` $new_attr^)?
    (`token` `=` $optional_token^ `:` custom<CudaTileType>(type($optional_token)))?
    (`priority` `=` $priority^)? (`test_attr` `=` $test_attr^)?
    `->` custom<CudaTileType>(type($result_token)) attr-dict
  }];
}

#endif // TILESMITH_CUDATILE_TESTINGOPS_TD
