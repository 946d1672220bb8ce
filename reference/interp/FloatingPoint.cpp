//===- FloatingPoint.cpp - exact floating-point ops -------------------------------------------===//
//
// One IEEE rounding per op on f16, bf16, f32, f64; flush_to_zero (f32) replaces
// subnormal operands and results by zeros of their sign; NaN results have unspecified sign and
// payload. An exact result that only rounding lifts to the smallest normal number may be flushed or
// not, so it is unspecified. divf approx and full are the correctly rounded quotient where their
// accuracy is specified and unspecified elsewhere.
//
// In the enclosure domain these ops add nothing of their own, except that divf approx and full
// widen by their bound and that, when contraction is allowed, a sum holds the fused result as well.
//
//===------------------------------------------------------------------------------------------===//
#include "reference/interp/RangeLoops.h"
#include "reference/interp/Registry.h"
#include "reference/interp/Rounding.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

using BinaryFunction = uint64_t (*)(ElementType, uint64_t, uint64_t, Rounding, bool, bool *);

/// The fused product and sum.
Tile fusedTile(BlockContext &context, const Tile &a, const Tile &b, const Tile &c,
               Rounding rounding, bool flush) {
  ElementType type = a.type();
  auto fused = [&](uint64_t x, uint64_t y, uint64_t z) {
    bool undecided = false;
    uint64_t bits = fma(type, x, y, z, rounding, flush, &undecided);
    return floatElement(type, bits, undecided);
  };
  auto enclose = [&](uint64_t centre, const Element &x, const Element &y, const Element &z) {
    return encloseFma(type, centre, x, y, z, rounding, flush);
  };
  bool ranges = a.spreadData() || b.spreadData() || c.spreadData();
  if (!ranges || rounding != Rounding::NearestEven || flush)
    return mapTernary(context, type, a, b, c, fused, enclose);
  return withFloatFormat(type, [&](auto t) {
    return mapRanges<t(), FusedRule<t()>>(context, a, b, c, fused, enclose);
  });
}

Tile negated(const Tile &t) {
  Tile result = t;
  for (uint64_t &bits : result.bits())
    bits ^= uint64_t(1) << (widthOf(t.type()) - 1);
  return result;
}

/// The product that only this sum uses and that a contracting compiler may fuse into it.
/// [spec: float-no-contraction]
template <typename Op> MulFOp fusableProduct(Op op, mlir::Value operand) {
  auto product = operand.getDefiningOp<MulFOp>();
  bool fits = product && product->hasOneUse() && product->getBlock() == op->getBlock() &&
              product.getRoundingMode() == op.getRoundingMode() &&
              product.getFlushToZero() == op.getFlushToZero();
  return fits ? product : MulFOp();
}

/// Adds the fused results to those of a sum or difference.
template <typename Op> void allowContraction(BlockContext &context, Op op, Tile &result) {
  constexpr bool subtracts = std::is_same_v<Op, SubFOp>;
  Rounding rounding = ieeeRounding(op.getRoundingMode());
  auto hold = [&](const Tile &fused) {
    for (size_t i = 0; i < result.size(); ++i)
      result.set(i, encloseEither(result.type(), result.element(i),
                                  fused.element(isSplatOperand(fused, result.size()) ? 0 : i)));
  };
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  if (MulFOp product = fusableProduct(op, op.getLhs()))
    hold(fusedTile(context, context.tile(product.getLhs()), context.tile(product.getRhs()),
                   subtracts ? negated(b) : b, rounding, op.getFlushToZero()));
  if (MulFOp product = fusableProduct(op, op.getRhs())) {
    const Tile &factor = context.tile(product.getLhs());
    hold(fusedTile(context, subtracts ? negated(factor) : factor, context.tile(product.getRhs()), a,
                   rounding, op.getFlushToZero()));
  }
}

/// `function` says by its type on which elements it works: one loop per op and type.
template <ArithmeticOp kind, typename Function, typename Enclose>
Tile fastRanges(BlockContext &context, const Tile &a, const Tile &b, Function function,
                Enclose enclose) {
  if constexpr (requires { Function::element; })
    return mapRanges<Function::element, ArithmeticRule<Function::element, kind>>(context, a, b,
                                                                                 function, enclose);
  else
    return withFloatFormat(a.type(), [&](auto type) {
      return mapRanges<type(), ArithmeticRule<type(), kind>>(context, a, b, function, enclose);
    });
}

