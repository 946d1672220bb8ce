//===- CanonicalizeShape.cpp - wrappers around splats, view chains, extracts ------------------===//
//
// Wrappers that do not change the element stream go away; the final result type is always the one
// that was asked for.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"
#include "compiler/support/Plants.h"

using namespace mlir;

namespace tilesmith::tileaa {
namespace {

/// expand_dims or broadcast of a splat.
template <typename OpTy> struct FoldSplatWrapper : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto splat = op.getSource().template getDefiningOp<SplatOp>();
    if (!splat)
      return failure();
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSource());
    return success();
  }
};

/// view(view x) -> view x, view(splat s) -> splat s, view to the same type -> nothing.
struct FoldView : public OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ViewOp op, PatternRewriter &rewriter) const override {
    if (op.getSource().getType() == op.getType()) {
      rewriter.replaceOp(op, op.getSource());
      return success();
    }
    if (auto splat = op.getSource().getDefiningOp<SplatOp>()) {
      rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSource());
      return success();
    }
    auto inner = op.getSource().getDefiningOp<ViewOp>();
    if (!inner)
      return failure();
    rewriter.replaceOpWithNewOp<ViewOp>(op, op.getType(), inner.getSource());
    return success();
  }
};

/// Moves extract above splat (nothing is left), expand_dims and elementwise ops.
struct HoistExtract : public OpRewritePattern<ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ExtractOp op, PatternRewriter &rewriter) const override {
    Operation *producer = op.getSource().getDefiningOp();
    if (!producer)
      return failure();
    if (auto splat = llvm::dyn_cast<SplatOp>(producer)) {
      rewriter.replaceOp(op, splat.getSource());
      return success();
    }
    if (auto expand = llvm::dyn_cast<ExpandDimsOp>(producer)) {
      SmallVector<Value> indices;
      for (auto [i, index] : llvm::enumerate(op.getIndices()))
        if (TILESMITH_PLANT("fold-extract-expand-last")
                ? i >= expand.getAxes().size()
                : !llvm::is_contained(expand.getAxes(), static_cast<int32_t>(i)))
          indices.push_back(index);
      rewriter.replaceOpWithNewOp<ExtractOp>(op, op.getType(), expand.getSource(), indices);
      return success();
    }
    return hoistElementwise(op, producer, rewriter);
  }

  static LogicalResult hoistElementwise(ExtractOp op, Operation *producer,
                                        PatternRewriter &rewriter) {
    if (!producer->hasTrait<OpTrait::Elementwise>() || producer->getNumResults() != 1 ||
        !producer->hasOneUse() || producer->getNumRegions() != 0 || !isPure(producer))
      return failure();
    auto shape = llvm::cast<RankedTensorType>(op.getSource().getType()).getShape();
    if (llvm::any_of(producer->getOperandTypes(), [&](Type type) {
          auto tensor = llvm::dyn_cast<RankedTensorType>(type);
          return tensor && tensor.getShape() != shape;
        }))
      return failure();
    SmallVector<Value> operands;
    for (Value operand : producer->getOperands()) {
      auto tensor = llvm::dyn_cast<RankedTensorType>(operand.getType());
      operands.push_back(tensor ? ExtractOp::create(rewriter, op.getLoc(), tensor.getElementType(),
                                                    operand, op.getIndices())
                                      .getResult()
                                : operand);
    }
    OperationState state(producer->getLoc(), producer->getName(), operands, {op.getType()},
                         producer->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    rewriter.eraseOp(producer); // or its operands would have two uses until the next sweep
    return success();
  }
};

} // namespace

void addShapeCanonicalizers(RewritePatternSet &patterns, KeepFn keep) {
  addNamed<FoldSplatWrapper<ExpandDimsOp>>(patterns, "fold-expand-dims-of-splat", keep);
  addNamed<FoldView>(patterns, "fold-view-chain", keep);
  addNamed<FoldSplatWrapper<BroadcastOp>>(patterns, "fold-broadcast-of-splat", keep);
  addNamed<HoistExtract>(patterns, "hoist-extract", keep);
}

} // namespace tilesmith::tileaa
