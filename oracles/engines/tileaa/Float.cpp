//===- Float.cpp - rounded arithmetic and functions of floats ---------------------------------===//
//
// One IEEE rounding per op; flush_to_zero (f32) replaces subnormal operands and results by zeros of
// their sign; approx, full and bounded functions give the correctly rounded value, Unknown where
// their accuracy is not specified. +0 is larger than -0 for all maxima and minima.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/Elementwise.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "reference/value/Math.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using namespace mlir;
using reference::Rounding;
using reference::UnaryFunction;
using reference::widthOf;

namespace {

Rounding roundingOf(tileaa::RoundingMode mode) {
  switch (mode) {
  case tileaa::RoundingMode::zero:
  case tileaa::RoundingMode::nearest_int_to_zero:
    return Rounding::Zero;
  case tileaa::RoundingMode::negative_inf:
    return Rounding::Down;
  case tileaa::RoundingMode::positive_inf:
    return Rounding::Up;
  case tileaa::RoundingMode::nearest_away:
    return Rounding::NearestAway;
  case tileaa::RoundingMode::nearest_even:
  case tileaa::RoundingMode::approx:
  case tileaa::RoundingMode::full:
    return Rounding::NearestEven;
  }
  llvm_unreachable("all modes are listed");
}

using Binary = uint64_t (*)(ElementType, uint64_t, uint64_t, Rounding, bool, bool *);

template <typename Op, Binary function> Status evalRounded(Machine &machine, Op op) {
  ElementType type = operandType(machine, op);
  Rounding rounding = roundingOf(op.getRoundingMode());
  bool flush = op.getFlushToZero();
  return mapOperands(machine, op, [&](uint64_t x, uint64_t y, uint64_t) {
    bool undecided = false;
    uint64_t bits = function(type, x, y, rounding, flush, &undecided);
    return floatElement(type, bits, undecided);
  });
}

bool isSubnormalF32(uint64_t bits) {
  return (bits & 0x7f800000) == 0 && (bits & 0x7fffff) != 0;
}

Status evalDiv(Machine &machine, tileaa::DivFOp op) {
  auto mode = op.getRoundingMode();
  bool approx = mode == tileaa::RoundingMode::approx, full = mode == tileaa::RoundingMode::full;
  if (!approx && !full)
    return evalRounded<tileaa::DivFOp, reference::div>(machine, op);
  ElementType type = operandType(machine, op);
  bool flush = op.getFlushToZero();
  return mapOperands(machine, op, [&](uint64_t x, uint64_t y, uint64_t) {
    double divisor = std::fabs(reference::decode(type, y));
    bool specified = approx ? !(std::isfinite(divisor) && divisor != 0) ||
                                  (divisor >= 0x1p-126 && divisor <= 0x1p126)
                            : !isSubnormalF32(x) && !isSubnormalF32(y);
    bool undecided = false;
    uint64_t bits = reference::div(type, x, y, Rounding::NearestEven, flush, &undecided);
    return floatElement(type, bits, undecided || !specified);
  });
}

Status evalFma(Machine &machine, tileaa::FmaOp op) {
  ElementType type = operandType(machine, op);
  Rounding rounding = roundingOf(op.getRoundingMode());
  bool flush = op.getFlushToZero();
  return mapOperands(machine, op, [&](uint64_t x, uint64_t y, uint64_t z) {
    bool undecided = false;
    uint64_t bits = reference::fma(type, x, y, z, rounding, flush, &undecided);
    return floatElement(type, bits, undecided);
  });
}

Status evalSqrt(Machine &machine, tileaa::SqrtOp op) {
  ElementType type = operandType(machine, op);
  Rounding rounding = roundingOf(op.getRoundingMode());
  bool flush = op.getFlushToZero();
  return mapOperands(machine, op, [&](uint64_t x, uint64_t, uint64_t) {
    return floatElement(type, reference::sqrt(type, x, rounding, flush));
  });
}

template <typename Op, UnaryFunction function> Status evalFunction(Machine &machine, Op op) {
  ElementType type = operandType(machine, op);
  bool flush = false;
  if constexpr (requires { op.getFlushToZero(); })
    flush = op.getFlushToZero();
  return mapOperands(machine, op, [&](uint64_t x, uint64_t, uint64_t) {
    uint64_t bits = reference::apply(function, type, flush ? reference::flushSubnormal(x) : x);
    return floatElement(type, flush ? reference::flushSubnormal(bits) : bits);
  });
}

template <typename Op, auto function> Status evalBinary(Machine &machine, Op op) {
  ElementType type = operandType(machine, op);
  return mapOperands(machine, op, [&](uint64_t x, uint64_t y, uint64_t) {
    return floatElement(type, function(type, x, y));
  });
}

template <bool isMax, bool propagate> uint64_t extremum(ElementType type, uint64_t x, uint64_t y) {
  return isMax ? reference::maximum(type, x, y, propagate, false)
               : reference::minimum(type, x, y, propagate, false);
}

Status evalClamp(Machine &machine, tileaa::ClampFOp op) {
  ElementType type = operandType(machine, op);
  bool propagate = op.getPropagateNan();
  return mapOperands(machine, op, [&](uint64_t x, uint64_t lo, uint64_t hi) {
    uint64_t below = reference::minimum(type, x, hi, propagate, false);
    return floatElement(type, reference::maximum(type, below, lo, propagate, false));
  });
}

template <typename Op, uint64_t (*function)(ElementType, uint64_t)>
Status evalUnary(Machine &machine, Op op) {
  ElementType type = operandType(machine, op);
  return mapOperands(machine, op, [&](uint64_t x, uint64_t, uint64_t) {
    return floatElement(type, function(type, x));
  });
}
uint64_t signBit(ElementType type) {
  return uint64_t(1) << (widthOf(type) - 1);
}
uint64_t absolute(ElementType type, uint64_t x) {
  return x & ~signBit(type);
}
uint64_t negated(ElementType type, uint64_t x) {
  return x ^ signBit(type);
}

/// 1 for exponent 0; the smallest exponent and i1 exponents of -1 are not specified.
Status evalPowI(Machine &machine, math::FPowIOp op) {
  ElementType type = operandType(machine, op), by = machine.tile(op.getRhs()).type();
  return mapOperands(machine, op, [&](uint64_t x, uint64_t k, uint64_t) {
    if (k == uint64_t(1) << (widthOf(by) - 1))
      return unknownElement();
    return floatElement(type, reference::powi(type, x, reference::signedValue(by, k)));
  });
}

/// Device math by name: the functions that are exact.
Status callMath(Machine &machine, mlir::Operation *op, llvm::StringRef name) {
  name.consume_front("__nv_");
  ElementType type = operandType(machine, op);
  if (type == ElementType::F32)
    name.consume_back("f");
  using Function = uint64_t (*)(ElementType, uint64_t);
  auto function = llvm::StringSwitch<Function>(name)
                      .Case("fabs", absolute)
                      .Case("ceil", reference::ceil)
                      .Case("floor", reference::floor)
                      .Default(nullptr);
  if (!function || op->getNumOperands() != 1 ||
      (type != ElementType::F32 && type != ElementType::F64))
    return reference::unsupported("device math by the name '" + name + "'");
  return mapOperands(machine, op, [&](uint64_t x, uint64_t, uint64_t) {
    return floatElement(type, function(type, x));
  });
}

Status evalExtern(Machine &machine, tileaa::ExternElementwiseOp op) {
  return callMath(machine, op, op.getSymbol());
}

Status evalIntrinsic(Machine &machine, tileaa::CallElementwiseIntrinsicOp op) {
  return callMath(machine, op, op.getIntrinsic());
}

Status evalCmp(Machine &machine, arith::CmpFOp op) {
  ElementType type = operandType(machine, op);
  // Bits of a predicate: equal, greater, less, unordered.
  uint64_t predicate = static_cast<uint64_t>(op.getPredicate());
  static constexpr uint8_t outcomes[16] = {
      0b0000,
      0b0001,
      0b0010,
      0b0011,
      0b0100,
      0b0101,
      0b0110,
      0b0111, // false oeq ogt oge olt ole
              // one ord
      0b1001,
      0b1010,
      0b1011,
      0b1100,
      0b1101,
      0b1110,
      0b1000,
      0b1111, // ueq ugt uge ult ule une
              // uno true
  };
  uint8_t wanted = outcomes[predicate];
  return mapOperands(machine, op, [&](uint64_t x, uint64_t y, uint64_t) -> Element {
    double a = reference::decode(type, x), b = reference::decode(type, y);
    unsigned outcome = std::isnan(a) || std::isnan(b) ? 3 : a == b ? 0 : a > b ? 1 : 2;
    return {uint64_t(wanted >> outcome & 1)};
  });
}

} // namespace

