//===- Math.cpp - roots, exponentials, logarithms, trigonometry -------------------------------===//
//
// These ops have an error bound [spec: class-bounded]. The centre is the correctly rounded value,
// also for the approx forms; the enclosure domain widens it by the published bound, which was
// observed, not proven, and so carries a band [spec: band-observed]. Special values (zeros,
// infinities, NaN) are exact.
//
//===------------------------------------------------------------------------------------------===//
#include "reference/value/Math.h"

#include "reference/interp/RangeLoops.h"
#include "reference/interp/Registry.h"
#include "reference/interp/Rounding.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

template <typename Op> bool flushes(Op op) {
  if constexpr (requires { op.getFlushToZero(); })
    return op.getFlushToZero();
  return false;
}

Widen widening(BlockContext &context) {
  return context.encloses() ? Widen::Always : Widen::Enclosed;
}

template <typename Op> bool isApproximate(Op op) {
  if constexpr (requires { op.getRoundingMode(); })
    return op.getRoundingMode() == RoundingMode::APPROX;
  return false;
}

/// The bound of f(x) where it depends on the form of the op.
/// [spec: math-exp-approx, math-tanh-approx]
Bound boundOf(UnaryFunction function, ElementType type, bool approximate, const Element &x) {
  if (!approximate || type != ElementType::F32)
    return publishedBound(function, type);
  if (function == UnaryFunction::Tanh)
    return {0, 0x1p-11};
  auto range = rangeOf(type, x);
  double size = range ? std::max(std::fabs(range->low), std::fabs(range->high)) : 0;
  return {2 + std::floor(1.173 * std::min(size, 1e4))};
}

/// [spec: math-flushed-function]
template <typename Op, UnaryFunction function> Status evalFunction(BlockContext &context, Op op) {
  const Tile &a = context.tile(op.getSource());
  ElementType type = a.type();
  bool flush = flushes(op), approximate = isApproximate(op);
  auto rounded = [&](uint64_t x) {
    if (flush)
      x = flushSubnormal(x);
    uint64_t bits = apply(function, type, x);
    return floatElement(type, flush ? flushSubnormal(bits) : bits);
  };
  auto within = [&](uint64_t centre, const Element &x) {
    return encloseFunction(function, type, centre, x, boundOf(function, type, approximate, x),
                           flush);
  };
  context.set(op.getResult(), mapUnary(context, type, a, rounded, within, widening(context)));
  return Status::success();
}

/// The machine's root; of 16-bit formats through float64, see value/Float.h.
template <ElementType type> struct NativeRoot {
  uint64_t bits(uint64_t x) const {
    if constexpr (type == ElementType::F32)
      return std::bit_cast<uint32_t>(
          __builtin_elementwise_sqrt(std::bit_cast<float>(static_cast<uint32_t>(x))));
    else if constexpr (type == ElementType::F64)
      return std::bit_cast<uint64_t>(__builtin_elementwise_sqrt(std::bit_cast<double>(x)));
    else
      return narrow16<type>(__builtin_elementwise_sqrt(widen16<type>(x)));
  }
  Element operator()(uint64_t x) const { return floatElement(type, bits(x)); }
};

/// [spec: float-sqrt, math-sqrt-approx]
Status evalSqrt(BlockContext &context, SqrtOp op) {
  const Tile &a = context.tile(op.getSource());
  ElementType type = a.type();
  Rounding rounding = ieeeRounding(op.getRoundingMode());
  bool flush = op.getFlushToZero(), approximate = isApproximate(op);
  auto root = [&](uint64_t x) {
    return floatElement(type, reference::sqrt(type, x, rounding, flush));
  };
  auto within = [&](uint64_t centre, const Element &x) {
    Element exact = x.state == State::Enclosed ? encloseSqrt(type, centre, x, rounding, flush)
                                               : floatElement(type, centre);
    return approximate ? encloseWithin(type, exact, isSpecialOperand(type, x), {1}, flush) : exact;
  };
  if (rounding == Rounding::NearestEven && !flush && !approximate)
    context.set(op.getResult(), withFloatFormat(type, [&](auto t) {
                  NativeRoot<t()> native;
                  return a.spreadData() ? mapRange<t(), RootRule<t()>>(context, a, native, within)
                                        : mapUnary(context, type, a, native, within);
                }));
  else
    context.set(op.getResult(), mapUnary(context, type, a, root, within,
                                         approximate ? widening(context) : Widen::Enclosed));
  return Status::success();
}

