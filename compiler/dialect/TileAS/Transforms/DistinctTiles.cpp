//===- DistinctTiles.cpp - two tiles of one view that share no byte ---------------------------===//
//
// Two accesses of a view never meet in memory when
//   1. both take the view from one value that is computed once, in front of all loops: an access of
//      the turn before then has the same view, too;
//   2. in one dimension their indices are different constants, or the same value, computed once,
//      plus different constants: sums wrap, but stay different;
//   3. neighbouring tiles of that dimension do not overlap;
//   4. different coordinates are different bytes: strides are known, and each is longer than all
//      that lies below it; only the largest may have an extent that is not known.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/DistinctTiles.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/APInt.h"

using namespace mlir;

namespace tilesmith::tileas {
namespace {

struct Access {
  Value view;
  ValueRange indices;
};

std::optional<Access> accessOf(Operation *op) {
  if (auto load = dyn_cast<TiledLoadOp>(op))
    return Access{load.getView(), load.getIndices()};
  if (auto store = dyn_cast<TiledStoreOp>(op))
    return Access{store.getView(), store.getIndices()};
  return std::nullopt;
}

bool isComputedOnce(Value value) {
  for (Operation *op = value.getParentRegion()->getParentOp(); op; op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op))
      return false;
  return true;
}

/// `base` plus a constant; no base: the constant alone.
struct Index {
  Value base;
  APInt constant;
};

Index indexOf(Value value) {
  Index index{value, APInt(value.getType().getIntOrFloatBitWidth(), 0)};
  APInt number;
  while (auto sum = index.base.getDefiningOp<arith::AddIOp>()) {
    if (!matchPattern(sum.getRhs(), m_ConstantInt(&number)))
      return index;
    index = {sum.getLhs(), index.constant + number};
  }
  if (matchPattern(index.base, m_ConstantInt(&number)))
    index = {Value(), index.constant + number};
  return index;
}

bool differ(Value a, Value b) {
  // Wider ones might wrap where they become coordinates.
  if (a.getType() != b.getType() || !a.getType().isInteger(32))
    return false;
  Index first = indexOf(a), second = indexOf(b);
  if (first.base != second.base || (first.base && !isComputedOnce(first.base)))
    return false;
  return first.constant != second.constant;
}

/// Condition 4.
bool coordinatesAreBytes(tileaa::MemRefType memref) {
  if (TILESMITH_PLANT("tiles-distinct-in-any-strides"))
    return true;
  SmallVector<std::pair<int64_t, int64_t>> dims; // stride, extent
  for (auto [stride, extent] : llvm::zip_equal(memref.getStrides(), memref.getShape())) {
    if (ShapedType::isDynamic(stride))
      return false;
    if (extent != 1)
      dims.push_back({stride, extent});
  }
  llvm::sort(dims, llvm::less_first());
  int64_t below = 0; // the largest offset of the dimensions so far
  for (auto [index, dim] : llvm::enumerate(dims)) {
    auto [stride, extent] = dim;
    if (stride <= below)
      return false;
    if (index + 1 == dims.size())
      return true;
    int64_t span = 0;
    if (ShapedType::isDynamic(extent) || llvm::MulOverflow(stride, extent - 1, span) ||
        llvm::AddOverflow(below, span, below))
      return false;
  }
  return true;
}

} // namespace

bool touchDistinctTiles(Operation *a, Operation *b) {
  std::optional<Access> first = accessOf(a), second = accessOf(b);
  if (!first || !second || first->view != second->view || !isComputedOnce(first->view))
    return false;
  auto view = dyn_cast<tileaa::TiledViewType>(first->view.getType());
  if (!view || view.isGather() || !view.getElementType().isIntOrFloat() ||
      view.getElementType().getIntOrFloatBitWidth() < 8 || !coordinatesAreBytes(view.getMemref()))
    return false;
  for (auto [dim, one] : llvm::enumerate(first->indices)) {
    bool overlaps = view.getStep(dim) < view.getTileShape()[dim];
    if ((!overlaps || TILESMITH_PLANT("tiles-distinct-though-overlapping")) &&
        differ(one, second->indices[dim]))
      return true;
  }
  return false;
}

} // namespace tilesmith::tileas
