//===- LoopSplit.cpp - split a for where a comparison of its index flips ----------------------===//
//
//   for i in (lb to ub, step s) { if i < v { A } else { B } }
// becomes
//   for i in (lb to min(p, ub), step s) { A }    for i in (max(p, lb) to ub, step s) { B }
// where p is the first index of the loop's sequence at which the comparison has flipped.
//
// Steps, per for and per if inside it:
//   1. the if's condition compares the index with a value from outside the loop, with the
//      signedness of the loop
//   2. the threshold asks for the split: attribute `cuda_tile.loop_split` of if, for or function,
//      else the option
//   3. ifs directly in the loop on that comparison become the branch taken, other uses of it a
//      constant
//
// Invariants: both loops together run the same iterations in the same order. A split point past the
// end of the integer type is not computed: unless v is a constant below it, v is clamped to ub - 1
// before one is added. Aligning p to other steps than 1 may wrap around near the ends of the type;
// `assume-no-wrap=false` leaves such loops alone.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileConstants.h"
#include "compiler/dialect/CudaTile/Transforms/Passes.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tilesmith::cuda_tile {
#define GEN_PASS_DEF_LOOPSPLITPASS
#include "compiler/dialect/CudaTile/Transforms/Passes.h.inc"

namespace {

constexpr StringLiteral thresholdAttr = "cuda_tile.loop_split";

/// A comparison of the index that flips once.
struct Split {
  CmpIOp cmp;
  Value bound;           // v
  bool afterBound;       // the flip is at v + 1, not at v
  bool trueInSecondLoop; // > and >=
  bool keepComparison;   // has uses besides the ifs below
  llvm::SmallPtrSet<Operation *, 4> ifs;
};

std::optional<int> thresholdOf(Operation *op) {
  auto attr = op->getDiscardableAttr(thresholdAttr);
  auto integer = llvm::dyn_cast_if_present<IntegerAttr>(attr);
  return integer ? std::optional<int>(integer.getInt()) : std::nullopt;
}

// The predicate with the index on the left.
std::optional<ComparisonPredicate> orientedPredicate(ForOp loop, CmpIOp cmp, Value &bound) {
  using enum ComparisonPredicate;
  ComparisonPredicate predicate = cmp.getComparisonPredicate();
  if (cmp.getLhs() == loop.getInductionVar()) {
    bound = cmp.getRhs();
    return predicate;
  }
  if (cmp.getRhs() != loop.getInductionVar())
    return std::nullopt;
  bound = cmp.getLhs();
  switch (predicate) {
  case LESS_THAN:
    return GREATER_THAN;
  case LESS_THAN_OR_EQUAL:
    return GREATER_THAN_OR_EQUAL;
  case GREATER_THAN:
    return LESS_THAN;
  case GREATER_THAN_OR_EQUAL:
    return TILESMITH_PLANT("loop-split-swapped-bound-left-out") ? LESS_THAN : LESS_THAN_OR_EQUAL;
  default:
    return std::nullopt;
  }
}

bool isExpensive(Operation &op) {
  return isa<LoadPtrTkoOp, LoadViewTkoOp, StorePtrTkoOp, StoreViewTkoOp, MmaFOp, MmaIOp, ReduceOp,
             IfOp, ForOp>(op);
}

bool isProfitable(IfOp op, int threshold) {
  if (threshold == 1)
    return true;
  return llvm::any_of(op->getRegions(), [&](Region &region) {
    if (region.empty())
      return false;
    auto body = region.front().without_terminator();
    return llvm::any_of(body, isExpensive) || std::distance(body.begin(), body.end()) >= threshold;
  });
}

std::optional<Split> findSplit(ForOp loop, IfOp op, int threshold) {
  auto cmp = op.getCondition().getDefiningOp<CmpIOp>();
  Signedness signedness = loop.getUnsignedCmp() ? Signedness::Unsigned : Signedness::Signed;
  if (!threshold || !cmp || cmp->getParentOp() != loop ||
      (cmp.getSignedness() != signedness && !TILESMITH_PLANT("loop-split-ignores-signedness")))
    return std::nullopt;
  Split split{cmp, Value(), false, false, false, {}};
  std::optional<ComparisonPredicate> predicate = orientedPredicate(loop, cmp, split.bound);
  if (!predicate || loop->isAncestor(split.bound.getParentRegion()->getParentOp()))
    return std::nullopt;
  using enum ComparisonPredicate;
  if (*predicate == EQUAL || *predicate == NOT_EQUAL)
    return std::nullopt;
  split.trueInSecondLoop = *predicate == GREATER_THAN || *predicate == GREATER_THAN_OR_EQUAL;
  split.afterBound = *predicate == GREATER_THAN || (*predicate == LESS_THAN_OR_EQUAL &&
                                                    !TILESMITH_PLANT("loop-split-up-to-as-below"));

  bool profitable = false;
  for (Operation *user : cmp->getUsers()) {
    auto branch = dyn_cast<IfOp>(user);
    profitable |= branch && isProfitable(branch, threshold);
    if (branch && branch->getParentOp() == loop)
      split.ifs.insert(branch);
    else
      split.keepComparison = true;
  }
  return profitable ? std::optional<Split>(split) : std::nullopt;
}

/// Builds the two loops.
class Splitter {
public:
  Splitter(RewriterBase &rewriter, ForOp loop, Split split)
      : rewriter(rewriter), loop(loop), split(split), loc(loop.getLoc()) {}