/// [spec: math-pow]
Status evalPow(BlockContext &context, PowOp op) {
  const Tile &a = context.tile(op.getSource()), &b = context.tile(op.getExponent());
  ElementType type = a.type();
  auto power = [&](uint64_t x, uint64_t y) {
    return floatElement(type, reference::pow(type, x, y));
  };
  auto within = [&](uint64_t centre, const Element &x, const Element &y) {
    return enclosePow(type, centre, x, y);
  };
  context.set(op.getResult(), mapBinary(context, type, a, b, power, within, widening(context)));
  return Status::success();
}

/// [spec: math-atan2]
Status evalAtan2(BlockContext &context, Atan2Op op) {
  const Tile &a = context.tile(op.getX()),
             &b = context.tile(op.getY()); // the first operand is the numerator
  ElementType type = a.type();
  auto angle = [&](uint64_t x, uint64_t y) {
    return floatElement(type, reference::atan2(type, x, y));
  };
  auto within = [&](uint64_t centre, const Element &x, const Element &y) {
    return encloseAtan2(type, centre, x, y);
  };
  context.set(op.getResult(), mapBinary(context, type, a, b, angle, within, widening(context)));
  return Status::success();
}

/// The language's own power: 1 for exponent 0; a negative power is the reciprocal of the positive
/// one, whose overflow is the result's underflow. The smallest exponent of more than one bit is
/// unspecified (real code breaks there).
/// [spec: math-fpowi, math-fpowi-i1, math-fpowi-negative, math-fpowi-open]
Status evalFPowI(BlockContext &context, FPowIOp op) {
  const Tile &a = context.tile(op.getSource()), &b = context.tile(op.getExponent());
  ElementType type = a.type(), exponentType = b.type();
  auto within = [&](uint64_t centre, const Element &x, const Element &k) {
    return enclosePowi(type, centre, x, signedValue(exponentType, k.bits));
  };
  context.set(op.getResult(), mapBinary(
                                  context, type, a, b,
                                  [&](uint64_t x, uint64_t k) {
                                    int64_t exponent = signedValue(exponentType, k);
                                    bool smallest =
                                        exponent ==
                                        signedValue(exponentType,
                                                    uint64_t(1) << (widthOf(exponentType) - 1));
                                    if (smallest && exponentType != ElementType::I1)
                                      return unknownElement();
                                    return floatElement(type, powi(type, x, exponent));
                                  },
                                  within, widening(context)));
  return Status::success();
}

} // namespace

void tilesmith::reference::registerMathEvaluators(Registry &r) {
  r.family("math");
  // [spec: math-exp, math-exp2, math-log, math-sin-cos, math-tan, math-hyperbolic, math-tanh]
  r.add<ExpOp, evalFunction<ExpOp, UnaryFunction::Exp>>();
  r.add<Exp2Op, evalFunction<Exp2Op, UnaryFunction::Exp2>>();
  r.add<LogOp, evalFunction<LogOp, UnaryFunction::Log>>();
  r.add<Log2Op, evalFunction<Log2Op, UnaryFunction::Log2>>();
  r.add<SinOp, evalFunction<SinOp, UnaryFunction::Sin>>();
  r.add<CosOp, evalFunction<CosOp, UnaryFunction::Cos>>();
  r.add<TanOp, evalFunction<TanOp, UnaryFunction::Tan>>();
  r.add<SinHOp, evalFunction<SinHOp, UnaryFunction::Sinh>>();
  r.add<CosHOp, evalFunction<CosHOp, UnaryFunction::Cosh>>();
  r.add<TanHOp, evalFunction<TanHOp, UnaryFunction::Tanh>>();
  // [spec: math-rsqrt]
  r.add<RsqrtOp, evalFunction<RsqrtOp, UnaryFunction::Rsqrt>>();
  r.add<SqrtOp, evalSqrt>();
  r.add<PowOp, evalPow>();
  r.add<Atan2Op, evalAtan2>();
  r.add<FPowIOp, evalFPowI>();
}
