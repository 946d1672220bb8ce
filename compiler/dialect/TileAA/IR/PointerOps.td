//===- PointerOps.td - pointers, memrefs, tiled views, globals ------------------------------------===//
#ifndef TILEAA_POINTER_OPS
#define TILEAA_POINTER_OPS

include "compiler/dialect/TileAA/IR/TileAATypes.td"
include "mlir/IR/SymbolInterfaces.td"

class TileAA_AliasOp<string mnemonic, list<Trait> traits = []>
    : TileAA_Op<mnemonic, [Pure, DeclareOpInterfaceMethods<TileAA_AliasOpInterface>] # traits>;

def TileAA_AddPtrOp : TileAA_AliasOp<"addptr", [AllTypesMatch<["base", "result"]>]> {
  let summary = "address moved by a signed number of pointees";
  let arguments = (ins TileAA_Ptr:$base, TileAA_Int:$offset);
  let results = (outs TileAA_Ptr:$result);
  let hasVerifier = 1;
}

def TileAA_IntToPtrOp : TileAA_AliasOp<"int_to_ptr", [SameOperandsAndResultShape]> {
  let summary = "address as pointer";
  let arguments = (ins TileAA_I64:$source);
  let results = (outs TileAA_Ptr:$result);
}

def TileAA_PtrToIntOp : TileAA_AliasOp<"ptr_to_int", [SameOperandsAndResultShape]> {
  let summary = "pointer as address";
  let arguments = (ins TileAA_Ptr:$source);
  let results = (outs TileAA_I64:$result);
}

def TileAA_MakeMemRefOp : TileAA_AliasOp<"make_memref", [AttrSizedOperandSegments]> {
  let summary = "strided tensor over a pointer; operands fill the `?` of the type in order";
  let arguments = (ins TileAA_Ptr:$base, Optional<TileAA_ScalarInt>:$offset, Variadic<TileAA_ScalarInt>:$sizes,
                       Variadic<TileAA_ScalarInt>:$strides, DefaultValuedAttr<I32Attr, "0">:$alias_scope);
  let results = (outs TileAA_AnyMemRef:$result);
  let hasVerifier = 1;
}

def TileAA_BlockTileOp : TileAA_AliasOp<"block_tile"> {
  let summary = "grid of tiles over a memref";
  let description = [{
    `dimGroups[i]` lists the memref dimensions that tile dimension i walks; the result type carries the same facts
    (tile shape, dimension map, padding, steps, sparse dimension).
  }];
  let arguments = (ins TileAA_AnyMemRef:$source, DenseI64ArrayAttr:$tileSizes, ArrayAttr:$dimGroups,
                       OptionalAttr<TileAA_PaddingValueAttr>:$padding_value);
  let results = (outs TileAA_AnyTiledView:$result);
  let hasVerifier = 1;
}

def TileAA_ConvTileOp : TileAA_AliasOp<"conv_tile"> {
  let summary = "grid of convolution tiles over a memref";
  let arguments = (ins TileAA_AnyMemRef:$source, DenseI64ArrayAttr:$filterSizes, TileAA_ConvParamsAttr:$conv_params,
                       ArrayAttr:$dimGroups, I64Attr:$channel, TileAA_ActivationLayoutAttr:$activation_layout);
  let results = (outs TileAA_AnyTiledView:$result);
  let hasVerifier = 1;
}

// Not in the documented roster of 73: the public dialect gained alloca in 13.3.
def TileAA_AllocaOp : TileAA_Op<"alloca", [DeclareOpInterfaceMethods<TileAA_AliasOpInterface>, MemoryEffects<[MemAlloc]>]> {
  let summary = "fresh uninitialised memory of this program, alive until the function ends; size in elements";
  let arguments = (ins I64Attr:$num_elem, I64Attr:$alignment, UnitAttr:$global);
  let results = (outs TileAA_Ptr:$result);
}

def TileAA_GetDimSizeOp : TileAA_Op<"get_dim_size", [Pure]> {
  let summary = "extent of a dimension of the memref (of a view: of the memref it covers)";
  let arguments = (ins TileAA_Viewable:$source, I32Attr:$dim);
  let results = (outs TileAA_ScalarInt:$result);
  let hasVerifier = 1;
}

def TileAA_GlobalOp : TileAA_Op<"global", [Symbol]> {
  let summary = "module-level memory with an initial value";
  let arguments = (ins SymbolNameAttr:$sym_name, ElementsAttr:$value, DefaultValuedAttr<I64Attr, "0">:$alignment,
                       UnitAttr:$constant, OptionalAttr<StrAttr>:$sym_visibility);
}

def TileAA_GetGlobalOp : TileAA_AliasOp<"get_global", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "pointer to the first element of a global";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs TileAA_Ptr:$result);
}

#endif // TILEAA_POINTER_OPS
