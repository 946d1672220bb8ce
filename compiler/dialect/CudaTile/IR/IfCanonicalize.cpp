//===- IfCanonicalize.cpp - folds and canonical forms of if -----------------------------------===//
//
// A branch ends in yield, which continues after the if, or in an exit (break, continue, return),
// which does not. Rules keep the order of memory accesses: ops only move together with the branch
// that holds them. The reference interpreter never calls these.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileConstants.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

//===-- helpers -------------------------------------------------------------------------------===//

static YieldOp yieldOf(Region &region) {
  return region.empty() ? YieldOp() : dyn_cast<YieldOp>(region.front().getTerminator());
}

static bool endsInExit(Region &region) {
  return !region.empty() && isa<BreakOp, ContinueOp, ReturnOp>(region.front().getTerminator());
}

// Only the terminator is inside.
static bool isBare(Region &region) {
  return region.empty() || llvm::hasSingleElement(region.front());
}

static bool isSelectable(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile && !isa<Float4E2M1FNType>(tile.getElementType());
}

// select on a scalar condition; tiles need one flag per element.
static Value createSelect(PatternRewriter &rewriter, Location loc, Value cond, Value ifTrue,
                          Value ifFalse) {
  auto type = cast<TileType>(ifTrue.getType());
  if (type.getRank() != 0) {
    auto flag = cast<TileType>(cond.getType()).getElementType();
    SmallVector<int64_t> ones(type.getRank(), 1);
    cond = ReshapeOp::create(rewriter, loc, TileType::get(ones, flag), cond);
    cond = BroadcastOp::create(rewriter, loc, TileType::get(type.getShape(), flag), cond);
  }
  return SelectOp::create(rewriter, loc, type, cond, ifTrue, ifFalse);
}

// Puts a branch in place of the if. Nothing of the parent block runs after an exit.
static void inlineBranch(PatternRewriter &rewriter, IfOp op, Region &region) {
  Operation *terminator = region.front().getTerminator();
  rewriter.inlineBlockBefore(&region.front(), op);
  if (auto yield = dyn_cast<YieldOp>(terminator)) {
    rewriter.replaceOp(op, yield.getOperands());
    rewriter.eraseOp(yield);
    return;
  }
  // From the end backwards, so that users go before what they use.
  Block *block = terminator->getBlock();
  while (&block->back() != terminator) {
    Operation *dead = &block->back();
    for (Value result : dead->getResults())
      result.dropAllUses();
    rewriter.eraseOp(dead);
  }
}

//===-- fold ----------------------------------------------------------------------------------===//

// if !c then A else B -> if c then B else A
LogicalResult IfOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  Value inner = getNegated(getCondition());
  if (getElseRegion().empty() || !inner)
    return failure();
  getConditionMutable().assign(inner);
  if (getNumResults() == 0 && TILESMITH_PLANT("if-without-results-keeps-branches"))
    return success();
  auto &thenBlocks = getThenRegion().getBlocks(), &elseBlocks = getElseRegion().getBlocks();
  Block *thenBlock = &thenBlocks.front();
  thenBlocks.splice(thenBlocks.begin(), elseBlocks);
  elseBlocks.splice(elseBlocks.begin(), thenBlocks, thenBlock);
  return success();
}

namespace {

//===-- one if --------------------------------------------------------------------------------===//

/// A constant condition: the chosen branch takes the place of the if.
struct RemoveStaticCondition : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    std::optional<bool> condition = getUniformBool(op.getCondition());
    if (!condition)
      return failure();
    Region &region = *condition ? op.getThenRegion() : op.getElseRegion();
    if (region.empty())
      rewriter.eraseOp(op);
    else
      inlineBranch(rewriter, op, region);
    return success();
  }
};

