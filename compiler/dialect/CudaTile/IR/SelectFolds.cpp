//===- SelectFolds.cpp - folds and canonical forms of select ----------------------------------===//
//
// The reference interpreter never calls these. Every rule keeps the type of the result.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTileConstants.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

// x == y ? x : y is y, x != y ? x : y is x, and the same with x and y swapped.
static Value foldComparedArms(SelectOp op) {
  if (auto real = op.getCond().getDefiningOp<CmpFOp>();
      real && real.getComparisonPredicate() == ComparisonPredicate::EQUAL &&
      real.getComparisonOrdering() == ComparisonOrdering::ORDERED &&
      real.getLhs() == op.getValIfTrue() && real.getRhs() == op.getValIfFalse() &&
      TILESMITH_PLANT("select-equal-floats-folded"))
    return op.getValIfFalse();
  auto cmp = op.getCond().getDefiningOp<CmpIOp>();
  if (!cmp)
    return {};
  Value ifTrue = op.getValIfTrue(), ifFalse = op.getValIfFalse();
  bool compared = (cmp.getLhs() == ifTrue && cmp.getRhs() == ifFalse) ||
                  (cmp.getLhs() == ifFalse && cmp.getRhs() == ifTrue);
  if (!compared && !(TILESMITH_PLANT("select-compared-with-one-arm") &&
                     (cmp.getLhs() == ifTrue || cmp.getLhs() == ifFalse)))
    return {};
  if (cmp.getComparisonPredicate() == ComparisonPredicate::EQUAL)
    return TILESMITH_PLANT("select-of-equal-is-first") ? ifTrue : ifFalse;
  return cmp.getComparisonPredicate() == ComparisonPredicate::NOT_EQUAL ? ifTrue : Value();
}

OpFoldResult SelectOp::fold(FoldAdaptor) {
  Value ifTrue = getValIfTrue(), ifFalse = getValIfFalse();
  if (ifTrue == ifFalse || isTrue(getCond()))
    return ifTrue;
  if (isFalse(getCond()))
    return ifFalse;
  if (isTrue(ifTrue) && isFalse(ifFalse))
    return getCond();
  if (Value value = foldComparedArms(*this))
    return value;
  if (Value inner = getNegated(getCond())) {
    getCondMutable().assign(inner);
    getValIfTrueMutable().assign(ifFalse);
    getValIfFalseMutable().assign(ifTrue);
    return getResult();
  }
  // An arm that selects on the same condition contributes one of its own arms.
  if (auto nested = ifTrue.getDefiningOp<SelectOp>(); nested && nested.getCond() == getCond()) {
    getValIfTrueMutable().assign(TILESMITH_PLANT("select-nested-arm-of-other")
                                     ? nested.getValIfFalse()
                                     : nested.getValIfTrue());
    return getResult();
  }
  if (auto nested = ifFalse.getDefiningOp<SelectOp>(); nested && nested.getCond() == getCond()) {
    getValIfFalseMutable().assign(nested.getValIfFalse());
    return getResult();
  }
  return {};
}

namespace {

/// select c, false, true -> xori c, true
struct SelectToNot : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    if (!isFalse(op.getValIfTrue()) || !isTrue(op.getValIfFalse()))
      return failure();
    rewriter.replaceOpWithNewOp<XOrIOp>(op, op.getType(), op.getCond(), op.getValIfFalse());
    return success();
  }
};

/// select c, 1, 0 -> exti c, and select c, 0, 1 -> exti !c
struct SelectToExtension : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    std::optional<APInt> ifTrue = getUniformInteger(op.getValIfTrue()),
                         ifFalse = getUniformInteger(op.getValIfFalse());
    if (!ifTrue || !ifFalse || ifTrue->getBitWidth() == 1)
      return failure();
    bool direct = ifTrue->isOne() && ifFalse->isZero(),
         inverse = ifTrue->isZero() && ifFalse->isOne();
    if (!direct && !inverse)
      return failure();
    Value cond = direct || TILESMITH_PLANT("select-of-zero-or-one-kept")
                     ? Value(op.getCond())
                     : createNot(rewriter, op.getLoc(), op.getCond());
    rewriter.replaceOpWithNewOp<ExtIOp>(
        op, op.getType(), cond,
        TILESMITH_PLANT("select-of-one-sign-extended") ? Signedness::Signed : Signedness::Unsigned);
    return success();
  }
};

/// select of three constants -> constant
struct SelectOfConstants : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    auto cond = op.getCond().getDefiningOp<ConstantOp>();
    auto ifTrue = op.getValIfTrue().getDefiningOp<ConstantOp>(),
         ifFalse = op.getValIfFalse().getDefiningOp<ConstantOp>();
    if (!cond || !ifTrue || !ifFalse)
      return failure();
    SmallVector<Attribute> values;
    for (auto [c, t, f] : llvm::zip_equal(cond.getValue().getValues<bool>(),
                                          ifTrue.getValue().getValues<Attribute>(),
                                          ifFalse.getValue().getValues<Attribute>()))
      values.push_back(c ? t : f);
    auto folded = cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(op.getType(), values));
    rewriter.replaceOpWithNewOp<ConstantOp>(op, op.getType(), folded);
    return success();
  }
};

} // namespace

void SelectOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SelectToNot, SelectToExtension, SelectOfConstants>(context);
}
