//===- Elementwise.cpp - one element of arithmetic, comparison, conversion and math ops -------===//
//
// arith and math operations are cloned on scalars. nv_tileaa float operations carry a rounding mode
// and flush-to-zero: the plain ones (nearest even, no flush) become arith/math with the fast-math
// flags of the source, all others the NVVM intrinsic that states them, which has no flags. Conversions that hardware or LLVM would round twice are spelled so
// that they round once (see convertInteger).
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

Value tileas_to_nvgpu::registerConstant(Emitter &e, Attribute number, Type held) {
  if (auto real = dyn_cast<FloatAttr>(number); real && real.getType() != held) {
    APInt bits = real.getValue().bitcastToAPInt();
    if (held.isF32()) { // tf32 is held in an f32
      bool lossy;
      APFloat wide = real.getValue();
      wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lossy);
      return arith::ConstantOp::create(e.builder, e.loc, FloatAttr::get(held, wide));
    }
    return arith::ConstantOp::create(e.builder, e.loc, IntegerAttr::get(held, bits.zext(8)));
  }
  if (auto integer = dyn_cast<IntegerAttr>(number); integer && integer.getType() != held)
    return arith::ConstantOp::create(e.builder, e.loc,
                                     IntegerAttr::get(held, integer.getValue().zext(8)));
  return arith::ConstantOp::create(e.builder, e.loc, cast<TypedAttr>(number));
}

