//===- DistinctTiles.cpp - accesses of views that no two threads meet in ----------------------===//
//
// Two accesses of tiles of one memory need no barrier between them when no byte is touched by one
// thread in the first and by another one in the second. Both take the memory from one value that is
// computed once, in front of all loops, or from two that are computed alike from such values: an
// access of the turn before has the same memory, too. Both cut it into tiles alike. And
//
//   A. different coordinates are different bytes: each stride is longer than all that lies below it;
//      only the largest may have an extent that is not known;
// and, one of
//   B. different tiles: in one dimension in which neighbouring tiles do not overlap, the indices are
//      different constants, or the same value, computed once, plus different constants: sums wrap,
//      but stay different. With A, no byte is in both;
//   C. the same owners: tiles do not overlap in any dimension, so that a coordinate is one place of
//      one tile, whatever the indices are; and both have their tiles in the same layout, which
//      gives that place to the same threads. A store is made by the first of them, a load by all, so
//      there must be one only, unless both store. With A, a byte belongs to one thread in both,
//      which does what its program says in that order.
//
// Where strides or extents are not known, A is left to a test at run time (`mayShareBytes`). It takes
// the dimensions in one order, that of a row-major or a column-major array, and numbers below 2^31:
// whatever else it meets counts as shared bytes.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/DistinctTiles.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/APInt.h"

using namespace mlir;