void tilesmith::oracles::tileaa_engine::registerFloat(OpTable &t) {
  t.addElementwise<tileaa::AddFOp, evalRounded<tileaa::AddFOp, reference::add>>();
  t.addElementwise<tileaa::SubFOp, evalRounded<tileaa::SubFOp, reference::sub>>();
  t.addElementwise<tileaa::MulFOp, evalRounded<tileaa::MulFOp, reference::mul>>();
  t.addElementwise<tileaa::DivFOp, evalDiv>();
  t.addElementwise<tileaa::FmaOp, evalFma>();
  t.addElementwise<tileaa::SqrtOp, evalSqrt>();
  t.addElementwise<tileaa::RsqrtOp, evalFunction<tileaa::RsqrtOp, UnaryFunction::Rsqrt>>();
  t.addElementwise<tileaa::Exp2Op, evalFunction<tileaa::Exp2Op, UnaryFunction::Exp2>>();
  t.addElementwise<tileaa::ClampFOp, evalClamp>();
  t.add<tileaa::ExternElementwiseOp, evalExtern>();
  t.add<tileaa::CallElementwiseIntrinsicOp, evalIntrinsic>();
  t.addElementwise<math::ExpOp, evalFunction<math::ExpOp, UnaryFunction::Exp>>();
  t.addElementwise<math::LogOp, evalFunction<math::LogOp, UnaryFunction::Log>>();
  t.addElementwise<math::Log2Op, evalFunction<math::Log2Op, UnaryFunction::Log2>>();
  t.addElementwise<math::SinOp, evalFunction<math::SinOp, UnaryFunction::Sin>>();
  t.addElementwise<math::CosOp, evalFunction<math::CosOp, UnaryFunction::Cos>>();
  t.addElementwise<math::TanOp, evalFunction<math::TanOp, UnaryFunction::Tan>>();
  t.addElementwise<math::SinhOp, evalFunction<math::SinhOp, UnaryFunction::Sinh>>();
  t.addElementwise<math::CoshOp, evalFunction<math::CoshOp, UnaryFunction::Cosh>>();
  t.addElementwise<math::TanhOp, evalFunction<math::TanhOp, UnaryFunction::Tanh>>();
  t.addElementwise<math::PowFOp, evalBinary<math::PowFOp, reference::pow>>();
  t.addElementwise<math::Atan2Op, evalBinary<math::Atan2Op, reference::atan2>>();
  t.addElementwise<math::FPowIOp, evalPowI>();
  t.addElementwise<arith::RemFOp, evalBinary<arith::RemFOp, reference::remainder>>();
  t.addElementwise<arith::MaximumFOp, evalBinary<arith::MaximumFOp, extremum<true, true>>>();
  t.addElementwise<arith::MinimumFOp, evalBinary<arith::MinimumFOp, extremum<false, true>>>();
  t.addElementwise<arith::MaxNumFOp, evalBinary<arith::MaxNumFOp, extremum<true, false>>>();
  t.addElementwise<arith::MinNumFOp, evalBinary<arith::MinNumFOp, extremum<false, false>>>();
  t.addElementwise<math::AbsFOp, evalUnary<math::AbsFOp, absolute>>();
  t.addElementwise<arith::NegFOp, evalUnary<arith::NegFOp, negated>>();
  t.addElementwise<math::CeilOp, evalUnary<math::CeilOp, reference::ceil>>();
  t.addElementwise<math::FloorOp, evalUnary<math::FloorOp, reference::floor>>();
  t.addElementwise<arith::CmpFOp, evalCmp>();
  t.addWithout("arith", "addf subf mulf divf",
               "nv_tileaa carries rounding and flushing, so the conversion uses its own ops");
  t.addWithout("math", "fma sqrt rsqrt exp2",
               "nv_tileaa carries rounding and flushing, so the conversion uses its own ops");
  t.addWithout(
      "math",
      "acos acosh asin asinh atan atanh cbrt clampf copysign erf erfc expm1 isfinite isinf "
      "isnan isnormal log10 log1p round roundeven sincos trunc",
      "no cuda_tile op is converted to it");
}
