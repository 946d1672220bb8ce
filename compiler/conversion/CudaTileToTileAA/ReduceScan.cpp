//===- ReduceScan.cpp - reduce and scan with their bodies -------------------------------------===//
//
// The body keeps its argument order. Block arguments are converted together with the op, so that
// the body's own ops see scalars when they are converted.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/Patterns.h"

using namespace mlir;

namespace tilesmith::cudatile_to_tileaa {
namespace {

template <typename From>
LogicalResult moveBody(From op, Region &target, ConversionPatternRewriter &rewriter,
                       const TypeConverter &types) {
  rewriter.inlineRegionBefore(op.getBody(), target, target.end());
  return failed(rewriter.convertRegionTypes(&target, types)) ? failure() : success();
}

// [spec: reduce-form]
struct LowerReduce : public OpConversionPattern<cuda_tile::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    auto result =
        tileaa::ReduceOp::create(rewriter, op.getLoc(), types, adaptor.getOperands(),
                                 rewriter.getI32IntegerAttr(op.getDim()), op.getIdentitiesAttr());
    if (failed(moveBody(op, result.getBody(), rewriter, *getTypeConverter())))
      return failure();
    rewriter.replaceOp(op, result.getResults());
    return success();
  }
};

// [spec: scan-form]
struct LowerScan : public OpConversionPattern<cuda_tile::ScanOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::ScanOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    auto result =
        tileaa::ScanOp::create(rewriter, op.getLoc(), types, adaptor.getOperands(),
                               rewriter.getI32IntegerAttr(op.getDim()), rewriter.getBoolAttr(true),
                               op.getIdentitiesAttr(), rewriter.getBoolAttr(op.getReverse()));
    if (failed(moveBody(op, result.getBody(), rewriter, *getTypeConverter())))
      return failure();
    rewriter.replaceOp(op, result.getResults());
    return success();
  }
};

} // namespace

void populateReduceScan(Types types, PatternSet patterns) {
  patterns.add<LowerReduce, LowerScan>(types, patterns.getContext());
}

} // namespace tilesmith::cudatile_to_tileaa
