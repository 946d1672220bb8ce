//===- Enclosure.h - sets of legal results, as centre and error -------------------------------===//
//
// The enclosure domain gives every float element the set of values that a legal compiler may
// produce. An element in state Enclosed holds all numbers within `error` of its centre (its bits,
// what the concrete domain computes), zeros of either sign if it says so. The other states are
// points; a NaN is a point whose payload is free. What may be a number or a NaN is vacuous.
//
// Each function takes the centre of the result, already evaluated from the centres of the operands
// by the one evaluator, and adds the error:
//   exact ops    the image of the operands' ranges, rounded as the op rounds (rounding is monotone)
//   bounded ops  the image widened by a number of representable values [spec: class-bounded]
//   sums         the exact sum of the terms and the bound of any order [spec: class-order-free]
// Ranges are computed in float64 with every step rounded outwards. What cannot be bounded is
// vacuous (infinite error); a result that only one value can take is a point again.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_VALUE_ENCLOSURE_H
#define REFERENCE_VALUE_ENCLOSURE_H

#include <cmath>
#include <limits>
#include <optional>

#include "reference/value/Float.h"
#include "reference/value/Math.h"
#include "reference/value/Tile.h"

namespace tilesmith::reference {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A float64 at least as large (as small) as the real number that `x` was rounded from.
inline double outwardUp(double x) {
  return x + (std::fabs(x) * 0x1p-52 + 0x1p-1074);
}
inline double outwardDown(double x) {
  return x - (std::fabs(x) * 0x1p-52 + 0x1p-1074);
}

/// A closed interval of real numbers.
struct Range {
  double low = 0, high = 0;
  bool holdsZero() const { return low <= 0 && high >= 0; }
};

/// [spec: class-vacuous]
inline Element vacuousElement(uint64_t centre = 0) {
  Element e{centre, State::Enclosed};
  e.spread.error = kInfinity;
  e.spread.anyZeroSign = true;
  return e;
}
inline bool isVacuous(const Element &e) {
  return e.state == State::Enclosed && !(e.spread.error < kInfinity);
}

/// A NaN of any kind: also one whose pattern is known, as constants and memory hold them.
inline bool isNaN(ElementType type, const Element &e) {
  return e.state == State::NaN || (e.state == State::Known && isNaN(type, e.bits));
}

/// All numbers the element may be; nothing if it may be a NaN, an infinity or anything. A zero of
/// either sign reaches from -0 to +0.
std::optional<Range> rangeOf(ElementType type, const Element &e);

/// What surrounds the result beside its range.
struct Freedom {
  float band = 1;
  bool flush = false;
};
inline float bandOf(const Element &e) {
  return e.state == State::Enclosed ? e.spread.band : 1.0f;
}

/// The element whose values are the roundings of the real numbers in `exact`.
Element encloseRounded(ElementType type, uint64_t centre, Range exact, Rounding rounding,
                       Freedom freedom);

enum class ArithmeticOp { Add, Sub, Mul, Div };

/// IEEE operations of the concrete domain on elements of which at least one is enclosed.
Element encloseArithmetic(ArithmeticOp op, ElementType type, uint64_t centre, const Element &x,
                          const Element &y, Rounding rounding, bool flush);
Element encloseFma(ElementType type, uint64_t centre, const Element &x, const Element &y,
                   const Element &z, Rounding rounding, bool flush);
Element encloseRemainder(ElementType type, uint64_t centre, const Element &x, const Element &y);
Element encloseExtremum(ElementType type, uint64_t centre, const Element &x, const Element &y,
                        bool isMaximum, bool propagateNaN, bool flush);
Element encloseSqrt(ElementType type, uint64_t centre, const Element &x, Rounding rounding,
                    bool flush);
/// ceil, floor, and conversions: `function` maps a value to the result pattern of type `to` and
/// never decreases.
template <typename Function>
Element encloseMonotone(ElementType from, ElementType to, uint64_t centre, const Element &x,
                        Function function);

/// rangeOf with infinite ends for infinities: what comparisons look at. Nothing for NaN.
std::optional<Range> comparableRange(ElementType type, const Element &e);

/// How far a bounded op may be from the correctly rounded result.
struct Bound {
  double ulps = 0;     ///< representable values
  double relative = 0; ///< of the exact result, plus half an ulp
};

/// The published bound of a function on f32, f64, or f16 and bf16.
/// [spec: math-special-exact]
Bound publishedBound(UnaryFunction function, ElementType type);

/// A result within `bound` of some value of `image` (patterns correctly rounded to the format).
Element encloseBounded(ElementType type, uint64_t centre, uint64_t lowest, uint64_t highest,
                       Bound bound, float band, bool flush);
/// `exact` widened by `bound`: approximate forms of exact ops. Results of special operands (zeros,
/// infinities, NaN) stay as they are.
Element encloseWithin(ElementType type, const Element &exact, bool specialOperands, Bound bound,
                      bool flush);
/// Zero, infinity or NaN as a point.
bool isSpecialOperand(ElementType type, const Element &e);
/// f(x), also for points; `bound` is per argument where it depends on it.
Element encloseFunction(UnaryFunction function, ElementType type, uint64_t centre, const Element &x,
                        Bound bound, bool flush);
Element enclosePow(ElementType type, uint64_t centre, const Element &x, const Element &y);
Element encloseAtan2(ElementType type, uint64_t centre, const Element &y, const Element &x);
Element enclosePowi(ElementType type, uint64_t centre, const Element &x, int64_t exponent);

/// The smallest set that holds both.
Element encloseEither(ElementType type, const Element &a, const Element &b);

/// The terms of a sum that may be added in any order, each partial sum rounded.
/// [spec: bound-addf, bound-addf-point, bound-nonfinite]
class SumEnclosure {
public:
  /// Adds a term; its own error and freedom count.
  void add(ElementType type, const Element &term);
  /// Adds a number: a product of a matrix product, exact in float64 or with the given error.
  void addNumber(double value, double error = 0);
  /// What the documentation allows a compiler beyond the exact sum.
  struct Allowance {
    double relative = 0;    ///< error of any order, relative to the sum of absolute values
    double absolute = 0;    ///< what flushing may lose, all additions together
    double granularity = 0; ///< sums whose terms are multiples of this part of their size are exact
    double smallest = 0;    ///< smallest term that is not flushed
    double limit = 0;       ///< sums of absolute values beyond it may overflow on the way
    bool freeZeroSign = false;
  };
  /// The result; `centre` is one legal result.
  Element finish(ElementType type, uint64_t centre, const Allowance &allowance) const;

private:
  double high = 0, low = 0; ///< the exact sum, as an unevaluated pair
  double magnitude = 0;     ///< sum of absolute values, errors included
  double ownError = 0;      ///< of the terms
  double unit = kInfinity;  ///< largest power of two that divides every term
  float band = 1;
  bool positiveInfinity = false, negativeInfinity = false, nan = false, unbounded = false;
  bool onlyNegativeZeros = true;
};

/// The factors of a product that may be multiplied in any order.
/// [spec: bound-mulf]
class ProductEnclosure {
public:
  void multiply(ElementType type, const Element &factor);
  Element finish(ElementType type, uint64_t centre, double count, bool directed,
                 bool flush = false) const;

private:
  double relative = 0;                     ///< of the factors' own errors
  double upExponent = 0, downExponent = 0; ///< what partial products may reach
  int significantBits = 0;                 ///< of the exact product, at most
  float band = 1;
  bool zero = false, freeSign = false, special = false, unbounded = false;
};

/// Largest power of two that divides x; infinity for 0.
double lowestBit(double x);
/// Half the distance of neighbours at 1: the relative error of one rounding to nearest.
inline double unitRoundoff(ElementType type) {
  return std::ldexp(1.0, -formatOf(type).precision);
}
double maxFinite(ElementType type);

/// The values of the element as patterns of its format, lowest and highest; zeros as -0 and +0 when
/// either sign is legal. `scale` widens the error (the band). Only for elements that are not
/// vacuous.
std::pair<uint64_t, uint64_t> boundsOf(ElementType type, const Element &e, double scale = 1);

// --- implementation ---

template <typename Function>
Element encloseMonotone(ElementType from, ElementType to, uint64_t centre, const Element &x,
                        Function function) {
  auto range = rangeOf(from, x);
  if (!range)
    return vacuousElement(centre);
  double low = decode(to, function(range->low)), high = decode(to, function(range->high));
  return encloseRounded(to, centre, {low, high}, Rounding::NearestEven, {bandOf(x), false});
}

} // namespace tilesmith::reference

#endif // REFERENCE_VALUE_ENCLOSURE_H
