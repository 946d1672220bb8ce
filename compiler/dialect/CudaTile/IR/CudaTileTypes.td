// CudaTileTypes.td - types of cuda_tile and the type constraints of its operands.
#ifndef TILESMITH_CUDATILE_TYPES_TD
#define TILESMITH_CUDATILE_TYPES_TD

include "compiler/dialect/CudaTile/IR/CudaTileAttrs.td"

// Element types, with the names that diagnostics use.
def CudaTile_I1 : TypeAlias<I1, "i1">;
def CudaTile_I4 : TypeAlias<I<4>, "i4">;
def CudaTile_I8 : TypeAlias<I8, "i8">;
def CudaTile_I16 : TypeAlias<I16, "i16">;
def CudaTile_I32 : TypeAlias<I32, "i32">;
def CudaTile_I64 : TypeAlias<I64, "i64">;
def CudaTile_F16 : TypeAlias<F16, "f16">;
def CudaTile_BF16 : TypeAlias<BF16, "bf16">;
def CudaTile_F32 : TypeAlias<F32, "f32">;
def CudaTile_TF32 : TypeAlias<TF32, "tf32">;
def CudaTile_F64 : TypeAlias<F64, "f64">;
def CudaTile_F8E4M3FN : TypeAlias<F8E4M3FN, "f8E4M3FN">;
def CudaTile_F8E5M2 : TypeAlias<F8E5M2, "f8E5M2">;
def CudaTile_F8E8M0FNU : TypeAlias<F8E8M0FNU, "f8E8M0FNU">;
def CudaTile_F4E2M1FN : TypeAlias<F4E2M1FN, "f4E2M1FN">;

def CudaTile_FloatNV8E5M3FNUType : CudaTile_TypeDef<"FloatNV8E5M3FNU", "fnv8E5M3FNU", "13.4",
    [DeclareTypeInterfaceMethods<FloatTypeInterface, ["getFloatSemantics"]>]> {
  let summary = "unsigned 8-bit float, 5 exponent bits, 3 mantissa bits, bias 15; 0xff is NaN";
  let description = [{
    MLIR and APFloat have no such format. The type is a FloatType so that its width is known and
    constants of it can be stored; its float semantics only fix the width of 8 bits. Values go
    through FloatNV8E5M3FNU.h.
  }];
}
// Where f4E2M1FN is allowed among others, fnv8E5M3FNU is too; diagnostics keep the public list,
// which ends at 13.3.
def CudaTile_F4E2M1FNOrNV8E5M3FNU
    : Type<Or<[F4E2M1FN.predicate,
               CPred<"::llvm::isa<::tilesmith::cuda_tile::FloatNV8E5M3FNUType>($_self)">]>,
           "f4E2M1FN">;

defvar CudaTile_intTypes = [CudaTile_I1, CudaTile_I8, CudaTile_I16, CudaTile_I32, CudaTile_I64];
defvar CudaTile_baseFloatTypes = [CudaTile_F16, CudaTile_BF16, CudaTile_F32, CudaTile_F64];
defvar CudaTile_narrowFloatTypes =
    [CudaTile_TF32, CudaTile_F8E4M3FN, CudaTile_F8E5M2, CudaTile_F8E8M0FNU,
     CudaTile_F4E2M1FNOrNV8E5M3FNU];
defvar CudaTile_floatTypes = !listconcat(CudaTile_baseFloatTypes, CudaTile_narrowFloatTypes);
defvar CudaTile_numberTypes = !listconcat(CudaTile_intTypes, CudaTile_floatTypes);

def CudaTile_AnyInt : AnyTypeOf<CudaTile_intTypes>;
// The order of the names follows the public diagnostics (tf32 before f64).
def CudaTile_AnyFloat : AnyTypeOf<[CudaTile_F16, CudaTile_BF16, CudaTile_F32, CudaTile_TF32,
    CudaTile_F64,
                                   CudaTile_F8E4M3FN, CudaTile_F8E5M2, CudaTile_F8E8M0FNU,
                                   CudaTile_F4E2M1FNOrNV8E5M3FNU]>;