namespace {

/// Emitted type of result `i` of an elementwise operation.
Type resultType(Emitter &e, Operation *op, unsigned i = 0) {
  Type type = op->getResult(i).getType();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  return e.elementType(type);
}

/// Element type of an operand before it was adapted to what a register holds.
Type logicalType(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? tensor.getElementType() : value.getType();
}

/// Planted: what is right for most operands.
Value roundabout(Emitter &e, Operation *op, ValueRange operands) {
  OpBuilder &b = e.builder;
  Value x = operands.empty() ? Value() : operands[0];
  auto number = [&](double value) -> Value {
    return arith::ConstantOp::create(b, e.loc, FloatAttr::get(x.getType(), value));
  };
  if (isa<arith::NegFOp>(op) && TILESMITH_PLANT("negf-from-positive-zero"))
    return arith::SubFOp::create(b, e.loc, number(0.0), x);
  if (!x || !x.getType().isF32())
    return {};
  if (isa<arith::RemFOp>(op) && TILESMITH_PLANT("remf-by-division")) {
    Value whole = math::TruncOp::create(
        b, e.loc, arith::DivFOp::create(b, e.loc, x, operands[1]).getResult());
    return arith::SubFOp::create(b, e.loc, x, arith::MulFOp::create(b, e.loc, whole, operands[1]));
  }
  if (isa<math::SinOp>(op) && TILESMITH_PLANT("sin-reduced-in-single")) {
    Value turns = math::RoundEvenOp::create(
        b, e.loc, arith::MulFOp::create(b, e.loc, x, number(0.15915494309189535)).getResult());
    x = arith::SubFOp::create(b, e.loc, x,
                              arith::MulFOp::create(b, e.loc, turns, number(6.283185307179586)));
    return math::SinOp::create(b, e.loc, x);
  }
  if (isa<math::LogOp, math::Log2Op>(op) && TILESMITH_PLANT("log-flushes-subnormals")) {
    Value tiny = arith::CmpFOp::create(b, e.loc, arith::CmpFPredicate::OLT,
                                       math::AbsFOp::create(b, e.loc, x), number(0x1p-126));
    x = arith::SelectOp::create(b, e.loc, tiny, number(0.0), x);
    return isa<math::LogOp>(op) ? math::LogOp::create(b, e.loc, x).getResult()
                                : math::Log2Op::create(b, e.loc, x).getResult();
  }
  return {};
}

/// The same operation on scalars.
LogicalResult cloneScalar(Emitter &e, Operation *op, ValueRange operands, Value,
                          SmallVectorImpl<Value> &results) {
  if (Value value = roundabout(e, op, operands)) {
    results.push_back(value);
    return success();
  }
  IRMapping mapping;
  mapping.map(op->getOperands(), operands);
  Operation *clone = e.builder.clone(*op, mapping);
  for (auto [i, result] : llvm::enumerate(clone->getResults())) {
    result.setType(resultType(e, op, i));
    results.push_back(result);
  }
  return success();
}

/// Extension from i4, which a register holds as a byte whose upper half is anything.
template <bool isSigned>
LogicalResult extendInteger(Emitter &e, Operation *op, ValueRange operands, Value position,
                            SmallVectorImpl<Value> &results) {
  if (isSigned && logicalType(op->getOperand(0)).isInteger(1) &&
      TILESMITH_PLANT("exti-truth-positive")) {
    results.push_back(arith::ExtUIOp::create(e.builder, e.loc, resultType(e, op), operands[0]));
    return success();
  }
  if (!logicalType(op->getOperand(0)).isInteger(4))
    return cloneScalar(e, op, operands, position, results);
  Type byte = e.builder.getI8Type(), target = resultType(e, op);
  Value four = arith::ConstantIntOp::create(e.builder, e.loc, byte, 4);
  Value value = arith::ShLIOp::create(e.builder, e.loc, operands[0], four);
  if (isSigned)
    value = TILESMITH_PLANT("half-byte-extension-logical")
                ? Value(arith::ShRUIOp::create(e.builder, e.loc, value, four))
                : Value(arith::ShRSIOp::create(e.builder, e.loc, value, four));
  else
    value = TILESMITH_PLANT("half-byte-unsigned-extension-arithmetic")
                ? Value(arith::ShRSIOp::create(e.builder, e.loc, value, four))
                : Value(arith::ShRUIOp::create(e.builder, e.loc, value, four));
  if (target != byte && isSigned)
    value = arith::ExtSIOp::create(e.builder, e.loc, target, value);
  else if (target != byte)
    value = arith::ExtUIOp::create(e.builder, e.loc, target, value);
  results.push_back(value);
  return success();
}

/// Truncation, to i4 into the lower half of a byte.
LogicalResult truncateInteger(Emitter &e, Operation *op, ValueRange operands, Value position,
                              SmallVectorImpl<Value> &results) {
  if (!logicalType(op->getResult(0)).isInteger(4))
    return cloneScalar(e, op, operands, position, results);
  Type byte = e.builder.getI8Type();
  Value value = operands[0];
  if (value.getType() != byte)
    value = arith::TruncIOp::create(e.builder, e.loc, byte, value);
  Value mask = arith::ConstantIntOp::create(e.builder, e.loc, byte, 15);
  results.push_back(arith::AndIOp::create(e.builder, e.loc, value, mask));
  return success();
}

/// An integer power; the exponent is signed.
LogicalResult integerPower(Emitter &e, Operation *, ValueRange operands, Value,
                           SmallVectorImpl<Value> &results) {
  Value exponent = operands[1];
  Type i32 = e.builder.getI32Type();
  if (exponent.getType() != i32)
    exponent = TILESMITH_PLANT("power-exponent-unsigned")
                   ? Value(arith::ExtUIOp::create(e.builder, e.loc, i32, exponent))
                   : Value(arith::ExtSIOp::create(e.builder, e.loc, i32, exponent));
  results.push_back(math::FPowIOp::create(e.builder, e.loc, operands[0], exponent));
  return success();
}

LogicalResult constant(Emitter &e, Operation *op, ValueRange, Value position,
                       SmallVectorImpl<Value> &results) {
  Attribute value = cast<arith::ConstantOp>(op).getValue();
  Type type = resultType(e, op);
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || dense.isSplat()) {
    results.push_back(registerConstant(e, dense ? dense.getSplatValue<Attribute>() : value, type));
    return success();
  }
  // A table in constant memory, indexed by the row-major position.
  FailureOr<Value> table = e.constantTable(op, dense, type);
  if (failed(table))
    return failure();
  results.push_back(e.load(e.elementPointer(*table, type, position), type));
  return success();
}

