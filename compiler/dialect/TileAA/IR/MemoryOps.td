//===- MemoryOps.td - loads, stores, atomics ------------------------------------------------------===//
//
// All take an optional token they wait for and may return one that stands for the access. Ordering other than weak
// needs a scope. Masked-off and out-of-tensor elements make no access.
//
//===----------------------------------------------------------------------------------------------===//
#ifndef TILEAA_MEMORY_OPS
#define TILEAA_MEMORY_OPS

include "compiler/dialect/TileAA/IR/TileAATypes.td"
include "mlir/IR/OpAsmInterface.td"

class TileAA_MemoryOp<string mnemonic, list<Trait> traits = []>
    : TileAA_Op<mnemonic, [AttrSizedOperandSegments, DeclareOpInterfaceMethods<TileAA_MemoryOpInterface>,
                           DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, TileAA_AliasTokenOpInterface] # traits> {
  let hasVerifier = 1;
}

defvar Named = [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>];
defvar Weak = DefaultValuedAttr<TileAA_MemSemanticAttr, "::tilesmith::tileaa::MemSemantic::weak">;
defvar Scope = OptionalAttr<TileAA_MemScopeAttr>;
defvar InBounds = OptionalAttr<DenseBoolArrayAttr>;

def TileAA_LoadOp : TileAA_MemoryOp<"load", Named> {
  let summary = "reads through a pointer, a tile of pointers, or a memref element";
  let arguments = (ins TileAA_Addressable:$base, Variadic<TileAA_ScalarInt>:$indices, Optional<TileAA_Bool>:$mask,
                       Optional<TileAA_Element>:$other, Optional<TileAA_MemToken>:$token, Weak:$mem_semantic, Scope:$mem_scope,
                       OptionalAttr<TileAA_CacheModifierAttr>:$cache_modifier,
                       OptionalAttr<TileAA_EvictionPolicyAttr>:$eviction_policy, InBounds:$in_bounds, UnitAttr:$is_volatile,
                       OptionalAttr<I64Attr>:$latency);
  let results = (outs TileAA_Element:$result, Optional<TileAA_MemToken>:$result_token);
}

def TileAA_StoreOp : TileAA_MemoryOp<"store"> {
  let summary = "writes through a pointer, a tile of pointers, or a memref element";
  let arguments = (ins TileAA_Addressable:$base, TileAA_Element:$value, Variadic<TileAA_ScalarInt>:$indices,
                       Optional<TileAA_Bool>:$mask, Optional<TileAA_MemToken>:$token, Weak:$mem_semantic, Scope:$mem_scope,
                       OptionalAttr<TileAA_CacheModifierAttr>:$cache_modifier,
                       OptionalAttr<TileAA_EvictionPolicyAttr>:$eviction_policy, UnitAttr:$is_volatile,
                       OptionalAttr<I64Attr>:$latency);
  let results = (outs Optional<TileAA_MemToken>:$result_token);
}

def TileAA_TiledLoadOp : TileAA_MemoryOp<"tiled_load", Named> {
  let summary = "reads one tile of a view; unsigned tile indices";
  let arguments = (ins TileAA_AnyTiledView:$view, Variadic<TileAA_ScalarInt>:$indices, Optional<TileAA_MemToken>:$token,
                       Weak:$mem_semantic, Scope:$mem_scope, InBounds:$in_bounds, OptionalAttr<BoolAttr>:$allow_tma,
                       OptionalAttr<I64Attr>:$latency, OptionalAttr<AnyAttr>:$copy_atom, OptionalAttr<AnyAttr>:$layout);
  let results = (outs AnyRankedTensor:$result, Optional<TileAA_MemToken>:$result_token);
}