def CudaTile_Number : AnyTypeOf<[CudaTile_AnyFloat, CudaTile_AnyInt]> {
  string cppType = "::mlir::Type";
}

def CudaTile_PointerType : CudaTile_TypeDef<"Pointer", "ptr", "13.1"> {
  let summary = "Pointer type"; // appears in diagnostics
  let description = "Typed pointer to global memory.";
  let parameters = (ins CudaTile_ConstrainedParam<CudaTile_Number>:$pointeeType,
                        OptionalParameter<"::tilesmith::cuda_tile::PtrAttrKindAttr">:$ptr_attr);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType), [{
      return $_get(pointeeType.getContext(), pointeeType, PtrAttrKindAttr());
    }]>,
    TypeBuilder<(ins "::mlir::Type":$pointeeType), [{
      return $_get($_ctxt, pointeeType, PtrAttrKindAttr());
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
}

def CudaTile_TileElement : AnyTypeOf<[CudaTile_Number, CudaTile_PointerType, CudaTile_I4]> {
  string cppType = "::mlir::Type";
}

def CudaTile_TileType : CudaTile_TypeDef<"Tile", "tile", "13.1", [ShapedTypeInterface]> {
  let summary = "Tile type"; // appears in diagnostics
  let description = "Value of static shape; every extent is a power of two; rank 0 is a scalar.";
  let parameters = (ins ArrayRefParameter<"int64_t", "shape of the tile">:$shape,
                        CudaTile_ConstrainedParam<CudaTile_TileElement>:$elementType);
  let builders = [TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                                      "::mlir::Type":$elementType)>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    TileType cloneWith(::std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const;
  }];
}