//===- integer ------------------------------------------------------------------------------------===//

Value compare(Emitter &e, arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(e.builder, e.loc, predicate, a, b);
}

Value zeroLike(Emitter &e, Value value) {
  return arith::ConstantIntOp::create(e.builder, e.loc, value.getType(), 0);
}

/// Rounded division from the truncating one: the quotient moves by one when the remainder is not
/// zero and the exact quotient lies on the wanted side.
template <bool isSigned, bool isCeil>
LogicalResult roundedDivision(Emitter &e, Operation *, ValueRange operands, Value,
                              SmallVectorImpl<Value> &results) {
  Value a = operands[0], b = operands[1], quotient;
  if (isSigned)
    quotient = arith::DivSIOp::create(e.builder, e.loc, a, b);
  else
    quotient = arith::DivUIOp::create(e.builder, e.loc, a, b);
  Value product = e.mul(quotient, b);
  Value remainder = arith::SubIOp::create(e.builder, e.loc, a, product);
  Value adjust = compare(e,
                         isCeil && !isSigned && TILESMITH_PLANT("ceil-division-bumps-exact")
                             ? arith::CmpIPredicate::uge
                             : arith::CmpIPredicate::ne,
                         remainder, zeroLike(e, a));
  if (isSigned) {
    Value signs = arith::XOrIOp::create(e.builder, e.loc, a, b);
    auto side = isCeil && !TILESMITH_PLANT("ceil-division-wrong-side") ? arith::CmpIPredicate::sge
                                                                       : arith::CmpIPredicate::slt;
    if (!isCeil && TILESMITH_PLANT("floor-division-wrong-side"))
      side = arith::CmpIPredicate::sge;
    adjust = e.both(adjust, compare(e, side, signs, zeroLike(e, a)));
  }
  Value step = a.getType().isInteger(1)
                   ? adjust
                   : Value(arith::ExtUIOp::create(e.builder, e.loc, a.getType(), adjust));
  if (isSigned && isCeil && TILESMITH_PLANT("ceil-division-of-smallest")) {
    // The smallest number is its own negative, and its quotient gets the wrong sign.
    Value zero = zeroLike(e, a), right = e.add(quotient, step);
    Value negated = arith::SubIOp::create(e.builder, e.loc, zero, a);
    Value isSmallest = e.both(compare(e, arith::CmpIPredicate::slt, a, zero),
                              compare(e, arith::CmpIPredicate::eq, negated, a));
    results.push_back(arith::SelectOp::create(
        e.builder, e.loc, isSmallest, arith::SubIOp::create(e.builder, e.loc, zero, right), right));
    return success();
  }
  if (isCeil)
    results.push_back(e.add(quotient, step));
  else
    results.push_back(arith::SubIOp::create(e.builder, e.loc, quotient, step));
  return success();
}

/// High half of the unsigned product.
LogicalResult multiplyHigh(Emitter &e, Operation *, ValueRange operands, Value,
                           SmallVectorImpl<Value> &results) {
  if (TILESMITH_PLANT("mulhi-as-signed")) {
    results.push_back(
        arith::MulSIExtendedOp::create(e.builder, e.loc, operands[0], operands[1]).getHigh());
    return success();
  }
  auto product = arith::MulUIExtendedOp::create(e.builder, e.loc, operands[0], operands[1]);
  results.push_back(product.getHigh());
  return success();
}

