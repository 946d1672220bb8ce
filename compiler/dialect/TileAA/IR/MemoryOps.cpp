//===- MemoryOps.cpp - effects, accessed objects and verifiers of memory ops ------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/MemoryOps.cpp.inc"

namespace tilesmith::tileaa {

void TileAADialect::registerMemoryOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/TileAA/IR/MemoryOps.cpp.inc"
      >();
}

//===------------------------------------------------------------------------------------------===//
// Effects and objects
//===------------------------------------------------------------------------------------------===//

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Anything stronger than a weak access also orders other accesses: it reads and writes.
static void addEffects(bool reads, bool writes, MemSemantic semantic, Effects &effects) {
  bool orders = semantic != MemSemantic::weak;
  if (reads || orders)
    effects.emplace_back(MemoryEffects::Read::get());
  if (writes || orders)
    effects.emplace_back(MemoryEffects::Write::get());
}

// clang-format off
#define TILEAA_MEMORY_OP(OP, OBJECT, READS, WRITES, EXTRA)                                                             \
  Value OP::getAccessedObject() { return OBJECT(); }                                                                   \
  bool OP::readsMemory() { return READS; }                                                                             \
  bool OP::writesMemory() { return WRITES; }                                                                           \
  void OP::getEffects(Effects &effects) { addEffects(READS, (WRITES) || (EXTRA), getMemSemantic(), effects); }

TILEAA_MEMORY_OP(LoadOp, getBase, true, false, getIsVolatile())
TILEAA_MEMORY_OP(StoreOp, getBase, false, true, false)
TILEAA_MEMORY_OP(TiledLoadOp, getView, true, false, false)
TILEAA_MEMORY_OP(TiledStoreOp, getView, false, true, false)
TILEAA_MEMORY_OP(GatherLoadOp, getView, true, false, false)
TILEAA_MEMORY_OP(ScatterStoreOp, getView, false, true, false)
TILEAA_MEMORY_OP(AtomicCASOp, getBase, true, true, false)
TILEAA_MEMORY_OP(AtomicRMWOp, getBase, true, true, false)
TILEAA_MEMORY_OP(TiledAtomicRMWOp, getView, true, true, false)
#undef TILEAA_MEMORY_OP
// clang-format on

static void nameResults(Value result, Value token, OpAsmSetValueNameFn setName) {
  setName(result, "tile");
  if (token)
    setName(token, "token");
}

void LoadOp::getAsmResultNames(OpAsmSetValueNameFn fn) {
  nameResults(getResult(), getResultToken(), fn);
}
void TiledLoadOp::getAsmResultNames(OpAsmSetValueNameFn fn) {
  nameResults(getResult(), getResultToken(), fn);
}
void GatherLoadOp::getAsmResultNames(OpAsmSetValueNameFn fn) {
  nameResults(getResult(), getResultToken(), fn);
}
void AtomicCASOp::getAsmResultNames(OpAsmSetValueNameFn fn) {
  nameResults(getResult(), getResultToken(), fn);
}
void AtomicRMWOp::getAsmResultNames(OpAsmSetValueNameFn fn) {
  nameResults(getResult(), getResultToken(), fn);
}
void TiledAtomicRMWOp::getAsmResultNames(OpAsmSetValueNameFn fn) {
  nameResults(getResult(), getResultToken(), fn);
}

//===------------------------------------------------------------------------------------------===//
// Verifiers
//===------------------------------------------------------------------------------------------===//

template <typename OpTy> static LogicalResult verifyOrdering(OpTy op) {
  bool weak = op.getMemSemantic() == MemSemantic::weak;
  if (!weak && !op.getMemScope())
    return op.emitOpError("non-weak memory ordering requires explicit scope");
  if (weak && op.getMemScope())
    return op.emitOpError("weak memory ordering must not carry a scope");
  return success();
}

static ArrayRef<int64_t> shapeOf(Type type) {
  auto shaped = llvm::dyn_cast<ShapedType>(type);
  return shaped ? shaped.getShape() : ArrayRef<int64_t>();
}