def CudaTile_TensorViewType : CudaTile_TypeDef<"TensorView", "tensor_view", "13.1"> {
  let summary = "tensor view type"; // appears in diagnostics
  let description = "Strided tensor in global memory; extents and strides are constants or "
      "dynamic.";
  let parameters = (ins CudaTile_ConstrainedParam<CudaTile_Number>:$elementType,
                        ArrayRefParameter<"int64_t", "shape of the tensor view">:$shape,
                        ArrayRefParameter<"int64_t", "strides of the tensor view, in "
                            "elements">:$strides,
                        OptionalParameter<"::tilesmith::cuda_tile::PtrAttrKindAttr">:$ptr_attr);
  let builders = [TypeBuilder<(ins "::mlir::Type":$elementType, "::llvm::ArrayRef<int64_t>":$shape,
                                   "::llvm::ArrayRef<int64_t>":$strides), [{
    return $_get($_ctxt, elementType, shape, strides, PtrAttrKindAttr());
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static constexpr int64_t kDynamic = ::mlir::ShapedType::kDynamic;
    size_t dynamicShapeAmount();
    size_t dynamicStrideAmount();
  }];
}

class CudaTile_ViewType<string name, string mnemonic, string since, dag params>
    : CudaTile_TypeDef<name, mnemonic, since, [DeclareTypeInterfaceMethods<CudaTile_TileView>]> {
  let parameters = params;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def CudaTile_PartitionViewType : CudaTile_ViewType<"PartitionView", "partition_view", "13.1",
    (ins "::mlir::DenseI32ArrayAttr":$tile_shape,
         "::tilesmith::cuda_tile::TensorViewType":$tensor_view,
         ArrayRefParameter<"int32_t", "tensor dimension of each tile dimension">:$dim_map,
         OptionalParameter<"::tilesmith::cuda_tile::PaddingValueAttr">:$padding_value)> {
  let summary = "partition view type"; // appears in diagnostics
  let description = "Grid of equal tiles that covers a tensor.";
}

def CudaTile_StridedViewType : CudaTile_ViewType<"StridedView", "strided_view", "13.3",
    (ins "::mlir::DenseI32ArrayAttr":$tile_shape,
         "::mlir::DenseI32ArrayAttr":$traversal_strides,
         "::tilesmith::cuda_tile::TensorViewType":$tensor_view,
         ArrayRefParameter<"int32_t", "tensor dimension of each tile dimension">:$dim_map,
         OptionalParameter<"::tilesmith::cuda_tile::PaddingValueAttr">:$padding_value)> {
  let summary = "strided view type"; // appears in diagnostics
  let description = "Tiles at multiples of the traversal strides.";
}

def CudaTile_GatherScatterViewType
    : CudaTile_ViewType<"GatherScatterView", "gather_scatter_view", "13.3",
    (ins "::mlir::DenseI32ArrayAttr":$tile_shape,
         "::tilesmith::cuda_tile::TensorViewType":$tensor_view,
         "uint32_t":$sparse_dim,
         OptionalParameter<"::tilesmith::cuda_tile::PaddingValueAttr">:$padding_value)> {
  let summary = "gather/scatter view type"; // appears in diagnostics
  let description = "Tiles whose coordinates along one dimension are a vector of indices.";
}

def CudaTile_TokenType : CudaTile_TypeDef<"Token", "token", "13.1"> {
  let summary = "cuda tile token type"; // appears in diagnostics
  let description = "Edge of the order between memory accesses; no value at run time.";
}

def CudaTile_StringType : CudaTile_TypeDef<"String", "string", "13.1"> {
  let summary = "specific to the 13.1 implementation; no op makes one";
}

// A number or any type of this dialect.
def CudaTile_AnyType : AnyTypeOf<[
  CudaTile_Number, Type<CPred<"::tilesmith::cuda_tile::isCudaTileType($_self)">>
]>;

// Tiles of given element types; the summary starts public diagnostics ("tile of i1 or ... values").
class CudaTile_TileOf<list<Type> allowed, list<Pred> preds = [], string summary = "tile">
    : ShapedContainerType<allowed,
        And<!listconcat([CPred<"::llvm::isa<::tilesmith::cuda_tile::TileType>($_self)">], preds)>,
        summary, "::tilesmith::cuda_tile::TileType">;
class CudaTile_ScalarTileOf<Type element>
    : CudaTile_TileOf<[element], [HasAnyRankOfPred<[0]>], "0D tile">,
      BuildableType<!if(!eq(element.builderCall, ""), "",
        "::tilesmith::cuda_tile::TileType::get(::llvm::ArrayRef<int64_t>(), "
            # element.builderCall # ")")>;

def CudaTile_I1Tile : CudaTile_TileOf<[CudaTile_I1]>;
def CudaTile_I8Tile : CudaTile_TileOf<[CudaTile_I8]>;
def CudaTile_I64Tile : CudaTile_TileOf<[CudaTile_I64]>;
def CudaTile_IntTile : CudaTile_TileOf<CudaTile_intTypes>;
def CudaTile_BaseFloatTile : CudaTile_TileOf<CudaTile_baseFloatTypes>;
def CudaTile_FloatTile : CudaTile_TileOf<CudaTile_floatTypes>;
def CudaTile_NumberTile : CudaTile_TileOf<CudaTile_numberTypes>;
def CudaTile_NumberOrI4Tile : CudaTile_TileOf<!listconcat(CudaTile_numberTypes, [CudaTile_I4])>;
def CudaTile_IntOrI4Tile : CudaTile_TileOf<!listconcat(CudaTile_intTypes, [CudaTile_I4])>;
def CudaTile_PointerTile : CudaTile_TileOf<[CudaTile_PointerType]>;
def CudaTile_ScalarI1 : CudaTile_ScalarTileOf<CudaTile_I1>;
def CudaTile_ScalarI32 : CudaTile_ScalarTileOf<CudaTile_I32>;
def CudaTile_ScalarInt : CudaTile_ScalarTileOf<CudaTile_AnyInt>;
def CudaTile_ScalarPointer : CudaTile_ScalarTileOf<CudaTile_PointerType>;

#endif // TILESMITH_CUDATILE_TYPES_TD