/// Both branches exit: what follows is dead, and the else branch may take its place.
struct MoveTerminatorToParent : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    if (!endsInExit(op.getThenRegion()) || !endsInExit(op.getElseRegion()))
      return failure();
    auto guard = IfOp::create(rewriter, op.getLoc(), TypeRange(), op.getCondition());
    Region *guarded = &op.getThenRegion(), *rest = &op.getElseRegion();
    if (TILESMITH_PLANT("if-exits-swapped"))
      std::swap(guarded, rest);
    rewriter.inlineRegionBefore(*guarded, guard.getThenRegion(), guard.getThenRegion().begin());
    inlineBranch(rewriter, op, *rest);
    return success();
  }
};

/// An else branch that does nothing.
struct RemoveEmptyElseBranch : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    if (op.getNumResults() || !yieldOf(op.getElseRegion()) || !isBare(op.getElseRegion()))
      return failure();
    rewriter.eraseBlock(op.getElseBlock());
    return success();
  }
};

/// Results without users are not yielded.
struct RemoveUnusedResults : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    llvm::BitVector unused(op.getNumResults());
    for (OpResult result : op.getResults()) {
      if (result.use_empty())
        unused.set(result.getResultNumber());
      else
        types.push_back(result.getType());
    }
    bool yields = yieldOf(op.getThenRegion()) || yieldOf(op.getElseRegion());
    if (unused.none() || !yields)
      return failure();
    auto replacement = IfOp::create(rewriter, op.getLoc(), types, op.getCondition());
    for (unsigned i = 0; i < 2; ++i) {
      Region &to = replacement->getRegion(i);
      rewriter.inlineRegionBefore(op->getRegion(i), to, to.begin());
      if (YieldOp yield = yieldOf(to))
        rewriter.modifyOpInPlace(yield, [&] { yield->eraseOperands(unused); });
    }
    SmallVector<Value> values(op.getNumResults());
    for (unsigned i = 0, next = 0; i < values.size(); ++i)
      if (!unused[i])
        values[i] = replacement.getResult(next++);
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// A result that both branches agree on, or that is the condition or its negation.
struct ReplaceYieldWithValue : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    YieldOp thenYield = yieldOf(op.getThenRegion()), elseYield = yieldOf(op.getElseRegion());
    if (!thenYield || !elseYield)
      return failure();
    bool changed = false;
    for (auto [result, ifTrue, ifFalse] :
         llvm::zip_equal(op.getResults(), thenYield.getOperands(), elseYield.getOperands())) {
      if (result.use_empty())
        continue;
      Value value;
      if (ifTrue == ifFalse)
        value = ifTrue;
      else if (result.getType() != op.getCondition().getType())
        continue;
      else if (isTrue(ifTrue) && isFalse(ifFalse))
        value = op.getCondition();
      else if (isFalse(ifTrue) && isTrue(ifFalse))
        value = TILESMITH_PLANT("if-yielded-negation-lost")
                    ? op.getCondition()
                    : createNot(rewriter, op.getLoc(), op.getCondition());
      else
        continue;
      rewriter.replaceAllUsesWith(result, value);
      changed = true;
    }
    return success(changed);
  }
};

