// ControlFlowOps.td - structured control flow and its terminators.
#ifndef TILESMITH_CUDATILE_CONTROLFLOWOPS_TD
#define TILESMITH_CUDATILE_CONTROLFLOWOPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"

def CudaTile_IfOp : CudaTile_Op<"if", "13.1",
    [NoRegionArguments, OpAsmOpInterface, RecursiveMemoryEffects,
     SingleBlockImplicitTerminator<"impl::IfTerminator">]> {
  let summary = "one of two regions";
  let arguments = (ins CudaTile_ScalarI1:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, MaxSizedRegion<1>:$elseRegion);
  let assemblyFormat = "$condition (`->` `(` custom<CudaTileType>(type($results))^ `)`)? "
      "custom<IfOpRegion>($thenRegion) (`else` custom<IfOpRegion>($elseRegion)^)? attr-dict";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let hasFolder = 1;
  let extraClassDeclaration = CudaTile_defaultDialect # [{
    ::mlir::Block *getThenBlock();
    ::mlir::Operation *getThenTerminator();
    ::mlir::Block *getElseBlock();
    ::mlir::Operation *getElseTerminator();
  }];
}

def CudaTile_ForOp : CudaTile_Op<"for", "13.1",
    [AutomaticAllocationScope, AllTypesMatch<["lowerBound", "upperBound", "step"]>,
     AllTypesMatch<["initValues", "resultValues"]>, OpAsmOpInterface, RecursiveMemoryEffects,
     SingleBlockImplicitTerminator<"ContinueOp">,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames",
         "getAsmBlockArgumentNames"]>]> {
  let summary = "counted loop over [lowerBound, upperBound) with a positive step";
  let arguments = (ins CudaTile_ScalarInt:$lowerBound, CudaTile_ScalarInt:$upperBound,
      CudaTile_ScalarInt:$step,
                       Variadic<AnyType>:$initValues, UnitAttr:$unsignedCmp);
  let results = (outs Variadic<AnyType>:$resultValues);
  let regions = (region SizedRegion<1>:$region);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$lowerBound, "::mlir::Value":$upperBound,
      "::mlir::Value":$step,
      CArg<"::mlir::ValueRange", "{}">:$initArgs,
      CArg<"::llvm::function_ref<void(::mlir::OpBuilder &, ::mlir::Location, ::mlir::Value, "
          "::mlir::ValueRange)>",
           "nullptr">:$bodyBuilder,
      CArg<"bool", "false">:$unsignedCmp)>];
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = CudaTile_defaultDialect # [{
    ::mlir::Value getInductionVar() { return getBody()->getArgument(0); }
    ::mlir::Block::BlockArgListType getRegionIterValues() { return getBody()->getArguments().drop_front(); }
    ::mlir::BlockArgument getRegionIterVar(unsigned index) { return getRegionIterValues()[index]; }
    unsigned getNumInductionVars() { return 1; }
    unsigned getNumRegionIterVars() { return getBody()->getNumArguments() - 1; }
    unsigned getNumRegionArgs() { return getBody()->getNumArguments(); }
  }];
}

def CudaTile_LoopOp : CudaTile_Op<"loop", "13.1",
    [AutomaticAllocationScope, OpAsmOpInterface, RecursiveMemoryEffects,
     SingleBlockImplicitTerminator<"impl::LoopTerminator">]> {
  let summary = "loop until break";
  let arguments = (ins Variadic<AnyType>:$initValues);
  let results = (outs Variadic<AnyType>:$resultValues);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = CudaTile_defaultDialect # [{
    ::mlir::Block::BlockArgListType getRegionIterValues() { return getRegion().getArguments(); }
    ::mlir::BlockArgument getRegionIterValue(unsigned index) { return getRegionIterValues()[index]; }
    unsigned getNumRegionIterValues() { return getRegion().getNumArguments(); }
  }];
}

class CudaTile_TerminatorOp<string mnemonic, list<Trait> traits, Type operandType>
    : CudaTile_Op<mnemonic, "13.1", !listconcat(traits, [Terminator])> {
  let arguments = (ins Variadic<operandType>:$operands);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` custom<CudaTileType>(type($operands)))?";
}

def CudaTile_YieldOp : CudaTile_TerminatorOp<"yield",
    [Pure, ReturnLike, ParentOneOf<["IfOp", "ReduceOp", "ScanOp"]>], CudaTile_AnyType> {
  let summary = "values of the region of if, reduce or scan";
}
def CudaTile_ContinueOp : CudaTile_TerminatorOp<"continue", [ParentOneOf<["ForOp", "IfOp",
    "LoopOp"]>],
                                               CudaTile_AnyType> {
  let summary = "next iteration of the innermost loop";
  let hasVerifier = 1;
}
def CudaTile_BreakOp : CudaTile_TerminatorOp<"break", [ReturnLike, ParentOneOf<["IfOp", "LoopOp"]>],
                                            CudaTile_AnyType> {
  let summary = "leaves the innermost loop op";
  let hasVerifier = 1;
}
def CudaTile_ReturnOp : CudaTile_TerminatorOp<"return", [ReturnLike], AnyType> {
  let summary = "leaves the entry";
  let hasVerifier = 1;
}

def CudaTile_AssertOp : CudaTile_Op<"assert", "13.1"> {
  let summary = "reports every element that is false";
  let arguments = (ins CudaTile_I1Tile:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` "
      "custom<CudaTileType>(type($condition))";
}

#endif // TILESMITH_CUDATILE_CONTROLFLOWOPS_TD
