//===- FloatingPoint.cpp - exact floating-point ops -------------------------------------------===//
//
// semantics B.2: one IEEE rounding per op on f16, bf16, f32, f64; flush_to_zero (f32) replaces
// subnormal operands and results by zeros of their sign; NaN results have unspecified sign and
// payload. An exact result that only rounding lifts to the smallest normal number may be flushed or
// not, so it is unspecified. divf approx and full are the correctly rounded quotient where their
// accuracy is specified and unspecified elsewhere.
//
//===------------------------------------------------------------------------------------------===//
#include "reference/interp/Elementwise.h"
#include "reference/interp/Registry.h"
#include "reference/interp/Rounding.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

using BinaryFunction = uint64_t (*)(ElementType, uint64_t, uint64_t, Rounding, bool, bool *);

template <typename Op> Status evalRounded(BlockContext &context, Op op, BinaryFunction function) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  Rounding rounding = ieeeRounding(op.getRoundingMode());
  bool flush = op.getFlushToZero();
  context.set(op.getResult(), mapBinary(context, type, a, b, [&](uint64_t x, uint64_t y) {
                bool undecided = false;
                uint64_t bits = function(type, x, y, rounding, flush, &undecided);
                return floatElement(type, bits, undecided);
              }));
  return Status::success();
}

/// f32 and f64 to nearest without flushing: the machine's own operation in a tight loop.
template <typename Op, typename Operation>
Status evalNative(BlockContext &context, Op op, BinaryFunction function, Operation operation) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  if (op.getRoundingMode() != RoundingMode::NEAREST_EVEN || op.getFlushToZero() ||
      (a.type() != ElementType::F32 && a.type() != ElementType::F64))
    return evalRounded(context, op, function);
  if (a.type() == ElementType::F32) {
    context.set(op.getResult(), mapBinary(context, a.type(), a, b, [&](uint64_t x, uint64_t y) {
                  float r = operation(std::bit_cast<float>(static_cast<uint32_t>(x)),
                                      std::bit_cast<float>(static_cast<uint32_t>(y)));
                  return r != r ? Element{0x7fc00000, State::NaN}
                                : Element{std::bit_cast<uint32_t>(r)};
                }));
  } else {
    context.set(op.getResult(), mapBinary(context, a.type(), a, b, [&](uint64_t x, uint64_t y) {
                  double r = operation(std::bit_cast<double>(x), std::bit_cast<double>(y));
                  return r != r ? Element{0x7ff8000000000000, State::NaN}
                                : Element{std::bit_cast<uint64_t>(r)};
                }));
  }
  return Status::success();
}

Status evalAdd(BlockContext &context, AddFOp op) {
  return evalNative(context, op, add, [](auto x, auto y) { return x + y; });
}
Status evalSub(BlockContext &context, SubFOp op) {
  return evalNative(context, op, sub, [](auto x, auto y) { return x - y; });
}
Status evalMul(BlockContext &context, MulFOp op) {
  return evalNative(context, op, mul, [](auto x, auto y) { return x * y; });
}

bool isSubnormalF32(uint64_t bits) {
  return (bits & 0x7f800000) == 0 && (bits & 0x7fffff) != 0;
}

Status evalDiv(BlockContext &context, DivFOp op) {
  RoundingMode mode = op.getRoundingMode();
  if (mode != RoundingMode::APPROX && mode != RoundingMode::FULL)
    return evalNative(context, op, div, [](auto x, auto y) { return x / y; });
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  bool flush = op.getFlushToZero();
  constexpr ElementType F32 = ElementType::F32;
  context.set(op.getResult(), mapBinary(context, F32, a, b, [&](uint64_t x, uint64_t y) {
                double divisor = std::fabs(decode(F32, y));
                bool specified = mode == RoundingMode::APPROX
                                     ? !(std::isfinite(divisor) && divisor != 0) ||
                                           (divisor >= 0x1p-126 && divisor <= 0x1p126)
                                     : !isSubnormalF32(x) && !isSubnormalF32(y);
                bool undecided = false;
                uint64_t bits = div(F32, x, y, Rounding::NearestEven, flush, &undecided);
                return floatElement(F32, bits, undecided || !specified);
              }));
  return Status::success();
}

