//===- ControlFlow.cpp - if, for, loop without early exits, and their terminators -------------===//
//
// Early exits are gone before these patterns run (EarlyExits.cpp). A terminator is converted by
// what its parent has become.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/Patterns.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilesmith::cudatile_to_tileaa {
namespace {

// [spec: flow-if]
struct LowerIf : public OpConversionPattern<cuda_tile::IfOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::IfOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    bool hasElse = !op.getElseRegion().empty();
    auto result = scf::IfOp::create(rewriter, op.getLoc(), types, adaptor.getCondition(),
                                    hasElse || !types.empty());
    auto fill = [&](Region &from, Region &to) {
      // Without results the builder made a block with a terminator.
      while (!to.empty())
        rewriter.eraseBlock(&to.front());
      rewriter.inlineRegionBefore(from, to, to.end());
    };
    fill(op.getThenRegion(), result.getThenRegion());
    if (hasElse)
      fill(op.getElseRegion(), result.getElseRegion());
    rewriter.replaceOp(op, result.getResults());
    return success();
  }
};

// [spec: flow-for, flow-for-wrap]
struct LowerFor : public OpConversionPattern<cuda_tile::ForOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::ForOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value upper = adaptor.getUpperBound();
    if (TILESMITH_PLANT("for-runs-at-least-once")) {
      Value one = createInt(rewriter, op.getLoc(), upper.getType(), 1);
      Value least = arith::AddIOp::create(rewriter, op.getLoc(), adaptor.getLowerBound(), one);
      upper = arith::MaxSIOp::create(rewriter, op.getLoc(), upper, least);
    }
    auto start = op.getLowerBound().getDefiningOp<cuda_tile::ConstantOp>();
    bool isUnsigned = op.getUnsignedCmp() && !TILESMITH_PLANT("for-unsigned-as-signed");
    if (start && start.getValue().getSplatValue<APInt>().isNegative() &&
        TILESMITH_PLANT("for-negative-start-unsigned"))
      isUnsigned = true;
    auto result =
        scf::ForOp::create(rewriter, op.getLoc(), adaptor.getLowerBound(), upper, adaptor.getStep(),
                           adaptor.getInitValues(), /*bodyBuilder=*/nullptr, isUnsigned);
    Region &body = result.getRegion();
    rewriter.eraseBlock(&body.front());
    rewriter.inlineRegionBefore(op.getRegion(), body, body.end());
    if (failed(rewriter.convertRegionTypes(&body, *getTypeConverter())))
      return failure();
    rewriter.replaceOp(op, result.getResults());
    return success();
  }
};

// [spec: flow-yield]
struct LowerYield : public OpConversionPattern<cuda_tile::YieldOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::YieldOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Operation *parent = op->getParentOp();
    if (llvm::isa<tileaa::ReduceOp, tileaa::ScanOp, cuda_tile::ReduceOp, cuda_tile::ScanOp>(parent))
      rewriter.replaceOpWithNewOp<tileaa::YieldOp>(op, adaptor.getOperands());
    else
      rewriter.replaceOpWithNewOp<scf::YieldOp>(op, adaptor.getOperands());
    return success();
  }
};

// [spec: flow-continue]
struct LowerContinue : public OpConversionPattern<cuda_tile::ContinueOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::ContinueOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!llvm::isa<scf::ForOp, cuda_tile::ForOp>(op->getParentOp()))
      return rewriter.notifyMatchFailure(op, "early exit was not structured");
    rewriter.replaceOpWithNewOp<scf::YieldOp>(op, adaptor.getOperands());
    return success();
  }
};

// [spec: flow-return]
struct LowerReturn : public OpConversionPattern<cuda_tile::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::ReturnOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!llvm::isa<tileaa::FuncOp, cuda_tile::EntryOp>(op->getParentOp()))
      return rewriter.notifyMatchFailure(op, "early exit was not structured");
    rewriter.replaceOpWithNewOp<tileaa::ReturnOp>(op, adaptor.getOperands());
    return success();
  }
};

} // namespace

void populateControlFlow(Types types, PatternSet patterns) {
  patterns.add<LowerIf, LowerFor, LowerYield, LowerContinue, LowerReturn>(types,
                                                                          patterns.getContext());
}

} // namespace tilesmith::cudatile_to_tileaa
