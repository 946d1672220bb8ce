//===- Conversion.cpp - changes of element type -----------------------------------------------===//
//
// Storage floats (tf32, fp8, fp4) have no arithmetic: they are reached through a format that holds
// every intermediate exactly, so each conversion still rounds once.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/Patterns.h"
#include "compiler/support/Plants.h"

using namespace mlir;

namespace tilesmith::cudatile_to_tileaa {
namespace {

/// Types that arith converts to and from directly.
bool isArithmeticFloat(Type element) {
  return llvm::isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element);
}

Value convertFloat(OpBuilder &builder, Location loc, Value value, Type element) {
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  return tileaa::FpToFpOp::create(builder, loc, withElement(value.getType(), element), value);
}

// [spec: conv-exti]
struct LowerExtI : public OpConversionPattern<cuda_tile::ExtIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::ExtIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (auto trunc = op.getFrom().getDefiningOp<cuda_tile::TruncIOp>();
        trunc && trunc.getFrom().getType() == op.getType() &&
        TILESMITH_PLANT("exti-of-trunci-folded")) {
      rewriter.replaceOp(op, rewriter.getRemappedValue(trunc.getFrom()));
      return success();
    }
    if ((op.getSignedness() == cuda_tile::Signedness::Signed &&
         !TILESMITH_PLANT("exti-signed-as-unsigned")) ||
        TILESMITH_PLANT("exti-unsigned-as-signed"))
      rewriter.replaceOpWithNewOp<arith::ExtSIOp>(op, type, adaptor.getFrom());
    else
      rewriter.replaceOpWithNewOp<arith::ExtUIOp>(op, type, adaptor.getFrom());
    return success();
  }
};

// [spec: conv-trunci]
struct LowerTruncI : public OpConversionPattern<cuda_tile::TruncIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::TruncIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto flags = arith::IntegerOverflowFlags::none;
    auto overflow = op.getOverflow();
    if (overflow == cuda_tile::IntegerOverflow::NSW || overflow == cuda_tile::IntegerOverflow::NW ||
        (overflow == cuda_tile::IntegerOverflow::NUW &&
         TILESMITH_PLANT("trunci-unsigned-promise-as-signed")))
      flags = flags | arith::IntegerOverflowFlags::nsw;
    if (overflow == cuda_tile::IntegerOverflow::NUW || overflow == cuda_tile::IntegerOverflow::NW)
      flags = flags | arith::IntegerOverflowFlags::nuw;
    auto result = arith::TruncIOp::create(
        rewriter, op.getLoc(), getTypeConverter()->convertType(op.getType()), adaptor.getFrom());
    result.setOverflowFlags(flags);
    rewriter.replaceOp(op, result);
    return success();
  }
};

// [spec: conv-itof]
struct LowerIToF : public OpConversionPattern<cuda_tile::IToFOp> {
  using OpConversionPattern::OpConversionPattern;

  /// The format to convert to first. f16 overflows before f32 rounds; bf16 and tf32 have the range
  /// of f32 but fewer bits, so going through f32 would round twice.
  static Type intermediate(Type element, unsigned width) {
    MLIRContext *context = element.getContext();
    if (llvm::isa<BFloat16Type, FloatTF32Type>(element))
      return width <= 16 ? Type(Float32Type::get(context)) : Type(Float64Type::get(context));
    return isArithmeticFloat(element) ? element : Type(Float32Type::get(context));
  }

  /// Makes a 64-bit integer exact in f64 without changing how a shorter format rounds it: from 2^53
  /// on, the low bits are replaced by one sticky bit.
  static Value foldLowBits(OpBuilder &builder, Location loc, Value value, bool isSigned) {
    Type type = value.getType();
    auto constant = [&](int64_t v) { return createInt(builder, loc, type, v); };
    Value low = arith::AndIOp::create(builder, loc, value, constant(0xFFF));
    Value hasLow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, low, constant(0));
    Value high = arith::AndIOp::create(builder, loc, value, constant(~int64_t(0xFFF)));
    Value sticky = arith::OrIOp::create(builder, loc, high, constant(0x800));
    Value folded = arith::SelectOp::create(builder, loc, hasLow, sticky, value);
    Value magnitude = value;
    if (isSigned && !TILESMITH_PLANT("itof-folds-negative-numbers")) {
      Value negative =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, value, constant(0));
      Value minus = arith::SubIOp::create(builder, loc, constant(0), value);
      magnitude = arith::SelectOp::create(builder, loc, negative, minus, value);
    }
    const int exactBits = TILESMITH_PLANT("itof-sticky-one-bit-late") ? 54 : 53;
    Value exact = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, magnitude,
                                        constant(int64_t(1) << exactBits));
    return TILESMITH_PLANT("itof-folds-small-numbers")
               ? folded
               : arith::SelectOp::create(builder, loc, exact, value, folded).getResult();
  }

  LogicalResult matchAndRewrite(cuda_tile::IToFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = adaptor.getFrom();
    Type type = getTypeConverter()->convertType(op.getType()), element = getElementTypeOrSelf(type);
    unsigned width = getElementTypeOrSelf(source.getType()).getIntOrFloatBitWidth();
    bool isSigned = op.getSignedness() == cuda_tile::Signedness::Signed;
    if (TILESMITH_PLANT("itof-unsigned-as-signed"))
      isSigned = true;
    if (TILESMITH_PLANT("itof-signed-as-unsigned"))
      isSigned = false;
    Type via = intermediate(element, width);
    if (element.isBF16() && TILESMITH_PLANT("itof-through-f32"))
      via = rewriter.getF32Type();
    if (via.isF64() && !element.isF64() && width == 64)
      source = foldLowBits(rewriter, loc, source, isSigned);
    Type viaType = withElement(type, via);
    Operation *converted =
        isSigned ? arith::SIToFPOp::create(rewriter, loc, viaType, source).getOperation()
                 : arith::UIToFPOp::create(rewriter, loc, viaType, source).getOperation();
    rewriter.replaceOp(op, convertFloat(rewriter, loc, converted->getResult(0), element));
    return success();
  }
};

