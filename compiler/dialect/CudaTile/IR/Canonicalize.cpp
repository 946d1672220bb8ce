//===- Canonicalize.cpp - folds and canonical forms of select and if ---------------------------------------------===//
//
// The reference interpreter never calls these. Every rule keeps the type of the result and drops no memory access.
//
//===---------------------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilesmith::cuda_tile;

// The value of a constant of i1 whose elements are all the same.
static std::optional<bool> uniformBool(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant || !constant.getType().getElementType().isInteger(1))
    return std::nullopt;
  DenseIntOrFPElementsAttr attr = constant.getValue();
  if (!attr.isSplat() && attr.getNumElements() != 1)
    return std::nullopt;
  return *attr.getValues<bool>().begin();
}

static bool isTrue(Value value) { return uniformBool(value).value_or(false); }
static bool isFalse(Value value) { return !uniformBool(value).value_or(true); }

// x of `xori x, true`, else null.
static Value negated(Value value) {
  auto xori = value.getDefiningOp<XOrIOp>();
  return xori && isTrue(xori.getRhs()) ? xori.getLhs() : Value();
}

//===-- select ---------------------------------------------------------------------------------------------===//

OpFoldResult SelectOp::fold(FoldAdaptor) {
  Value ifTrue = getValIfTrue(), ifFalse = getValIfFalse();
  if (ifTrue == ifFalse)
    return ifTrue;
  if (isTrue(getCond()))
    return ifTrue;
  if (isFalse(getCond()))
    return ifFalse;
  // select c, true, false
  if (getResult().getType() == getCond().getType() && isTrue(ifTrue) && isFalse(ifFalse))
    return getCond();
  // select !c, a, b
  if (Value inner = negated(getCond())) {
    getCondMutable().assign(inner);
    getValIfTrueMutable().assign(ifFalse);
    getValIfFalseMutable().assign(ifTrue);
    return getResult();
  }
  // A nested select on the same condition.
  auto nestedTrue = ifTrue.getDefiningOp<SelectOp>(), nestedFalse = ifFalse.getDefiningOp<SelectOp>();
  if (nestedTrue && nestedTrue.getCond() == getCond()) {
    getValIfTrueMutable().assign(nestedTrue.getValIfTrue());
    return getResult();
  }
  if (nestedFalse && nestedFalse.getCond() == getCond()) {
    getValIfFalseMutable().assign(nestedFalse.getValIfFalse());
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
} // namespace

void SelectOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SelectToNot>(context);
}

//===-- if -------------------------------------------------------------------------------------------------===//

// if !c then A else B -> if c then B else A
LogicalResult IfOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  if (getElseRegion().empty())
    return failure();
  Value inner = negated(getCondition());
  if (!inner)
    return failure();
  getConditionMutable().assign(inner);
  auto &thenBlocks = getThenRegion().getBlocks(), &elseBlocks = getElseRegion().getBlocks();
  Block *thenBlock = &thenBlocks.front();
  thenBlocks.splice(thenBlocks.begin(), elseBlocks);
  elseBlocks.splice(elseBlocks.begin(), thenBlocks, thenBlock);
  return success();
}

namespace {
/// A constant condition: the chosen branch takes the place of the if. After a branch that leaves the parent nothing of
/// the parent block runs.
struct InlineStaticBranch : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    std::optional<bool> condition = uniformBool(op.getCondition());
    if (!condition)
      return failure();
    Region &region = *condition ? op.getThenRegion() : op.getElseRegion();
    if (region.empty()) {
      rewriter.eraseOp(op);
      return success();
    }
    Operation *terminator = region.front().getTerminator();
    if (auto yield = dyn_cast<YieldOp>(terminator)) {
      rewriter.inlineBlockBefore(&region.front(), op);
      rewriter.replaceOp(op, yield.getOperands());
      rewriter.eraseOp(yield);
      return success();
    }
    Block *parent = op->getBlock();
    rewriter.inlineBlockBefore(&region.front(), op);
    // From the last op backwards, so that uses go before definitions.
    while (&parent->back() != terminator) {
      parent->back().dropAllUses();
      rewriter.eraseOp(&parent->back());
    }
    return success();
  }
};
} // namespace

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<InlineStaticBranch>(context);
}