  void run() {
    Signedness signedness = loop.getUnsignedCmp() ? Signedness::Unsigned : Signedness::Signed;
    Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
    Type type = lower.getType();
    rewriter.setInsertionPoint(loop);
    Value point = computePoint(signedness);
    Value firstEnd = TILESMITH_PLANT("loop-split-first-past-the-end")
                         ? point
                         : MinIOp::create(rewriter, loc, type, point, upper, signedness);
    Value secondBegin = TILESMITH_PLANT("loop-split-second-from-point")
                            ? point
                            : MaxIOp::create(rewriter, loc, type, point, lower, signedness);
    ForOp first = copy(lower, firstEnd, loop.getInitValues(), !split.trueInSecondLoop);
    rewriter.setInsertionPointAfter(first);
    ValueRange carried = first.getResults();
    if (TILESMITH_PLANT("loop-split-second-begins-anew"))
      carried = loop.getInitValues();
    ForOp second = copy(secondBegin, upper, carried, split.trueInSecondLoop);
    rewriter.replaceOp(loop, second.getResults());
  }

private:
  Value constant(Type type, int64_t value, unsigned width) {
    auto attr = DenseElementsAttr::get(cast<TileType>(type), APInt(width, value));
    return ConstantOp::create(rewriter, loc, type, cast<DenseIntOrFPElementsAttr>(attr));
  }

  static bool mayBeLargest(Value value, Signedness signedness) {
    std::optional<APInt> constant = getUniformInteger(value);
    if (TILESMITH_PLANT("loop-split-wraps-past-largest"))
      return false;
    return !constant || (signedness == Signedness::Signed ? constant->isMaxSignedValue()
                                                          : constant->isMaxValue());
  }

  Value computePoint(Signedness signedness) {
    Value lower = loop.getLowerBound(), upper = loop.getUpperBound(), step = loop.getStep(),
          point = split.bound;
    Type type = lower.getType();
    constexpr IntegerOverflow none = IntegerOverflow::NONE;
    if (split.afterBound && !TILESMITH_PLANT("loop-split-at-the-bound")) {
      Value one = constant(type, 1, cast<TileType>(type).getElementTypeBitWidth());
      if (mayBeLargest(point, signedness)) {
        Value last = SubIOp::create(rewriter, loc, type, upper, one, none);
        point = MinIOp::create(rewriter, loc, type, point, last, signedness);
      }
      point = AddIOp::create(rewriter, loc, type, point, one, none);
    }
    std::optional<APInt> constantStep = getUniformInteger(step);
    if (constantStep && constantStep->isOne())
      return point;
    // lower + ceil((point - lower) / step) * step
    Value distance = SubIOp::create(rewriter, loc, type, point, lower, none);
    Value steps =
        DivIOp::create(rewriter, loc, type, distance, step, signedness, RoundingMode::POSITIVE_INF);
    Value aligned = MulIOp::create(rewriter, loc, type, steps, step, none);
    return AddIOp::create(rewriter, loc, type, lower, aligned, none);
  }

  ForOp copy(Value lower, Value upper, ValueRange inits, bool condition) {
    auto result = ForOp::create(rewriter, loc, lower, upper, loop.getStep(), inits, nullptr,
                                loop.getUnsignedCmp());
    Block *body = result.getBody();
    if (!body->empty())
      rewriter.eraseOp(&body->back()); // the implied terminator; the copy brings its own
    rewriter.setInsertionPointToEnd(body);
    IRMapping mapping;
    mapping.map(loop.getBody()->getArguments(), body->getArguments());
    for (Operation &op : *loop.getBody()) {
      if (&op == split.cmp.getOperation()) {
        if (split.keepComparison)
          mapping.map(split.cmp.getResult(),
                      constant(split.cmp.getType(),
                               TILESMITH_PLANT("loop-split-other-uses-of-first")
                                   ? !split.trueInSecondLoop
                                   : condition,
                               1));
      } else if (!split.ifs.contains(&op)) {
        rewriter.clone(op, mapping);
      } else if (!copyBranch(cast<IfOp>(op), condition, mapping)) {
        break;
      }
    }
    return result;
  }

  // Returns whether the loop body goes on after the branch.
  bool copyBranch(IfOp op, bool condition, IRMapping &mapping) {
    Region &region = condition ? op.getThenRegion() : op.getElseRegion();
    if (region.empty())
      return true;
    for (Operation &inner : region.front()) {
      auto yield = dyn_cast<YieldOp>(inner);
      if (!yield) {
        rewriter.clone(inner, mapping);
        continue;
      }
      for (auto [result, value] : llvm::zip_equal(op.getResults(), yield.getOperands()))
        mapping.map(result, mapping.lookupOrDefault(value));
      return true;
    }
    return false;
  }

  RewriterBase &rewriter;
  ForOp loop;
  Split split;
  Location loc;
};

struct LoopSplit : impl::LoopSplitPassBase<LoopSplit> {
  using LoopSplitPassBase::LoopSplitPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](FunctionOpInterface function) { splitLoops(function); });
  }

  void splitLoops(FunctionOpInterface function) {
    IRRewriter rewriter(&getContext());
    std::optional<int> functionThreshold = thresholdOf(function);
    function->walk([&](ForOp loop) {
      std::optional<APInt> step = getUniformInteger(loop.getStep());
      if (!assumeNoWrap && !(step && step->isOne()))
        return;
      std::optional<int> loopThreshold = thresholdOf(loop);
      std::optional<Split> split;
      loop->walk([&](IfOp op) {
        int threshold = splitThreshold;
        for (std::optional<int> closer : {functionThreshold, loopThreshold, thresholdOf(op)})
          threshold = closer.value_or(threshold);
        split = findSplit(loop, op, threshold);
        return split ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (split)
        Splitter(rewriter, loop, *split).run();
    });
  }
};

} // namespace
} // namespace tilesmith::cuda_tile