// [spec: conv-ftoi, conv-ftoi-saturating, conv-ftoi-i1]
struct LowerFToI : public OpConversionPattern<cuda_tile::FToIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::FToIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = adaptor.getFrom();
    Type type = getTypeConverter()->convertType(op.getType());
    Type from = getElementTypeOrSelf(source.getType());
    bool isSigned = op.getSignedness() == cuda_tile::Signedness::Signed;
    auto integer = op.getFrom().getDefiningOp<cuda_tile::IToFOp>();
    if (integer && integer.getFrom().getType() == op.getType() &&
        integer.getSignedness() == op.getSignedness() && TILESMITH_PLANT("ftoi-of-itof-folded")) {
      rewriter.replaceOp(op, rewriter.getRemappedValue(integer.getFrom()));
      return success();
    }
    if (!isArithmeticFloat(from) || (op.getSaturating() && !from.isF64()))
      source = convertFloat(rewriter, loc, source, rewriter.getF32Type());
    // A bool is "not zero", and NaN is not zero.
    if (isBool(type)) {
      Value zero = createFloat(rewriter, loc, source.getType(), 0.0);
      rewriter.replaceOpWithNewOp<arith::CmpFOp>(
          op,
          TILESMITH_PLANT("ftoi-bool-is-zero-test") ? arith::CmpFPredicate::OEQ
          : TILESMITH_PLANT("ftoi-bool-misses-nan") ? arith::CmpFPredicate::ONE
                                                    : arith::CmpFPredicate::UNE,
          source, zero);
      return success();
    }
    Value result = isSigned && !TILESMITH_PLANT("ftoi-signed-as-unsigned")
                       ? arith::FPToSIOp::create(rewriter, loc, type, source).getResult()
                       : arith::FPToUIOp::create(rewriter, loc, type, source).getResult();
    if (op.getSaturating())
      result = saturate(rewriter, loc, source, result, isSigned);
    rewriter.replaceOp(op, result);
    return success();
  }

  /// Clamps out-of-range values and maps NaN to 0. The limits are powers of two and exact in every
  /// format used.
  static Value saturate(OpBuilder &builder, Location loc, Value source, Value result,
                        bool isSigned) {
    Type type = result.getType();
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    bool isHalved = isSigned || TILESMITH_PLANT("ftoi-unsigned-limit-halved");
    double top = std::ldexp(1.0, isHalved ? width - 1 : width);
    APInt max = isSigned || TILESMITH_PLANT("ftoi-saturates-to-signed")
                    ? APInt::getSignedMaxValue(width)
                    : APInt::getMaxValue(width);
    APInt min = isSigned ? APInt::getSignedMinValue(width) : APInt::getMinValue(width);
    auto choose = [&](arith::CmpFPredicate predicate, double limit, const APInt &value) {
      Value bound = createFloat(builder, loc, source.getType(), limit);
      Value outside = arith::CmpFOp::create(builder, loc, predicate, source, bound);
      result = arith::SelectOp::create(builder, loc, outside, createInt(builder, loc, type, value),
                                       result);
    };
    choose(arith::CmpFPredicate::OGE, top, max);
    double bottom = TILESMITH_PLANT("ftoi-lower-limit-symmetric") ? 1 - top : -top;
    choose(arith::CmpFPredicate::OLE, isSigned ? bottom : 0.0, min);
    if (!TILESMITH_PLANT("ftoi-nan-not-zero"))
      choose(arith::CmpFPredicate::UNO, 0.0,
             TILESMITH_PLANT("ftoi-nan-clamped-low") ? min : APInt(width, 0));
    return result;
  }
};

// [spec: conv-ftof-round]
struct LowerFToF : public OpConversionPattern<cuda_tile::FToFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::FToFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tileaa::FpToFpOp>(
        op, getTypeConverter()->convertType(op.getType()), adaptor.getFrom(),
        TILESMITH_PLANT("ftof-rounding-dropped") ? tileaa::RoundingMode::nearest_even
                                                 : convertRounding(op.getRoundingMode()));
    return success();
  }
};

/// bitcast, ptr_to_ptr, pack, unpack.
// [spec: conv-bitcast, conv-pack]
template <typename From, typename To = tileaa::BitcastOp>
struct Reinterpret : public OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto inner = op.getSource().template getDefiningOp<cuda_tile::BitcastOp>();
    if (llvm::isa<cuda_tile::BitcastOp>(op) && inner && TILESMITH_PLANT("bitcast-pair-folded")) {
      rewriter.replaceOp(op, rewriter.getRemappedValue(inner.getSource()));
      return success();
    }
    rewriter.replaceOpWithNewOp<To>(op, this->getTypeConverter()->convertType(op.getType()),
                                    adaptor.getSource());
    return success();
  }
};

} // namespace

void populateConversion(Types types, PatternSet patterns) {
  patterns.add<LowerExtI, LowerFToI, LowerFToF, Reinterpret<cuda_tile::BitcastOp>,
               Reinterpret<cuda_tile::PackOp>, Reinterpret<cuda_tile::UnpackOp>>(
      types, patterns.getContext());
}

void addTruncIPattern(Types types, PatternSet patterns) {
  patterns.add<LowerTruncI>(types, patterns.getContext());
}

void addIToFPattern(Types types, PatternSet patterns) {
  patterns.add<LowerIToF>(types, patterns.getContext());
}

} // namespace tilesmith::cudatile_to_tileaa