namespace tilesmith::tileas {
namespace {

struct Access {
  Value view;
  ValueRange indices;
  LayoutAttr layout; ///< of the tile
  bool isLoad;
};

std::optional<Access> accessOf(Operation *op) {
  if (auto load = dyn_cast<TiledLoadOp>(op))
    return Access{load.getView(), load.getIndices(), getLayout(load.getResult().getType()), true};
  if (auto store = dyn_cast<TiledStoreOp>(op))
    return Access{store.getView(), store.getIndices(), getLayout(store.getValue().getType()),
                  false};
  return std::nullopt;
}

//===- values -------------------------------------------------------------------------------------===//

/// What an operation computes is the same whenever its operands are.
bool isArithmetic(Operation *op) {
  return op && op->getNumRegions() == 0 &&
         (isa<tileaa::AssumeOp, tileaa::MakeMemRefOp>(op) ||
          isa<arith::ArithDialect>(op->getDialect()));
}

/// How far back equal computations are followed: values are used again and again.
constexpr unsigned kMaxDepth = 6;

bool isComputedOnce(Value value, unsigned depth = kMaxDepth) {
  Operation *loop = value.getParentRegion()->getParentOp();
  while (loop && !isa<LoopLikeOpInterface>(loop))
    loop = loop->getParentOp();
  if (!loop)
    return true;
  Operation *op = value.getDefiningOp();
  return depth && isArithmetic(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return isComputedOnce(operand, depth - 1);
         });
}

/// Computed in the same way from the same values: equal, when one of them is computed once.
bool areAlike(Value a, Value b, unsigned depth = kMaxDepth) {
  if (a == b)
    return true;
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  if (!depth || !isArithmetic(first) || !isArithmetic(second))
    return false;
  return OperationEquivalence::isEquivalentTo(
      first, second, [&](Value x, Value y) { return success(areAlike(x, y, depth - 1)); },
      [](Value, Value) {},
      OperationEquivalence::IgnoreLocations | OperationEquivalence::IgnoreDiscardableAttrs);
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
    index = {Value(),
             TILESMITH_PLANT("tiles-distinct-constant-alone") ? number : index.constant + number};
  return index;
}

/// Wider ones might wrap where they become coordinates.
bool isNarrow(Value index) {
  return index.getType().isInteger(32);
}

bool differ(Value a, Value b) {
  if (a.getType() != b.getType() || !isNarrow(a))
    return false;
  Index first = indexOf(a), second = indexOf(b);
  if (!first.base != !second.base ||
      (first.base &&
       !((isComputedOnce(first.base) || TILESMITH_PLANT("tiles-distinct-in-other-turns")) &&
         areAlike(first.base, second.base))))
    return false;
  return first.constant != second.constant;
}

//===- strides ------------------------------------------------------------------------------------===//

enum class Answer { No, Yes, AtRunTime };

/// The dimensions of more than one element, that of the smallest stride first: known ones by size,
/// others as in a row-major array.
SmallVector<unsigned> dimensionsByStride(tileaa::MemRefType memref) {
  SmallVector<unsigned> dims;
  for (auto [dim, extent] : llvm::enumerate(memref.getShape()))
    if (extent != 1)
      dims.push_back(dim);
  llvm::sort(dims, [&](unsigned a, unsigned b) {
    auto key = [&](unsigned dim) {
      int64_t stride = memref.getStrides()[dim];
      return std::pair(ShapedType::isDynamic(stride) ? INT64_MAX : stride, ~dim);
    };
    return key(a) < key(b);
  });
  return dims;
}

/// Condition A, from the type alone.
Answer coordinatesAreBytes(tileaa::MemRefType memref) {
  if (TILESMITH_PLANT("tiles-distinct-in-any-strides"))
    return Answer::Yes;
  SmallVector<unsigned> dims = dimensionsByStride(memref);
  int64_t below = 0; // the largest offset of the dimensions so far
  for (auto [index, dim] : llvm::enumerate(dims)) {
    int64_t stride = memref.getStrides()[dim], extent = memref.getShape()[dim], span = 0;
    if (ShapedType::isDynamic(stride))
      return Answer::AtRunTime;
    if (TILESMITH_PLANT("tiles-distinct-though-touching") ? stride < below : stride <= below)
      return Answer::No;
    if (index + 1 == dims.size())
      return Answer::Yes;
    if (ShapedType::isDynamic(extent))
      return Answer::AtRunTime;
    if (llvm::MulOverflow(stride, extent - 1, span) || llvm::AddOverflow(below, span, below))
      return Answer::No;
  }
  return Answer::Yes;
}

//===- tiles --------------------------------------------------------------------------------------===//

tileaa::MakeMemRefOp memrefOf(Value view) {
  auto tile = view.getDefiningOp<tileaa::BlockTileOp>();
  return tile ? tile.getSource().getDefiningOp<tileaa::MakeMemRefOp>() : tileaa::MakeMemRefOp();
}

/// Both types cut their memory into the same tiles; what is read outside of it may differ.
bool haveSameTiles(tileaa::TiledViewType a, tileaa::TiledViewType b) {
  if (a.isGather() || b.isGather() || a.getMemref() != b.getMemref() ||
      a.getTileShape() != b.getTileShape() ||
      (a.getDimMap() != b.getDimMap() && !TILESMITH_PLANT("tiles-alike-in-any-dim-map")))
    return false;
  return llvm::all_of(llvm::seq<unsigned>(a.getRank()),
                      [&](unsigned dim) { return a.getStep(dim) == b.getStep(dim); }) ||
         TILESMITH_PLANT("tiles-alike-in-any-step");
}

/// Two elements of memory share no byte.
bool hasWholeBytes(Type element) {
  // A truth value has a byte of its own.
  return element.isInteger(1) || (element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8);
}

bool doOverlap(tileaa::TiledViewType view, unsigned dim) {
  return view.getStep(dim) < view.getTileShape()[dim] &&
         !TILESMITH_PLANT("tiles-distinct-though-overlapping");
}

/// Condition B without A.
bool haveOtherIndices(tileaa::TiledViewType view, const Access &a, const Access &b) {
  for (auto [dim, one] : llvm::enumerate(a.indices))
    if (!doOverlap(view, dim) && differ(one, b.indices[dim]))
      return true;
  return false;
}

/// Condition C without A.
bool haveSameOwners(tileaa::TiledViewType view, const Access &a, const Access &b) {
  if (!a.layout || (a.layout != b.layout && !TILESMITH_PLANT("tiles-owned-alike-in-any-layout")))
    return false;
  for (const Access &access : {a, b})
    for (auto [dim, index] : llvm::enumerate(access.indices))
      if (!isNarrow(index) || doOverlap(view, dim))
        return false;
  if (!a.isLoad && !b.isLoad)
    return true;
  LinearLayout layout = a.layout.toLinear();
  return (!layout.freeMask(InDim::Lane) && !layout.freeMask(InDim::Warp)) ||
         TILESMITH_PLANT("tiles-owned-alike-by-holders");
}

} // namespace