/// Value, mask and pointers of an access have one shape; the pointee is the value's element.
static LogicalResult verifyPointerAccess(Operation *op, Value base, Type value, Value mask,
                                         size_t numIndices) {
  if (auto memref = llvm::dyn_cast<MemRefType>(base.getType())) {
    if (static_cast<int64_t>(numIndices) != memref.getRank())
      return op->emitOpError("expects ") << memref.getRank() << " indices, but got " << numIndices;
    return success();
  }
  if (numIndices)
    return op->emitOpError("indices need a memref, but got ") << base.getType();
  if (shapeOf(base.getType()) != shapeOf(value))
    return op->emitOpError("expects pointers and values of one shape, but got ")
           << base.getType() << " vs " << value;
  Type pointee = llvm::cast<PtrType>(getElementTypeOrSelf(base.getType())).getPointee();
  if (pointee != getElementTypeOrSelf(value))
    return op->emitOpError("expects values of type ") << pointee << ", but got " << value;
  if (mask && shapeOf(mask.getType()) != shapeOf(value))
    return op->emitOpError("expects mask and values of one shape, but got ")
           << mask.getType() << " vs " << value;
  return success();
}

static LogicalResult verifyTileAccess(Operation *op, Value view, Type tile, size_t numIndices) {
  auto type = llvm::dyn_cast<TiledViewType>(view.getType());
  if (!type)
    return success();
  auto tensor = llvm::cast<RankedTensorType>(tile);
  if (tensor.getShape() != type.getTileShape() || tensor.getElementType() != type.getElementType())
    return op->emitOpError("expects tile ") << type.getTileType() << ", but got " << tile;
  if (static_cast<int64_t>(numIndices) != type.getRank())
    return op->emitOpError("expects ") << type.getRank() << " indices, but got " << numIndices;
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyOrdering(*this)))
    return failure();
  if (getMemSemantic() == MemSemantic::release || getMemSemantic() == MemSemantic::acq_rel)
    return emitOpError("a load cannot release");
  if (getOther() && getOther().getType() != getResult().getType())
    return emitOpError("expects fallback of type ")
           << getResult().getType() << ", but got " << getOther().getType();
  return verifyPointerAccess(*this, getBase(), getResult().getType(), getMask(),
                             getIndices().size());
}

LogicalResult StoreOp::verify() {
  if (failed(verifyOrdering(*this)))
    return failure();
  if (getMemSemantic() == MemSemantic::acquire || getMemSemantic() == MemSemantic::acq_rel)
    return emitOpError("a store cannot acquire");
  return verifyPointerAccess(*this, getBase(), getValue().getType(), getMask(),
                             getIndices().size());
}

LogicalResult TiledLoadOp::verify() {
  if (failed(verifyOrdering(*this)))
    return failure();
  return verifyTileAccess(*this, getView(), getResult().getType(), getIndices().size());
}

LogicalResult TiledStoreOp::verify() {
  if (failed(verifyOrdering(*this)))
    return failure();
  return verifyTileAccess(*this, getView(), getValue().getType(), getIndices().size());
}

LogicalResult GatherLoadOp::verify() {
  if (failed(verifyOrdering(*this)))
    return failure();
  return verifyTileAccess(*this, getView(), getResult().getType(), getIndices().size());
}

LogicalResult ScatterStoreOp::verify() {
  if (failed(verifyOrdering(*this)))
    return failure();
  return verifyTileAccess(*this, getView(), getValue().getType(), getIndices().size());
}

LogicalResult AtomicCASOp::verify() {
  if (failed(verifyOrdering(*this)))
    return failure();
  return verifyPointerAccess(*this, getBase(), getResult().getType(), getMask(), 0);
}

LogicalResult AtomicRMWOp::verify() {
  if (failed(verifyOrdering(*this)))
    return failure();
  return verifyPointerAccess(*this, getBase(), getResult().getType(), getMask(), 0);
}

LogicalResult TiledAtomicRMWOp::verify() {
  if (failed(verifyOrdering(*this)))
    return failure();
  return verifyTileAccess(*this, getView(), getValue().getType(), getIndices().size());
}

} // namespace tilesmith::tileaa
