//===- CanonicalizeRegions.cpp - dead results of queue.get and pragma -------------------------===//
//
// The op stays (a get advances the queue); its result list and its region's terminator shrink
// together, survivors keep their order.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"

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

} // namespace

void addRegionCanonicalizers(RewritePatternSet &patterns, KeepFn keep) {
  addNamed<PruneResults<QueueGetOp>>(patterns, "prune-queue-get-results", keep);
  addNamed<PruneResults<PragmaOp>>(patterns, "prune-pragma-results", keep);
}

} // namespace tilesmith::tileaa