/// One of the machine's own operations on patterns.
template <ElementType type, typename Operation> struct NativeFunction {
  static constexpr ElementType element = type;
  Operation operation;
  uint64_t bits(uint64_t x, uint64_t y) const {
    if constexpr (type == ElementType::F32)
      return std::bit_cast<uint32_t>(operation(std::bit_cast<float>(static_cast<uint32_t>(x)),
                                               std::bit_cast<float>(static_cast<uint32_t>(y))));
    else if constexpr (type == ElementType::F16 || type == ElementType::BF16)
      return narrow16<type>(operation(widen16<type>(x), widen16<type>(y)));
    else
      return std::bit_cast<uint64_t>(operation(std::bit_cast<double>(x), std::bit_cast<double>(y)));
  }
  Element operator()(uint64_t x, uint64_t y) const {
    uint64_t r = bits(x, y);
    return isIeeeNaN(type, r) ? Element{*nanPattern(type), State::NaN} : Element{r};
  }
};

/// [spec: enclosure-exact-op, enclosure-centre]
template <ArithmeticOp kind, typename Op, typename Function>
Status evalArithmetic(BlockContext &context, Op op, Function function) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  Rounding rounding = ieeeRounding(op.getRoundingMode());
  bool flush = op.getFlushToZero();
  bool ranges = a.spreadData() || b.spreadData();
  auto enclose = [&](uint64_t centre, const Element &x, const Element &y) {
    return encloseArithmetic(kind, type, centre, x, y, rounding, flush);
  };
  Tile result = ranges && rounding == Rounding::NearestEven && !flush
                    ? fastRanges<kind>(context, a, b, function, enclose)
                    : mapBinary(context, type, a, b, function, enclose);
  if constexpr (std::is_same_v<Op, AddFOp> || std::is_same_v<Op, SubFOp>)
    if (context.contracts())
      allowContraction(context, op, result);
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// To nearest without flushing, ops run on the machine's own operation in a tight loop.
/// [spec: float-rounding, float-flush, float-flush-boundary, half-single-rounding]
template <ArithmeticOp kind, typename Op, typename Operation>
Status evalNative(BlockContext &context, Op op, BinaryFunction function, Operation operation) {
  ElementType type = context.tile(op.getLhs()).type();
  bool native = op.getRoundingMode() == RoundingMode::NEAREST_EVEN && !op.getFlushToZero();
  auto run = [&](auto element) {
    return evalArithmetic<kind>(context, op, NativeFunction<element(), Operation>{operation});
  };
  if (native)
    return withFloatFormat(type, run);
  Rounding rounding = ieeeRounding(op.getRoundingMode());
  bool flush = op.getFlushToZero();
  return evalArithmetic<kind>(context, op, [&](uint64_t x, uint64_t y) {
    bool undecided = false;
    uint64_t bits = function(type, x, y, rounding, flush, &undecided);
    return floatElement(type, bits, undecided);
  });
}

/// [spec: float-add]
Status evalAdd(BlockContext &context, AddFOp op) {
  return evalNative<ArithmeticOp::Add>(context, op, add, [](auto x, auto y) { return x + y; });
}
/// [spec: float-add]
Status evalSub(BlockContext &context, SubFOp op) {
  return evalNative<ArithmeticOp::Sub>(context, op, sub, [](auto x, auto y) { return x - y; });
}
/// [spec: float-mul]
Status evalMul(BlockContext &context, MulFOp op) {
  return evalNative<ArithmeticOp::Mul>(context, op, mul, [](auto x, auto y) { return x * y; });
}

bool isSubnormalF32(uint64_t bits) {
  return (bits & 0x7f800000) == 0 && (bits & 0x7fffff) != 0;
}

/// [spec: float-div, float-div-approx, float-div-full]
Status evalDiv(BlockContext &context, DivFOp op) {
  RoundingMode mode = op.getRoundingMode();
  if (mode != RoundingMode::APPROX && mode != RoundingMode::FULL)
    return evalNative<ArithmeticOp::Div>(context, op, div, [](auto x, auto y) { return x / y; });
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  bool flush = op.getFlushToZero();
  constexpr ElementType F32 = ElementType::F32;
  auto quotient = [&](uint64_t x, uint64_t y) {
    double divisor = std::fabs(decode(F32, y));
    bool specified = mode == RoundingMode::APPROX ? !(std::isfinite(divisor) && divisor != 0) ||
                                                        (divisor >= 0x1p-126 && divisor <= 0x1p126)
                                                  : !isSubnormalF32(x) && !isSubnormalF32(y);
    bool undecided = false;
    uint64_t bits = div(F32, x, y, Rounding::NearestEven, flush, &undecided);
    return floatElement(F32, bits, undecided || !specified);
  };
  auto within = [&](uint64_t centre, const Element &x, const Element &y) {
    Element exact =
        x.state == State::Enclosed || y.state == State::Enclosed
            ? encloseArithmetic(ArithmeticOp::Div, F32, centre, x, y, Rounding::NearestEven, flush)
            : floatElement(F32, centre);
    return encloseWithin(F32, exact, isSpecialOperand(F32, x) || isSpecialOperand(F32, y), {2},
                         flush);
  };
  context.set(op.getResult(), mapBinary(context, F32, a, b, quotient, within,
                                        context.encloses() ? Widen::Always : Widen::Enclosed));
  return Status::success();
}

