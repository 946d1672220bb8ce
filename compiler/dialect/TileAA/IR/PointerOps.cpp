//===- PointerOps.cpp - verifiers and provenance of pointer and view ops ----------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/PointerOps.cpp.inc"

namespace tilesmith::tileaa {

void TileAADialect::registerPointerOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/TileAA/IR/PointerOps.cpp.inc"
      >();
}

static ArrayRef<int64_t> shapeOf(Value value) {
  auto shaped = llvm::dyn_cast<ShapedType>(value.getType());
  return shaped ? shaped.getShape() : ArrayRef<int64_t>();
}

//===------------------------------------------------------------------------------------------===//
// Provenance
//===------------------------------------------------------------------------------------------===//

SmallVector<Value> AddPtrOp::getProvenance() {
  return {getBase()};
}
SmallVector<Value> IntToPtrOp::getProvenance() {
  return {getSource()};
}
SmallVector<Value> PtrToIntOp::getProvenance() {
  return {getSource()};
}
SmallVector<Value> MakeMemRefOp::getProvenance() {
  return {getBase()};
}
SmallVector<Value> BlockTileOp::getProvenance() {
  return {getSource()};
}
SmallVector<Value> ConvTileOp::getProvenance() {
  return {getSource()};
}
SmallVector<Value> GetGlobalOp::getProvenance() {
  return {};
}
SmallVector<Value> AllocaOp::getProvenance() {
  return {};
}

//===------------------------------------------------------------------------------------------===//
// Verifiers
//===------------------------------------------------------------------------------------------===//

LogicalResult AddPtrOp::verify() {
  // Addresses are counted in 64 bits.
  if (getElementTypeOrSelf(getOffset().getType()).getIntOrFloatBitWidth() > 64)
    return emitOpError("expects an offset of at most 64 bits, but got ") << getOffset().getType();
  if (llvm::isa<RankedTensorType>(getOffset().getType()) &&
      shapeOf(getBase()) != shapeOf(getOffset()))
    return emitOpError("expects base and offset of one shape, but got ")
           << getBase().getType() << " vs " << getOffset().getType();
  return success();
}

LogicalResult MakeMemRefOp::verify() {
  auto type = llvm::cast<MemRefType>(getResult().getType());
  auto ptr = llvm::dyn_cast<PtrType>(getBase().getType());
  if (!ptr || ptr.getPointee() != type.getElementType() ||
      ptr.getAddressSpace() != type.getAddressSpace())
    return emitOpError("expects a base pointer to ")
           << type.getElementType() << " in space " << type.getAddressSpace() << ", but got "
           << getBase().getType();
  if (getSizes().size() != type.getNumDynamicDims())
    return emitOpError("expects ")
           << type.getNumDynamicDims() << " sizes, but got " << getSizes().size();
  if (getStrides().size() != type.getNumDynamicStrides())
    return emitOpError("expects ")
           << type.getNumDynamicStrides() << " strides, but got " << getStrides().size();
  if (getAliasScope() != type.getAliasScope())
    return emitOpError("expects alias scope ")
           << type.getAliasScope() << ", but got " << getAliasScope();
  return success();
}

/// Every group holds dimensions of the memref; no dimension occurs twice.
static LogicalResult verifyDimGroups(Operation *op, ArrayAttr groups, int64_t rank) {
  SmallVector<bool> tiled(rank, false);
  for (Attribute group : groups) {
    auto dims = llvm::dyn_cast<DenseI64ArrayAttr>(group);
    if (!dims)
      return op->emitOpError("expects dimGroups to be lists of dimensions, but got ") << group;
    for (int64_t dim : dims.asArrayRef()) {
      if (dim < 0 || dim >= rank)
        return op->emitOpError("expects a dimension below ") << rank << ", but got " << dim;
      if (tiled[dim])
        return op->emitOpError("expects dim is being tiled only one time, but got ") << dim;
      tiled[dim] = true;
    }
  }
  return success();
}

LogicalResult BlockTileOp::verify() {
  auto view = llvm::cast<TiledViewType>(getResult().getType());
  ArrayRef<int64_t> tile = getTileSizes();
  if (tile.empty())
    return emitOpError("expects non-empty tileSizes");
  if (getDimGroups().empty())
    return emitOpError("expects non-empty dimGroups");
  if (tile.size() != getDimGroups().size())
    return emitOpError("expects rank of tileSizes be equal to rank of dimGroups, but got ")
           << tile.size() << " vs " << getDimGroups().size();
  if (llvm::any_of(tile, [](int64_t extent) { return extent <= 0; }))
    return emitOpError("expects all tile size bigger than zero");
  if (failed(verifyDimGroups(*this, getDimGroups(), view.getMemref().getRank())))
    return failure();
  if (view.getMemref() != getSource().getType() || view.getTileShape() != tile ||
      view.getPadding() != getPaddingValueAttr())
    return emitOpError("result type does not describe this tiling: ") << view;
  return success();
}

LogicalResult ConvTileOp::verify() {
  auto view = llvm::cast<TiledViewType>(getResult().getType());
  for (int64_t extent : getFilterSizes())
    if (extent < 1 || extent > 3)
      return emitOpError("expects filter size must be in range 1 to 3");
  ConvParamsAttr params = getConvParams();
  if (params.getPadding().size() != params.getStride().size() ||
      params.getPadding().size() != params.getDilation().size())
    return emitOpError("expects conv params size matched with each other");
  if (failed(verifyDimGroups(*this, getDimGroups(), view.getMemref().getRank())))
    return failure();
  for (Attribute group : getDimGroups()) {
    ArrayRef<int64_t> dims = llvm::cast<DenseI64ArrayAttr>(group).asArrayRef();
    if (!llvm::is_contained(dims, static_cast<int64_t>(getChannel())))
      continue;
    if (dims.size() != 1)
      return emitOpError("expects channel dimGroup should contain only channel");
    return success();
  }
  return emitOpError("expects channel must be a dimGroup");
}

LogicalResult GetDimSizeOp::verify() {
  Type type = getSource().getType();
  auto view = llvm::dyn_cast<TiledViewType>(type);
  int64_t rank = (view ? view.getMemref() : llvm::cast<MemRefType>(type)).getRank();
  if (getDim() >= static_cast<uint64_t>(rank))
    return emitOpError("dimension ") << getDim() << " is out of range for rank " << rank;
  return success();
}

LogicalResult GetGlobalOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto global = symbols.lookupNearestSymbolFrom<GlobalOp>(*this, getNameAttr());
  if (!global)
    return emitOpError("'") << getName() << "' does not reference a valid global";
  auto ptr = llvm::dyn_cast<PtrType>(getResult().getType());
  if (!ptr || ptr.getPointee() != global.getValue().getElementType())
    return emitOpError("expects a pointer to ")
           << global.getValue().getElementType() << ", but got " << getResult().getType();
  return success();
}

} // namespace tilesmith::tileaa
