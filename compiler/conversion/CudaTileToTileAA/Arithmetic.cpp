//===- Arithmetic.cpp - integer and floating-point arithmetic, elementary functions -----------===//
//
// Rounded or flushing float ops stay in nv_tileaa; integers go to arith, the rest to math. i1
// arithmetic becomes logic (addition is xor, ...), because signed i1 is {0, -1} and no later stage
// should have to know. One pattern per op, so long as the list of ops is.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/CudaTileToTileAA/Patterns.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilesmith::cudatile_to_tileaa {

//===------------------------------------------------------------------------------------------===//
// Helpers
//===------------------------------------------------------------------------------------------===//

Type withElement(Type type, Type element) {
  if (auto shaped = llvm::dyn_cast<RankedTensorType>(type))
    return shaped.clone(element);
  return element;
}

Value createInt(OpBuilder &builder, Location loc, Type type, const APInt &value) {
  Value scalar = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(getElementTypeOrSelf(type), value));
  return llvm::isa<RankedTensorType>(type) ? tileaa::SplatOp::create(builder, loc, type, scalar)
                                           : scalar;
}

Value createInt(OpBuilder &builder, Location loc, Type type, int64_t value) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return createInt(builder, loc, type, APInt(64, value, /*isSigned=*/true).sextOrTrunc(width));
}

Value createFloat(OpBuilder &builder, Location loc, Type type, double value) {
  Value scalar = arith::ConstantOp::create(builder, loc,
                                           builder.getFloatAttr(getElementTypeOrSelf(type), value));
  return llvm::isa<RankedTensorType>(type) ? tileaa::SplatOp::create(builder, loc, type, scalar)
                                           : scalar;
}

Value extendUnsigned(OpBuilder &builder, Location loc, Value value, unsigned width) {
  if (getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() >= width)
    return value;
  return arith::ExtUIOp::create(builder, loc,
                                withElement(value.getType(), builder.getIntegerType(width)), value);
}

void copyFastMath(Operation *from, Operation *to) {
  Attribute attr = from->getDiscardableAttr(tileaa::kFastMathAttr);
  if (!attr)
    return;
  auto ours = llvm::dyn_cast<arith::ArithFastMathInterface>(to);
  if (ours)
    to->setAttr(ours.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(to->getContext(), *tileaa::parseFastMath(attr)));
  else
    to->setDiscardableAttr(tileaa::kFastMathAttr, attr);
}

static arith::IntegerOverflowFlags convertOverflow(cuda_tile::IntegerOverflow overflow) {
  switch (overflow) {
  case cuda_tile::IntegerOverflow::NONE:
    return arith::IntegerOverflowFlags::none;
  case cuda_tile::IntegerOverflow::NSW:
    return arith::IntegerOverflowFlags::nsw;
  case cuda_tile::IntegerOverflow::NUW:
    if (TILESMITH_PLANT("overflow-unsigned-promise-as-both"))
      return arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
    return arith::IntegerOverflowFlags::nuw;
  case cuda_tile::IntegerOverflow::NW:
    return arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  }
  llvm_unreachable("unknown overflow flag");
}

