// MultimemOps.td - accesses to all copies behind a multicast pointer (13.5).
#ifndef TILESMITH_CUDATILE_MULTIMEMOPS_TD
#define TILESMITH_CUDATILE_MULTIMEMOPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"

defvar reductionAttr = DefaultValuedAttr<CudaTile_MultimemReductionKindAttr,
                                         "::tilesmith::cuda_tile::MultimemReductionKind::ADD">;

def CudaTile_MultimemLoadReduceViewTkoOp
    : CudaTile_Op<"multimem_load_reduce_view_tko", "13.5", [AttrSizedOperandSegments]> {
  let summary = "loads a tile from every copy and combines the copies";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope, CudaTile_TileView:$view,
      Variadic<CudaTile_IntTile>:$index, Optional<CudaTile_TokenType>:$token,
          reductionAttr:$reduction,
      OptionalAttr<DenseBoolArrayAttr>:$inbounds);
  let results = (outs CudaTile_TileType:$reduced_values, CudaTile_TokenType:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_MultimemReduceViewTkoOp
    : CudaTile_Op<"multimem_reduce_view_tko", "13.5", [AttrSizedOperandSegments]> {
  let summary = "combines a tile with every copy";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      CudaTile_MemoryScopeAttr:$memory_scope, CudaTile_TileView:$view, CudaTile_TileType:$tile,
      Variadic<CudaTile_IntTile>:$index, Optional<CudaTile_TokenType>:$token,
          reductionAttr:$reduction,
      OptionalAttr<DenseBoolArrayAttr>:$inbounds);
  let results = (outs CudaTile_TokenType:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_MultimemStoreViewTkoOp
    : CudaTile_Op<"multimem_store_view_tko", "13.5", [AttrSizedOperandSegments]> {
  let summary = "stores a tile to every copy";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope, CudaTile_TileView:$view,
          CudaTile_TileType:$tile,
      Variadic<CudaTile_IntTile>:$index, Optional<CudaTile_TokenType>:$token,
      OptionalAttr<DenseBoolArrayAttr>:$inbounds);
  let results = (outs CudaTile_TokenType:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // TILESMITH_CUDATILE_MULTIMEMOPS_TD
