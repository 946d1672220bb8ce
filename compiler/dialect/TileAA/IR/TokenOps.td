//===- TokenOps.td - tokens, facts, messages ------------------------------------------------------===//
#ifndef TILEAA_TOKEN_OPS
#define TILEAA_TOKEN_OPS

include "compiler/dialect/TileAA/IR/TileAATypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def TileAA_CreateMemTokenOp : TileAA_Op<"create_mem_token", [Pure, TileAA_AliasTokenOpInterface]> {
  let summary = "edge with no predecessor; operands only name the objects whose order it carries";
  let arguments = (ins Variadic<AnyType>:$objects,
                       DefaultValuedAttr<ConfinedAttr<I32Attr, [IntPositive]>, "1">:$producers);
  let results = (outs TileAA_MemToken:$result);
}

def TileAA_JoinMemTokenOp : TileAA_Op<"join_mem_token", [Pure, TileAA_AliasTokenOpInterface]> {
  let summary = "edge that is complete when all inputs are";
  let arguments = (ins Variadic<TileAA_MemToken>:$tokens);
  let results = (outs TileAA_MemToken:$result);
}

def TileAA_MarkForReuseOp : TileAA_Op<"mark_for_reuse", [TileAA_AliasTokenOpInterface,
                                      DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the memory of these values may be taken over afterwards";
  let arguments = (ins Variadic<AnyType>:$values);
}

def TileAA_AssumeOp : TileAA_Op<"assume", [NoMemoryEffect, AllTypesMatch<["source", "result"]>]> {
  let summary = "the same value, about which facts are promised";
  let arguments = (ins AnyType:$source, ArrayAttr:$predicates);
  let results = (outs AnyType:$result);
  let hasVerifier = 1;
}

def TileAA_AssertOp : TileAA_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "fails the launch when an element is false";
  let arguments = (ins TileAA_Bool:$condition, StrAttr:$message);
}

def TileAA_MessageOp : TileAA_Op<"message", [MemoryEffects<[MemWrite]>]> {
  let summary = "text for the host";
  let arguments = (ins Variadic<AnyType>:$args, StrAttr:$text);
}

def TileAA_PrintOp : TileAA_Op<"print", [AttrSizedOperandSegments, TileAA_AliasTokenOpInterface, MemoryEffects<[MemWrite]>]> {
  let summary = "formatted output, one conversion per operand";
  let arguments = (ins Variadic<TileAA_Element>:$args, Optional<TileAA_MemToken>:$token, StrAttr:$format);
  let results = (outs Optional<TileAA_MemToken>:$result_token);
}

def TileAA_OptimizationBarrierOp : TileAA_Op<"optimization_barrier", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the same values, through which nothing is optimised";
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let hasVerifier = 1;
}

#endif // TILEAA_TOKEN_OPS