namespace {

//===------------------------------------------------------------------------------------------===//
// Floating point
//===------------------------------------------------------------------------------------------===//

/// Planted: exchanges the operands of what does not commute.
static bool swaps(Operation *op) {
  return (llvm::isa<cuda_tile::SubFOp>(op) && TILESMITH_PLANT("subf-operands-swapped")) ||
         (llvm::isa<cuda_tile::DivFOp>(op) && TILESMITH_PLANT("divf-operands-swapped"));
}

/// The float that all elements of a constant operand are.
static std::optional<APFloat> floatSplat(Value value) {
  auto constant = value.getDefiningOp<cuda_tile::ConstantOp>();
  if (!constant || !constant.getValue().isSplat() ||
      !llvm::isa<FloatType>(constant.getValue().getElementType()))
    return std::nullopt;
  return constant.getValue().getSplatValue<APFloat>();
}

static bool isZeroSplat(Value value) {
  std::optional<APFloat> splat = floatSplat(value);
  return splat && splat->isPosZero();
}

/// The integer that all elements of a constant operand are.
static std::optional<APInt> integerSplat(Value value) {
  auto constant = value.getDefiningOp<cuda_tile::ConstantOp>();
  if (!constant || !constant.getValue().isSplat() ||
      !constant.getValue().getElementType().isInteger())
    return std::nullopt;
  return constant.getValue().getSplatValue<APInt>();
}

/// The exponent of a constant power of two, as which an integer operand is the same everywhere.
static std::optional<unsigned> exponentOf(Value value) {
  std::optional<APInt> splat = integerSplat(value);
  if (!splat || !splat->isPowerOf2() || splat->isNegative())
    return std::nullopt;
  return splat->logBase2();
}

/// Planted: identities of real numbers, which floats do not have.
template <typename Op, typename Adaptor>
static Value realIdentity(Op op, Adaptor adaptor, ConversionPatternRewriter &rewriter) {
  if (llvm::isa<cuda_tile::AddFOp>(op) && TILESMITH_PLANT("addf-zero-folded") &&
      isZeroSplat(op.getRhs()))
    return adaptor.getLhs();
  if (llvm::isa<cuda_tile::MulFOp>(op) && TILESMITH_PLANT("mulf-zero-folded") &&
      isZeroSplat(op.getRhs()))
    return adaptor.getRhs();
  auto sum = op.getLhs().template getDefiningOp<cuda_tile::AddFOp>();
  if (llvm::isa<cuda_tile::AddFOp>(op) && sum && floatSplat(op.getRhs()) &&
      floatSplat(sum.getRhs()) && TILESMITH_PLANT("addf-reassociated")) {
    auto add = [&](Value a, Value b) {
      return tileaa::AddFOp::create(rewriter, op.getLoc(), a.getType(), a, b,
                                    convertRounding(op.getRoundingMode()), op.getFlushToZero());
    };
    return add(rewriter.getRemappedValue(sum.getLhs()),
               add(rewriter.getRemappedValue(sum.getRhs()), adaptor.getRhs()));
  }
  auto product = op.getLhs().template getDefiningOp<cuda_tile::MulFOp>();
  if (llvm::isa<cuda_tile::AddFOp>(op) && product && TILESMITH_PLANT("addf-contracted"))
    return tileaa::FmaOp::create(rewriter, op.getLoc(), adaptor.getLhs().getType(),
                                 rewriter.getRemappedValue(product.getLhs()),
                                 rewriter.getRemappedValue(product.getRhs()), adaptor.getRhs(),
                                 convertRounding(op.getRoundingMode()), op.getFlushToZero());
  return {};
}

/// addf, subf, mulf, divf with rounding and flush.
// [spec: float-add, float-mul, float-div, float-rounding, float-flush, float-no-contraction]
template <typename From, typename To> struct RoundedBinary : public OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (Value folded = realIdentity(op, adaptor, rewriter)) {
      rewriter.replaceOp(op, folded);
      return success();
    }
    auto result = rewriter.replaceOpWithNewOp<To>(
        op, adaptor.getLhs().getType(), swaps(op) ? adaptor.getRhs() : adaptor.getLhs(),
        swaps(op) ? adaptor.getLhs() : adaptor.getRhs(),
        TILESMITH_PLANT("rounding-dropped") ||
                (llvm::isa<cuda_tile::MulFOp>(op) && TILESMITH_PLANT("mulf-rounding-dropped"))
            ? tileaa::RoundingMode::nearest_even
            : convertRounding(op.getRoundingMode()),
        op.getFlushToZero());
    copyFastMath(op, result);
    return success();
  }
};