/// Yielded tiles that are defined outside become selects. When one branch exits, the other one
/// decides.
struct ConvertToSelect : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    YieldOp thenYield = yieldOf(op.getThenRegion()), elseYield = yieldOf(op.getElseRegion());
    if (op.getNumResults() == 0 || (!thenYield && !elseYield) ||
        !llvm::all_of(op.getResultTypes(), isSelectable))
      return failure();
    SmallVector<Value> ifTrue((thenYield ? thenYield : elseYield).getOperands());
    SmallVector<Value> ifFalse((elseYield ? elseYield : thenYield).getOperands());
    auto isInside = [&](Value value) {
      return op->isAncestor(value.getParentRegion()->getParentOp());
    };

    SmallVector<Type> types;
    llvm::BitVector hoisted(op.getNumResults());
    for (auto [i, type] : llvm::enumerate(op.getResultTypes())) {
      if (isInside(ifTrue[i]) || isInside(ifFalse[i]))
        types.push_back(type);
      else
        hoisted.set(i);
    }
    if (hoisted.none())
      return failure();

    SmallVector<Value> values(op.getNumResults());
    for (unsigned i : hoisted.set_bits())
      values[i] = ifTrue[i] == ifFalse[i] ? ifTrue[i]
                                          : createSelect(rewriter, op.getLoc(), op.getCondition(),
                                                         ifTrue[i], ifFalse[i]);
    auto replacement = IfOp::create(rewriter, op.getLoc(), types, op.getCondition());
    for (unsigned i = 0; i < 2; ++i) {
      Region &to = replacement->getRegion(i);
      rewriter.inlineRegionBefore(op->getRegion(i), to, to.begin());
      if (YieldOp yield = yieldOf(to))
        rewriter.modifyOpInPlace(yield, [&] { yield->eraseOperands(hoisted); });
    }
    for (unsigned i = 0, next = 0; i < values.size(); ++i)
      if (!hoisted[i])
        values[i] = replacement.getResult(next++);
    rewriter.replaceOp(op, values);
    return success();
  }
};

//===-- two ifs -------------------------------------------------------------------------------===//

/// Neighbours on one condition (or its negation) become one if.
struct CombineIfs : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  // Appends the second branch to the first. Either may be missing; after an exit the second is
  // dead.
  static void appendBranch(PatternRewriter &rewriter, Region &first, Region *second) {
    if (!second || second->empty() || endsInExit(first))
      return;
    if (first.empty()) {
      rewriter.inlineRegionBefore(*second, first, first.begin());
      return;
    }
    YieldOp yield = yieldOf(first);
    SmallVector<Value> values(yield.getOperands());
    rewriter.eraseOp(yield);
    rewriter.mergeBlocks(&second->front(), &first.front());
    if (YieldOp last = yieldOf(first)) {
      if (TILESMITH_PLANT("if-neighbours-yield-last-first"))
        values.insert(values.begin(), last.operand_begin(), last.operand_end());
      else
        llvm::append_range(values, last.getOperands());
      rewriter.modifyOpInPlace(last, [&] { last->setOperands(values); });
    }
  }

  LogicalResult matchAndRewrite(IfOp second, PatternRewriter &rewriter) const override {
    auto first = llvm::dyn_cast_if_present<IfOp>(second->getPrevNode());
    if (!first)
      return failure();
    Value cond = first.getCondition(), other = second.getCondition();
    bool same = cond == other, negated = getNegated(other) == cond || getNegated(cond) == other;
    if (!same && !negated)
      return failure();
    same |= TILESMITH_PLANT("if-negated-neighbour-as-same");
    Region *onTrue = same ? &second.getThenRegion() : &second.getElseRegion();
    Region *onFalse = same ? &second.getElseRegion() : &second.getThenRegion();
    bool anyRuns = (!onTrue->empty() && !endsInExit(first.getThenRegion())) ||
                   (!onFalse->empty() && !endsInExit(first.getElseRegion()));
    if (!anyRuns)
      return failure();

    // Inside the second if, results of the first are what the matching branch yields.
    auto forward = [&](Region &from, Region *to) {
      YieldOp yield = yieldOf(from);
      if (!yield || to->empty())
        return;
      for (auto [result, value] : llvm::zip(first.getResults(), yield.getOperands()))
        rewriter.replaceUsesWithIf(result, value, [&, to](OpOperand &use) {
          return to->isAncestor(use.getOwner()->getParentRegion());
        });
    };
    forward(first.getThenRegion(), onTrue);
    forward(first.getElseRegion(), onFalse);

    SmallVector<Type> types(first.getResultTypes());
    llvm::append_range(types, second.getResultTypes());
    auto combined = IfOp::create(rewriter, second.getLoc(), types, cond);
    for (auto [i, region] : {std::pair(0, onTrue), std::pair(1, onFalse)}) {
      Region &to = combined->getRegion(i);
      rewriter.inlineRegionBefore(first->getRegion(i), to, to.begin());
      appendBranch(rewriter, to, region);
    }
    rewriter.replaceOp(first, combined.getResults().take_front(first.getNumResults()));
    rewriter.replaceOp(second, combined.getResults().take_back(second.getNumResults()));
    return success();
  }
};

