//===- CanonicalizePointer.cpp - pointer and index arithmetic, facts and selects over splats --===//
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilesmith::tileaa {
namespace {

/// addptr(addptr(b, x), y) -> addptr(b, x + y), added in i64 so that narrow offsets cannot wrap.
struct FuseAddPtr : public OpRewritePattern<AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;

  static Value toI64(PatternRewriter &rewriter, Location loc, Value offset, Type shapeOf) {
    Type i64 = rewriter.getI64Type();
    if (!getElementTypeOrSelf(offset.getType()).isInteger(64)) {
      auto tensor = llvm::dyn_cast<RankedTensorType>(offset.getType());
      offset = TILESMITH_PLANT("fold-addptr-unsigned")
                   ? arith::ExtUIOp::create(rewriter, loc, tensor ? Type(tensor.clone(i64)) : i64,
                                            offset)
                         .getResult()
                   : arith::ExtSIOp::create(rewriter, loc, tensor ? Type(tensor.clone(i64)) : i64,
                                            offset)
                         .getResult();
    }
    // A scalar offset of a tile of pointers meets a tile of offsets.
    if (auto tensor = llvm::dyn_cast<RankedTensorType>(shapeOf); tensor && offset.getType() == i64)
      offset = SplatOp::create(rewriter, loc, tensor.clone(i64), offset);
    return offset;
  }

  LogicalResult matchAndRewrite(AddPtrOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getBase().getDefiningOp<AddPtrOp>();
    if (!inner || inner.getType() != op.getType())
      return failure();
    Location loc = op.getLoc();
    Value x = inner.getOffset(), y = op.getOffset();
    bool scalars =
        !llvm::isa<RankedTensorType>(x.getType()) && !llvm::isa<RankedTensorType>(y.getType());
    Type shape = scalars ? Type(rewriter.getI64Type()) : op.getType();
    Value sum = x.getType() == y.getType() && TILESMITH_PLANT("fold-addptr-narrow-sum")
                    ? toI64(rewriter, loc, arith::AddIOp::create(rewriter, loc, x, y), shape)
                    : arith::AddIOp::create(rewriter, loc, toI64(rewriter, loc, x, shape),
                                            toI64(rewriter, loc, y, shape))
                          .getResult();
    rewriter.replaceOpWithNewOp<AddPtrOp>(op, op.getType(), inner.getBase(), sum);
    return success();
  }
};

/// addptr(addptr(splat b, x), splat y) -> addptr(splat(addptr(b, y)), x): what is the same for all
/// elements is added once. Addresses wrap in 64 bits, so the order of two sums is free.
struct OffsetBase : public OpRewritePattern<AddPtrOp> {
  OffsetBase(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(AddPtrOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getBase().getDefiningOp<AddPtrOp>();
    auto uniform = op.getOffset().getDefiningOp<SplatOp>();
    Value step = uniform ? uniform.getSource() : op.getOffset();
    if (!inner || inner.getType() != op.getType() || !llvm::isa<RankedTensorType>(op.getType()) ||
        llvm::isa<RankedTensorType>(step.getType()))
      return failure();
    auto base = inner.getBase().getDefiningOp<SplatOp>();
    auto innerSplat = inner.getOffset().getDefiningOp<SplatOp>();
    if (!base || innerSplat || !llvm::isa<RankedTensorType>(inner.getOffset().getType()))
      return failure();
    Value moved =
        AddPtrOp::create(rewriter, op.getLoc(), base.getSource().getType(), base.getSource(), step);
    Value splat = SplatOp::create(rewriter, op.getLoc(), base.getType(), moved);
    rewriter.replaceOpWithNewOp<AddPtrOp>(op, op.getType(), splat, inner.getOffset());
    return success();
  }
};

/// assume(splat x) -> splat(assume x) when every predicate speaks of single elements.
struct PushAssume : public OpRewritePattern<AssumeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AssumeOp op, PatternRewriter &rewriter) const override {
    auto splat = op.getSource().getDefiningOp<SplatOp>();
    if (!splat || !llvm::all_of(op.getPredicates(), [](Attribute attr) {
          auto predicate = llvm::dyn_cast<PredicateInterface>(attr);
          return predicate && predicate.isElementwise();
        }))
      return failure();
    Value scalar = AssumeOp::create(rewriter, op.getLoc(), splat.getSource().getType(),
                                    splat.getSource(), op.getPredicates());
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), scalar);
    return success();
  }
};

/// splat(select(c, t, f)) -> select(splat c, splat t, splat f).
struct PushSelect : public OpRewritePattern<SplatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SplatOp op, PatternRewriter &rewriter) const override {
    auto select = op.getSource().getDefiningOp<arith::SelectOp>();
    if (!select)
      return failure();
    auto type = llvm::cast<RankedTensorType>(op.getType());
    auto splat = [&](Value scalar) {
      return SplatOp::create(rewriter, op.getLoc(), type.clone(scalar.getType()), scalar);
    };
    rewriter.replaceOpWithNewOp<arith::SelectOp>(
        op, splat(select.getCondition()),
        splat(TILESMITH_PLANT("fold-splat-select-arms-swapped") ? select.getFalseValue()
                                                                : select.getTrueValue()),
        splat(TILESMITH_PLANT("fold-splat-select-arms-swapped") ? select.getTrueValue()
                                                                : select.getFalseValue()));
    return success();
  }
};

/// x op identity -> x for integers, where the identity is a splat, too (arith folds constants).
struct FoldIdentityOperand : public RewritePattern {
  explicit FoldIdentityOperand(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    bool one =
        llvm::isa<arith::MulIOp, arith::DivSIOp, arith::DivUIOp>(op) ||
        (llvm::isa<arith::RemSIOp, arith::RemUIOp>(op) && TILESMITH_PLANT("fold-remainder-by-one"));
    if (!one && !llvm::isa<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp,
                           arith::ShRSIOp, arith::ShRUIOp>(op))
      return failure();
    auto isIdentity = [&](Value value) {
      auto tile = llvm::dyn_cast_or_null<DenseElementsAttr>(getConstant(value));
      if (!tile || !tile.isSplat())
        return false;
      auto constant = tile.getSplatValue<APInt>();
      return one ? constant.isOne() && constant.getBitWidth() > 1 : constant.isZero();
    };
    bool commutes =
        op->hasTrait<OpTrait::IsCommutative>() ||
        (llvm::isa<arith::SubIOp>(op) && TILESMITH_PLANT("fold-identity-of-sub-left")) ||
        (llvm::isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op) &&
         TILESMITH_PLANT("fold-zero-shifted-is-amount"));
    unsigned kept = isIdentity(op->getOperand(1)) ? 0 : 1;
    if (kept == 1 && !(commutes && isIdentity(op->getOperand(0))))
      return failure();
    rewriter.replaceOp(op, op->getOperand(kept));
    return success();
  }
};

} // namespace

void addPointerCanonicalizers(RewritePatternSet &patterns, KeepFn keep) {
  addNamed<FuseAddPtr>(patterns, "fuse-addptr-chain", keep);
  addNamed<OffsetBase>(patterns, "uniform-offset-to-base", keep);
  addNamed<PushAssume>(patterns, "push-assume-through-splat", keep);
  addNamed<PushSelect>(patterns, "push-select-through-splat", keep);
  addNamed<FoldIdentityOperand>(patterns, "fold-identity-operand", keep);
}

} // namespace tilesmith::tileaa
