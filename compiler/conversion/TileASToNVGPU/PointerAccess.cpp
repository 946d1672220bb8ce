//===- PointerAccess.cpp - loads and stores through pointers and tiles of pointers ------------===//
//
// A group of registers with `nv_tileas.vector` is moved at once where its mask lets all of them through; one
// or two elements decide that where a mask compares numbers that rise with a bound.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace {

/// The pointers of a tile. Where they are known to rise by an element, those of registers that hold neighbours
/// are a first one and constants, which instructions add by themselves.
class Pointers {
public:
  Pointers(Emitter &e, Value value) : e(e), tile(e.tile(value)) {
    auto type = cast<RankedTensorType>(value.getType());
    const int64_t run = tileaa::getFacts(tileas::throughConversions(value)).contiguity;
    step = e.elementBytes(cast<tileaa::PtrType>(type.getElementType()).getPointee());
    int64_t others = 0;
    for (ArrayRef<int64_t> bases : {tile.layout.getLanes(), tile.layout.getWarps()})
      for (int64_t basis : bases)
        others |= basis;
    for (int64_t basis : tile.layout.getRegisters()) {
      const bool isBehind =
          llvm::isPowerOf2_64(basis) && basis < run && !(basis & others) &&
          llvm::count(tile.layout.getRegisters(), basis) == 1 &&
          (llvm::all_of(
               tile.layout.getRegisters(),
               [&](int64_t other) { return other == basis || !(other & basis); }) ||
           TILESMITH_PLANT("pointers-behind-shared-basis"));
      behind.push_back(
          isBehind ? basis * (TILESMITH_PLANT("pointers-behind-in-elements") ? 1 : step) : 0);
      firsts |= isBehind ? 0 : int64_t(1) << (behind.size() - 1);
    }
  }

  Value at(Value index) const {
    Value first = arith::AndIOp::create(e.builder, e.loc, index, e.i32(firsts));
    return e.elementPointer(e.loadRegister(tile, first), e.builder.getI8Type(),
                            e.linear(index, behind));
  }

private:
  Emitter &e;
  Tile tile;
  int64_t step = 1;            ///< bytes from a pointee to the next
  SmallVector<int64_t> behind; ///< by bits of a register: bytes behind the pointer without it
  int64_t firsts = 0;          ///< the other bits
};

/// Which elements of each group of `vector` neighbours decide a mask: the first, the last, both, or all.
struct Deciders {
  bool first = false, last = false, all = false;
};

/// Numbers that rise in a group are below a bound if the last one is.
Deciders decidersOf(Value mask, int64_t vector) {
  mask = tileas::throughConversions(mask);
  if (tileaa::getFacts(mask).constancy >= vector)
    return {.first = true};
  if (auto both = mask.getDefiningOp<arith::AndIOp>()) {
    Deciders a = decidersOf(both.getLhs(), vector), b = decidersOf(both.getRhs(), vector);
    if (TILESMITH_PLANT("vector-mask-left-decides"))
      return a;
    return {a.first || b.first, a.last || b.last, a.all || b.all};
  }
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return {.all = true};
  auto rises = [&](Value value) { // from a multiple of the length: nothing wraps in between
    tileaa::Facts facts = tileaa::getFacts(tileas::throughConversions(value));
    return facts.contiguity >= vector && facts.divisor >= uint64_t(vector);
  };
  auto stays = [&](Value value) {
    if (TILESMITH_PLANT("group-mask-of-any-bound"))
      return true;
    return tileaa::getFacts(tileas::throughConversions(value)).constancy >= vector;
  };
  using enum arith::CmpIPredicate;
  const arith::CmpIPredicate predicate = compare.getPredicate();
  const bool isBelow = llvm::is_contained({slt, sle, ult, ule}, predicate),
             isAbove = llvm::is_contained({sgt, sge, ugt, uge}, predicate);
  if ((isBelow && rises(compare.getLhs()) && stays(compare.getRhs())) ||
      (isAbove && stays(compare.getLhs()) && rises(compare.getRhs())))
    return TILESMITH_PLANT("group-mask-of-other-end") ? Deciders{.first = true}
                                                      : Deciders{.last = true};
  if ((isAbove && rises(compare.getLhs()) && stays(compare.getRhs())) ||
      (isBelow && stays(compare.getLhs()) && rises(compare.getRhs())))
    return {.first = true};
  return {.all = true};
}

/// Whether all elements of a group are let through by a mask.
Value groupCondition(Emitter &e, Value mask, Value first, int64_t vector,
                     llvm::function_ref<Value(Value)> conditionOf) {
  const Deciders deciders = mask && !TILESMITH_PLANT("group-mask-of-first")
                                ? decidersOf(mask, vector)
                                : Deciders{.first = true};
  if (deciders.all)
    return allOfGroup(e, first, vector, conditionOf);
  return e.both(deciders.first ? conditionOf(first) : Value(),
                deciders.last ? conditionOf(e.add(first, e.i32(vector - 1))) : Value());
}

