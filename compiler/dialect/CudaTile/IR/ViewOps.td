// ViewOps.td - views of tensors in global memory and accesses through them.
#ifndef TILESMITH_CUDATILE_VIEWOPS_TD
#define TILESMITH_CUDATILE_VIEWOPS_TD

include "compiler/dialect/CudaTile/IR/CudaTileTypes.td"

def CudaTile_MakeTensorViewOp : CudaTile_Op<"make_tensor_view", "13.1",
    [AttrSizedOperandSegments, NoMemoryEffect,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "tensor at a base pointer; operands give the dynamic extents and strides";
  let arguments = (ins CudaTile_ScalarPointer:$base, Variadic<CudaTile_ScalarInt>:$dynamicShape,
                       Variadic<CudaTile_ScalarInt>:$dynamicStrides);
  let results = (outs CudaTile_TensorViewType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

class CudaTile_MakeViewOp<string mnemonic, string since, Type viewType>
    : CudaTile_Op<mnemonic, since,
        [Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let arguments = (ins CudaTile_TensorViewType:$tensor_view);
  let results = (outs viewType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def CudaTile_MakePartitionViewOp
    : CudaTile_MakeViewOp<"make_partition_view", "13.1", CudaTile_PartitionViewType> {
  let summary = "grid of tiles over a tensor";
}
def CudaTile_MakeStridedViewOp : CudaTile_MakeViewOp<"make_strided_view", "13.3",
    CudaTile_StridedViewType> {
  let summary = "tiles at chosen distances over a tensor";
}
def CudaTile_MakeGatherScatterViewOp
    : CudaTile_MakeViewOp<"make_gather_scatter_view", "13.3", CudaTile_GatherScatterViewType> {
  let summary = "tiles with a vector of coordinates along one dimension";
}

class CudaTile_ShapeQueryOp<string mnemonic, Type sourceType>
    : CudaTile_Op<mnemonic, "13.1", [NoMemoryEffect]> {
  let arguments = (ins sourceType:$src);
  let results = (outs Variadic<CudaTile_ScalarInt>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def CudaTile_GetTensorShapeOp : CudaTile_ShapeQueryOp<"get_tensor_shape", CudaTile_TensorViewType> {
  let summary = "extents of a tensor, in elements";
}
def CudaTile_GetIndexSpaceShapeOp : CudaTile_ShapeQueryOp<"get_index_space_shape",
    CudaTile_TileView> {
  let summary = "extents of a view, in tiles";
}

def CudaTile_LoadViewTkoOp : CudaTile_Op<"load_view_tko", "13.1", [AttrSizedOperandSegments]> {
  let summary = "one tile of a view; elements outside the tensor are the padding value";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope, CudaTile_TileView:$view,
      Variadic<CudaTile_IntTile>:$index, Optional<CudaTile_TokenType>:$token,
      OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints,
      OptionalAttr<DenseBoolArrayAttr>:$inbounds);
  let results = (outs CudaTile_TileType:$tile, CudaTile_TokenType:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_StoreViewTkoOp : CudaTile_Op<"store_view_tko", "13.1", [AttrSizedOperandSegments]> {
  let summary = "stores one tile of a view; elements outside the tensor are dropped";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope, CudaTile_TileType:$tile,
          CudaTile_TileView:$view,
      Variadic<CudaTile_IntTile>:$index, Optional<CudaTile_TokenType>:$token,
      OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints,
      OptionalAttr<DenseBoolArrayAttr>:$inbounds);
  let results = (outs CudaTile_TokenType:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // TILESMITH_CUDATILE_VIEWOPS_TD