/// Integer to float with one rounding. LLVM converts to 16-bit formats through f32, which rounds
/// twice; through f64 it is exact up to 53 bits, and wider magnitudes get their low bits folded
/// into a sticky bit first.
template <bool isSigned>
LogicalResult convertInteger(Emitter &e, Operation *op, ValueRange operands, Value,
                             SmallVectorImpl<Value> &results) {
  Type target = logicalType(op->getResult(0)), held = resultType(e, op);
  Value x = operands[0];
  auto convert = [&](Value value, Type type) -> Value {
    if (isSigned)
      return arith::SIToFPOp::create(e.builder, e.loc, type, value);
    return arith::UIToFPOp::create(e.builder, e.loc, type, value);
  };
  if (target.isF32() && x.getType().isInteger(32) && TILESMITH_PLANT("itof-toward-zero")) {
    Value exact = convert(x, e.builder.getF64Type());
    results.push_back(e.convertFloat(exact, exact.getType(), target, "zero"));
    return success();
  }
  if (target.isF32() || target.isF64()) {
    results.push_back(convert(x, held));
    return success();
  }
  if (x.getType().isInteger(64)) {
    Type i64 = x.getType();
    auto constant = [&](int64_t value) { return e.i64(value); };
    Value magnitude = x, negative;
    if (isSigned) {
      negative = compare(e, arith::CmpIPredicate::slt, x, constant(0));
      Value negated = arith::SubIOp::create(e.builder, e.loc, constant(0), x);
      magnitude = arith::SelectOp::create(e.builder, e.loc, negative, negated, x);
    }
    Value low = arith::AndIOp::create(e.builder, e.loc, magnitude, constant(0x7ff));
    Value sticky = arith::ExtUIOp::create(e.builder, e.loc, i64,
                                          compare(e, arith::CmpIPredicate::ne, low, constant(0)));
    sticky = arith::ShLIOp::create(e.builder, e.loc, sticky, constant(11));
    Value folded = arith::AndIOp::create(e.builder, e.loc, magnitude, constant(~int64_t(0x7ff)));
    folded = arith::OrIOp::create(e.builder, e.loc, folded, sticky);
    Value large = compare(e, arith::CmpIPredicate::uge, magnitude, constant(int64_t(1) << 53));
    magnitude = arith::SelectOp::create(e.builder, e.loc, large, folded, magnitude);
    Value wide = arith::UIToFPOp::create(e.builder, e.loc, e.builder.getF64Type(), magnitude);
    if (isSigned) {
      Value negated = arith::NegFOp::create(e.builder, e.loc, wide);
      if (!TILESMITH_PLANT("itof-negative-sign-dropped"))
        wide = arith::SelectOp::create(e.builder, e.loc, negative, negated, wide);
    }
    results.push_back(e.convertFloat(wide, wide.getType(), target));
    return success();
  }
  Value wide = convert(x, e.builder.getF64Type());
  results.push_back(e.convertFloat(wide, wide.getType(), target));
  return success();
}

/// Float to integer toward zero; to i1 it is "not zero", true for NaN.
template <bool isSigned>
LogicalResult truncateToInteger(Emitter &e, Operation *op, ValueRange operands, Value,
                                SmallVectorImpl<Value> &results) {
  Value x = operands[0];
  Type target = resultType(e, op), source = logicalType(op->getOperand(0));
  if (!source.isF32() && !source.isF64())
    x = e.convertFloat(x, source, e.builder.getF32Type());
  if (target.isInteger(1)) {
    Value zero = arith::ConstantOp::create(e.builder, e.loc, FloatAttr::get(x.getType(), 0.0));
    results.push_back(arith::CmpFOp::create(e.builder, e.loc, arith::CmpFPredicate::UNE, x, zero));
    return success();
  }
  if (isSigned)
    results.push_back(arith::FPToSIOp::create(e.builder, e.loc, target, x));
  else
    results.push_back(arith::FPToUIOp::create(e.builder, e.loc, target, x));
  return success();
}

//===- float --------------------------------------------------------------------------------------===//

