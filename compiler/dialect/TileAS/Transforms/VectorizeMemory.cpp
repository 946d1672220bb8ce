//===- VectorizeMemory.cpp - tileas-vectorize-memory ------------------------------------------===//
//
// Decides how many elements each weak tile access moves at once, up to 16 bytes, and records it as
// `nv_tileas.vector`. Nothing is moved or rewritten here.
//
// The number is the smallest of
//   * 16 bytes;
//   * the run of registers whose layout bases double along the contiguous dimension;
//   * what alignment allows: the base pointer, every other stride and every start coordinate must
//     be multiples, as far as the facts of nv_tileaa (`tileaa-infer-facts`) know;
//   * for tiles of pointers, the contiguity of the pointers.
//
// Bounds and masks need no fact: the lowering tests them for the whole group and falls back to
// single elements.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/AccessAlignment.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;
using tileaa::Facts;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_VECTORIZEMEMORYPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

constexpr uint64_t kMaxBytes = 16;

/// Facts of a value; a change of layout keeps them.
Facts factsOf(Value value) {
  return tileaa::getFacts(throughConversions(value));
}

/// Bytes of an element in memory, or 0 for elements that are not accessed as vectors (bool is
/// normalised at every load, 4-bit elements share bytes, pointers keep their provenance).
uint64_t vectorBytes(Type element) {
  if (isa<FloatTF32Type>(element))
    return 4;
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 8)
    return 0;
  return element.getIntOrFloatBitWidth() / 8;
}

/// Registers that follow each other along flat stride `step`: 2^j -> j-th base is `step << j`.
int64_t registerRun(LayoutAttr layout, int64_t step, int64_t extent) {
  int64_t run = 1;
  for (int64_t base : layout.getRegisters()) {
    if ((run >= extent && !TILESMITH_PLANT("vector-run-past-row")) || base != run * step)
      break;
    run *= 2;
  }
  return run;
}

int64_t floorPow2(uint64_t value) {
  return int64_t(1) << llvm::Log2_64(value);
}

/// Largest power of two that divides the static or dynamic value.
uint64_t divisorOf(int64_t fixed, Value dynamic) {
  if (!ShapedType::isDynamic(fixed))
    return fixed == 0 ? Facts::kMaxDivisor : uint64_t(fixed) & -uint64_t(fixed);
  return factsOf(dynamic).divisor;
}

} // namespace

std::optional<AccessAlignment> tileas::viewAlignment(Value viewValue, ValueRange indices,
                                                     RankedTensorType tile) {
  auto view = cast<tileaa::TiledViewType>(viewValue.getType());
  Value memref = viewValue;
  while (Operation *def = memref.getDefiningOp()) {
    if (isa<tileaa::MakeMemRefOp>(def))
      break;
    if (!isa<tileaa::BlockTileOp>(def))
      return std::nullopt;
    memref = def->getOperand(0);
  }
  auto make = memref.getDefiningOp<tileaa::MakeMemRefOp>();
  if (!make)
    return std::nullopt;
  auto type = cast<tileaa::MemRefType>(make.getResult().getType());
  uint64_t bytes = vectorBytes(type.getElementType());
  if (!bytes || type.getElementType() != tile.getElementType())
    return std::nullopt;

  // The tile dimension whose tensor dimension is contiguous, and what the other strides allow.
  std::optional<unsigned> contiguous;
  uint64_t limit = std::min(kMaxBytes, factsOf(make.getResult()).divisor) / bytes;
  if (bytes == 2 && TILESMITH_PLANT("vector-half-ignores-base"))
    limit = kMaxBytes / bytes;
  auto strides = make.getStrides().begin();
  for (auto [dim, stride] : llvm::enumerate(type.getStrides())) {
    Value dynamic = ShapedType::isDynamic(stride) ? *strides++ : Value();
    if (stride == 1 && (!contiguous || TILESMITH_PLANT("vector-second-unit-stride"))) {
      auto at = llvm::find(view.getDimMap(), int64_t(dim));
      if (at != view.getDimMap().end()) {
        contiguous = at - view.getDimMap().begin();
        continue;
      }
    }
    if (!TILESMITH_PLANT("vector-ignores-strides"))
      limit = std::min(limit, divisorOf(stride, dynamic));
  }
  if (!contiguous)
    return std::nullopt;
  // The first coordinate of the tile along the contiguous dimension.
  Value index = indices[*contiguous];
  if (isa<RankedTensorType>(index.getType()))
    return std::nullopt; // the sparse dimension of a gather
  uint64_t start = factsOf(index).divisor;
  if (!view.isGather() || TILESMITH_PLANT("vector-gather-start-as-tile")) {
    uint64_t step = view.isGather() || TILESMITH_PLANT("vector-start-of-whole-tiles")
                        ? view.getTileShape()[*contiguous]
                        : view.getStep(*contiguous);
    start = std::max(start, step & -step); // either divides the product
  }
  if (!TILESMITH_PLANT("vector-ignores-start"))
    limit = std::min(limit, start);
  return AccessAlignment{*contiguous, floorPow2(std::max<uint64_t>(limit, 1))};
}

