// TestingAttrs.td - attributes of the testing ops. Apart from the attributes of the dialect, so that
// they are registered on request only.
#ifndef TILESMITH_CUDATILE_TESTINGATTRS_TD
#define TILESMITH_CUDATILE_TESTINGATTRS_TD

include "compiler/dialect/CudaTile/IR/CudaTileBase.td"

def CudaTile_BytecodeTestPriority
    : I32EnumAttr<"BytecodeTestPriority", "test priority", [
        I32EnumAttrCase<"Low", 0, "low">, I32EnumAttrCase<"Normal", 1, "normal">,
        I32EnumAttrCase<"High", 2, "high">]> {
  let cppNamespace = "::tilesmith::cuda_tile";
  let genSpecializedAttr = 0;
}
def CudaTile_BytecodeTestPriorityAttr
    : EnumAttr<CudaTile_Dialect, CudaTile_BytecodeTestPriority, "bytecode_test_priority"> {
  let cppNamespace = "::tilesmith::cuda_tile";
  let assemblyFormat = "`<` $value `>`";
}

def CudaTile_BytecodeTestValueAttr
    : CudaTile_AttrDef<"BytecodeTestValue", "bytecode_test_value", "250.1"> {
  let parameters = (ins "int64_t":$value);
  let assemblyFormat = "`<` $value `>`";
}

#endif // TILESMITH_CUDATILE_TESTINGATTRS_TD