LogicalResult emitLoad(Emitter &e, Operation *op) {
  auto load = cast<tileas::LoadOp>(op);
  Access access = accessOf(load);
  bool weak = access.isPlain();
  if (!isa<RankedTensorType>(load.getResult().getType())) {
    Type logical = load.getResult().getType(), element = e.elementType(logical);
    Value condition = load.getMask() && !TILESMITH_PLANT("scalar-load-ignores-mask")
                          ? e.scalar(load.getMask())
                          : Value();
    Value active = weak ? condition : e.both(condition, firstThread(e));
    Value value = e.choose(
        active, element,
        [&] { return typedLoad(e, e.scalar(load.getPointers()), logical, access); },
        [&] {
          return load.getOther() ? e.scalar(load.getOther()) : paddingConstant(e, logical, "zero");
        });
    if (!weak)
      value = broadcastScalar(e, value);
    e.setScalar(load.getResult(), value);
    return success();
  }
  Tile tile = e.makeTile(load.getResult());
  e.setTile(load.getResult(), tile);
  const Pointers pointers(e, load.getPointers());
  Type logical = cast<RankedTensorType>(load.getResult().getType()).getElementType();
  auto conditionOf = [&](Value index) {
    return load.getMask()
               ? e.loadRegister(e.tile(load.getMask()),
                                TILESMITH_PLANT("load-mask-of-first-register") ? e.i32(0) : index)
               : Value();
  };
  auto otherAt = [&](Value index) {
    return load.getOther() && !TILESMITH_PLANT("load-ignores-other")
               ? e.loadRegister(e.tile(load.getOther()),
                                TILESMITH_PLANT("load-other-of-first-register") ? e.i32(0) : index)
               : paddingConstant(e, logical, "zero");
  };
  auto loadOne = [&](Value index) {
    Value value = e.choose(
        conditionOf(index), tile.element,
        [&] { return typedLoad(e, pointers.at(index), logical, access); },
        [&] { return otherAt(index); });
    e.storeRegister(tile, index, value);
  };
  if (tileas::getVectorElements(op) == 4 && logical.isBF16() &&
      TILESMITH_PLANT("vector-bf16-refused"))
    return op->emitOpError("cannot select an element of a vector of bf16");
  if (int64_t vector = tileas::getVectorElements(op); vector > 1) {
    bool whole = isMaskWhole(load.getMask(), vector);
    auto skipOne = [&](Value index) { e.storeRegister(tile, index, otherAt(index)); };
    forGroups(e, tile, vector, [&](Value first) {
      e.when(
          groupCondition(e, load.getMask(), first, vector, conditionOf),
          [&] { loadVector(e, tile, first, vector, pointers.at(first), logical); },
          [&] {
            whole ? forGroup(e, first, vector, skipOne) : forGroup(e, first, vector, loadOne);
          });
    });
    return success();
  }
  e.when(weak ? Value() : e.ownerThread(tile.layout),
         [&] { e.forLoop(tile.layout.getNumRegisters(), loadOne); });
  if (weak)
    return success();
  if (access.semantic == "acquire")
    e.barrier();
  return broadcastTile(e, op, tile);
}

LogicalResult emitStore(Emitter &e, Operation *op) {
  auto store = cast<tileas::StoreOp>(op);
  Access access = accessOf(store);
  if (access.semantic == "release")
    e.barrier();
  if (!isa<RankedTensorType>(store.getValue().getType())) {
    Value condition = store.getMask() && !TILESMITH_PLANT("scalar-store-ignores-mask")
                          ? e.scalar(store.getMask())
                          : Value();
    e.when(e.both(condition, firstThread(e)), [&] {
      typedStore(e, e.scalar(store.getValue()), e.scalar(store.getPointers()), access);
    });
    return success();
  }
  Tile tile = e.tile(store.getValue());
  const Pointers pointers(e, store.getPointers());
  if (tileas::getVectorElements(op) == 2 && tile.element.isInteger(8) &&
      TILESMITH_PLANT("vector-byte-pair-refused"))
    return op->emitOpError("cannot lower a pair of bytes");
  auto conditionOf = [&](Value index) {
    if (!store.getMask() || TILESMITH_PLANT("store-ignores-mask-tail"))
      return Value();
    return e.loadRegister(e.tile(store.getMask()),
                          TILESMITH_PLANT("store-mask-of-first-register") ? e.i32(0) : index);
  };
  auto storeOne = [&](Value index) {
    e.when(e.both(conditionOf(index), e.ownerRegister(tile.layout, index)),
           [&] { typedStore(e, e.loadRegister(tile, index), pointers.at(index), access); });
  };
  int64_t vector = tileas::getVectorElements(op);
  e.when(e.ownerThread(tile.layout), [&] {
    if (vector == 1)
      return e.forLoop(tile.layout.getNumRegisters(), storeOne);
    bool whole = isMaskWhole(store.getMask(), vector);
    forGroups(e, tile, vector, [&](Value first) {
      auto storeGroup = [&] { storeVector(e, tile, first, vector, pointers.at(first)); };
      e.when(e.ownerRegister(tile.layout, first), [&] {
        Value stored = groupCondition(e, store.getMask(), first, vector, conditionOf);
        if (whole)
          e.when(stored, storeGroup);
        else
          e.when(stored, storeGroup, [&] { forGroup(e, first, vector, storeOne); });
      });
    });
  });
  return success();
}

} // namespace

void tileas_to_nvgpu::registerPointerAccess(HandlerTable &table) {
  table.operations.add<tileas::LoadOp>(emitLoad);
  table.operations.add<tileas::StoreOp>(emitStore);
}