// [spec: float-fma]
struct LowerFma : public OpConversionPattern<cuda_tile::FmaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::FmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto result = rewriter.replaceOpWithNewOp<tileaa::FmaOp>(
        op, adaptor.getLhs().getType(), adaptor.getLhs(),
        TILESMITH_PLANT("fma-addend-swapped") ? adaptor.getAcc() : adaptor.getRhs(),
        TILESMITH_PLANT("fma-addend-swapped") ? adaptor.getRhs() : adaptor.getAcc(),
        TILESMITH_PLANT("fma-rounding-dropped") ? tileaa::RoundingMode::nearest_even
                                                : convertRounding(op.getRoundingMode()),
        op.getFlushToZero() && !TILESMITH_PLANT("fma-never-flushes"));
    copyFastMath(op, result);
    return success();
  }
};

// [spec: float-sqrt, math-sqrt-approx]
struct LowerSqrt : public OpConversionPattern<cuda_tile::SqrtOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::SqrtOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto result = rewriter.replaceOpWithNewOp<tileaa::SqrtOp>(
        op, adaptor.getSource().getType(), adaptor.getSource(),
        TILESMITH_PLANT("sqrt-rounding-dropped") ? tileaa::RoundingMode::nearest_even
                                                 : convertRounding(op.getRoundingMode()),
        op.getFlushToZero());
    copyFastMath(op, result);
    return success();
  }
};

/// rsqrt, exp2.
// [spec: math-exp2, math-rsqrt, float-flush]
template <typename From, typename To> struct FlushingUnary : public OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const bool keeps = llvm::isa<cuda_tile::Exp2Op>(op) && TILESMITH_PLANT("exp2-keeps-subnormals");
    auto result = rewriter.replaceOpWithNewOp<To>(
        op, adaptor.getSource().getType(), adaptor.getSource(), op.getFlushToZero() && !keeps);
    copyFastMath(op, result);
    return success();
  }
};

/// Planted: elementary functions by way of what is right for most operands.
static Value roundabout(cuda_tile::CeilOp op, ValueRange operands, OpBuilder &builder) {
  if (!TILESMITH_PLANT("ceil-loses-zero-sign"))
    return {};
  Location loc = op.getLoc();
  Value up = math::CeilOp::create(builder, loc, operands[0]);
  return tileaa::AddFOp::create(builder, loc, up.getType(), up,
                                createFloat(builder, loc, up.getType(), 0.0),
                                tileaa::RoundingMode::nearest_even, /*flush_to_zero=*/false);
}

static Value roundabout(cuda_tile::FloorOp op, ValueRange operands, OpBuilder &builder) {
  Value x = operands[0];
  Type type = x.getType();
  if (!getElementTypeOrSelf(type).isF32() || !TILESMITH_PLANT("floor-through-integer"))
    return {};
  Location loc = op.getLoc();
  Type integer = withElement(type, builder.getI32Type());
  Value whole = arith::FPToSIOp::create(builder, loc, integer, x);
  whole = arith::SIToFPOp::create(builder, loc, type, whole);
  Value one = createFloat(builder, loc, type, 1.0);
  Value below = tileaa::SubFOp::create(builder, loc, type, whole, one,
                                       tileaa::RoundingMode::nearest_even, false);
  Value above = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, whole, x);
  return arith::SelectOp::create(builder, loc, above, below, whole);
}

static Value roundabout(cuda_tile::PowOp op, ValueRange operands, OpBuilder &builder) {
  Location loc = op.getLoc();
  Type type = operands[0].getType();
  if (TILESMITH_PLANT("pow-of-negative-base")) {
    Value zero = createFloat(builder, loc, type, 0.0);
    Value nan = createFloat(builder, loc, type, std::numeric_limits<double>::quiet_NaN());
    Value negative =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, operands[0], zero);
    Value power = math::PowFOp::create(builder, loc, operands[0], operands[1]);
    return arith::SelectOp::create(builder, loc, negative, nan, power);
  }
  if (!getElementTypeOrSelf(type).isF16() || !TILESMITH_PLANT("pow-half-in-half"))
    return {};
  Value exponent = math::Log2Op::create(builder, loc, operands[0]);
  exponent = tileaa::MulFOp::create(builder, loc, type, exponent, operands[1],
                                    tileaa::RoundingMode::nearest_even, false);
  return tileaa::Exp2Op::create(builder, loc, type, exponent, false);
}