/// [spec: float-fma, choice-fma-16]
Status evalFma(BlockContext &context, FmaOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs()),
             &c = context.tile(op.getAcc());
  Tile result =
      fusedTile(context, a, b, c, ieeeRounding(op.getRoundingMode()), op.getFlushToZero());
  if (context.contracts() && widthOf(a.type()) == 16)
    for (size_t i = 0; i < result.size(); ++i) // may be computed in f32 and rounded again
      result.set(i, encloseWithin(result.type(), result.element(i), false, {1}, false));
  context.set(op.getResult(), std::move(result));
  return Status::success();
}

/// [spec: float-rem]
Status evalRemainder(BlockContext &context, RemFOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  context.set(op.getResult(),
              mapBinary(
                  context, type, a, b,
                  [&](uint64_t x, uint64_t y) { return floatElement(type, remainder(type, x, y)); },
                  [&](uint64_t centre, const Element &x, const Element &y) {
                    return encloseRemainder(type, centre, x, y);
                  }));
  return Status::success();
}

/// maxf and minf.
/// [spec: float-minmax, float-minmax-propagate]
template <bool isMaximum, typename Op> Status evalExtremum(BlockContext &context, Op op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  bool propagate = op.getPropagateNan(), flush = op.getFlushToZero();
  auto extremum = [&](uint64_t x, uint64_t y) {
    return floatElement(type, isMaximum ? maximum(type, x, y, propagate, flush)
                                        : minimum(type, x, y, propagate, flush));
  };
  auto enclose = [&](uint64_t centre, const Element &x, const Element &y) {
    return encloseExtremum(type, centre, x, y, isMaximum, propagate, flush);
  };
  bool ranges = (a.spreadData() || b.spreadData()) && !flush;
  context.set(op.getResult(), !ranges ? mapBinary(context, type, a, b, extremum, enclose)
                                      : withFloatFormat(type, [&](auto t) {
                                          return mapRanges<t(), ExtremumRule<t(), isMaximum>>(
                                              context, a, b, extremum, enclose);
                                        }));
  return Status::success();
}

Status evalMax(BlockContext &context, MaxFOp op) {
  return evalExtremum<true>(context, op);
}
Status evalMin(BlockContext &context, MinFOp op) {
  return evalExtremum<false>(context, op);
}

/// A function of the pattern and its sign bit.
template <ElementType type, typename Operation> struct SignFunction {
  Operation operation;
  uint64_t bits(uint64_t x) const {
    return operation(x, uint64_t(1) << (type == ElementType::F64   ? 63
                                        : type == ElementType::F32 ? 31
                                                                   : 15));
  }
  Element operator()(uint64_t x) const { return floatElement(type, bits(x)); }
};

template <template <ElementType> typename Rule, typename Operation, typename Enclose>
Tile mapSigns(BlockContext &context, const Tile &a, Operation operation, Enclose enclose) {
  return withFloatFormat(a.type(), [&](auto type) {
    SignFunction<type(), Operation> function{operation};
    return a.spreadData() ? mapRange<type(), Rule<type()>>(context, a, function, enclose)
                          : mapUnary(context, type(), a, function, enclose);
  });
}

/// [spec: float-abs-neg]
Status evalAbs(BlockContext &context, AbsFOp op) {
  const Tile &a = context.tile(op.getSource());
  ElementType type = a.type();
  auto enclose = [&](uint64_t centre, const Element &x) {
    auto range = rangeOf(type, x);
    if (!range)
      return vacuousElement(centre);
    double low = std::fabs(range->low), high = std::fabs(range->high);
    Element e = encloseRounded(type, centre,
                               {range->holdsZero() ? 0 : std::min(low, high), std::max(low, high)},
                               Rounding::NearestEven, {bandOf(x), false});
    if (e.state == State::Enclosed && e.spread.error == 0)
      e = {centre}; // a zero without its sign
    return e;
  };
  auto absolute = [](uint64_t x, uint64_t sign) { return x & ~sign; };
  context.set(op.getResult(), mapSigns<AbsoluteRule>(context, a, absolute, enclose));
  return Status::success();
}

