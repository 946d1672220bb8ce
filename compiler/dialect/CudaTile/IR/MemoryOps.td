// MemoryOps.td - tokens, accesses through tiles of pointers, and the ordering ops of 13.4.
#ifndef TILESMITH_CUDATILE_MEMORYOPS_TD
#define TILESMITH_CUDATILE_MEMORYOPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"

def CudaTile_MakeTokenOp : CudaTile_Op<"make_token", "13.1", [Pure]> {
  let summary = "token without predecessors";
  let results = (outs CudaTile_TokenType:$result);
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($result))";
}

def CudaTile_JoinTokensOp : CudaTile_Op<"join_tokens", "13.1", [Pure]> {
  let summary = "token after all operands";
  let arguments = (ins Variadic<CudaTile_TokenType>:$tokens);
  let results = (outs CudaTile_TokenType:$result);
  let assemblyFormat = "$tokens attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_LoadPtrTkoOp : CudaTile_Op<"load_ptr_tko", "13.1",
    [AttrSizedOperandSegments,
     TypesMatchWith<"`source` type is expected a pointer type of `result` type", "result",
         "source", "$_self",
                    "::tilesmith::cuda_tile::impl::pointsTo">,
     OptionalTypesMatchWith<"shape of 'mask' must match the shape of 'source'", "source", "mask",
         "$_self",
                            "::tilesmith::cuda_tile::impl::sameTileShape">,
     OptionalTypesMatchWith<"type of 'paddingValue' must match the type of 'result'", "result",
         "paddingValue",
                            "$_self", "::tilesmith::cuda_tile::impl::sameTileType">]> {
  let summary = "one element per pointer; elements that the mask excludes are the padding value, "
      "or undefined";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope, CudaTile_PointerTile:$source,
      Optional<CudaTile_I1Tile>:$mask, Optional<CudaTile_NumberTile>:$paddingValue,
      Optional<CudaTile_TokenType>:$token,
          OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let results = (outs CudaTile_TileType:$result, CudaTile_TokenType:$result_token);
  // One operand behind the pointers is the mask or the padding: its type tells which.
  let assemblyFormat = [{
    $memory_ordering_semantics ($memory_scope^)? $source ``
    custom<MaskAndPadding>($mask, $paddingValue, $token, $optimization_hints, attr-dict, type($source), type($mask),
      type($paddingValue), type($result))
    `,` custom<CudaTileType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def CudaTile_StorePtrTkoOp : CudaTile_Op<"store_ptr_tko", "13.1",
    [AttrSizedOperandSegments,
     TypesMatchWith<"`destination` type is expected a pointer type of `value` type", "value",
         "destination",
                    "$_self", "::tilesmith::cuda_tile::impl::pointsTo">,
     OptionalTypesMatchWith<"shape of 'destination' must match the shape of 'mask'", "mask",
         "destination",
                            "$_self", "::tilesmith::cuda_tile::impl::sameTileShape">]> {
  let summary = "stores one element per pointer that the mask includes";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope, CudaTile_PointerTile:$destination,
      CudaTile_TileType:$value, Optional<CudaTile_I1Tile>:$mask,
          Optional<CudaTile_TokenType>:$token,
      OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics ($memory_scope^)? $destination `,` $value (`,` $mask^)?
    (`token` `` `=` `` $token^)? (`optimization_hints` `=` $optimization_hints^)? attr-dict `:`
    custom<CudaTileType>(type($destination)) `,` custom<CudaTileType>(type($value))
    (`,` custom<CudaTileType>(type($mask))^)? `->` custom<CudaTileType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def CudaTile_AllocaOp : CudaTile_Op<"alloca", "13.3"> {
  let summary = "memory of this tile block until the entry ends";
  let arguments = (ins ConfinedAttr<I64Attr, [IntMinValue<0>]>:$num_elem,
                       ConfinedAttr<I64Attr, [IntMinValue<0>]>:$alignment, UnitAttr:$global);
  let results = (outs CudaTile_ScalarPointer:$result);
  let assemblyFormat = "`num_elem` `=` $num_elem `,` `alignment` `=` $alignment (`global` "
      "$global^)? "
                       "attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

class CudaTile_GdcOp<string mnemonic> : CudaTile_Op<mnemonic, "13.4"> {
  let arguments = (ins Optional<CudaTile_TokenType>:$token);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = "(`token` `=` $token^)? attr-dict `->` "
      "custom<CudaTileType>(type($result_token))";
}
def CudaTile_GdcLaunchDependentsTkoOp : CudaTile_GdcOp<"gdc_launch_dependents_tko"> {
  let summary = "lets dependent launches begin";
}
def CudaTile_GdcWaitTkoOp : CudaTile_GdcOp<"gdc_wait_tko"> {
  let summary = "waits for the preceding launch, with acquire semantics";
}

def CudaTile_MemoryFenceAliasTkoOp : CudaTile_Op<"memory_fence_alias_tko", "13.4"> {
  let summary = "orders accesses to one location through different virtual addresses";
  let arguments = (ins CudaTile_TokenType:$token);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = "$token attr-dict";
}

#endif // TILESMITH_CUDATILE_MEMORYOPS_TD