static Value roundabout(cuda_tile::FPowIOp op, ValueRange operands, OpBuilder &) {
  std::optional<APInt> exponent = integerSplat(op->getOperand(1));
  return exponent && !exponent->isStrictlyPositive() && TILESMITH_PLANT("powi-not-positive-is-base")
             ? operands[0]
             : Value();
}

static Value roundabout(cuda_tile::Atan2Op op, ValueRange operands, OpBuilder &builder) {
  return TILESMITH_PLANT("atan2-operands-swapped")
             ? math::Atan2Op::create(builder, op.getLoc(), operands[1], operands[0]).getResult()
             : Value();
}

static Value roundabout(Operation *, ValueRange, OpBuilder &) {
  return {};
}

/// One operation of the same operands in arith or math.
template <typename From, typename To> struct SameOperands : public OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (llvm::isa<cuda_tile::RemFOp>(op) && TILESMITH_PLANT("remf-refused"))
      return rewriter.notifyMatchFailure(op, "expected integers");
    if (Value value = roundabout(op, adaptor.getOperands(), rewriter)) {
      rewriter.replaceOp(op, value);
      return success();
    }
    Type type = this->getTypeConverter()->convertType(op.getType());
    auto result = rewriter.replaceOpWithNewOp<To>(op, TypeRange(type), adaptor.getOperands());
    copyFastMath(op, result);
    return success();
  }
};

/// exp and tanh: the approximate form is the one with `afn`.
// [spec: math-exp-approx, math-tanh-approx]
template <typename From, typename To> struct ApproximableUnary : public OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto result = rewriter.replaceOpWithNewOp<To>(op, adaptor.getSource());
    copyFastMath(op, result);
    if (op.getRoundingMode() == cuda_tile::RoundingMode::APPROX)
      result.setFastmath(result.getFastmath() | arith::FastMathFlags::afn);
    return success();
  }
};

/// maxf, minf. Flushing is a rounded product with one, which keeps signs and NaNs.
// [spec: float-minmax, float-minmax-propagate]
template <typename From, typename Propagating, typename Number>
struct MinMaxF : public OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    constexpr bool isMax = std::is_same_v<From, cuda_tile::MaxFOp>;
    std::optional<APFloat> left = floatSplat(op.getLhs()), right = floatSplat(op.getRhs());
    if (!op.getPropagateNan() && right && right->isInfinity() && right->isNegative() == isMax &&
        TILESMITH_PLANT("maxf-infinity-folded")) {
      rewriter.replaceOp(op, lhs);
      return success();
    }
    if (left && right && TILESMITH_PLANT("maxf-constants-by-order")) {
      bool keepsLeft =
          left->compare(*right) == (isMax ? APFloat::cmpGreaterThan : APFloat::cmpLessThan);
      rewriter.replaceOp(op, keepsLeft ? lhs : rhs);
      return success();
    }
    if (!op.getPropagateNan() && TILESMITH_PLANT("maxf-of-nan-is-second")) {
      Value first = arith::CmpFOp::create(
          rewriter, loc, isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, lhs, rhs);
      rewriter.replaceOpWithNewOp<arith::SelectOp>(op, first, lhs, rhs);
      return success();
    }
    Type element = getElementTypeOrSelf(lhs.getType());
    bool losesNaN =
        TILESMITH_PLANT("minmax-nan-swallowed") ||
        ((element.isF16() || element.isBF16()) && TILESMITH_PLANT("maxf-half-loses-nan"));
    if (op.getFlushToZero() && !TILESMITH_PLANT("minmax-keeps-subnormals")) {
      Value one = createFloat(rewriter, loc, lhs.getType(), 1.0);
      auto flush = [&](Value x) {
        return tileaa::MulFOp::create(rewriter, loc, x.getType(), x, one,
                                      tileaa::RoundingMode::nearest_even, true);
      };
      lhs = flush(lhs);
      if (!TILESMITH_PLANT("minmax-flushes-left-alone"))
        rhs = flush(rhs);
    }
    Operation *result =
        (op.getPropagateNan() || TILESMITH_PLANT("minmax-number-as-nan")) && !losesNaN
            ? Propagating::create(rewriter, loc, lhs, rhs).getOperation()
            : Number::create(rewriter, loc, lhs, rhs).getOperation();
    if (op.getFlushToZero())
      result->setDiscardableAttr("nv_tileaa.flush_to_zero", rewriter.getUnitAttr());
    copyFastMath(op, result);
    if (TILESMITH_PLANT("minmax-second-zero")) {
      Value equal = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OEQ, lhs, rhs);
      result = arith::SelectOp::create(rewriter, loc, equal, rhs, result->getResult(0));
    }
    rewriter.replaceOp(op, result->getResults());
    return success();
  }
};