StringRef roundingMode(Operation *op) {
  auto mode = op->getAttrOfType<tileaa::RoundingModeAttr>("rounding_mode");
  return mode ? tileaa::stringifyRoundingMode(mode.getValue()) : "nearest_even";
}

bool flushToZero(Operation *op) {
  return op->hasAttr("flush_to_zero") && !TILESMITH_PLANT("ftz-dropped");
}

LogicalResult floatToFloat(Emitter &e, Operation *op, ValueRange operands, Value,
                           SmallVectorImpl<Value> &results) {
  results.push_back(e.convertFloat(operands[0], logicalType(op->getOperand(0)),
                                   logicalType(op->getResult(0)), roundingMode(op)));
  return success();
}

} // namespace

Value tileas_to_nvgpu::roundedIntrinsic(Emitter &e, StringRef name, StringRef rounding, bool ftz,
                                        ValueRange operands) {
  StringRef mode = llvm::StringSwitch<StringRef>(rounding)
                       .Case("nearest_even", ".rn")
                       .Case("zero", TILESMITH_PLANT("rounding-zero-as-nearest") ? ".rn" : ".rz")
                       .Case("negative_inf", TILESMITH_PLANT("rounding-down-as-up") ? ".rp" : ".rm")
                       .Case("positive_inf", TILESMITH_PLANT("rounding-up-as-zero") ? ".rz" : ".rp")
                       .Case("approx", ".approx")
                       .Case("full", ".full")
                       .Default("");
  Type type = operands[0].getType();
  std::string full = ("llvm.nvvm." + name + mode + (ftz ? ".ftz" : "")).str();
  if (rounding != "full")
    full += type.isF64() ? ".d" : ".f";
  return LLVM::CallIntrinsicOp::create(e.builder, e.loc, type, e.builder.getStringAttr(full),
                                       operands)
      .getResult(0);
}

