//===- FoldMasks.cpp - tileaa-fold-masks --------------------------------------------------------===//
//
// A mask of attention compares columns with bounds of rows: column < length and column <= row, where
// column = start + 0, 1, 2, ... A thread that holds a row compares twice for each of its elements, and adds
// up each column. Here each bound of a row becomes the number of columns that it lets through,
//
//   start < high   all of them      high: the bound, cut down to a multiple of the tile's columns
//   start = high   bound - high     (one more where the bound itself is let through)
//   else           none
//
// and the mask a comparison of 0, 1, 2, ... with the smallest number: one for each element, with a
// constant. Lower bounds (column > row - window) make a second comparison, with the largest number that
// they shut out.
//
// Exact for every start and bound, whatever wraps: `start` is a multiple of the columns, a power of two, as
// the facts say, so no column wraps, and a multiple that differs from `high` decides alone.
//
// Only masks of rank 2 that selects alone use, all of whose comparisons are such ones: facts of masks that
// loads and stores use stay as they are. Only where threads hold whole rows (tcgen05, from 64 rows on):
// elsewhere the numbers of several rows take registers that products need, and exchanges.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilesmith::tileaa {
#define GEN_PASS_DEF_FOLDMASKSPASS
#include "compiler/dialect/TileAA/Transforms/Passes.h.inc"

namespace {

/// Of a tile that threads may hold row by row.
constexpr int64_t kFewestRows = 64;

RankedTensorType tileOf(Value value) {
  return llvm::dyn_cast<RankedTensorType>(value.getType());
}

/// start + 0, 1, 2, ... along one dimension, the same along the other.
struct Columns {
  Value range; ///< 0, 1, 2, ...: a tile with an extent of one along the other dimension
  Value start; ///< a scalar; null: zero
};

std::optional<Columns> columnsOf(Value value, unsigned dim, int64_t extent) {
  if (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
    if (tileOf(broadcast.getSource()).getDimSize(dim) != extent)
      return std::nullopt;
    return columnsOf(broadcast.getSource(), dim, extent);
  }
  if (tileOf(value).getDimSize(1 - dim) != 1 || tileOf(value).getDimSize(dim) != extent)
    return std::nullopt;
  if (auto expand = value.getDefiningOp<ExpandDimsOp>()) {
    auto range = expand.getSource().getDefiningOp<MakeRangeOp>();
    if (range && matchPattern(range.getStart(), m_Zero()) && expand.getAxes().size() == 1 &&
        expand.getAxes()[0] == int32_t(1 - dim))
      return Columns{value, {}};
    return std::nullopt;
  }
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return std::nullopt;
  for (auto [one, other] :
       {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())}) {
    auto splat = one.getDefiningOp<SplatOp>();
    std::optional<Columns> columns = columnsOf(other, dim, extent);
    if (!splat || !columns || (columns->start && !TILESMITH_PLANT("fold-masks-one-start-of-two")) ||
        (getFacts(splat->getOperand(0)).divisor % uint64_t(extent) &&
         !TILESMITH_PLANT("fold-masks-any-start")))
      continue;
    columns->start = splat->getOperand(0);
    return columns;
  }
  return std::nullopt;
}

/// A comparison of columns with bounds that do not change along the columns.
struct Comparison {
  Columns columns;
  Value bound;           ///< a tile with an extent of one along the columns, or a splat
  bool isUpper = true;   ///< lets columns below the bound through, else those from it on
  bool includes = false; ///< upper: the bound itself, too; lower: not the bound itself
};

class Mask {
public:
  Mask(arith::SelectOp select, unsigned dim)
      : type(tileOf(select.getCondition())), dim(dim), extent(type.getDimSize(dim)) {}

  bool match(Value condition) { return collect(condition) && !comparisons.empty(); }