//===------------------------------------------------------------------------------------------===//
// Integers
//===------------------------------------------------------------------------------------------===//

/// addi, subi, muli, shli. `Bool` is the same on i1.
// [spec: int-add, int-sub, int-mul, int-overflow-flags]
template <typename From, typename To, typename Bool>
struct OverflowBinary : public OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    if (isBool(lhs.getType())) {
      rewriter.replaceOpWithNewOp<Bool>(op, lhs, rhs);
      return success();
    }
    if (std::is_same_v<From, cuda_tile::SubIOp> && TILESMITH_PLANT("subi-operands-swapped"))
      std::swap(lhs, rhs);
    auto result = To::create(rewriter, op.getLoc(), lhs, rhs);
    result.setOverflowFlags(convertOverflow(op.getOverflow()));
    rewriter.replaceOp(op, result);
    return success();
  }
};

// [spec: int-shl, int-shift-amount]
struct LowerShLI : public OpConversionPattern<cuda_tile::ShLIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::ShLIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // The only defined amount for i1 is zero.
    if (isBool(adaptor.getLhs().getType())) {
      rewriter.replaceOp(op, adaptor.getLhs());
      return success();
    }
    auto result = arith::ShLIOp::create(rewriter, op.getLoc(), adaptor.getLhs(), adaptor.getRhs());
    result.setOverflowFlags(convertOverflow(op.getOverflow()));
    rewriter.replaceOp(op, result);
    return success();
  }
};

// [spec: int-shr, int-shift-amount]
struct LowerShRI : public OpConversionPattern<cuda_tile::ShRIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::ShRIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    unsigned width = getElementTypeOrSelf(lhs.getType()).getIntOrFloatBitWidth();
    auto left = op.getLhs().getDefiningOp<cuda_tile::ShLIOp>();
    if (left && left.getRhs() == op.getRhs() && width < 32 &&
        TILESMITH_PLANT("shift-pair-undone")) {
      rewriter.replaceOp(op, rewriter.getRemappedValue(left.getLhs()));
      return success();
    }
    if (width == 64 && TILESMITH_PLANT("shift-amount-narrowed"))
      rhs = arith::AndIOp::create(rewriter, loc, rhs, createInt(rewriter, loc, rhs.getType(), 31));
    if (isBool(lhs.getType()))
      rewriter.replaceOp(op, lhs);
    else if ((op.getSignedness() == cuda_tile::Signedness::Signed ||
              TILESMITH_PLANT("shri-unsigned-as-arithmetic")) &&
             !TILESMITH_PLANT("shri-signed-as-logical"))
      rewriter.replaceOpWithNewOp<arith::ShRSIOp>(op, lhs, rhs);
    else
      rewriter.replaceOpWithNewOp<arith::ShRUIOp>(op, lhs, rhs);
    return success();
  }
};

