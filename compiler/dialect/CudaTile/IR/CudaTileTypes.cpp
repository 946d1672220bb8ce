//===- CudaTileTypes.cpp - types: syntax and invariants ---------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileAsm.h"
#include "compiler/dialect/CudaTile/IR/CudaTileVerify.h"

#include "llvm/ADT/APFloat.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/CudaTile/IR/CudaTileTypeInterfaces.cpp.inc"
#include "compiler/dialect/CudaTile/IR/CudaTileTypes.cpp.inc"

namespace tilesmith::cuda_tile {

void CudaTileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialect/CudaTile/IR/CudaTileTypes.cpp.inc"
      >();
}

const llvm::fltSemantics &FloatNV8E5M3FNUType::getFloatSemantics() const {
  return llvm::APFloat::Float8E5M2(); // only the width is right
}

//===-- queries -------------------------------------------------------------------------------===//

bool isCudaTileType(Type type) {
  return isa<CudaTileDialect>(type.getDialect());
}

bool isPointerLike(Type type) {
  if (auto tile = dyn_cast<TileType>(type))
    type = tile.getElementType();
  return isa<PointerType>(type);
}

TileType getI1SameShape(Type tileType) {
  return TileType::get(cast<TileType>(tileType).getShape(),
                       IntegerType::get(tileType.getContext(), 1));
}

TensorViewType getUnderlyingTensorView(Type view) {
  return llvm::TypeSwitch<Type, TensorViewType>(view)
      .Case<PartitionViewType, StridedViewType, GatherScatterViewType>(
          [](auto v) { return v.getTensorView(); })
      .Case<TensorViewType>([](TensorViewType v) { return v; })
      .Default([](Type) { return TensorViewType(); });
}

bool impl::pointsTo(Type values, Type pointers) {
  auto valueTile = dyn_cast<TileType>(values);
  auto pointerTile = dyn_cast<TileType>(pointers);
  if (!valueTile || !pointerTile)
    return false;
  auto pointer = dyn_cast<PointerType>(pointerTile.getElementType());
  return pointer && pointerTile.getShape() == valueTile.getShape() &&
         pointer.getPointeeType() == valueTile.getElementType();
}

bool impl::sameTileShape(Type lhs, Type rhs) {
  auto l = dyn_cast<TileType>(lhs), r = dyn_cast<TileType>(rhs);
  return l && r && l.getShape() == r.getShape();
}

bool impl::sameTileType(Type lhs, Type rhs) {
  return isa<TileType>(lhs) && lhs == rhs;
}

//===-- types without prefix ------------------------------------------------------------------===//

ParseResult parseCudaTileType(AsmParser &parser, Type &type) {
  // Newer MLIR has a builtin type of the same name.
  if (succeeded(parser.parseOptionalKeyword(TokenType::getMnemonic()))) {
    type = TokenType::get(parser.getContext());
    return success();
  }
  OptionalParseResult builtin = parser.parseOptionalType(type);
  if (builtin.has_value())
    return *builtin;
  StringRef mnemonic;
  OptionalParseResult own = generatedTypeParser(parser, &mnemonic, type);
  if (own.has_value())
    return *own;
  return parser.emitError(parser.getCurrentLocation(), "unknown type: ") << mnemonic;
}

ParseResult parseCudaTileType(AsmParser &parser, SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(
      [&] { return parseCudaTileType(parser, types.emplace_back()); });
}

void printCudaTileType(AsmPrinter &printer, Type type) {
  if (!isCudaTileType(type) || failed(generatedTypePrinter(type, printer)))
    printer.printType(type);
}
void printCudaTileType(AsmPrinter &printer, Operation *, Type type) {
  printCudaTileType(printer, type);
}
void printCudaTileType(AsmPrinter &printer, TypeRange types) {
  llvm::interleaveComma(types, printer, [&](Type type) { printCudaTileType(printer, type); });
}
void printCudaTileType(AsmPrinter &printer, Operation *, TypeRange types) {
  printCudaTileType(printer, types);
}

//===-- pieces of type syntax -----------------------------------------------------------------===//

static void printShapedElement(AsmPrinter &printer, ArrayRef<int64_t> shape, Type elementType) {
  printer.printDimensionList(shape);
  if (!shape.empty())
    printer << "x";
  printCudaTileType(printer, elementType);
}

//===-- pointer -------------------------------------------------------------------------------===//

