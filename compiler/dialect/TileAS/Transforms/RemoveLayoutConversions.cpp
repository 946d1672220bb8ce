//===- RemoveLayoutConversions.cpp - tileas-remove-layout-conversions -----------------------------===//
//
// Rewrites, applied greedily:
//   convert(x) to the layout x has          -> x
//   convert(convert(x))                     -> convert(x)
//   convert(splat | make_range | constant)  -> the same operation with the other layout
// Elements and order of memory operations do not change.
//
//===----------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace tilesmith;

namespace {

struct FoldConversion : OpRewritePattern<tileas::ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tileas::ConvertLayoutOp op, PatternRewriter &rewriter) const final {
    Value source = op.getSource();
    if (source.getType() == op.getResult().getType()) {
      rewriter.replaceOp(op, source);
      return success();
    }
    Operation *producer = source.getDefiningOp();
    if (auto inner = dyn_cast_or_null<tileas::ConvertLayoutOp>(producer)) {
      rewriter.replaceOpWithNewOp<tileas::ConvertLayoutOp>(op, op.getResult().getType(), inner.getSource());
      return success();
    }
    if (auto constant = dyn_cast_or_null<arith::ConstantOp>(producer)) {
      auto dense = cast<DenseElementsAttr>(constant.getValue());
      auto type = cast<ShapedType>(op.getResult().getType());
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, DenseElementsAttr::getFromRawBuffer(type, dense.getRawData()));
      return success();
    }
    if (isa_and_nonnull<tileaa::SplatOp, tileaa::MakeRangeOp>(producer)) {
      Operation *clone = rewriter.clone(*producer);
      clone->getResult(0).setType(op.getResult().getType());
      rewriter.replaceOp(op, clone->getResults());
      return success();
    }
    return failure();
  }
};

struct RemoveLayoutConversions : public PassWrapper<RemoveLayoutConversions, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RemoveLayoutConversions)
  StringRef getArgument() const final { return "tileas-remove-layout-conversions"; }
  StringRef getDescription() const final { return "fold redundant layout conversions"; }

  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldConversion>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      getOperation()->emitError("failed to apply patterns greedily");
      signalPassFailure();
    }
  }
};

} // namespace

std::unique_ptr<Pass> tileas::createRemoveLayoutConversionsPass() {
  return std::make_unique<RemoveLayoutConversions>();
}
