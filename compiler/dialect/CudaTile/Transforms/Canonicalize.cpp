//===- Canonicalize.cpp - cudatile-canonicalize -----------------------------------------------===//
//
// The folds and canonicalization patterns of cuda_tile, and no others, on every kernel to a fixed
// point. ProofTableTest lists each with how it is shown to keep results. Memory accesses keep their
// order: ops only move together with the branch that holds them.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/CudaTile/Transforms/Passes.h"
#include "compiler/support/CountedRewrites.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tilesmith::cuda_tile {
#define GEN_PASS_DEF_CANONICALIZEPASS
#include "compiler/dialect/CudaTile/Transforms/Passes.h.inc"

namespace {

struct Canonicalize : impl::CanonicalizePassBase<Canonicalize> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    for (RegisteredOperationName name : context->getRegisteredOperationsByDialect("cuda_tile"))
      name.getCanonicalizationPatterns(set, context);
    counter.add(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    getOperation()->walk([&](EntryOp entry) {
      (void)applyPatternsGreedily(entry, patterns, // stopping early is no failure
                                  GreedyRewriteConfig().setListener(&counter));
      return WalkResult::skip();
    });
  }

  FrozenRewritePatternSet patterns;
  CountedRewrites counter{"cudatile-canonicalize"};
};

} // namespace
} // namespace tilesmith::cuda_tile