Status evalFma(BlockContext &context, FmaOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs()),
             &c = context.tile(op.getAcc());
  ElementType type = a.type();
  Rounding rounding = ieeeRounding(op.getRoundingMode());
  bool flush = op.getFlushToZero();
  context.set(op.getResult(),
              mapTernary(context, type, a, b, c, [&](uint64_t x, uint64_t y, uint64_t z) {
                bool undecided = false;
                uint64_t bits = fma(type, x, y, z, rounding, flush, &undecided);
                return floatElement(type, bits, undecided);
              }));
  return Status::success();
}

Status evalRemainder(BlockContext &context, RemFOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  context.set(op.getResult(), mapBinary(context, type, a, b, [&](uint64_t x, uint64_t y) {
                return floatElement(type, remainder(type, x, y));
              }));
  return Status::success();
}

Status evalMax(BlockContext &context, MaxFOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  bool propagate = op.getPropagateNan(), flush = op.getFlushToZero();
  context.set(op.getResult(), mapBinary(context, type, a, b, [&](uint64_t x, uint64_t y) {
                return floatElement(type, maximum(type, x, y, propagate, flush));
              }));
  return Status::success();
}

Status evalMin(BlockContext &context, MinFOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  bool propagate = op.getPropagateNan(), flush = op.getFlushToZero();
  context.set(op.getResult(), mapBinary(context, type, a, b, [&](uint64_t x, uint64_t y) {
                return floatElement(type, minimum(type, x, y, propagate, flush));
              }));
  return Status::success();
}

template <typename Op, typename Function>
Status evalUnary(BlockContext &context, Op op, Function function) {
  const Tile &a = context.tile(op.getSource());
  ElementType type = a.type();
  context.set(op.getResult(), mapUnary(context, type, a, [&](uint64_t x) {
                return floatElement(type, function(type, x));
              }));
  return Status::success();
}

uint64_t signOf(ElementType type) {
  return uint64_t(1) << (widthOf(type) - 1);
}

Status evalAbs(BlockContext &context, AbsFOp op) {
  return evalUnary(context, op, [](ElementType type, uint64_t x) { return x & ~signOf(type); });
}
Status evalNeg(BlockContext &context, NegFOp op) {
  return evalUnary(context, op, [](ElementType type, uint64_t x) { return x ^ signOf(type); });
}
Status evalCeil(BlockContext &context, CeilOp op) {
  return evalUnary(context, op, [](ElementType type, uint64_t x) { return ceil(type, x); });
}
Status evalFloor(BlockContext &context, FloorOp op) {
  return evalUnary(context, op, [](ElementType type, uint64_t x) { return floor(type, x); });
}

bool holds(ComparisonPredicate predicate, double x, double y) {
  switch (predicate) {
  case ComparisonPredicate::EQUAL:
    return x == y;
  case ComparisonPredicate::NOT_EQUAL:
    return x != y;
  case ComparisonPredicate::LESS_THAN:
    return x < y;
  case ComparisonPredicate::LESS_THAN_OR_EQUAL:
    return x <= y;
  case ComparisonPredicate::GREATER_THAN:
    return x > y;
  case ComparisonPredicate::GREATER_THAN_OR_EQUAL:
    return x >= y;
  }
  return false;
}

Status evalCompare(BlockContext &context, CmpFOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  ComparisonPredicate predicate = op.getComparisonPredicate();
  bool onNaN = op.getComparisonOrdering() == ComparisonOrdering::UNORDERED;
  context.set(op.getResult(),
              mapBinary(context, ElementType::I1, a, b, [&](uint64_t x, uint64_t y) -> Element {
                double p = decode(type, x), q = decode(type, y);
                return {std::isnan(p) || std::isnan(q) ? onNaN : holds(predicate, p, q)};
              }));
  return Status::success();
}

} // namespace

void tilesmith::reference::registerFloatingPointEvaluators(Registry &r) {
  r.family("floating point");
  r.add<AddFOp, evalAdd>();
  r.add<SubFOp, evalSub>();
  r.add<MulFOp, evalMul>();
  r.add<DivFOp, evalDiv>();
  r.add<FmaOp, evalFma>();
  r.add<RemFOp, evalRemainder>();
  r.add<MaxFOp, evalMax>();
  r.add<MinFOp, evalMin>();
  r.add<AbsFOp, evalAbs>();
  r.add<NegFOp, evalNeg>();
  r.add<CeilOp, evalCeil>();
  r.add<FloorOp, evalFloor>();
  r.add<CmpFOp, evalCompare>();
}