Runs tileas::runsOf(LayoutAttr layout, unsigned dim) {
  int64_t step = 1;
  for (int64_t extent : layout.getShape().drop_front(dim + 1))
    step *= extent;
  const int64_t end = step * layout.getShape()[dim];
  auto extend = [&](ArrayRef<int64_t> bases, int64_t run) {
    for (int64_t basis : bases) {
      if (basis != step * run || basis >= end)
        break;
      run *= 2;
    }
    return run;
  };
  const int64_t own = extend(layout.getRegisters(), 1);
  return {own, extend(layout.getLanes(), own)};
}

int64_t tileas::pointerAlignment(Value pointers, RankedTensorType tile) {
  uint64_t bytes = vectorBytes(tile.getElementType());
  if (!bytes)
    return 1;
  Facts facts = factsOf(pointers);
  uint64_t limit = std::min({kMaxBytes / bytes, facts.divisor / bytes, uint64_t(facts.contiguity)});
  if (bytes == 1 && TILESMITH_PLANT("vector-bytes-ignore-alignment"))
    limit = std::min(kMaxBytes, uint64_t(facts.contiguity));
  return floorPow2(std::max<uint64_t>(limit, 1));
}

namespace {

/// Elements per access through a view.
int64_t viewVector(Value viewValue, ValueRange indices, RankedTensorType tile) {
  std::optional<AccessAlignment> alignment = viewAlignment(viewValue, indices, tile);
  if (!alignment || alignment->elements < 2)
    return 1;
  int64_t flatStep = 1;
  for (unsigned dim = alignment->dim + 1; dim < unsigned(tile.getRank()); ++dim)
    flatStep *= TILESMITH_PLANT("vector-run-along-last") ? 1 : tile.getDimSize(dim);
  int64_t run = registerRun(getLayout(tile), flatStep, tile.getDimSize(alignment->dim));
  return std::min<int64_t>(run, alignment->elements);
}

/// Elements per access through a tile of pointers.
int64_t pointerVector(Value pointers, RankedTensorType tile) {
  int64_t run = registerRun(getLayout(tile), 1, tile.getShape().back());
  return std::min<int64_t>(run, pointerAlignment(pointers, tile));
}

int64_t vectorOf(Operation *op) {
  auto isWeak = [](auto access) { return access.getMemSemantic() == tileaa::MemSemantic::weak; };
  if (auto load = dyn_cast<LoadOp>(op)) {
    auto tile = dyn_cast<RankedTensorType>(load.getResult().getType());
    return tile && load.isPlain() ? pointerVector(load.getPointers(), tile) : 1;
  }
  if (auto store = dyn_cast<StoreOp>(op)) {
    auto tile = dyn_cast<RankedTensorType>(store.getValue().getType());
    return tile && isWeak(store) && !store.getIsVolatile()
               ? pointerVector(store.getPointers(), tile)
               : 1;
  }
  if (auto load = dyn_cast<TiledLoadOp>(op))
    return isWeak(load) ? viewVector(load.getView(), load.getIndices(), load.getResult().getType())
                        : 1;
  if (auto load = dyn_cast<GatherLoadOp>(op))
    return isWeak(load) && !load.getMask()
               ? viewVector(load.getView(), load.getIndices(), load.getResult().getType())
               : 1;
  if (auto store = dyn_cast<TiledStoreOp>(op))
    return isWeak(store) && !getStaging(store)
               ? viewVector(store.getView(), store.getIndices(), store.getValue().getType())
               : 1;
  if (auto store = dyn_cast<ScatterStoreOp>(op))
    return isWeak(store) && !store.getMask()
               ? viewVector(store.getView(), store.getIndices(), store.getValue().getType())
               : 1;
  return 1;
}

struct VectorizeMemory : tileas::impl::VectorizeMemoryPassBase<VectorizeMemory> {
  void runOnOperation() override {
    Builder builder(&getContext());
    bool isHinted = false;
    getOperation()->walk(
        [&](Operation *op) { isHinted |= annotations(op).getHintsAttrHelper().isAttrPresent(op); });
    if (isHinted && TILESMITH_PLANT("cost-hinted-kernel-scalar"))
      return;
    getOperation()->walk([&](Operation *op) {
      if (int64_t elements = vectorOf(op); elements > 1)
        annotations(op).getVectorAttrHelper().setAttr(op, builder.getI64IntegerAttr(elements));
    });
  }
};

} // namespace