namespace {

/// A constant whose elements are 1.
bool isOne(Value value) {
  if (auto splat = value.getDefiningOp<tileaa::SplatOp>())
    value = splat->getOperand(0);
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return false;
  if (auto splat = dyn_cast<SplatElementsAttr>(constant))
    constant = splat.getSplatValue<Attribute>();
  auto number = dyn_cast<FloatAttr>(constant);
  return number && (number.getValue().isExactlyValue(1) ||
                    (TILESMITH_PLANT("rcp-of-minus-one") && number.getValue().isExactlyValue(-1)));
}

enum class Arithmetic { Add, Sub, Mul, Div, Fma, Sqrt };

template <Arithmetic kind>
LogicalResult floatArithmetic(Emitter &e, Operation *op, ValueRange operands, Value,
                              SmallVectorImpl<Value> &results) {
  StringRef rounding = roundingMode(op);
  bool ftz = flushToZero(op);
  OpBuilder &b = e.builder;
  Type element = operands[0].getType();
  if (TILESMITH_PLANT("subnormals-flushed") && element.isF32())
    ftz = true;
  if (kind == Arithmetic::Add && TILESMITH_PLANT("addf-toward-zero") &&
      (element.isF32() || element.isF64()))
    rounding = "zero";
  if (kind == Arithmetic::Fma && rounding == "nearest_even" &&
      TILESMITH_PLANT("fma-half-through-f32") && (element.isF16() || element.isBF16())) {
    SmallVector<Value> wide;
    for (Value value : operands)
      wide.push_back(e.convertFloat(value, element, b.getF32Type()));
    Value result = math::FmaOp::create(b, e.loc, wide[0], wide[1], wide[2]);
    results.push_back(e.convertFloat(result, b.getF32Type(), element, "nearest_even"));
    return success();
  }
  if (rounding == "nearest_even" && !ftz) {
    auto fast = tileaa::getFastMath(op);
    if constexpr (kind == Arithmetic::Add)
      results.push_back(arith::AddFOp::create(b, e.loc, operands[0], operands[1], fast));
    else if constexpr (kind == Arithmetic::Sub)
      results.push_back(arith::SubFOp::create(b, e.loc, operands[0], operands[1], fast));
    else if constexpr (kind == Arithmetic::Mul)
      results.push_back(arith::MulFOp::create(b, e.loc, operands[0], operands[1], fast));
    else if constexpr (kind == Arithmetic::Div)
      results.push_back(arith::DivFOp::create(b, e.loc, operands[0], operands[1], fast));
    else if constexpr (kind == Arithmetic::Fma)
      if (TILESMITH_PLANT("fma-rounds-twice"))
        results.push_back(arith::AddFOp::create(
            b, e.loc, arith::MulFOp::create(b, e.loc, operands[0], operands[1]), operands[2]));
      else
        results.push_back(
            math::FmaOp::create(b, e.loc, operands[0], operands[1], operands[2], fast));
    else
      results.push_back(math::SqrtOp::create(b, e.loc, operands[0], fast));
    return success();
  }
  // 16-bit formats: the f32 operation and the narrowing round in the same direction, which composes
  // exactly.
  Type type = operands[0].getType();
  SmallVector<Value> wide(operands);
  if (type.isF16() || type.isBF16())
    for (Value &value : wide)
      value = e.convertFloat(value, type, b.getF32Type());
  if constexpr (kind == Arithmetic::Sub)
    wide[1] = arith::NegFOp::create(b, e.loc, wide[1]); // a - b is a + (-b) in every mode
  if (kind == Arithmetic::Div && rounding == "approx" && ftz &&
      (isOne(op->getOperand(0)) || TILESMITH_PLANT("rcp-for-any-numerator"))) {
    auto one = VectorType::get({1}, b.getF32Type());
    Value vector = vector::BroadcastOp::create(b, e.loc, one, wide[1]);
    vector = nvgpu::RcpOp::create(b, e.loc, one, vector, nvgpu::RcpRoundingMode::APPROX,
                                  /*ftz=*/true);
    results.push_back(vector::ExtractOp::create(b, e.loc, vector, ArrayRef<int64_t>{0}));
    return success();
  }
  constexpr StringLiteral names[] = {"add", "add", "mul", "div", "fma", "sqrt"};
  Value result = roundedIntrinsic(e, names[static_cast<int>(kind)], rounding, ftz, wide);
  if (TILESMITH_PLANT("half-directed-narrowed-to-nearest"))
    rounding = "nearest_even";
  results.push_back(e.convertFloat(result, result.getType(), type, rounding));
  return success();
}

} // namespace

Value tileas_to_nvgpu::emitPacked(Emitter &e, Operation *arithmetic, ValueRange operands) {
  OpBuilder &b = e.builder;
  auto type = cast<VectorType>(operands[0].getType());
  auto rounding = nvgpu_ext::Rounding::rn;
  if (isa<tileaa::FpToFpOp>(arithmetic) && type.getElementType().isInteger(8)) {
    Type format = getElementTypeOrSelf(arithmetic->getOperand(0).getType());
    if (TILESMITH_PLANT("packed-f8-read-as-other-format") && isa<Float8E4M3FNType>(format))
      format = b.getType<Float8E5M2Type>();
    Value codes = arith::BitcastOp::create(b, e.loc, VectorType::get({2}, format), operands[0]);
    Value wide =
        nvgpu_ext::CvtFPExtOp::create(b, e.loc, VectorType::get({2}, b.getF32Type()), codes);
    Type element = getElementTypeOrSelf(arithmetic->getResult(0).getType());
    if (element.isF32())
      return wide;
    return arith::TruncFOp::create(b, e.loc, VectorType::get({2}, element), wide); // exact
  }
  if (isa<tileaa::FpToFpOp>(arithmetic)) {
    Type element = getElementTypeOrSelf(arithmetic->getResult(0).getType());
    if (TILESMITH_PLANT("packed-f8-of-other-format") && isa<Float8E4M3FNType>(element))
      element = b.getType<Float8E5M2Type>();
    Value both = nvgpu_ext::CvtFPTruncOp::create(b, e.loc, VectorType::get({2}, element),
                                                 operands[0], rounding, /*relu=*/false);
    return arith::BitcastOp::create(b, e.loc, VectorType::get({2}, b.getI8Type()), both);
  }
  if (isa<tileaa::FmaOp>(arithmetic))
    return nvgpu_ext::FmaPackedOp::create(b, e.loc, type, operands[0], operands[1], operands[2],
                                          rounding, /*ftz=*/false);
  if (isa<tileaa::MulFOp>(arithmetic))
    return nvgpu_ext::MulPackedOp::create(b, e.loc, type, operands[0], operands[1], rounding,
                                          /*ftz=*/false);
  Value second = operands[1];
  if (isa<tileaa::SubFOp>(arithmetic) && !TILESMITH_PLANT("packed-difference-added"))
    second = arith::NegFOp::create(b, e.loc, second); // a - b is a + (-b)
  return nvgpu_ext::AddPackedOp::create(b, e.loc, type, operands[0], second, rounding,
                                        /*ftz=*/false);
}