std::optional<Separation> separate(Operation *a, Operation *b) {
  std::optional<Access> first = accessOf(a), second = accessOf(b);
  if (!first || !second)
    return std::nullopt;
  tileaa::MakeMemRefOp memref = memrefOf(first->view), other = memrefOf(second->view);
  if (!memref || !other || !isComputedOnce(memref) || !isComputedOnce(other) ||
      !areAlike(memref, other))
    return std::nullopt;
  auto view = cast<tileaa::TiledViewType>(first->view.getType());
  if (!haveSameTiles(view, cast<tileaa::TiledViewType>(second->view.getType())) ||
      !hasWholeBytes(view.getElementType()))
    return std::nullopt;
  // Agents are different threads, and blocks of a cluster have threads of their own.
  auto function = a->getParentOfType<tileaa::FuncOp>();
  bool haveSameThreads =
      a->getParentOfType<AgentSwitchOp>() == b->getParentOfType<AgentSwitchOp>() &&
      !a->getParentOfType<AgentSwitchOp>() && clusterBlocks(function) == 1;
  if (!haveOtherIndices(view, *first, *second) &&
      !(haveSameThreads && haveSameOwners(view, *first, *second)))
    return std::nullopt;
  switch (coordinatesAreBytes(view.getMemref())) {
  case Answer::Yes:
    return Separation{};
  case Answer::No:
    return std::nullopt;
  case Answer::AtRunTime:
    return Separation{memref};
  }
  llvm_unreachable("unknown answer");
}

Value mayShareBytes(OpBuilder &b, tileaa::MakeMemRefOp memref) {
  auto type = cast<tileaa::MemRefType>(memref.getResult().getType());
  Location loc = memref.getLoc();
  Type i64 = b.getI64Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, i64, value);
  };
  Value bits; // of all that is not known now
  auto expand = [&](ArrayRef<int64_t> statics, ValueRange dynamics) {
    SmallVector<Value> all;
    auto next = dynamics.begin();
    for (int64_t known : statics) {
      if (!ShapedType::isDynamic(known)) {
        all.push_back(constant(known));
        continue;
      }
      Value value = *next++;
      if (value.getType() != i64)
        value = arith::ExtUIOp::create(b, loc, i64, value);
      bits = bits ? Value(arith::OrIOp::create(b, loc, bits, value)) : value;
      all.push_back(value);
    }
    return all;
  };
  SmallVector<Value> extents = expand(type.getShape(), memref.getSizes()),
                     strides = expand(type.getStrides(), memref.getStrides());
  // Below 2^31 nothing wraps: a sum that is not shorter than the next stride ends the matter.
  Value shared = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, bits,
                                       constant(std::numeric_limits<int32_t>::max()));
  Value below = constant(0);
  SmallVector<unsigned> dims = dimensionsByStride(type);
  for (auto [index, dim] : llvm::enumerate(dims)) {
    Value meets = arith::CmpIOp::create(b, loc,
                                        TILESMITH_PLANT("tiles-meeting-in-one-element-apart")
                                            ? arith::CmpIPredicate::slt
                                            : arith::CmpIPredicate::sle,
                                        strides[dim], below);
    shared = arith::OrIOp::create(b, loc, shared, meets);
    if (index + 1 == dims.size())
      break;
    Value last = arith::SubIOp::create(b, loc, extents[dim], constant(1));
    below = arith::AddIOp::create(b, loc, below, arith::MulIOp::create(b, loc, last, strides[dim]));
  }
  return shared;
}

} // namespace tilesmith::tileas
