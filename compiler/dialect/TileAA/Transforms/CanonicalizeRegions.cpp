//===- CanonicalizeRegions.cpp - dead results of operations with regions ----------------------===//
//
// queue.get and pragma stay (a get advances the queue); the result list and the region's terminator
// shrink together, survivors keep their order. Reductions and scans of several tiles lose those tiles
// whose results nobody uses, and whose elements no other result depends on.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"

#include "compiler/support/Plants.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilesmith::tileaa {
namespace {

template <typename OpTy> struct PruneResults : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    // Without a region the queue's type fixes the results.
    if (op.getBody().empty() ||
        llvm::none_of(op->getResults(), [](Value v) { return v.use_empty(); }))
      return failure();
    Operation *terminator = op.getBody().front().getTerminator();
    SmallVector<Type> types;
    SmallVector<Value> yielded;
    for (auto [result, value] : llvm::zip(op->getResults(), terminator->getOperands())) {
      if (result.use_empty())
        continue;
      types.push_back(result.getType());
      yielded.push_back(value);
    }
    rewriter.modifyOpInPlace(terminator, [&] { terminator->setOperands(yielded); });
    OperationState state(op.getLoc(), op->getName(), op->getOperands(), types, op->getAttrs());
    state.addRegion();
    Operation *pruned = rewriter.create(state);
    rewriter.inlineRegionBefore(op.getBody(), pruned->getRegion(0), pruned->getRegion(0).end());
    unsigned next = 0;
    for (Value result : op->getResults())
      if (!result.use_empty())
        rewriter.replaceAllUsesWith(result, pruned->getResult(next++));
    rewriter.eraseOp(op);
    return success();
  }
};

/// A body takes two scalars of each tile, and yields one.
template <typename OpTy> struct PruneTiles : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    const llvm::BitVector needed = neededTiles(op);
    if (needed.none() || needed.all())
      return failure();
    SmallVector<Value> tiles, yielded;
    SmallVector<Type> types;
    SmallVector<Attribute> identities;
    Block &body = op.getBody().front();
    Operation *terminator = body.getTerminator();
    llvm::BitVector dropped(body.getNumArguments());
    for (unsigned i = 0; i < needed.size(); ++i) {
      if (!needed[i]) {
        dropped.set(2 * i, 2 * i + 2);
        continue;
      }
      tiles.push_back(
          op.getOperands()[TILESMITH_PLANT("prune-tiles-first-operands") ? tiles.size() : i]);
      types.push_back(op->getResult(i).getType());
      identities.push_back(op.getIdentities()[i]);
      yielded.push_back(terminator->getOperand(i));
    }
    rewriter.modifyOpInPlace(terminator, [&] { terminator->setOperands(yielded); });
    // What only they needed.
    SmallVector<Operation *> inner;
    for (Operation &each : body.without_terminator())
      inner.push_back(&each);
    for (Operation *each : llvm::reverse(inner))
      if (isOpTriviallyDead(each))
        rewriter.eraseOp(each);
    rewriter.modifyOpInPlace(op, [&] { body.eraseArguments(dropped); });
    OperationState state(op.getLoc(), op->getName(), tiles, types, op->getAttrs());
    state.attributes.set(op.getIdentitiesAttrName(), rewriter.getArrayAttr(identities));
    state.propertiesAttr = state.attributes.getDictionary(op.getContext());
    state.addRegion();
    Operation *pruned = rewriter.create(state);
    rewriter.inlineRegionBefore(op.getBody(), pruned->getRegion(0), pruned->getRegion(0).end());
    for (unsigned i = 0, next = 0; i < needed.size(); ++i)
      if (needed[i])
        rewriter.replaceAllUsesWith(op->getResult(i), pruned->getResult(next++));
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Tiles whose results are used, and those that they depend on; all where a body does more than compute.
  static llvm::BitVector neededTiles(OpTy op) {
    Block &body = op.getBody().front();
    llvm::BitVector needed(op->getNumResults());
    if (!llvm::all_of(body.without_terminator(),
                      [](Operation &inner) { return wouldOpBeTriviallyDead(&inner); }))
      return needed.set();
    SmallVector<Value> work;
    auto need = [&](unsigned i) {
      if (needed.test(i))
        return;
      needed.set(i);
      work.push_back(body.getTerminator()->getOperand(i));
    };
    for (OpResult result : op->getResults())
      if (!result.use_empty())
        need(result.getResultNumber());
    llvm::SetVector<Value> seen;
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (!seen.insert(value))
        continue;
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument.getOwner() == &body)
          need(argument.getArgNumber() / 2);
        continue;
      }
      Operation *inner = value.getDefiningOp();
      if (inner->getNumRegions()) // whatever stands in them
        return needed.set();
      work.append(inner->operand_begin(), inner->operand_end());
    }
    return needed;
  }
};

} // namespace

void addRegionCanonicalizers(RewritePatternSet &patterns, KeepFn keep) {
  addNamed<PruneResults<QueueGetOp>>(patterns, "prune-queue-get-results", keep);
  addNamed<PruneResults<PragmaOp>>(patterns, "prune-pragma-results", keep);
  addNamed<PruneTiles<ReduceOp>>(patterns, "prune-reduced-tiles", keep);
  addNamed<PruneTiles<ScanOp>>(patterns, "prune-scanned-tiles", keep);
}

} // namespace tilesmith::tileaa