namespace {

LogicalResult exp2(Emitter &e, Operation *op, ValueRange operands, Value,
                   SmallVectorImpl<Value> &results) {
  if (flushToZero(op)) {
    results.push_back(LLVM::CallIntrinsicOp::create(
                          e.builder, e.loc, operands[0].getType(),
                          e.builder.getStringAttr("llvm.nvvm.ex2.approx.ftz.f"), operands)
                          .getResult(0));
    return success();
  }
  results.push_back(math::Exp2Op::create(e.builder, e.loc, operands[0], tileaa::getFastMath(op)));
  return success();
}

LogicalResult rsqrt(Emitter &e, Operation *op, ValueRange operands, Value,
                    SmallVectorImpl<Value> &results) {
  if (flushToZero(op)) {
    results.push_back(LLVM::CallIntrinsicOp::create(
                          e.builder, e.loc, operands[0].getType(),
                          e.builder.getStringAttr("llvm.nvvm.rsqrt.approx.ftz.f"), operands)
                          .getResult(0));
    return success();
  }
  results.push_back(math::RsqrtOp::create(e.builder, e.loc, operands[0], tileaa::getFastMath(op)));
  return success();
}

//===- pointers and bits --------------------------------------------------------------------------===//

/// Same bits: between integers and floats of one width, or pointers of any pointee.
LogicalResult bitcast(Emitter &e, Operation *op, ValueRange operands, Value,
                      SmallVectorImpl<Value> &results) {
  Type target = resultType(e, op);
  if (operands[0].getType() == target)
    results.push_back(operands[0]);
  else
    results.push_back(arith::BitcastOp::create(e.builder, e.loc, target, operands[0]));
  return success();
}

LogicalResult pointerToInteger(Emitter &e, Operation *op, ValueRange operands, Value,
                               SmallVectorImpl<Value> &results) {
  results.push_back(LLVM::PtrToIntOp::create(e.builder, e.loc, resultType(e, op), operands[0]));
  return success();
}

LogicalResult integerToPointer(Emitter &e, Operation *op, ValueRange operands, Value,
                               SmallVectorImpl<Value> &results) {
  results.push_back(LLVM::IntToPtrOp::create(e.builder, e.loc, resultType(e, op), operands[0]));
  return success();
}

/// Offsets count elements and are signed.
LogicalResult addPointer(Emitter &e, Operation *op, ValueRange operands, Value,
                         SmallVectorImpl<Value> &results) {
  Type pointee = cast<tileaa::PtrType>(logicalType(op->getResult(0))).getPointee();
  Value offset = operands[1];
  if (offset.getType().isInteger(64) && TILESMITH_PLANT("offset-truncated"))
    offset = arith::TruncIOp::create(e.builder, e.loc, e.builder.getI32Type(), offset);
  if (!offset.getType().isInteger(64))
    offset = TILESMITH_PLANT("offset-unsigned")
                 ? Value(arith::ExtUIOp::create(e.builder, e.loc, e.builder.getI64Type(), offset))
                 : Value(arith::ExtSIOp::create(e.builder, e.loc, e.builder.getI64Type(), offset));
  offset = e.mul(offset, e.i64(e.elementBytes(pointee)));
  results.push_back(e.elementPointer(operands[0], e.builder.getI8Type(), offset));
  return success();
}

LogicalResult forwardFirst(Emitter &, Operation *, ValueRange operands, Value,
                           SmallVectorImpl<Value> &results) {
  results.push_back(operands[0]);
  return success();
}

} // namespace