// [spec: int-divi]
struct LowerDivI : public OpConversionPattern<cuda_tile::DivIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::DivIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    bool isSigned = op.getSignedness() == cuda_tile::Signedness::Signed;
    if (isBool(lhs.getType())) {
      // Unsigned: the divisor is 1. Signed: it is -1, and -1 / -1 is undefined, so the quotient is
      // 0.
      rewriter.replaceOp(op, isSigned ? createInt(rewriter, op.getLoc(), lhs.getType(), 0) : lhs);
      return success();
    }
    switch (op.getRounding()) {
    case cuda_tile::RoundingMode::NEGATIVE_INF:
      // The floor of an unsigned quotient is the quotient (some profiles accept this spelling).
      if (isSigned && TILESMITH_PLANT("divi-floor-as-trunc"))
        rewriter.replaceOpWithNewOp<arith::DivSIOp>(op, lhs, rhs);
      else if (isSigned)
        rewriter.replaceOpWithNewOp<arith::FloorDivSIOp>(op, lhs, rhs);
      else
        rewriter.replaceOpWithNewOp<arith::DivUIOp>(op, lhs, rhs);
      return success();
    case cuda_tile::RoundingMode::POSITIVE_INF:
      if (isSigned && TILESMITH_PLANT("ceildiv-by-negative")) {
        Value one = createInt(rewriter, op.getLoc(), lhs.getType(), 1);
        Value above = arith::AddIOp::create(rewriter, op.getLoc(), lhs, rhs);
        above = arith::SubIOp::create(rewriter, op.getLoc(), above, one);
        rewriter.replaceOpWithNewOp<arith::FloorDivSIOp>(op, above, rhs);
      } else if (isSigned && TILESMITH_PLANT("divi-ceil-as-trunc"))
        rewriter.replaceOpWithNewOp<arith::DivSIOp>(op, lhs, rhs);
      else if (isSigned)
        rewriter.replaceOpWithNewOp<arith::CeilDivSIOp>(op, lhs, rhs);
      else if (TILESMITH_PLANT("divi-unsigned-ceil-as-floor"))
        rewriter.replaceOpWithNewOp<arith::DivUIOp>(op, lhs, rhs);
      else
        rewriter.replaceOpWithNewOp<arith::CeilDivUIOp>(op, lhs, rhs);
      return success();
    default:
      if (auto exponent = exponentOf(op.getRhs());
          isSigned && exponent && TILESMITH_PLANT("divi-by-power-as-shift")) {
        Value amount = createInt(rewriter, op.getLoc(), lhs.getType(), *exponent);
        rewriter.replaceOpWithNewOp<arith::ShRSIOp>(op, lhs, amount);
        return success();
      }
      if (isSigned && getElementTypeOrSelf(lhs.getType()).isInteger(8) &&
          TILESMITH_PLANT("divi-narrow-zero-extended")) {
        lhs = extendUnsigned(rewriter, op.getLoc(), lhs, 32);
        rhs = extendUnsigned(rewriter, op.getLoc(), rhs, 32);
        Value wide = arith::DivSIOp::create(rewriter, op.getLoc(), lhs, rhs);
        rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, adaptor.getLhs().getType(), wide);
        return success();
      }
      if (isSigned && !TILESMITH_PLANT("divi-signed-as-unsigned"))
        rewriter.replaceOpWithNewOp<arith::DivSIOp>(op, lhs, rhs);
      else
        rewriter.replaceOpWithNewOp<arith::DivUIOp>(op, lhs, rhs);
      return success();
    }
  }
};

