//===- TileAAInterfaces.td - predicates, provenance and token edges -------------------------------===//
#ifndef TILEAA_INTERFACES
#define TILEAA_INTERFACES

include "mlir/IR/OpBase.td"

def TileAA_PredicateInterface : AttrInterface<"PredicateInterface"> {
  let cppNamespace = "::tilesmith::tileaa";
  let description = "A fact that `assume` states about a value.";
  let methods = [
    InterfaceMethod<"Checks that the fact can be stated about a value of this type.",
      "::llvm::LogicalResult", "verifyWithAssumeOp",
      (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError, "::mlir::Type":$type)>,
    InterfaceMethod<"True when the fact about a tile says the same about each element alone.",
      "bool", "isElementwise", (ins)>
  ];
}

def TileAA_AliasOpInterface : OpInterface<"AliasOpInterface"> {
  let cppNamespace = "::tilesmith::tileaa";
  let description = "Ops that build or move addressable objects (pointers, memrefs, views).";
  let methods = [
    InterfaceMethod<"Operands whose memory the results may point into; empty for a fresh object.",
      "::llvm::SmallVector<::mlir::Value>", "getProvenance", (ins)>
  ];
}

def TileAA_AliasTokenOpInterface : OpInterface<"AliasTokenOpInterface"> {
  let cppNamespace = "::tilesmith::tileaa";
  let description = "Ops that produce or consume memory-order edges.";
  let methods = [
    InterfaceMethod<"Tokens this op waits for.", "::llvm::SmallVector<::mlir::Value>", "getTokenOperands", (ins), [{}], [{
      ::llvm::SmallVector<::mlir::Value> tokens;
      for (::mlir::Value operand : $_op->getOperands())
        if (isToken(operand.getType()))
          tokens.push_back(operand);
      return tokens;
    }]>,
    InterfaceMethod<"The token that stands for this op and all it waited for; null when there is none.",
      "::mlir::Value", "getTokenResult", (ins), [{}], [{
      for (::mlir::Value result : $_op->getResults())
        if (isToken(result.getType()))
          return result;
      return {};
    }]>
  ];
}

def TileAA_MemoryOpInterface : OpInterface<"MemoryOpInterface"> {
  let cppNamespace = "::tilesmith::tileaa";
  let description = "Ops that access memory: what they access and how strongly they order.";
  let methods = [
    InterfaceMethod<"Pointer, pointer tile, memref or view that is accessed.",
      "::mlir::Value", "getAccessedObject", (ins)>,
    InterfaceMethod<"Memory is read.", "bool", "readsMemory", (ins)>,
    InterfaceMethod<"Memory is written.", "bool", "writesMemory", (ins)>
  ];
}

#endif // TILEAA_INTERFACES
