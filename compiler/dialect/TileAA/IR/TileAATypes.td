//===- TileAATypes.td - pointer, memref, tiled view, token, queue ---------------------------------===//
#ifndef TILEAA_TYPES
#define TILEAA_TYPES

include "compiler/dialect/TileAA/IR/TileAAAttrs.td"

class TileAA_Type<string name, string typeMnemonic> : TypeDef<TileAA_Dialect, name> {
  let mnemonic = typeMnemonic;
}

/// A list in square brackets; `?` stands for ShapedType::kDynamic.
class TileAA_Dims<string text = ""> : ArrayRefParameter<"int64_t", text> {
  let parser = "::tilesmith::tileaa::parseDims($_parser)";
  let printer = "::tilesmith::tileaa::printDims($_printer, $_self)";
}

class TileAA_OptionalDims<string text = ""> : OptionalArrayRefParameter<"int64_t", text> {
  let parser = "::tilesmith::tileaa::parseDims($_parser)";
  let printer = "::tilesmith::tileaa::printDims($_printer, $_self)";
}

def TileAA_PtrType : TileAA_Type<"Ptr", "ptr"> {
  let summary = "address of elements of one type in one address space (1 global, 3 shared)";
  let parameters = (ins "::mlir::Type":$pointee, "unsigned":$addressSpace);
  let assemblyFormat = "`<` $pointee `,` $addressSpace `>`";
}

def TileAA_MemRefType : TileAA_Type<"MemRef", "memref"> {
  let summary = "strided tensor in memory with its provenance";
  let description = [{
    Element (i0, i1, ...) lies `sum(i * stride)` elements behind the base. `?` marks extents and strides that
    `make_memref` supplies. Memrefs with different non-zero alias scopes never overlap; 0 means unknown.
  }];
  let parameters = (ins TileAA_Dims<"extents">:$shape, "::mlir::Type":$elementType, TileAA_Dims<"strides">:$strides,
                        "unsigned":$addressSpace, DefaultValuedParameter<"unsigned", "0">:$aliasScope);
  let assemblyFormat = "`<` $shape `x` $elementType `,` `strides` `=` $strides `,` $addressSpace (`,` `scope` `=` $aliasScope^)? `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    /// Number of `?` in the extents and in the strides.
    unsigned getNumDynamicDims() const;
    unsigned getNumDynamicStrides() const;
  }];
}

def TileAA_TiledViewType : TileAA_Type<"TiledView", "tiled_view"> {
  let summary = "grid of tiles over a memref";
  let description = [{
    Tile dimension i lies in memref dimension dimMap[i]. The tile at index I holds along i the coordinates
    `I_i * traversalStrides[i] + t` (without traversal strides: the tile extent). In a gather view the index of the
    sparse dimension is a rank-1 tile of coordinates, those of the others are first coordinates: `I_i + t`.
    Elements outside the memref read the padding value (none: unspecified) and are never written.
  }];
  let parameters = (ins TileAA_Dims<"tile extents">:$tileShape, "MemRefType":$memref, TileAA_Dims<"memref dimension per tile dimension">:$dimMap,
                        OptionalParameter<"PaddingValueAttr">:$padding,
                        TileAA_OptionalDims<"step between neighbouring tiles">:$traversalStrides,
                        OptionalParameter<"std::optional<int64_t>">:$sparseDim);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getTileShape().size(); }
    ::mlir::Type getElementType() const { return getMemref().getElementType(); }
    /// The loaded or stored tile.
    ::mlir::RankedTensorType getTileType() const;
    /// Distance of neighbouring tiles along tile dimension i.
    int64_t getStep(unsigned i) const;
    bool isGather() const { return getSparseDim().has_value(); }
  }];
}

def TileAA_MemTokenType : TileAA_Type<"MemToken", "mem_token"> {
  let summary = "memory-order edge; the scope it orders is kept beside the IR, so the type is unique per context";
}

def TileAA_ProgramIdType : TileAA_Type<"ProgramId", "program_id"> {
  let summary = "identity of a program (tile block) of a persistent kernel";
}

def TileAA_QueueType : TileAA_Type<"Queue", "queue"> {
  let summary = "typed channel between producer and consumer agents";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$resultTypes, DefaultValuedParameter<"bool", "false">:$isolated);
  let assemblyFormat = "`<` `[` $resultTypes `]` (`,` `isolated` `=` $isolated^)? `>`";
}

//===- constraints ------------------------------------------------------------------------------===//

def TileAA_MemToken : Type<CPred<"::llvm::isa<::tilesmith::tileaa::MemTokenType>($_self)">, "mem_token",
                           "::tilesmith::tileaa::MemTokenType">,
                      BuildableType<"$_builder.getType<::tilesmith::tileaa::MemTokenType>()">;
def TileAA_AnyMemRef : Type<CPred<"::llvm::isa<::tilesmith::tileaa::MemRefType>($_self)">, "memref",
                            "::tilesmith::tileaa::MemRefType">;
def TileAA_AnyTiledView : Type<CPred<"::llvm::isa<::tilesmith::tileaa::TiledViewType>($_self)">, "tiled view",
                               "::tilesmith::tileaa::TiledViewType">;
def TileAA_AnyQueue : Type<CPred<"::llvm::isa<::tilesmith::tileaa::QueueType>($_self)">, "queue",
                           "::tilesmith::tileaa::QueueType">;
def TileAA_AnyProgramId : Type<CPred<"::llvm::isa<::tilesmith::tileaa::ProgramIdType>($_self)">, "program id",
                               "::tilesmith::tileaa::ProgramIdType">;

class TileAA_ElementPred<string pred>
    : CPred<"[](::mlir::Type type) { return " # pred # "; }(::mlir::getElementTypeOrSelf($_self))">;
def TileAA_Float : Type<TileAA_ElementPred<"::llvm::isa<::mlir::FloatType>(type)">, "float or tensor of floats">;
def TileAA_Int : Type<TileAA_ElementPred<"type.isSignlessInteger()">, "integer or tensor of integers">;
def TileAA_Ptr : Type<TileAA_ElementPred<"::llvm::isa<::tilesmith::tileaa::PtrType>(type)">, "pointer or tensor of pointers">;
def TileAA_Bool : Type<TileAA_ElementPred<"type.isSignlessInteger(1)">, "i1 or tensor of i1">;
def TileAA_I64 : Type<TileAA_ElementPred<"type.isSignlessInteger(64)">, "i64 or tensor of i64">;
def TileAA_Scalar : Type<CPred<"$_self.isIntOrFloat() || ::llvm::isa<::tilesmith::tileaa::PtrType>($_self)">,
                         "integer, float or pointer">;
def TileAA_Element : Type<TileAA_ElementPred<"type.isIntOrFloat() || ::llvm::isa<::tilesmith::tileaa::PtrType>(type)">,
                          "scalar, or tensor of scalars">;
def TileAA_ScalarInt : Type<CPred<"$_self.isSignlessInteger() || $_self.isIndex()">, "integer or index">;
def TileAA_Addressable : AnyTypeOf<[TileAA_Ptr, TileAA_AnyMemRef]>;
def TileAA_Viewable : AnyTypeOf<[TileAA_AnyTiledView, TileAA_AnyMemRef]>;

#endif // TILEAA_TYPES