// [spec: int-remi]
struct LowerRemI : public OpConversionPattern<cuda_tile::RemIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::RemIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    Type type = lhs.getType();
    if (isBool(type)) {
      rewriter.replaceOp(op, createInt(rewriter, loc, type, 0));
      return success();
    }
    if (std::optional<APInt> divisor = integerSplat(op.getRhs()); divisor && !divisor->isZero()) {
      auto inner = op.getLhs().getDefiningOp<cuda_tile::RemIOp>();
      auto sum = op.getLhs().getDefiningOp<cuda_tile::AddIOp>();
      std::optional<APInt> offset = sum ? integerSplat(sum.getRhs()) : std::nullopt;
      if (inner && inner.getSignedness() == op.getSignedness() && integerSplat(inner.getRhs()) &&
          TILESMITH_PLANT("remi-nested-folded"))
        lhs = rewriter.getRemappedValue(inner.getLhs());
      if (offset && offset->srem(*divisor).isZero() && TILESMITH_PLANT("remi-drops-multiple"))
        lhs = rewriter.getRemappedValue(sum.getLhs());
    }
    if (op.getSignedness() == cuda_tile::Signedness::Unsigned &&
        !TILESMITH_PLANT("remi-unsigned-as-signed")) {
      rewriter.replaceOpWithNewOp<arith::RemUIOp>(op, lhs, rhs);
      return success();
    }
    if (auto exponent = exponentOf(op.getRhs());
        exponent && TILESMITH_PLANT("remi-by-power-as-mask")) {
      Value mask = createInt(rewriter, loc, type, (int64_t(1) << *exponent) - 1);
      rewriter.replaceOpWithNewOp<arith::AndIOp>(op, lhs, mask);
      return success();
    }
    // x rem -1 is 0 for every x, also for the minimum, where arith.remsi is undefined; x rem 1 is
    // the same value. Facts see through constants only.
    if (std::optional<APInt> divisor = integerSplat(op.getRhs());
        !divisor || divisor->isAllOnes()) {
      Value minusOne = createInt(rewriter, loc, type, -1), one = createInt(rewriter, loc, type, 1);
      Value isMinusOne =
          arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, rhs, minusOne);
      rhs = arith::SelectOp::create(rewriter, loc, isMinusOne, one, rhs);
    }
    rewriter.replaceOpWithNewOp<arith::RemSIOp>(op, lhs, rhs);
    return success();
  }
};

/// maxi, mini. On i1 the unsigned maximum is `or`; signed i1 is {0, -1}, so the signed maximum is
/// `and`.
// [spec: int-minmax]
template <typename From, typename Signed, typename Unsigned, typename BoolSigned,
          typename BoolUnsigned>
struct MinMaxI : public OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    bool isSigned = op.getSignedness() == cuda_tile::Signedness::Signed;
    if (isBool(lhs.getType())) {
      if (isSigned && !TILESMITH_PLANT("maxi-bool-as-unsigned"))
        rewriter.replaceOpWithNewOp<BoolSigned>(op, lhs, rhs);
      else
        rewriter.replaceOpWithNewOp<BoolUnsigned>(op, lhs, rhs);
    } else if (isSigned && !TILESMITH_PLANT("maxi-signed-as-unsigned")) {
      rewriter.replaceOpWithNewOp<Signed>(op, lhs, rhs);
    } else {
      TILESMITH_PLANT("maxi-unsigned-as-signed")
      ? rewriter.replaceOp(op, Signed::create(rewriter, op.getLoc(), lhs, rhs))
      : rewriter.replaceOp(op, Unsigned::create(rewriter, op.getLoc(), lhs, rhs));
    }
    return success();
  }
};

// [spec: int-abs]
struct LowerAbsI : public OpConversionPattern<cuda_tile::AbsIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::AbsIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // |-1| has the bits of -1 in one bit.
    if (isBool(adaptor.getSource().getType()))
      rewriter.replaceOp(op, adaptor.getSource());
    else
      rewriter.replaceOpWithNewOp<math::AbsIOp>(op, adaptor.getSource());
    return success();
  }
};