def TileAA_TiledStoreOp : TileAA_MemoryOp<"tiled_store"> {
  let summary = "writes one tile of a view; elements outside the memref are dropped";
  let arguments = (ins TileAA_AnyTiledView:$view, AnyRankedTensor:$value, Variadic<TileAA_ScalarInt>:$indices,
                       Optional<TileAA_MemToken>:$token, Weak:$mem_semantic, Scope:$mem_scope, InBounds:$in_bounds,
                       OptionalAttr<BoolAttr>:$allow_tma, OptionalAttr<I64Attr>:$latency, OptionalAttr<AnyAttr>:$copy_atom,
                       OptionalAttr<AnyAttr>:$layout);
  let results = (outs Optional<TileAA_MemToken>:$result_token);
}

def TileAA_GatherLoadOp : TileAA_MemoryOp<"gather_load", Named> {
  let summary = "reads a tile of a gather view; the index of the sparse dimension is a rank-1 tile";
  let arguments = (ins TileAA_Viewable:$view, Variadic<TileAA_Int>:$indices, Optional<TileAA_Bool>:$mask,
                       Optional<TileAA_Element>:$other, Optional<TileAA_MemToken>:$token, Weak:$mem_semantic, Scope:$mem_scope,
                       OptionalAttr<TileAA_PaddingValueAttr>:$padding_value, InBounds:$in_bounds, OptionalAttr<BoolAttr>:$allow_tma,
                       OptionalAttr<I64Attr>:$latency, OptionalAttr<AnyAttr>:$copy_atom);
  let results = (outs AnyRankedTensor:$result, Optional<TileAA_MemToken>:$result_token);
}

def TileAA_ScatterStoreOp : TileAA_MemoryOp<"scatter_store"> {
  let summary = "writes a tile of a gather view";
  let arguments = (ins TileAA_Viewable:$view, AnyRankedTensor:$value, Variadic<TileAA_Int>:$indices,
                       Optional<TileAA_Bool>:$mask, Optional<TileAA_MemToken>:$token, Weak:$mem_semantic, Scope:$mem_scope,
                       InBounds:$in_bounds, OptionalAttr<BoolAttr>:$allow_tma, OptionalAttr<I64Attr>:$latency,
                       OptionalAttr<AnyAttr>:$copy_atom);
  let results = (outs Optional<TileAA_MemToken>:$result_token);
}

def TileAA_AtomicCASOp : TileAA_MemoryOp<"atomic_cas", Named> {
  let summary = "per element: bitwise compare and swap, result is the old value (of a masked-off element: compare)";
  let arguments = (ins TileAA_Addressable:$base, TileAA_Element:$compare, TileAA_Element:$replacement,
                       Optional<TileAA_Bool>:$mask, Optional<TileAA_MemToken>:$token, TileAA_MemSemanticAttr:$mem_semantic,
                       Scope:$mem_scope);
  let results = (outs TileAA_Element:$result, Optional<TileAA_MemToken>:$result_token);
}

def TileAA_AtomicRMWOp : TileAA_MemoryOp<"atomic_rmw", Named> {
  let summary = "per element: atomic read-modify-write, result is the old value";
  let arguments = (ins TileAA_Addressable:$base, TileAA_Element:$value, Optional<TileAA_Bool>:$mask,
                       Optional<TileAA_MemToken>:$token, TileAA_RMWModeAttr:$rmw_mode, TileAA_MemSemanticAttr:$mem_semantic,
                       Scope:$mem_scope);
  let results = (outs TileAA_Element:$result, Optional<TileAA_MemToken>:$result_token);
}

def TileAA_TiledAtomicRMWOp : TileAA_MemoryOp<"tiled_atomic_rmw", Named> {
  let summary = "atomic read-modify-write of one tile of a view; the old values are optional";
  let arguments = (ins TileAA_AnyTiledView:$view, AnyRankedTensor:$value, Variadic<TileAA_ScalarInt>:$indices,
                       Optional<TileAA_MemToken>:$token, TileAA_RMWModeAttr:$rmw_mode, TileAA_MemSemanticAttr:$mem_semantic,
                       Scope:$mem_scope, InBounds:$in_bounds, OptionalAttr<AnyAttr>:$copy_atom);
  let results = (outs AnyRankedTensor:$result, Optional<TileAA_MemToken>:$result_token);
}

#endif // TILEAA_MEMORY_OPS
