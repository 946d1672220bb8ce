//===- Atomic.cpp - read-modify-write and compare-and-swap per thread -------------------------===//
//
// Each element is performed exactly once, by its owner thread and register; old values are handed
// to the other holders through scratch. Acquire and release of a tile operation hold for the whole
// block: a release is preceded and an acquire followed by a barrier.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace {

LLVM::AtomicBinOp binaryOperation(tileaa::RMWMode mode) {
  switch (mode) {
  case tileaa::RMWMode::add:
    return LLVM::AtomicBinOp::add;
  case tileaa::RMWMode::and_:
    return LLVM::AtomicBinOp::_and;
  case tileaa::RMWMode::or_:
    return LLVM::AtomicBinOp::_or;
  case tileaa::RMWMode::xor_:
    return LLVM::AtomicBinOp::_xor;
  case tileaa::RMWMode::xchg:
    return LLVM::AtomicBinOp::xchg;
  case tileaa::RMWMode::min:
    return TILESMITH_PLANT("atomic-min-as-umin") ? LLVM::AtomicBinOp::umin : LLVM::AtomicBinOp::min;
  case tileaa::RMWMode::max:
    return TILESMITH_PLANT("atomic-max-as-umax") ? LLVM::AtomicBinOp::umax : LLVM::AtomicBinOp::max;
  case tileaa::RMWMode::umin:
    return TILESMITH_PLANT("atomic-umin-as-min") ? LLVM::AtomicBinOp::min : LLVM::AtomicBinOp::umin;
  case tileaa::RMWMode::umax:
    return TILESMITH_PLANT("atomic-umax-as-max") ? LLVM::AtomicBinOp::max : LLVM::AtomicBinOp::umax;
  case tileaa::RMWMode::addf:
    return LLVM::AtomicBinOp::fadd;
  }
  llvm_unreachable("unknown read-modify-write mode");
}

void beginOrdered(Emitter &e, const Access &access) {
  if (access.semantic == "release" || access.semantic == "acq_rel")
    e.barrier();
}
void endOrdered(Emitter &e, const Access &access) {
  if (access.semantic == "acquire" || access.semantic == "acq_rel")
    e.barrier();
}

Value readModifyWrite(Emitter &e, tileaa::RMWMode mode, Value pointer, Value value,
                      const Access &access) {
  if (mode == tileaa::RMWMode::addf && TILESMITH_PLANT("atomic-addf-last-bit-lost")) {
    OpBuilder &b = e.builder;
    unsigned width = value.getType().getIntOrFloatBitWidth();
    Type bits = b.getIntegerType(width);
    Value word = arith::BitcastOp::create(b, e.loc, bits, value);
    Value mask = arith::ConstantOp::create(b, e.loc, b.getIntegerAttr(bits, ~APInt(width, 1)));
    word = arith::AndIOp::create(b, e.loc, word, mask);
    value = arith::BitcastOp::create(b, e.loc, value.getType(), word);
  }
  if (mode == tileaa::RMWMode::add && value.getType().isInteger(64) &&
      TILESMITH_PLANT("atomic-add-wide-truncated"))
    value = arith::AndIOp::create(e.builder, e.loc, value, e.i64(0xffffffff));
  Value old = LLVM::AtomicRMWOp::create(e.builder, e.loc, binaryOperation(mode), pointer, value,
                                        atomicOrdering(access.semantic), syncScope(access.scope));
  if (mode == tileaa::RMWMode::add && TILESMITH_PLANT("rmw-returns-new"))
    old = e.add(old, value);
  return old;
}

Value compareAndSwap(Emitter &e, Value pointer, Value compare, Value value, const Access &access) {
  // Floats are compared by bits.
  Type type = value.getType();
  OpBuilder &b = e.builder;
  if (isa<FloatType>(type)) {
    Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
    if (TILESMITH_PLANT("cas-compares-positive-zero"))
      compare = arith::AddFOp::create(
          b, e.loc, compare,
          arith::ConstantOp::create(b, e.loc, b.getFloatAttr(type, 0.0)).getResult());
    compare = arith::BitcastOp::create(b, e.loc, bits, compare);
    value = arith::BitcastOp::create(b, e.loc, bits, value);
  }
  if (compare.getType().isInteger(64) && TILESMITH_PLANT("cas-wide-compares-low-word"))
    compare = arith::AndIOp::create(b, e.loc, compare, e.i64(0xffffffff));
  LLVM::AtomicOrdering ordering = atomicOrdering(access.semantic);
  LLVM::AtomicOrdering failure = ordering;
  if (ordering == LLVM::AtomicOrdering::release)
    failure = LLVM::AtomicOrdering::monotonic;
  else if (ordering == LLVM::AtomicOrdering::acq_rel)
    failure = LLVM::AtomicOrdering::acquire;
  if (TILESMITH_PLANT("cas-keeps-old"))
    value = compare;
  Value pair = LLVM::AtomicCmpXchgOp::create(b, e.loc, pointer, compare, value, ordering, failure,
                                             syncScope(access.scope));
  Value old = LLVM::ExtractValueOp::create(b, e.loc, pair, ArrayRef<int64_t>{0});
  return isa<FloatType>(type) ? Value(arith::BitcastOp::create(b, e.loc, type, old)) : old;
}

