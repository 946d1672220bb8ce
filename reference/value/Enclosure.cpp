//===- Enclosure.cpp - sets of legal results, as centre and error -----------------------------===//
//
// See Enclosure.h. One file, though long: all operations share how a bound is rounded outwards.
//
//===------------------------------------------------------------------------------------------===//
#include "reference/value/Enclosure.h"

#include <algorithm>

using namespace tilesmith::reference;

namespace {

constexpr double kSmallestNormalF32 = 0x1p-126;

Element pointElement(ElementType type, uint64_t bits) {
  return isNaN(type, bits) ? Element{*nanPattern(type), State::NaN} : Element{bits};
}

double valueOf(ElementType type, uint64_t bits) {
  if (type == ElementType::F32)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (type == ElementType::F64)
    return std::bit_cast<double>(bits);
  return decode(type, bits);
}

double roundTo(ElementType type, double value, Rounding rounding) {
  if (type == ElementType::F64)
    return value; // ends of ranges are rounded outwards already
  if (type == ElementType::F32 && rounding == Rounding::NearestEven)
    return static_cast<float>(value);
  return decode(type, encode(type, value, rounding));
}

/// Flushing may turn the subnormal numbers of a range into zero.
Range flushed(Range r) {
  if (r.low > 0 && r.low <= kSmallestNormalF32)
    r.low = 0;
  if (r.high < 0 && r.high >= -kSmallestNormalF32)
    r.high = 0;
  return r;
}

bool isInfinity(ElementType type, const Element &e) {
  return e.state == State::Known && std::isinf(valueOf(type, e.bits));
}

Element zeroOfAnySign(ElementType type) {
  Element e{zeroPattern(type, false), State::Enclosed};
  e.spread.anyZeroSign = true;
  return e;
}

/// The k-th neighbour; infinity beyond the largest number. Not for NaN.
uint64_t neighbour(ElementType type, uint64_t bits, int64_t k) {
  uint64_t sign = uint64_t(1) << (widthOf(type) - 1);
  int64_t magnitude = static_cast<int64_t>(bits & (sign - 1));
  int64_t ordinal = (bits & sign ? -magnitude : magnitude) + k;
  int64_t top = static_cast<int64_t>(*infinityPattern(type, false));
  ordinal = std::clamp(ordinal, -top, top);
  return ordinal < 0 ? static_cast<uint64_t>(-ordinal) | sign : static_cast<uint64_t>(ordinal);
}

/// A float64 result and whether it is the real one: exact ends stay where they are, so that zeros
/// and small integers remain points under directed rounding.
struct Corner {
  double value;
  bool exact;
};
Corner sumOf(double a, double b) {
  double s = a + b, part = s - a;
  return {s, std::isfinite(s) && (a - (s - part)) + (b - part) == 0};
}
Corner productOf(double a, double b) {
  double p = a * b;
  bool normal = std::fabs(p) >= 0x1p-960 && std::fabs(p) < kInfinity;
  return {p, a == 0 || b == 0 || (normal && std::fma(a, b, -p) == 0)};
}
Corner quotientOf(double a, double b) {
  double q = a / b;
  bool normal = std::fabs(a) >= 0x1p-960 && std::fabs(q) >= 0x1p-960 && std::fabs(q) < kInfinity;
  return {q, a == 0 || (normal && std::fma(q, b, -a) == 0)};
}
double endDown(Corner c) {
  return c.exact ? c.value : outwardDown(c.value);
}
double endUp(Corner c) {
  return c.exact ? c.value : outwardUp(c.value);
}
/// min and max for which -0 lies below +0.
double lower(double a, double b) {
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
double higher(double a, double b) {
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}
/// The smallest range around the corners of a monotone function.
Range hull(std::initializer_list<Corner> corners) {
  Range r{kInfinity, -kInfinity};
  for (Corner c : corners)
    r = {lower(r.low, endDown(c)), higher(r.high, endUp(c))};
  return r;
}

Range productOf(Range x, Range y) {
  return hull({productOf(x.low, y.low), productOf(x.low, y.high), productOf(x.high, y.low),
               productOf(x.high, y.high)});
}

/// A zero made of numbers that are not points: its sign is not tracked.
Element withFreeZero(ElementType type, const Element &e) {
  if (e.state != State::Known || valueOf(type, e.bits) != 0)
    return e;
  Element zero{e.bits, State::Enclosed};
  zero.spread.anyZeroSign = true;
  return zero;
}

/// Larger of the bands of operands.
float bandOf(const Element &x, const Element &y) {
  return std::max(tilesmith::reference::bandOf(x), tilesmith::reference::bandOf(y));
}

bool anyNaN(ElementType type, std::initializer_list<const Element *> elements) {
  return llvm::any_of(elements, [&](const Element *e) { return isNaN(type, *e); });
}
bool anyVacuous(std::initializer_list<const Element *> elements) {
  return llvm::any_of(elements, [](const Element *e) { return isVacuous(*e); });
}

} // namespace

std::optional<Range> tilesmith::reference::rangeOf(ElementType type, const Element &e) {
  if (e.state == State::NaN || e.state == State::Unknown)
    return std::nullopt;
  double c = valueOf(type, e.bits);
  if (!std::isfinite(c))
    return std::nullopt;
  if (c == 0 && e.state == State::Enclosed && e.spread.error == 0 && e.spread.anyZeroSign)
    return Range{-0.0, 0.0};
  if (e.state == State::Known || e.spread.error == 0)
    return Range{c, c};
  double error = e.spread.error;
  if (!(error < kInfinity))
    return std::nullopt;
  double low = c - error, high = c + error;
  if (c - low != error || std::fabs(c) < error)
    low = outwardDown(low);
  if (high - c != error || std::fabs(c) < error)
    high = outwardUp(high);
  return Range{low, high};
}

std::optional<Range> tilesmith::reference::comparableRange(ElementType type, const Element &e) {
  if (isInfinity(type, e)) {
    double value = valueOf(type, e.bits);
    return Range{value, value};
  }
  return rangeOf(type, e);
}

Element tilesmith::reference::encloseRounded(ElementType type, uint64_t centre, Range exact,
                                             Rounding rounding, Freedom freedom) {
  double c = valueOf(type, centre);
  Range r{roundTo(type, exact.low, rounding), roundTo(type, exact.high, rounding)};
  bool sameZero = r.low != 0 || std::signbit(r.low) == std::signbit(r.high);
  if (freedom.flush)
    r = flushed(r);
  // [spec: class-overflow] Where every value overflows, the infinity is the one result. Ends of f64 have been rounded
  // to nearest at most, so for other modes an infinite end may be the largest number.
  bool beyond = r.low == kInfinity || r.high == -kInfinity;
  if (beyond && (type != ElementType::F64 || rounding == Rounding::NearestEven))
    return std::isinf(c) ? pointElement(type, centre) : vacuousElement(centre);
  if (!(r.low > -kInfinity && r.high < kInfinity && std::isfinite(c)))
    return vacuousElement(centre);
  if (r.low == r.high && c == r.low && sameZero && c != 0)
    return {centre};
  double above = r.high - c, below = c - r.low;
  if (c + above != r.high)
    above = outwardUp(above);
  if (c - below != r.low)
    below = outwardUp(below);
  Element e{centre, State::Enclosed};
  e.spread.error = std::max({above, below, 0.0});
  e.spread.band = freedom.band;
  e.spread.anyZeroSign = r.holdsZero();
  if (e.spread.error == 0 && sameZero && std::signbit(c) == std::signbit(r.low))
    return {centre}; // one zero
  return e;
}

Element tilesmith::reference::encloseArithmetic(ArithmeticOp op, ElementType type, uint64_t centre,
                                                const Element &x, const Element &y,
                                                Rounding rounding, bool flush) {
  if (anyNaN(type, {&x, &y}))
    return {*nanPattern(type), State::NaN};
  auto a = rangeOf(type, x), b = rangeOf(type, y);
  if (!a || !b) {
    if (anyVacuous({&x, &y}))
      return vacuousElement(centre);
    // One operand is an infinity, the other one a range of numbers.
    const std::optional<Range> &range = a ? a : b;
    if (op == ArithmeticOp::Add || op == ArithmeticOp::Sub || !range || !range->holdsZero())
      return pointElement(type, centre);
    return op == ArithmeticOp::Div && !b ? zeroOfAnySign(type) : vacuousElement(centre);
  }
  if (flush)
    a = flushed(*a), b = flushed(*b);
  Range r;
  switch (op) {
  case ArithmeticOp::Add:
    r = {endDown(sumOf(a->low, b->low)), endUp(sumOf(a->high, b->high))};
    break;
  case ArithmeticOp::Sub:
    r = {endDown(sumOf(a->low, -b->high)), endUp(sumOf(a->high, -b->low))};
    break;
  case ArithmeticOp::Mul:
    r = productOf(*a, *b);
    break;
  case ArithmeticOp::Div: {
    auto isZero = [](const Range &range) { return range.low == 0 && range.high == 0; };
    if (isZero(*a) && isZero(*b)) // whatever their signs are
      return {*nanPattern(type), State::NaN};
    if (b->holdsZero())
      return vacuousElement(centre);
    r = hull({quotientOf(a->low, b->low), quotientOf(a->low, b->high), quotientOf(a->high, b->low),
              quotientOf(a->high, b->high)});
    break;
  }
  }
  return withFreeZero(type, encloseRounded(type, centre, r, rounding, {::bandOf(x, y), flush}));
}

Element tilesmith::reference::encloseFma(ElementType type, uint64_t centre, const Element &x,
                                         const Element &y, const Element &z, Rounding rounding,
                                         bool flush) {
  if (anyNaN(type, {&x, &y, &z}))
    return {*nanPattern(type), State::NaN};
  if (anyVacuous({&x, &y, &z}))
    return vacuousElement(centre);
  auto a = rangeOf(type, x), b = rangeOf(type, y), c = rangeOf(type, z);
  if (!a || !b) {
    bool signsKnown = !(a && a->holdsZero()) && !(b && b->holdsZero());
    return signsKnown ? pointElement(type, centre) : vacuousElement(centre);
  }
  if (flush)
    a = flushed(*a), b = flushed(*b);
  Range product = productOf(*a, *b);
  if (!c) // a finite product, unless it may overflow
    return std::max(std::fabs(product.low), std::fabs(product.high)) < kInfinity
               ? pointElement(type, centre)
               : vacuousElement(centre);
  if (flush)
    c = flushed(*c);
  Range r{endDown(sumOf(product.low, c->low)), endUp(sumOf(product.high, c->high))};
  return withFreeZero(
      type, encloseRounded(type, centre, r, rounding,
                           {std::max(::bandOf(x, y), tilesmith::reference::bandOf(z)), flush}));
}

Element tilesmith::reference::encloseRemainder(ElementType type, uint64_t centre, const Element &x,
                                               const Element &y) {
  if (anyNaN(type, {&x, &y}))
    return {*nanPattern(type), State::NaN};
  auto a = rangeOf(type, x), b = rangeOf(type, y);
  if (b && b->low == 0 && b->high == 0) // a zero of either sign
    return {*nanPattern(type), State::NaN};
  if (!a || !b || b->holdsZero())
    return vacuousElement(centre);
  double largest = std::max(std::fabs(b->low), std::fabs(b->high));
  Range r{a->low < 0 ? -largest : std::copysign(0.0, a->low),
          a->high > 0 ? largest : std::copysign(0.0, a->high)};
  if (b->low == b->high && a->high - a->low < largest && !a->holdsZero()) {
    double low = std::fmod(a->low, b->low), high = std::fmod(a->high, b->low);
    if (low <= high) // no multiple of y in between
      r = {low, high};
  }
  return encloseRounded(type, centre, r, Rounding::NearestEven, {::bandOf(x, y), false});
}

Element tilesmith::reference::encloseExtremum(ElementType type, uint64_t centre, const Element &x,
                                              const Element &y, bool isMaximum, bool propagateNaN,
                                              bool flush) {
  if (anyNaN(type, {&x, &y})) {
    if (propagateNaN || isNaN(type, x) == isNaN(type, y))
      return {*nanPattern(type), State::NaN};
    return isNaN(type, x) ? y : x;
  }
  if (anyVacuous({&x, &y}))
    return vacuousElement(centre);
  for (auto [e, other] : {std::pair(&x, &y), std::pair(&y, &x)})
    if (isInfinity(type, *e))
      return std::signbit(valueOf(type, e->bits)) != isMaximum ? *e : *other;
  Range a = *rangeOf(type, x), b = *rangeOf(type, y);
  if (flush)
    a = flushed(a), b = flushed(b);
  Range r = isMaximum ? Range{higher(a.low, b.low), higher(a.high, b.high)}
                      : Range{lower(a.low, b.low), lower(a.high, b.high)};
  return encloseRounded(type, centre, r, Rounding::NearestEven, {::bandOf(x, y), flush});
}

Element tilesmith::reference::encloseSqrt(ElementType type, uint64_t centre, const Element &x,
                                          Rounding rounding, bool flush) {
  auto a = rangeOf(type, x);
  if (!a || a->low < 0)
    return vacuousElement(centre);
  if (flush)
    a = flushed(*a);
  // Roots of zeros are these zeros.
  Range r{a->low == 0 ? a->low : std::max(0.0, outwardDown(std::sqrt(a->low))),
          a->high == 0 ? a->high : outwardUp(std::sqrt(a->high))};
  return encloseRounded(type, centre, r, rounding, {tilesmith::reference::bandOf(x), flush});
}

Bound tilesmith::reference::publishedBound(UnaryFunction function, ElementType type) {
  if (type != ElementType::F32 && type != ElementType::F64)
    return {1};
  bool wide = type == ElementType::F64;
  switch (function) {
  case UnaryFunction::Exp:
  case UnaryFunction::Exp2:
  case UnaryFunction::Tanh:
  case UnaryFunction::Rsqrt:
  case UnaryFunction::Cosh:
    return {wide ? 1.0 : 2.0};
  case UnaryFunction::Log:
  case UnaryFunction::Log2:
    return {1};
  case UnaryFunction::Sin:
  case UnaryFunction::Cos:
    return {2};
  case UnaryFunction::Tan:
    return {wide ? 2.0 : 4.0};
  case UnaryFunction::Sinh:
    return {wide ? 2.0 : 3.0};
  }
  return {};
}

Element tilesmith::reference::encloseBounded(ElementType type, uint64_t centre, uint64_t lowest,
                                             uint64_t highest, Bound bound, float band,
                                             bool flush) {
  if (isNaN(type, lowest) || isNaN(type, highest))
    return vacuousElement(centre);
  auto steps = static_cast<int64_t>(bound.ulps) + (bound.relative > 0 ? 1 : 0);
  double low = valueOf(type, neighbour(type, lowest, -steps)),
         high = valueOf(type, neighbour(type, highest, steps));
  low -= std::fabs(low) * bound.relative;
  high += std::fabs(high) * bound.relative;
  if (flush) {
    if (std::fabs(low) <= 2 * kSmallestNormalF32)
      low -= kSmallestNormalF32;
    if (std::fabs(high) <= 2 * kSmallestNormalF32)
      high += kSmallestNormalF32;
  }
  float own = bound.ulps > 0       ? static_cast<float>((2 * bound.ulps + 2) / bound.ulps)
              : bound.relative > 0 ? 2.0f
                                   : 1.0f;
  return encloseRounded(type, centre, {low, high}, Rounding::NearestEven,
                        {std::max(band, own), flush});
}

Element tilesmith::reference::encloseWithin(ElementType type, const Element &exact,
                                            bool specialOperands, Bound bound, bool flush) {
  if (isNaN(type, exact) || exact.state == State::Unknown || isVacuous(exact))
    return exact;
  if (exact.state == State::Known && specialOperands)
    return exact;
  if (std::isinf(valueOf(type, exact.bits)))
    return vacuousElement(exact.bits);
  auto [lowest, highest] = boundsOf(type, exact);
  return encloseBounded(type, exact.bits, lowest, highest, bound,
                        tilesmith::reference::bandOf(exact), flush);
}

bool tilesmith::reference::isSpecialOperand(ElementType type, const Element &e) {
  double value = valueOf(type, e.bits);
  return isNaN(type, e) || (e.state == State::Known && (value == 0 || !std::isfinite(value)));
}

/// The operand a few steps towards zero.
static uint64_t inward(ElementType type, uint64_t bits) {
  return neighbour(type, bits, valueOf(type, bits) > 0 ? -4 : 4);
}

/// Whether an infinite result of finite operands is one for every legal compiler: `inner` is the
/// result for operands a few steps on the finite side.
static Element overflowed(ElementType type, uint64_t centre, uint64_t inner) {
  return inner == centre ? Element{centre} : vacuousElement(centre);
}

Element tilesmith::reference::encloseFunction(UnaryFunction function, ElementType type,
                                              uint64_t centre, const Element &x, Bound bound,
                                              bool flush) {
  if (isNaN(type, x))
    return {*nanPattern(type), State::NaN};
  auto range = rangeOf(type, x);
  if (!range)
    return isInfinity(type, x) ? pointElement(type, centre) : vacuousElement(centre);
  if (range->low == range->high) {
    double value = range->low;
    bool isLogarithm = function == UnaryFunction::Log || function == UnaryFunction::Log2;
    if (isNaN(type, centre) || (value == 0 && !x.spread.anyZeroSign) || (isLogarithm && value == 1))
      return pointElement(type, centre);
    if (value != 0) {
      if (std::isinf(valueOf(type, centre)))
        return overflowed(type, centre, apply(function, type, inward(type, x.bits)));
      return encloseBounded(type, centre, centre, centre, bound, tilesmith::reference::bandOf(x),
                            flush);
    }
  }
  uint64_t low = encode(type, range->low, Rounding::Down),
           high = encode(type, range->high, Rounding::Up);
  double c = valueOf(type, centre);
  uint64_t lowest = centre, highest = centre;
  switch (function) {
  case UnaryFunction::Log:
  case UnaryFunction::Log2:
    if (range->low <= 0)
      return vacuousElement(centre);
    [[fallthrough]];
  case UnaryFunction::Exp:
  case UnaryFunction::Exp2:
  case UnaryFunction::Sinh:
  case UnaryFunction::Tanh:
    lowest = apply(function, type, low);
    highest = apply(function, type, high);
    break;
  case UnaryFunction::Rsqrt:
    if (range->low <= 0)
      return vacuousElement(centre);
    lowest = apply(function, type, high);
    highest = apply(function, type, low);
    break;
  case UnaryFunction::Cosh: {
    uint64_t ends[] = {apply(function, type, low), apply(function, type, high)};
    bool upward = valueOf(type, ends[0]) <= valueOf(type, ends[1]);
    highest = ends[upward];
    lowest = range->holdsZero() ? apply(function, type, zeroPattern(type, false)) : ends[!upward];
    break;
  }
  case UnaryFunction::Sin:
  case UnaryFunction::Cos: { // |f'| <= 1
    double reach = outwardUp(x.spread.error);
    lowest = neighbour(type, encode(type, std::max(-1.0, c - reach), Rounding::Down), -1);
    highest = neighbour(type, encode(type, std::min(1.0, c + reach), Rounding::Up), 1);
    break;
  }
  case UnaryFunction::Tan:
    lowest = apply(function, type, low);
    highest = apply(function, type, high);
    if (range->high - range->low > 1.5 || !(valueOf(type, lowest) <= valueOf(type, highest)))
      return vacuousElement(centre); // a pole in between
    break;
  }
  if (lowest == highest && std::isinf(valueOf(type, lowest))) {
    bool lowIsNearer = std::fabs(range->low) <= std::fabs(range->high);
    return overflowed(type, centre, apply(function, type, inward(type, lowIsNearer ? low : high)));
  }
  return encloseBounded(type, centre, lowest, highest, bound, tilesmith::reference::bandOf(x),
                        flush);
}

static Bound powerBound(ElementType type) {
  return {type == ElementType::F32 ? 8.0 : type == ElementType::F64 ? 2.0 : 1.0};
}

/// Patterns with the smallest and the largest value.
static std::pair<uint64_t, uint64_t> extremes(ElementType type, llvm::ArrayRef<uint64_t> patterns) {
  uint64_t lowest = patterns[0], highest = patterns[0];
  for (uint64_t p : patterns) {
    if (isNaN(type, p))
      return {p, p};
    if (valueOf(type, p) < valueOf(type, lowest))
      lowest = p;
    if (valueOf(type, p) > valueOf(type, highest))
      highest = p;
  }
  return {lowest, highest};
}

Element tilesmith::reference::enclosePow(ElementType type, uint64_t centre, const Element &x,
                                         const Element &y) {
  if (anyVacuous({&x, &y}))
    return vacuousElement(centre);
  auto a = rangeOf(type, x), b = rangeOf(type, y);
  bool points = x.state != State::Enclosed && y.state != State::Enclosed;
  if (points) {
    double result = valueOf(type, centre);
    if (!a || !b || std::isnan(result) || a->low == 0 || b->low == 0 || a->low == 1)
      return pointElement(type, centre); // the special values of C99
    if (std::isinf(result))
      return overflowed(type, centre, pow(type, x.bits, inward(type, y.bits)));
    return encloseBounded(type, centre, centre, centre, powerBound(type), 1, false);
  }
  if (!a || !b || a->low <= 0)
    return vacuousElement(centre);
  uint64_t xs[] = {encode(type, a->low, Rounding::Down), encode(type, a->high, Rounding::Up)},
           ys[] = {encode(type, b->low, Rounding::Down), encode(type, b->high, Rounding::Up)};
  auto [lowest, highest] = extremes(type, {pow(type, xs[0], ys[0]), pow(type, xs[0], ys[1]),
                                           pow(type, xs[1], ys[0]), pow(type, xs[1], ys[1])});
  return encloseBounded(type, centre, lowest, highest, powerBound(type), ::bandOf(x, y), false);
}

Element tilesmith::reference::encloseAtan2(ElementType type, uint64_t centre, const Element &y,
                                           const Element &x) {
  if (anyNaN(type, {&x, &y}))
    return {*nanPattern(type), State::NaN};
  Bound bound{type == ElementType::F32 ? 3.0 : type == ElementType::F64 ? 2.0 : 1.0};
  if (x.state == State::Known && y.state == State::Known) {
    if (valueOf(type, centre) == 0)
      return {centre};
    return encloseBounded(type, centre, centre, centre, bound, 1, false);
  }
  auto a = rangeOf(type, x), b = rangeOf(type, y);
  if (!a || !b || (b->holdsZero() && a->low <= 0))
    return vacuousElement(centre); // an infinity, or the cut along the negative axis
  auto nearest = [](Range r) {
    return r.holdsZero() ? 0 : std::min(std::fabs(r.low), std::fabs(r.high));
  };
  double radius = std::hypot(nearest(*a), nearest(*b));
  double reach = outwardUp(outwardUp((a->high - a->low) + (b->high - b->low)) / radius);
  if (!(reach < 4))
    return vacuousElement(centre);
  double c = valueOf(type, centre);
  return encloseBounded(type, centre, neighbour(type, encode(type, c - reach, Rounding::Down), -1),
                        neighbour(type, encode(type, c + reach, Rounding::Up), 1), bound,
                        ::bandOf(x, y), false);
}

/// Squaring and multiplying loses up to one unit per factor; the language's own bound is looser for
/// small exponents. 16-bit formats compute in f32 and round once more.
static Bound powerOfIntegerBound(ElementType type, int64_t exponent) {
  double factors = std::fabs(static_cast<double>(exponent));
  double wide = std::max(8 + 2 * std::log2(std::max(1.0, factors)), factors + 2);
  int narrower = 24 - formatOf(type).precision;
  return {narrower > 0 ? 1 + std::ceil(std::ldexp(wide, -narrower)) : std::floor(wide)};
}

/// A negative power may be zero for its own size, or because the positive one may overflow.
static bool mayOverflowBeforeReciprocal(ElementType type, const Element &x, int64_t exponent,
                                        Bound bound) {
  if (exponent >= 0)
    return false;
  auto [low, high] = boundsOf(type, x);
  ElementType wide = type == ElementType::F64 ? type : ElementType::F32;
  double slack = 1 - std::ldexp(2 * bound.ulps + 4, 1 - formatOf(wide).precision);
  return llvm::any_of(std::initializer_list<uint64_t>{low, high}, [&](uint64_t bits) {
    return std::fabs(powerBeforeReciprocal(type, bits, exponent)) >= slack * maxFinite(wide);
  });
}

Element tilesmith::reference::enclosePowi(ElementType type, uint64_t centre, const Element &x,
                                          int64_t exponent) {
  Bound bound = powerOfIntegerBound(type, exponent);
  auto range = rangeOf(type, x);
  if (x.state != State::Enclosed) {
    if (exponent == 0 || !range || range->low == 0 || std::fabs(range->low) == 1)
      return pointElement(type, centre);
    if (std::isinf(valueOf(type, centre)))
      return overflowed(type, centre,
                        powi(type, x.bits, exponent > 0 ? exponent - 1 : exponent + 1));
    if (mayOverflowBeforeReciprocal(type, x, exponent, bound))
      return valueOf(type, centre) == 0 ? overflowed(type, centre, powi(type, x.bits, exponent + 1))
                                        : vacuousElement(centre);
    return encloseBounded(type, centre, centre, centre, bound, 1, false);
  }
  if (!range || (range->holdsZero() && exponent <= 0) ||
      mayOverflowBeforeReciprocal(type, x, exponent, bound))
    return vacuousElement(centre);
  std::vector<uint64_t> candidates = {
      powi(type, encode(type, range->low, Rounding::Down), exponent),
      powi(type, encode(type, range->high, Rounding::Up), exponent)};
  if (range->holdsZero())
    candidates.push_back(zeroPattern(type, false));
  auto [lowest, highest] = extremes(type, candidates);
  return encloseBounded(type, centre, lowest, highest, bound, tilesmith::reference::bandOf(x),
                        false);
}

Element tilesmith::reference::encloseEither(ElementType type, const Element &a, const Element &b) {
  if (a.state == b.state && a.state != State::Enclosed &&
      (a.bits == b.bits || a.state != State::Known))
    return a;
  if (a.state == State::Unknown || b.state == State::Unknown)
    return unknownElement();
  auto x = rangeOf(type, a), y = rangeOf(type, b);
  if (!x || !y)
    return vacuousElement(a.bits);
  return encloseRounded(type, a.bits, {lower(x->low, y->low), higher(x->high, y->high)},
                        Rounding::NearestEven, {::bandOf(a, b), false});
}

std::pair<uint64_t, uint64_t> tilesmith::reference::boundsOf(ElementType type, const Element &e,
                                                             double scale) {
  if (e.state != State::Enclosed)
    return {e.bits, e.bits};
  double c = valueOf(type, e.bits), error = e.spread.error * scale;
  double low = c - error, high = c + error;
  uint64_t lowest = e.bits, highest = e.bits;
  if (error > 0) {
    if (c - low != error)
      low = outwardDown(low);
    if (high - c != error)
      high = outwardUp(high);
    lowest = encode(type, low, Rounding::Up);
    highest = encode(type, high, Rounding::Down);
    // What is proven never reaches an infinity; a band may. Formats without one are only converted to, and that
    // saturates.
    auto beyond = [&](bool negative) {
      auto infinity = infinityPattern(type, negative);
      return infinity ? *infinity
                      : encode(type, negative ? -maxFinite(type) : maxFinite(type),
                               Rounding::NearestEven);
    };
    if (scale > 1 && low < -maxFinite(type))
      lowest = beyond(true);
    if (scale > 1 && high > maxFinite(type))
      highest = beyond(false);
  }
  if (e.spread.anyZeroSign) {
    if (valueOf(type, lowest) == 0)
      lowest = zeroPattern(type, true);
    if (valueOf(type, highest) == 0)
      highest = zeroPattern(type, false);
  }
  return {lowest, highest};
}