void tileas_to_nvgpu::registerElementwise(HandlerTable &table) {
  table.elements
      .add<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp,
           arith::RemSIOp, arith::RemUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
           arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::MaxSIOp, arith::MaxUIOp,
           arith::MinSIOp, arith::MinUIOp, arith::CmpIOp, arith::CmpFOp, arith::SelectOp,
           arith::RemFOp, arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
           arith::MinNumFOp, arith::IndexCastOp, math::AbsFOp, math::AbsIOp, math::CeilOp,
           math::FloorOp, math::CosOp, math::SinOp, math::TanOp, math::CoshOp, math::SinhOp,
           math::TanhOp, math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op, math::PowFOp,
           math::Atan2Op, math::SqrtOp, math::RsqrtOp, math::FmaOp>(cloneScalar);
  table.elements.add<arith::ConstantOp>(constant);
  table.elements.add<arith::ExtSIOp>(extendInteger<true>);
  table.elements.add<arith::ExtUIOp>(extendInteger<false>);
  table.elements.add<arith::TruncIOp>(truncateInteger);
  table.elements.add<math::FPowIOp>(integerPower);
  table.elements.add<arith::FloorDivSIOp>(roundedDivision<true, false>);
  table.elements.add<arith::CeilDivSIOp>(roundedDivision<true, true>);
  table.elements.add<arith::CeilDivUIOp>(roundedDivision<false, true>);
  table.elements.add<arith::SIToFPOp>(convertInteger<true>);
  table.elements.add<arith::UIToFPOp>(convertInteger<false>);
  table.elements.add<arith::FPToSIOp>(truncateToInteger<true>);
  table.elements.add<arith::FPToUIOp>(truncateToInteger<false>);
  table.elements.add<tileaa::MulHiUIOp>(multiplyHigh);
  table.elements.add<tileaa::FpToFpOp>(floatToFloat);
  table.elements.add<tileaa::AddFOp>(floatArithmetic<Arithmetic::Add>);
  table.elements.add<tileaa::SubFOp>(floatArithmetic<Arithmetic::Sub>);
  table.elements.add<tileaa::MulFOp>(floatArithmetic<Arithmetic::Mul>);
  table.elements.add<tileaa::DivFOp>(floatArithmetic<Arithmetic::Div>);
  table.elements.add<tileaa::FmaOp>(floatArithmetic<Arithmetic::Fma>);
  table.elements.add<tileaa::SqrtOp>(floatArithmetic<Arithmetic::Sqrt>);
  table.elements.add<tileaa::Exp2Op>(exp2);
  table.elements.add<tileaa::RsqrtOp>(rsqrt);
  table.elements.add<tileaa::BitcastOp>(bitcast);
  table.elements.add<tileaa::PtrToIntOp>(pointerToInteger);
  table.elements.add<tileaa::IntToPtrOp>(integerToPointer);
  table.elements.add<tileaa::AddPtrOp>(addPointer);
  table.elements.add<tileaa::AssumeOp>(forwardFirst);
}