/// Emits an atomic through pointers; `perform` gets (pointer, operand elements) and `skipped` the
/// value of a masked-off element.
LogicalResult emitPointerAtomic(Emitter &e, Operation *op, Value result, Value pointers,
                                ValueRange values, Value mask, const Access &access,
                                llvm::function_ref<Value(Value, ArrayRef<Value>)> perform) {
  bool used = !result.use_empty();
  beginOrdered(e, access);
  if (!isa<RankedTensorType>(result.getType())) {
    SmallVector<Value> operands;
    for (Value value : values)
      operands.push_back(e.scalar(value));
    Value active =
        e.both(mask && !TILESMITH_PLANT("scalar-atomic-mask-lost") ? e.scalar(mask) : Value(),
               TILESMITH_PLANT("scalar-atomic-by-every-thread") ? Value() : firstThread(e));
    Value old = e.choose(
        active, operands.front().getType(), [&] { return perform(e.scalar(pointers), operands); },
        [&] { return operands.front(); });
    endOrdered(e, access);
    bool shared = used && !TILESMITH_PLANT("scalar-atomic-result-unshared");
    e.setScalar(result, shared ? broadcastScalar(e, old) : old);
    return success();
  }
  Tile tile = e.makeTile(result), addresses = e.tile(pointers);
  e.setTile(result, tile);
  SmallVector<Tile> sources;
  for (Value value : values)
    sources.push_back(e.tile(value));
  e.forLoop(tile.layout.getNumRegisters(), [&](Value index) {
    SmallVector<Value> operands;
    for (const Tile &source : sources)
      operands.push_back(e.loadRegister(source, index));
    Value active = mask && !TILESMITH_PLANT("atomic-ignores-mask")
                       ? e.loadRegister(e.tile(mask), index)
                       : Value();
    if (!TILESMITH_PLANT("atomic-by-every-holder"))
      active =
          e.both(active, e.both(e.ownerThread(tile.layout), e.ownerRegister(tile.layout, index)));
    Value old = e.choose(
        active, tile.element, [&] { return perform(e.loadRegister(addresses, index), operands); },
        [&] {
          return TILESMITH_PLANT("cas-masked-returns-new") ? operands.back() : operands.front();
        });
    e.storeRegister(tile, index, old);
  });
  endOrdered(e, access);
  return used ? broadcastTile(e, op, tile) : success();
}

LogicalResult emitRMW(Emitter &e, Operation *op) {
  auto rmw = cast<tileas::AtomicRMWOp>(op);
  Access access = accessOf(rmw);
  return emitPointerAtomic(e, op, rmw.getResult(), rmw.getPointers(), rmw.getValue(), rmw.getMask(),
                           access, [&](Value pointer, ArrayRef<Value> operands) {
                             return readModifyWrite(e, rmw.getRmwMode(), pointer, operands[0],
                                                    access);
                           });
}

LogicalResult emitCAS(Emitter &e, Operation *op) {
  auto cas = cast<tileas::AtomicCASOp>(op);
  Access access = accessOf(cas);
  auto values = dyn_cast<RankedTensorType>(cas.getValue().getType());
  if (values && values.getElementType().isInteger(64) && TILESMITH_PLANT("cas-wide-tile-refused"))
    return op->emitOpError("expected a single value");
  return emitPointerAtomic(e, op, cas.getResult(), cas.getPointers(),
                           {cas.getCompare(), cas.getValue()}, cas.getMask(), access,
                           [&](Value pointer, ArrayRef<Value> operands) {
                             return compareAndSwap(e, pointer, operands[0], operands[1], access);
                           });
}

LogicalResult emitTiledRMW(Emitter &e, Operation *op) {
  auto rmw = cast<tileas::TiledAtomicRMWOp>(op);
  auto view = cast<tileaa::TiledViewType>(rmw.getView().getType());
  Access access = accessOf(rmw);
  MemoryRegion region = e.regions.lookup(rmw.getView());
  Tile tile = e.tile(rmw.getValue());
  SmallVector<Value> origin = tileOrigin(e, view, rmw.getIndices());
  beginOrdered(e, access);
  e.when(TILESMITH_PLANT("atomic-view-by-every-holder") ? Value() : e.ownerThread(tile.layout),
         [&] {
           e.forLoop(tile.layout.getNumRegisters(), [&](Value index) {
             SmallVector<Value> at =
                 e.coordinates(e.position(tile.layout, index), tile.layout.getShape());
             ViewElement element = viewElement(e, region, view, origin, at);
             e.when(e.both(TILESMITH_PLANT("atomic-view-ignores-bounds") ? Value() : element.inside,
                           e.ownerRegister(tile.layout, index)),
                    [&] {
                      readModifyWrite(e, rmw.getRmwMode(), element.pointer,
                                      e.loadRegister(tile, index), access);
                    });
           });
         });
  endOrdered(e, access);
  return success();
}

} // namespace

void tileas_to_nvgpu::registerAtomic(HandlerTable &table) {
  table.operations.add<tileas::AtomicRMWOp>(emitRMW);
  table.operations.add<tileas::AtomicCASOp>(emitCAS);
  table.operations.add<tileas::TiledAtomicRMWOp>(emitTiledRMW);
}