  Value emit(OpBuilder &b, Location loc) {
    Value upper, lower;
    for (const Comparison &one : comparisons) {
      Value number = numberBelow(b, loc, one);
      Value &all = one.isUpper ? upper : lower;
      if (!all)
        all = number;
      else if (one.isUpper != TILESMITH_PLANT("fold-masks-largest-upper"))
        all = arith::MinSIOp::create(b, loc, all, number);
      else
        all = arith::MaxSIOp::create(b, loc, all, number);
    }
    auto full = type.clone(b.getI32Type());
    Value range = BroadcastOp::create(b, loc, full, comparisons.front().columns.range), mask;
    for (auto [number, predicate] : {std::pair(upper, arith::CmpIPredicate::slt),
                                     std::pair(lower, TILESMITH_PLANT("fold-masks-lower-inclusive")
                                                          ? arith::CmpIPredicate::sgt
                                                          : arith::CmpIPredicate::sge)}) {
      if (!number)
        continue;
      Value part = arith::CmpIOp::create(b, loc, predicate, range,
                                         BroadcastOp::create(b, loc, full, number));
      mask = mask ? arith::AndIOp::create(b, loc, mask, part).getResult() : part;
    }
    return mask;
  }

private:
  bool collect(Value value) {
    if (auto both = value.getDefiningOp<arith::AndIOp>())
      return collect(both.getLhs()) && collect(both.getRhs());
    if (auto broadcast = value.getDefiningOp<BroadcastOp>())
      return collect(broadcast.getSource());
    auto compare = value.getDefiningOp<arith::CmpIOp>();
    auto operands = compare ? tileOf(compare.getLhs()) : RankedTensorType();
    if (!operands || operands.getRank() != 2 || !operands.getElementType().isInteger(32))
      return false;
    Value left = compare.getLhs(), right = compare.getRhs();
    std::optional<Columns> columns = columnsOf(left, dim, extent);
    const bool isSwapped = !columns;
    if (isSwapped) {
      std::swap(left, right);
      columns = columnsOf(left, dim, extent);
    }
    Value bound = columns ? boundOf(right) : Value();
    if (!bound)
      return false;
    bool isUpper, includes; // with the columns on the left
    arith::CmpIPredicate predicate = compare.getPredicate();
    if (predicate == arith::CmpIPredicate::ult && TILESMITH_PLANT("fold-masks-unsigned-as-signed"))
      predicate = arith::CmpIPredicate::slt;
    switch (predicate) {
    case arith::CmpIPredicate::slt:
      isUpper = true, includes = false;
      break;
    case arith::CmpIPredicate::sle:
      isUpper = true, includes = true;
      break;
    case arith::CmpIPredicate::sge:
      isUpper = false, includes = false;
      break;
    case arith::CmpIPredicate::sgt:
      isUpper = false, includes = true;
      break;
    default:
      return false;
    }
    // `bound < column` is `column > bound`: both change.
    if (!TILESMITH_PLANT("fold-masks-swapped-keeps-inclusion"))
      includes = includes != isSwapped;
    comparisons.push_back({*columns, bound, isUpper != isSwapped, includes});
    return true;
  }

  /// The tile, as far as it does not change along the columns.
  Value boundOf(Value value) const {
    if (value.getDefiningOp<SplatOp>())
      return value;
    auto broadcast = value.getDefiningOp<BroadcastOp>();
    Value source = broadcast ? broadcast.getSource() : value;
    return tileOf(source).getDimSize(dim) == 1 ? source : Value();
  }

  /// How many columns lie below the bound, or up to it.
  Value numberBelow(OpBuilder &b, Location loc, const Comparison &one) const {
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = 1;
    auto tile = RankedTensorType::get(shape, b.getI32Type());
    auto constant = [&](int64_t value) -> Value {
      Value scalar = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(value)));
      return SplatOp::create(b, loc, tile, scalar);
    };
    Value bound = one.bound;
    if (auto splat = bound.getDefiningOp<SplatOp>())
      bound = SplatOp::create(b, loc, tile, splat->getOperand(0));
    else if (bound.getType() != tile)
      bound = BroadcastOp::create(b, loc, tile, bound);
    Value start = one.columns.start ? SplatOp::create(b, loc, tile, one.columns.start).getResult()
                                    : constant(0);
    Value high = arith::AndIOp::create(b, loc, bound, constant(-extent)),
          low = arith::AndIOp::create(b, loc, bound, constant(extent - 1));
    if (one.includes)
      low = arith::AddIOp::create(b, loc, low, constant(1));
    auto below = TILESMITH_PLANT("fold-masks-negative-bound") ? arith::CmpIPredicate::ult
                                                              : arith::CmpIPredicate::slt;
    Value before = arith::CmpIOp::create(b, loc, below, start, high),
          here = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, start, high);
    Value rest = arith::SelectOp::create(b, loc, here, low, constant(0));
    return arith::SelectOp::create(b, loc, before, constant(extent), rest);
  }

  RankedTensorType type;
  unsigned dim;
  int64_t extent;
  SmallVector<Comparison> comparisons;
};

void eraseUnused(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isOpTriviallyDead(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    eraseUnused(operand);
}

struct FoldMasks : impl::FoldMasksPassBase<FoldMasks> {
  using FoldMasksPassBase::FoldMasksPassBase;

  void runOnOperation() override {
    if (!getTarget(getOperation()).has(target::Feature::Tcgen05))
      return;
    SmallVector<arith::SelectOp> selects;
    getOperation()->walk([&](arith::SelectOp select) {
      RankedTensorType type = tileOf(select.getCondition());
      if (type && type.getRank() == 2)
        selects.push_back(select);
    });
    for (arith::SelectOp select : selects) {
      Value condition = select.getCondition();
      if (!llvm::all_of(condition.getUsers(), llvm::IsaPred<arith::SelectOp>))
        continue;
      for (unsigned dim : {1u, 0u}) {
        Mask mask(select, dim);
        if (tileOf(condition).getDimSize(1 - dim) < kFewestRows || !mask.match(condition))
          continue;
        OpBuilder builder(select);
        select.getConditionMutable().assign(mask.emit(builder, select.getLoc()));
        eraseUnused(condition);
        break;
      }
    }
  }
};

} // namespace
} // namespace tilesmith::tileaa