Type PointerType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type pointee;
  PtrAttrKindAttr ptrAttr;
  if (parser.parseLess() || parseCudaTileType(parser, pointee))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    ptrAttr = llvm::dyn_cast_if_present<PtrAttrKindAttr>(PtrAttrKindAttr::parse(parser, Type()));
    if (!ptrAttr)
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(loc, parser.getContext(), pointee, ptrAttr);
}

void PointerType::print(AsmPrinter &printer) const {
  printer << "<";
  printCudaTileType(printer, getPointeeType());
  if (getPtrAttr()) {
    printer << ", ";
    getPtrAttr().print(printer);
  }
  printer << ">";
}

//===-- tile ----------------------------------------------------------------------------------===//

TileType TileType::get(ArrayRef<int64_t> shape, Type elementType) {
  return get(elementType.getContext(), shape, elementType);
}

TileType TileType::cloneWith(std::optional<ArrayRef<int64_t>> shape, Type elementType) const {
  return get(shape.value_or(getShape()), elementType);
}

Type TileType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parseCudaTileType(parser, elementType) || parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(loc, parser.getContext(), shape, elementType);
}

void TileType::print(AsmPrinter &printer) const {
  printer << "<";
  printShapedElement(printer, getShape(), getElementType());
  printer << ">";
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType) {
  if (isa<Float4E2M1FNType>(elementType) &&
      llvm::all_of(shape, [](int64_t dim) { return dim % 2 != 0; }))
    // rule: tile_f4_even
    return emitError() << "F4E2M1FN tiles must have an even number of elements";
  Profile profile = elementType.getContext()->getLoadedDialect<CudaTileDialect>()->getProfile();
  if (profile == Profile::Tileiras13_1 && isNewerElement(elementType))
    // rule: profile_element
    return emitError() << "failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or "
                          "f8E4M3FN or f8E5M2 or i1 or i8 or i16 or i32 or i64 or Pointer type";
  // A rule of the 13.5 tool; the public dialect has none.
  auto pointer = dyn_cast<PointerType>(elementType);
  if (pointer && !shape.empty() && isa<Float4E2M1FNType>(pointer.getPointeeType()) &&
      profile == Profile::Tileiras13_5)
    // rule: tool_f4_pointers
    return emitError() << "tiles of ptr<f4E2M1FN> must have rank 0; use an f4 tile view for memory "
                          "accesses";
  int64_t elements = 1;
  for (int64_t dim : shape) {
    if (dim <= 0)
      // rule: tile_positive
      return emitError() << "all dimensions must be positive constants, got " << shape;
    if (!llvm::isPowerOf2_64(dim))
      // rule: tile_power_of_two
      return emitError() << "all dimensions must be powers of two, got " << shape;
    if (elements > maxTileNumElements / dim)
      // rule: tile_elements, view_tile_elements
      return emitError() << "tile would exceed the maximum of " << maxTileNumElements
                         << " elements";
    elements *= dim;
  }
  return success();
}

//===-- tensor view ---------------------------------------------------------------------------===//

static ParseResult parseStrides(AsmParser &parser, SmallVectorImpl<int64_t> &strides) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalQuestion())) {
      strides.push_back(TensorViewType::kDynamic);
      return success();
    }
    int64_t stride = 0;
    OptionalParseResult parsed = parser.parseOptionalInteger(stride);
    if (!parsed.has_value())
      return parser.emitError(loc, "expected either 64-bit integer or question mark");
    if (failed(*parsed))
      return failure();
    // Zero and below are refused here so that the marker of dynamic strides cannot be written as a
    // number.
    if (stride <= 0)
      return parser.emitError(loc, "expected strictly positive integer, got ") << stride;
    strides.push_back(stride);
    return success();
  });
}

Type TensorViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, strides;
  Type elementType;
  PtrAttrKindAttr ptrAttr;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/true) ||
      parseCudaTileType(parser, elementType))
    return {};
  if (shape.empty()) {
    if (succeeded(parser.parseOptionalComma())) {
      Attribute attr;
      bool hasStrides = succeeded(parser.parseOptionalKeyword("strides"));
      OptionalParseResult parsed =
          hasStrides ? OptionalParseResult() : parser.parseOptionalAttribute(attr);
      if (parsed.has_value() && failed(*parsed))
        return {};
      ptrAttr = llvm::dyn_cast_if_present<PtrAttrKindAttr>(attr);
      if (!ptrAttr) {
        parser.emitError(parser.getCurrentLocation(),
                         hasStrides ? "strides must not be provided for 0-d tiles"
                                    : "unexpected token after element type in 0-d tensor_view");
        return {};
      }
    }
  } else {
    if (failed(parser.parseOptionalComma())) {
      parser.emitError(parser.getCurrentLocation(), "expected 'strides'");
      return {};
    }
    if (parser.parseKeyword("strides") || parser.parseEqual() || parseStrides(parser, strides))
      return {};
    if (succeeded(parser.parseOptionalComma()) && failed(parser.parseAttribute(ptrAttr)))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TensorViewType>(loc, parser.getContext(), elementType, shape, strides,
                                           ptrAttr);
}

