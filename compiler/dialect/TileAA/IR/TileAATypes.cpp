//===- TileAATypes.cpp - type verification and text -------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/TileAA/IR/TileAATypes.cpp.inc"

namespace tilesmith::tileaa {

void TileAADialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialect/TileAA/IR/TileAATypes.cpp.inc"
      >();
}

FailureOr<SmallVector<int64_t>> parseDims(AsmParser &parser) {
  SmallVector<int64_t> dims;
  auto parseOne = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      dims.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(dims.emplace_back());
  };
  if (failed(parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne)))
    return failure();
  return dims;
}

void printDims(AsmPrinter &printer, ArrayRef<int64_t> dims) {
  auto &os = printer.getStream();
  os << '[';
  llvm::interleaveComma(dims, os, [&](int64_t dim) {
    if (ShapedType::isDynamic(dim))
      os << '?';
    else
      os << dim;
  });
  os << ']';
}

//===------------------------------------------------------------------------------------------===//
// memref
//===------------------------------------------------------------------------------------------===//

LogicalResult MemRefType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType,
                                 ArrayRef<int64_t> strides, unsigned, unsigned) {
  if (shape.size() != strides.size())
    return emitError() << "expected one stride per dimension, but got " << strides.size()
                       << " strides for " << shape.size() << " dimensions";
  if (!elementType.isIntOrFloat() && !llvm::isa<PtrType>(elementType))
    return emitError() << "expected an integer, float or pointer element, but got " << elementType;
  for (int64_t extent : shape)
    if (extent < 0 && !ShapedType::isDynamic(extent))
      return emitError() << "extent must not be negative, but got " << extent;
  return success();
}

unsigned MemRefType::getNumDynamicDims() const {
  return llvm::count_if(getShape(), ShapedType::isDynamic);
}

unsigned MemRefType::getNumDynamicStrides() const {
  return llvm::count_if(getStrides(), ShapedType::isDynamic);
}

//===------------------------------------------------------------------------------------------===//
// tiled_view
//===------------------------------------------------------------------------------------------===//

LogicalResult TiledViewType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                    ArrayRef<int64_t> tileShape, MemRefType memref,
                                    ArrayRef<int64_t> dimMap, PaddingValueAttr,
                                    ArrayRef<int64_t> steps, std::optional<int64_t> sparseDim) {
  int64_t rank = tileShape.size();
  if (static_cast<int64_t>(dimMap.size()) != rank)
    return emitError() << "expected " << rank << " entries in the dimension map, but got "
                       << dimMap.size();
  for (int64_t dim : dimMap)
    if (dim < 0 || dim >= memref.getRank())
      return emitError() << "expected a dimension below " << memref.getRank() << ", but got "
                         << dim;
  for (int64_t extent : tileShape)
    if (extent <= 0 || !llvm::isPowerOf2_64(extent))
      return emitError() << "tile extent must be a power of two, but got " << extent;
  if (!steps.empty() && static_cast<int64_t>(steps.size()) != rank)
    return emitError() << "expected " << rank << " traversal strides, but got " << steps.size();
  if (sparseDim && (*sparseDim < 0 || *sparseDim >= rank))
    return emitError() << "expected a sparse dimension below " << rank << ", but got "
                       << *sparseDim;
  return success();
}

RankedTensorType TiledViewType::getTileType() const {
  return RankedTensorType::get(getTileShape(), getElementType());
}

int64_t TiledViewType::getStep(unsigned i) const {
  if (isGather())
    return 1;
  return getTraversalStrides().empty() ? getTileShape()[i] : getTraversalStrides()[i];
}

} // namespace tilesmith::tileaa
