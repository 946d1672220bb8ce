//===- StructureOps.td - functions, calls, region shells ------------------------------------------===//
#ifndef TILEAA_STRUCTURE_OPS
#define TILEAA_STRUCTURE_OPS

include "compiler/dialect/TileAA/IR/TileAATypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

def TileAA_FuncOp : TileAA_Op<"func", [IsolatedFromAbove, FunctionOpInterface, AutomaticAllocationScope,
                              DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "kernel or device function over scalars and pointers";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    /// Launch facts (attribute nv_tileaa.kernel_spec); null when absent.
    KernelSpecAttr getKernelSpec();
  }];
}

def TileAA_CallOp : TileAA_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "direct call";
  let arguments = (ins Variadic<AnyType>:$operands, FlatSymbolRefAttr:$callee, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$results);
  let extraClassDeclaration = [{
    operand_range getArgOperands() { return {operand_begin(), operand_end()}; }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
  }];
}

def TileAA_ReturnOp : TileAA_Op<"return", [Pure, ReturnLike, Terminator]> {
  let summary = "ends a function";
  let arguments = (ins Variadic<AnyType>:$operands);
  let hasVerifier = 1;
}

def TileAA_YieldOp : TileAA_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "ends a region of reduce, scan, generate, pragma, execute, plugin or queue ops";
  let arguments = (ins Variadic<AnyType>:$operands);
  let hasVerifier = 1;
}

def TileAA_PragmaOp : TileAA_Op<"pragma", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "region under compiler directives";
  let arguments = (ins Variadic<AnyType>:$operands, OptionalAttr<StrArrayAttr>:$ocgEnterDirectives,
                       OptionalAttr<StrArrayAttr>:$ocgLeaveDirectives);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def TileAA_LaunchFuncOp : TileAA_Op<"launch_func", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "host launch of a kernel";
  let arguments = (ins Variadic<TileAA_ScalarInt>:$gridSizes, Variadic<AnyType>:$kernelOperands, SymbolRefAttr:$kernel);
}

def TileAA_InjectIROp : TileAA_Op<"inject_ir", [MemoryEffects<[MemWrite]>]> {
  let summary = "embeds already lowered code";
  let arguments = (ins Variadic<AnyType>:$operands, AnyAttr:$payload);
  let results = (outs Variadic<AnyType>:$results);
}

#endif // TILEAA_STRUCTURE_OPS