// [spec: int-neg]
struct LowerNegI : public OpConversionPattern<cuda_tile::NegIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(cuda_tile::NegIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getSource();
    if (isBool(source.getType())) {
      rewriter.replaceOp(op, source);
      return success();
    }
    Value zero = createInt(rewriter, op.getLoc(), source.getType(), 0);
    auto result = arith::SubIOp::create(rewriter, op.getLoc(), zero, source);
    result.setOverflowFlags(convertOverflow(op.getOverflow()));
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

//===------------------------------------------------------------------------------------------===//
// Registration
//===------------------------------------------------------------------------------------------===//

void populateArithmetic(Types types, PatternSet patterns) {
  using namespace cuda_tile;
  MLIRContext *context = patterns.getContext();
  patterns.add<RoundedBinary<AddFOp, tileaa::AddFOp>, RoundedBinary<SubFOp, tileaa::SubFOp>,
               RoundedBinary<MulFOp, tileaa::MulFOp>, RoundedBinary<DivFOp, tileaa::DivFOp>,
               LowerSqrt, FlushingUnary<Exp2Op, tileaa::Exp2Op>, SameOperands<AbsFOp, math::AbsFOp>,
               SameOperands<NegFOp, arith::NegFOp>, SameOperands<CeilOp, math::CeilOp>,
               SameOperands<FloorOp, math::FloorOp>, SameOperands<SinOp, math::SinOp>,
               SameOperands<CosOp, math::CosOp>, SameOperands<TanOp, math::TanOp>,
               SameOperands<SinHOp, math::SinhOp>, SameOperands<CosHOp, math::CoshOp>,
               SameOperands<LogOp, math::LogOp>, SameOperands<Log2Op, math::Log2Op>,
               SameOperands<PowOp, math::PowFOp>, SameOperands<FPowIOp, math::FPowIOp>,
               SameOperands<Atan2Op, math::Atan2Op>, SameOperands<RemFOp, arith::RemFOp>,
               ApproximableUnary<ExpOp, math::ExpOp>, ApproximableUnary<TanHOp, math::TanhOp>,
               MinMaxF<MaxFOp, arith::MaximumFOp, arith::MaxNumFOp>,
               MinMaxF<MinFOp, arith::MinimumFOp, arith::MinNumFOp>>(types, context);
  patterns
      .add<OverflowBinary<AddIOp, arith::AddIOp, arith::XOrIOp>,
           OverflowBinary<SubIOp, arith::SubIOp, arith::XOrIOp>,
           OverflowBinary<MulIOp, arith::MulIOp, arith::AndIOp>, LowerShLI, LowerShRI, LowerDivI,
           LowerRemI, MinMaxI<MinIOp, arith::MinSIOp, arith::MinUIOp, arith::OrIOp, arith::AndIOp>,
           SameOperands<AndIOp, arith::AndIOp>, SameOperands<OrIOp, arith::OrIOp>,
           SameOperands<XOrIOp, arith::XOrIOp>, SameOperands<MulhiIOp, tileaa::MulHiUIOp>,
           LowerAbsI, LowerNegI>(types, context);
}

void addRsqrtPattern(Types types, PatternSet patterns) {
  patterns.add<FlushingUnary<cuda_tile::RsqrtOp, tileaa::RsqrtOp>>(types, patterns.getContext());
}

void addFmaPattern(Types types, PatternSet patterns) {
  patterns.add<LowerFma>(types, patterns.getContext());
}

void addMaxIPattern(Types types, PatternSet patterns) {
  patterns
      .add<MinMaxI<cuda_tile::MaxIOp, arith::MaxSIOp, arith::MaxUIOp, arith::AndIOp, arith::OrIOp>>(
          types, patterns.getContext());
}

} // namespace tilesmith::cudatile_to_tileaa
