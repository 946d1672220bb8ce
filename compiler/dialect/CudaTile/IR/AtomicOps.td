// AtomicOps.td - atomic accesses through pointers and views.
#ifndef TILESMITH_CUDATILE_ATOMICOPS_TD
#define TILESMITH_CUDATILE_ATOMICOPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"

def CudaTile_AtomicCASTkoOp : CudaTile_Op<"atomic_cas_tko", "13.1",
    [AllShapesMatch<["pointers", "cmp", "val", "result"]>, AllTypesMatch<["cmp", "val", "result"]>,
     AttrSizedOperandSegments]> {
  let summary = "stores val where memory holds cmp; gives the old value";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      CudaTile_MemoryScopeAttr:$memory_scope, CudaTile_PointerTile:$pointers,
          CudaTile_TileType:$cmp,
      CudaTile_TileType:$val, Optional<CudaTile_I1Tile>:$mask, Optional<CudaTile_TokenType>:$token);
  let results = (outs CudaTile_TileType:$result, CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics $memory_scope $pointers `,` $cmp `,` $val (`,` $mask^)?
    (`token` `` `=` `` $token^)? attr-dict `:` custom<CudaTileType>(type($pointers)) `,`
    custom<CudaTileType>(type($val)) (`,` custom<CudaTileType>(type($mask))^)?
    `->` custom<CudaTileType>(type($result)) `,` custom<CudaTileType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def CudaTile_AtomicRMWTkoOp : CudaTile_Op<"atomic_rmw_tko", "13.1",
    [AllShapesMatch<["pointers", "arg", "result"]>, AllTypesMatch<["arg", "result"]>,
     AttrSizedOperandSegments]> {
  let summary = "combines memory with arg; gives the old value";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      CudaTile_MemoryScopeAttr:$memory_scope, CudaTile_PointerTile:$pointers,
          CudaTile_AtomicRMWModeAttr:$mode,
      CudaTile_TileType:$arg, Optional<CudaTile_I1Tile>:$mask, Optional<CudaTile_TokenType>:$token);
  let results = (outs CudaTile_TileType:$result, CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics $memory_scope $pointers `,` $mode `,` $arg (`,` $mask^)?
    (`token` `` `=` `` $token^)? attr-dict `:` custom<CudaTileType>(type($pointers)) `,`
    custom<CudaTileType>(type($arg)) (`,` custom<CudaTileType>(type($mask))^)?
    `->` custom<CudaTileType>(type($result)) `,` custom<CudaTileType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def CudaTile_AtomicRedViewTkoOp : CudaTile_Op<"atomic_red_view_tko", "13.3",
    [AttrSizedOperandSegments]> {
  let summary = "combines one tile of a view with value";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      CudaTile_MemoryScopeAttr:$memory_scope, CudaTile_TileView:$view,
          Variadic<CudaTile_IntTile>:$index,
      CudaTile_AtomicRMWModeAttr:$mode, CudaTile_TileType:$value,
          Optional<CudaTile_TokenType>:$token,
      OptionalAttr<DenseBoolArrayAttr>:$inbounds);
  let results = (outs CudaTile_TokenType:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // TILESMITH_CUDATILE_ATOMICOPS_TD