void TensorViewType::print(AsmPrinter &printer) const {
  printer << "<";
  printShapedElement(printer, getShape(), getElementType());
  if (!getShape().empty()) {
    printer << ", strides=[";
    llvm::interleave(
        getStrides(), printer,
        [&](int64_t stride) { stride == kDynamic ? printer << "?" : printer << stride; }, ",");
    printer << "]";
  }
  if (getPtrAttr())
    printer << ", " << getPtrAttr();
  printer << ">";
}

static std::string formatDims(ArrayRef<int64_t> dims) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(dims, os, [&](int64_t dim) {
    if (dim == TensorViewType::kDynamic)
      os << "?";
    else
      os << dim;
  });
  return text + "]";
}

LogicalResult TensorViewType::verify(function_ref<InFlightDiagnostic()> emitError, Type,
                                     ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                                     PtrAttrKindAttr) {
  if (shape.size() != strides.size())
    // rule: tensor_view_rank
    return emitError() << "expected shape and stride to be of same rank but got shape of rank "
                       << shape.size() << " and stride of rank " << strides.size();
  auto invalid = [](int64_t dim) { return dim <= 0 && dim != kDynamic; };
  if (llvm::any_of(shape, invalid))
    // rule: tensor_view_extent
    return emitError() << "dimensions must have strictly positive constant sizes but got "
                       << formatDims(shape);
  if (llvm::any_of(strides, invalid))
    // rule: - (text refuses it while parsing; bytecode does not)
    return emitError() << "dimensions must have strictly positive constant strides but got "
                       << formatDims(strides);
  return success();
}

size_t TensorViewType::dynamicShapeAmount() {
  return llvm::count(getShape(), kDynamic);
}
size_t TensorViewType::dynamicStrideAmount() {
  return llvm::count(getStrides(), kDynamic);
}

//===-- views: syntax -------------------------------------------------------------------------===//

// `name=[1, 2, 3]`
static ParseResult parseNamedList(AsmParser &parser, StringRef name,
                                  SmallVectorImpl<int32_t> &values) {
  if (parser.parseKeyword(name) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

// `tile=(4x8)`
static ParseResult parseTileShape(AsmParser &parser, SmallVectorImpl<int32_t> &tileShape) {
  if (parser.parseKeyword("tile") || parser.parseEqual())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> wide;
  if (parser.parseLParen() ||
      parser.parseDimensionList(wide, /*allowDynamic=*/false, /*withTrailingX=*/false) ||
      parser.parseRParen())
    return failure();
  constexpr int64_t limit = std::numeric_limits<int32_t>::max();
  for (auto [i, extent] : llvm::enumerate(wide)) {
    if (extent <= 0 || extent > limit)
      return parser.emitError(loc)
             << "tile dimension " << i << " exceeds i32 limitations (got " << extent
             << ", expected strictly positive and less than or equal to " << limit << ")";
    tileShape.push_back(static_cast<int32_t>(extent));
  }
  return success();
}

static void printTileShape(AsmPrinter &printer, DenseI32ArrayAttr tileShape) {
  printer << "tile=(";
  llvm::interleave(tileShape.asArrayRef(), printer, "x");
  printer << "), ";
}

// `padding_value = zero, `, when present.
static ParseResult parseOptionalPadding(AsmParser &parser, PaddingValueAttr &padding) {
  if (failed(parser.parseOptionalKeyword("padding_value")))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseEqual() || parser.parseKeyword(&keyword))
    return failure();
  std::optional<PaddingValue> value = symbolizePaddingValue(keyword);
  if (!value)
    return parser.emitError(loc) << "invalid padding_value attribute specification. Got \""
                                 << keyword
                                 << "\" but expect one of: zero, neg_zero, nan, pos_inf, neg_inf";
  padding = PaddingValueAttr::get(parser.getContext(), *value);
  return parser.parseComma();
}

static void printOptionalPadding(AsmPrinter &printer, PaddingValueAttr padding) {
  if (padding)
    printer << "padding_value = " << stringifyPaddingValue(padding.getValue()) << ", ";
}

static ParseResult parseTensorView(AsmParser &parser, TensorViewType &view) {
  Type type;
  if (failed(parseCudaTileType(parser, type)))
    return failure();
  view = dyn_cast<TensorViewType>(type);
  if (!view)
    return parser.emitError(parser.getCurrentLocation())
           << "expected 'tensor_view' type, but got " << type;
  return success();
}

// `, dim_map=[1, 0]`; the identity when absent.
static ParseResult parseOptionalDimMap(AsmParser &parser, SmallVectorImpl<int32_t> &dimMap,
                                       size_t rank) {
  if (succeeded(parser.parseOptionalComma()))
    return parseNamedList(parser, "dim_map", dimMap);
  for (size_t i = 0; i < rank; ++i)
    dimMap.push_back(static_cast<int32_t>(i));
  return success();
}

static void printOptionalDimMap(AsmPrinter &printer, ArrayRef<int32_t> dimMap) {
  if (!llvm::equal(dimMap, llvm::seq<int32_t>(0, dimMap.size())))
    printer << ", dim_map=[" << dimMap << "]";
}

Type PartitionViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int32_t> tileShape, dimMap;
  PaddingValueAttr padding;
  TensorViewType tensorView;
  if (parser.parseLess() || parseTileShape(parser, tileShape) || parser.parseComma() ||
      parseOptionalPadding(parser, padding) || parseTensorView(parser, tensorView) ||
      parseOptionalDimMap(parser, dimMap, tileShape.size()) || parser.parseGreater())
    return {};
  return parser.getChecked<PartitionViewType>(
      loc, parser.getContext(), DenseI32ArrayAttr::get(parser.getContext(), tileShape), tensorView,
      dimMap, padding);
}

