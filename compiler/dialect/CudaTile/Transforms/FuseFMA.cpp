//===- FuseFMA.cpp - products and sums into fma, roots and quotients into rsqrt ---------------===//
//
// a * b + c becomes fma(a, b, c) and a * b - c becomes fma(a, b, -c), when the product has no other
// user and both ops round and flush alike; 1 / sqrt(x) becomes rsqrt(x), when the root has no other
// user and both ops flush alike. Results change: no -O level puts this pass into the pipeline,
// `--fuse-fma` does. Where products, sums and roots are exact, results stay: FuseFMATest.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/CudaTile/Transforms/Passes.h"
#include "compiler/support/CountedRewrites.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tilesmith::cuda_tile {
#define GEN_PASS_DEF_FUSEFMAPASS
#include "compiler/dialect/CudaTile/Transforms/Passes.h.inc"

namespace {

template <typename SumT> struct FuseProduct : OpRewritePattern<SumT> {
  using OpRewritePattern<SumT>::OpRewritePattern;
  LogicalResult matchAndRewrite(SumT sum, PatternRewriter &rewriter) const override {
    auto product = sum.getLhs().template getDefiningOp<MulFOp>();
    if (!product || !product.getResult().hasOneUse())
      return failure();
    if (product.getRoundingMode() != sum.getRoundingMode() ||
        product.getFlushToZero() != sum.getFlushToZero())
      return failure();
    Value addend = sum.getRhs();
    if (std::is_same_v<SumT, SubFOp> && !TILESMITH_PLANT("fuse-fma-difference-added"))
      addend = NegFOp::create(rewriter, sum.getLoc(), addend.getType(), addend);
    rewriter.replaceOpWithNewOp<FmaOp>(sum, sum.getType(), product.getLhs(), product.getRhs(),
                                       addend, sum.getRoundingModeAttr(), sum.getFlushToZeroAttr());
    rewriter.eraseOp(product);
    return success();
  }
};

struct FuseReciprocalRoot : OpRewritePattern<DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DivFOp quotient, PatternRewriter &rewriter) const override {
    auto one = quotient.getLhs().getDefiningOp<ConstantOp>();
    auto root = quotient.getRhs().getDefiningOp<SqrtOp>();
    if (!one || !root || !root.getResult().hasOneUse() || !one.getValue().isSplat() ||
        (!one.getValue().getSplatValue<APFloat>().isExactlyValue(1.0) &&
         !TILESMITH_PLANT("fuse-rsqrt-of-any-numerator")) ||
        root.getFlushToZero() != quotient.getFlushToZero())
      return failure();
    rewriter.replaceOpWithNewOp<RsqrtOp>(quotient, quotient.getType(), root.getSource(),
                                         quotient.getFlushToZeroAttr());
    rewriter.eraseOp(root);
    return success();
  }
};

struct FuseFMA : impl::FuseFMAPassBase<FuseFMA> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    AddFOp::getCanonicalizationPatterns(patterns, &getContext()); // products to the left
    patterns.add<FuseProduct<AddFOp>, FuseProduct<SubFOp>, FuseReciprocalRoot>(&getContext());
    CountedRewrites counter("fuse-fma");
    counter.add(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    auto config = GreedyRewriteConfig().setListener(&counter);
    getOperation()->walk([&](FunctionOpInterface function) {
      if (failed(applyPatternsGreedily(function, frozen, config)))
        signalPassFailure();
    });
  }
};

} // namespace
} // namespace tilesmith::cuda_tile