/// [spec: float-abs-neg]
Status evalNeg(BlockContext &context, NegFOp op) {
  const Tile &a = context.tile(op.getSource());
  auto negative = [](uint64_t x, uint64_t sign) { return x ^ sign; };
  auto enclose = [&](uint64_t centre, const Element &x) {
    return Element{centre, State::Enclosed, x.spread};
  };
  context.set(op.getResult(), mapSigns<NegationRule>(context, a, negative, enclose));
  return Status::success();
}

/// ceil and floor.
/// [spec: float-ceil-floor]
template <typename Op, typename Function>
Status evalIntegral(BlockContext &context, Op op, Function function) {
  const Tile &a = context.tile(op.getSource());
  ElementType type = a.type();
  auto integral = [&](uint64_t x) {
    return floatElement(type, encode(type, function(decode(type, x))));
  };
  context.set(op.getResult(),
              mapUnary(context, type, a, integral, [&](uint64_t centre, const Element &x) {
                return encloseMonotone(type, type, centre, x,
                                       [&](double value) { return encode(type, function(value)); });
              }));
  return Status::success();
}

Status evalCeil(BlockContext &context, CeilOp op) {
  return evalIntegral(context, op, [](double x) { return std::ceil(x); });
}
Status evalFloor(BlockContext &context, FloorOp op) {
  return evalIntegral(context, op, [](double x) { return std::floor(x); });
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

/// How far the element may lie from its centre; infinite where it says nothing.
double errorOf(const Element &e) {
  return e.state == State::Enclosed ? e.spread.error : 0;
}

/// Whether all numbers of the ranges compare alike, and how.
std::optional<bool> decided(ComparisonPredicate predicate, Range x, Range y) {
  bool below = x.high<y.low, above = x.low> y.high;
  bool same = x.low == x.high && y.low == y.high && x.low == y.low;
  switch (predicate) {
  case ComparisonPredicate::EQUAL:
  case ComparisonPredicate::NOT_EQUAL:
    if (!same && !below && !above)
      return std::nullopt;
    return same == (predicate == ComparisonPredicate::EQUAL);
  case ComparisonPredicate::LESS_THAN:
    return below ? std::optional(true) : x.low >= y.high ? std::optional(false) : std::nullopt;
  case ComparisonPredicate::LESS_THAN_OR_EQUAL:
    return x.high <= y.low ? std::optional(true) : above ? std::optional(false) : std::nullopt;
  case ComparisonPredicate::GREATER_THAN:
    return above ? std::optional(true) : x.high <= y.low ? std::optional(false) : std::nullopt;
  case ComparisonPredicate::GREATER_THAN_OR_EQUAL:
    return x.low >= y.high ? std::optional(true) : below ? std::optional(false) : std::nullopt;
  }
  return std::nullopt;
}

/// [spec: float-compare, enclosure-undecided]
Status evalCompare(BlockContext &context, CmpFOp op) {
  const Tile &a = context.tile(op.getLhs()), &b = context.tile(op.getRhs());
  ElementType type = a.type();
  ComparisonPredicate predicate = op.getComparisonPredicate();
  bool onNaN = op.getComparisonOrdering() == ComparisonOrdering::UNORDERED, undecided = false;
  context.set(op.getResult(),
              mapBinary(
                  context, ElementType::I1, a, b,
                  [&](uint64_t x, uint64_t y) -> Element {
                    double p = decode(type, x), q = decode(type, y);
                    return {std::isnan(p) || std::isnan(q) ? onNaN : holds(predicate, p, q)};
                  },
                  [&](uint64_t, const Element &x, const Element &y) -> Element {
                    if (x.state == State::NaN || y.state == State::NaN)
                      return {onNaN};
                    double a = decode(type, x.bits), b = decode(type, y.bits);
                    double errors = errorOf(x) + errorOf(y);
                    double slack = errors * 0x1p-50 + (std::fabs(a) + std::fabs(b)) * 0x1p-52;
                    if (std::fabs(a - b) > errors + slack)
                      return {holds(predicate, a, b)}; // far apart
                    if (std::fabs(a - b) < errors - slack) {
                      undecided = true; // ranges that overlap
                      return unknownElement();
                    }
                    auto p = comparableRange(type, x), q = comparableRange(type, y);
                    auto answer = p && q ? decided(predicate, *p, *q) : std::nullopt;
                    if (answer)
                      return {*answer};
                    undecided = true;
                    return unknownElement();
                  }));
  if (undecided)
    context.noteUndecided(op);
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