void PartitionViewType::print(AsmPrinter &printer) const {
  printer << "<";
  printTileShape(printer, getTileShape());
  printOptionalPadding(printer, getPaddingValue());
  printCudaTileType(printer, getTensorView());
  printOptionalDimMap(printer, getDimMap());
  printer << ">";
}

Type StridedViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int32_t> tileShape, traversal, dimMap;
  PaddingValueAttr padding;
  TensorViewType tensorView;
  if (parser.parseLess() || parseTileShape(parser, tileShape) || parser.parseComma() ||
      parseNamedList(parser, "traversal_strides", traversal) || parser.parseComma() ||
      parseOptionalPadding(parser, padding) || parseTensorView(parser, tensorView) ||
      parseOptionalDimMap(parser, dimMap, tileShape.size()) || parser.parseGreater())
    return {};
  MLIRContext *ctx = parser.getContext();
  return parser.getChecked<StridedViewType>(loc, ctx, DenseI32ArrayAttr::get(ctx, tileShape),
                                            DenseI32ArrayAttr::get(ctx, traversal), tensorView,
                                            dimMap, padding);
}

void StridedViewType::print(AsmPrinter &printer) const {
  printer << "<";
  printTileShape(printer, getTileShape());
  printer << "traversal_strides=[";
  llvm::interleave(getTraversalStrides().asArrayRef(), printer, ",");
  printer << "], ";
  printOptionalPadding(printer, getPaddingValue());
  printCudaTileType(printer, getTensorView());
  printOptionalDimMap(printer, getDimMap());
  printer << ">";
}

Type GatherScatterViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int32_t> tileShape;
  PaddingValueAttr padding;
  TensorViewType tensorView;
  uint32_t sparseDim = 0;
  if (parser.parseLess() || parseTileShape(parser, tileShape) || parser.parseComma() ||
      parseOptionalPadding(parser, padding) || parseTensorView(parser, tensorView) ||
      parser.parseComma() || parser.parseKeyword("sparse_dim") || parser.parseEqual() ||
      parser.parseInteger(sparseDim) || parser.parseGreater())
    return {};
  return parser.getChecked<GatherScatterViewType>(
      loc, parser.getContext(), DenseI32ArrayAttr::get(parser.getContext(), tileShape), tensorView,
      sparseDim, padding);
}

void GatherScatterViewType::print(AsmPrinter &printer) const {
  printer << "<";
  printTileShape(printer, getTileShape());
  printOptionalPadding(printer, getPaddingValue());
  printCudaTileType(printer, getTensorView());
  printer << ", sparse_dim=" << getSparseDim() << ">";
}

} // namespace tilesmith::cuda_tile