/// An if whose then branch holds only another if, neither with anything to do otherwise: one if on
/// both conditions.
struct CombineNestedIfs : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    auto body = op.getThenBlock()->without_terminator();
    auto inner = llvm::hasSingleElement(body) ? dyn_cast<IfOp>(*body.begin()) : IfOp();
    if (!inner || !isBare(op.getElseRegion()) || !isBare(inner.getElseRegion()))
      return failure();
    YieldOp thenYield = yieldOf(op.getThenRegion());
    if (!thenYield || endsInExit(op.getElseRegion()) || endsInExit(inner.getElseRegion()))
      return failure();
    bool innerExits = endsInExit(inner.getThenRegion());
    if (innerExits && (!op.getElseRegion().empty() || !inner.getElseRegion().empty()))
      return failure();

    // A result is the inner one, false alike on both levels, or a value from outside, chosen by the
    // outer condition.
    SmallVector<Value> onTrue(thenYield.getOperands()), onFalse;
    if (YieldOp elseYield = yieldOf(op.getElseRegion()))
      llvm::append_range(onFalse, elseYield.getOperands());
    SmallVector<unsigned> selected;
    for (auto [i, value] : llvm::enumerate(onTrue)) {
      if (value.getDefiningOp() == inner) {
        unsigned number = cast<OpResult>(value).getResultNumber();
        if (yieldOf(inner.getElseRegion()).getOperand(number) != onFalse[i] &&
            !TILESMITH_PLANT("if-nested-takes-outer-else"))
          return failure();
        value = yieldOf(inner.getThenRegion()).getOperand(number);
      } else if (value.getParentRegion() == &op.getThenRegion() || !isSelectable(value.getType())) {
        return failure();
      } else {
        selected.push_back(i);
      }
    }
    // The inner condition is evaluated before the outer one is known: it must come from outside.
    if (inner.getCondition().getParentRegion() == &op.getThenRegion())
      return failure();

    Location loc = op.getLoc();
    Value both = TILESMITH_PLANT("if-nested-outer-condition-lost")
                     ? inner.getCondition()
                     : AndIOp::create(rewriter, loc, op.getCondition().getType(), op.getCondition(),
                                      inner.getCondition())
                           .getResult();
    SmallVector<Value> selects(op.getNumResults());
    for (unsigned i : selected)
      selects[i] = createSelect(
          rewriter, loc, TILESMITH_PLANT("if-nested-selects-on-both") ? both : op.getCondition(),
          onTrue[i], onFalse[i]);
    auto combined = IfOp::create(rewriter, loc, op.getResultTypes(), both);
    rewriter.inlineRegionBefore(inner.getThenRegion(), combined.getThenRegion(),
                                combined.getThenRegion().begin());
    if (YieldOp yield = yieldOf(combined.getThenRegion()))
      rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(onTrue); });
    if (!onFalse.empty()) {
      rewriter.createBlock(&combined.getElseRegion());
      YieldOp::create(rewriter, loc, onFalse);
    }
    for (auto [i, result] : llvm::enumerate(combined.getResults()))
      if (!selects[i])
        selects[i] = result;
    rewriter.replaceOp(op, selects);
    return success();
  }
};

} // namespace

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<RemoveUnusedResults, ReplaceYieldWithValue, RemoveStaticCondition, ConvertToSelect,
               RemoveEmptyElseBranch, CombineIfs, CombineNestedIfs, MoveTerminatorToParent>(
      context);
}
