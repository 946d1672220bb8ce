//===- Mma.cpp - matrix products --------------------------------------------------------------===//
//
// dot accumulates floats in f32 (f64 for f64 inputs). f16 accumulators are widened around it, so
// the chain rounds once to f16 at the end.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/Patterns.h"
#include "compiler/dialect/TileAA/IR/HalfSum.h"
#include "compiler/support/Plants.h"

using namespace mlir;

namespace tilesmith::cudatile_to_tileaa {
namespace {

tileaa::SignednessAttr convertSignedness(MLIRContext *context, cuda_tile::Signedness signedness) {
  return tileaa::SignednessAttr::get(context, signedness == cuda_tile::Signedness::Signed
                                                  ? tileaa::Signedness::signed_
                                                  : tileaa::Signedness::unsigned_);
}

Value createFloatDot(OpBuilder &builder, Location loc, Value a, Value b, Value c, Value sfa,
                     Value sfb, bool fastAcc) {
  // f32 products are exact f32; tf32 data says so itself.
  StringAttr precision;
  Type element = getElementTypeOrSelf(a.getType());
  if (element.isF32())
    precision = builder.getStringAttr("ieee");
  else if (llvm::isa<FloatTF32Type>(element))
    precision = builder.getStringAttr("tf32");
  return tileaa::DotOp::create(builder, loc, c.getType(), a, b, c, sfa, sfb,
                               tileaa::SignednessAttr(), tileaa::SignednessAttr(), BoolAttr(),
                               precision, fastAcc ? builder.getUnitAttr() : UnitAttr());
}

// [spec: mma-float, mma-f32-products]
struct LowerMmaF : public OpConversionPattern<cuda_tile::MmaFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::MmaFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value acc = adaptor.getAcc();
    auto type = llvm::cast<RankedTensorType>(acc.getType());
    bool widen = type.getElementType().isF16();
    if (widen)
      acc = tileaa::FpToFpOp::create(rewriter, loc, type.clone(rewriter.getF32Type()), acc);
    Value result = createFloatDot(rewriter, loc, adaptor.getLhs(), adaptor.getRhs(), acc, Value(),
                                  Value(), op.getFastAcc());
    copyFastMath(op, result.getDefiningOp());
    if (widen) {
      if (getElementTypeOrSelf(adaptor.getLhs().getType()).isF16())
        tileaa::markHalfSum(result.getDefiningOp());
      result = tileaa::FpToFpOp::create(rewriter, loc, type, result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

// [spec: mma-scaled]
struct LowerMmaFScaled : public OpConversionPattern<cuda_tile::MmaFScaledOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::MmaFScaledOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (llvm::isa<Float8E4M3FNType>(getElementTypeOrSelf(adaptor.getLhsScale().getType())) &&
        TILESMITH_PLANT("scaled-e4m3-refused"))
      return rewriter.notifyMatchFailure(op, "expected scales that are powers of two");
    Value result =
        createFloatDot(rewriter, op.getLoc(), adaptor.getLhs(), adaptor.getRhs(), adaptor.getAcc(),
                       adaptor.getLhsScale(), adaptor.getRhsScale(), false);
    copyFastMath(op, result.getDefiningOp());
    rewriter.replaceOp(op, result);
    return success();
  }
};

// [spec: mma-integer]
struct LowerMmaI : public OpConversionPattern<cuda_tile::MmaIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::MmaIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tileaa::DotOp>(
        op, adaptor.getAcc().getType(), adaptor.getLhs(), adaptor.getRhs(), adaptor.getAcc(),
        Value(), Value(),
        convertSignedness(getContext(), TILESMITH_PLANT("mmai-one-signedness")
                                            ? op.getSignednessRhs()
                                            : op.getSignednessLhs()),
        convertSignedness(getContext(), TILESMITH_PLANT("mmai-signedness-swapped")
                                            ? op.getSignednessLhs()
                                            : op.getSignednessRhs()),
        BoolAttr(), StringAttr(), UnitAttr());
    return success();
  }
};

} // namespace

void populateMma(Types types, PatternSet patterns) {
  patterns.add<LowerMmaF, LowerMmaFScaled, LowerMmaI>(types, patterns.getContext());
}

} // namespace tilesmith::cudatile_to_tileaa
