//===- OrderEnclosure.cpp - sums and products in any order ------------------------------------===//
//
// The exact sum is kept as an unevaluated pair of float64 numbers, the exact product by its range.
// A sum is a point when all its terms are multiples of a unit so coarse that no partial sum needs
// rounding, a product when its significant bits fit the format; else the result holds the exact
// value and the documented bound around it.
//
//===------------------------------------------------------------------------------------------===//
#include <algorithm>

#include "reference/value/Enclosure.h"

using namespace tilesmith::reference;

/// A zero whose sign depends on the order.
static Element zeroOfAnySign(ElementType type) {
  Element e{zeroPattern(type, false), State::Enclosed};
  e.spread.anyZeroSign = true;
  return e;
}

double tilesmith::reference::lowestBit(double x) {
  if (x == 0 || !std::isfinite(x))
    return kInfinity;
  int exponent;
  double fraction = std::frexp(std::fabs(x), &exponent); // in [1/2, 1)
  auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, 53));
  return std::ldexp(1.0, exponent - 53 + std::countr_zero(mantissa));
}

double tilesmith::reference::maxFinite(ElementType type) {
  return decode(type, maxFinitePattern(type, false));
}

void SumEnclosure::add(ElementType type, const Element &term) {
  if (isNaN(type, term)) {
    nan = true;
    return;
  }
  double value = decode(type, term.bits);
  if (term.state == State::Known && std::isinf(value)) {
    (value > 0 ? positiveInfinity : negativeInfinity) = true;
    return;
  }
  if (term.state == State::Unknown || isVacuous(term)) {
    unbounded = true;
    return;
  }
  band = std::max(band, bandOf(term));
  onlyNegativeZeros &= value == 0 && (std::signbit(value) || term.spread.anyZeroSign);
  addNumber(value, term.spread.error);
}

void SumEnclosure::addNumber(double value, double error) {
  if (value != 0)
    onlyNegativeZeros = false;
  double sum = high + value, part = sum - high;
  low += (high - (sum - part)) + (value - part);
  high = sum;
  magnitude += std::fabs(value) + error;
  ownError += error;
  if (value != 0 && lowestBit(value) < unit)
    unit = lowestBit(value);
}

Element SumEnclosure::finish(ElementType type, uint64_t centre, const Allowance &allowance) const {
  if (unbounded)
    return vacuousElement(centre);
  if (nan || (positiveInfinity && negativeInfinity))
    return {*nanPattern(type), State::NaN};
  if (positiveInfinity || negativeInfinity)
    return magnitude > allowance.limit ? vacuousElement(centre)
                                       : Element{*infinityPattern(type, negativeInfinity)};
  double size = magnitude * (1 + 0x1p-30); // magnitude itself was rounded
  double c = decode(type, centre);
  if (ownError == 0 && size * allowance.granularity <= unit * (1 + 0x1p-29) &&
      unit >= allowance.smallest && magnitude <= maxFinite(type)) {
    if (c != 0 || !(allowance.freeZeroSign || onlyNegativeZeros))
      return {centre}; // every order is exact
    return zeroOfAnySign(type);
  }
  if (size > allowance.limit || !(allowance.relative < 1) || !std::isfinite(c))
    return vacuousElement(centre);
  Element e{centre, State::Enclosed};
  double distance = std::fabs((c - high) - low);
  // Multiples of a unit that is no subnormal stay such in every order: nothing is flushed.
  bool flushesNothing = ownError == 0 && unit >= allowance.smallest;
  e.spread.error =
      outwardUp(outwardUp(distance + ownError * (1 + 0x1p-30)) +
                outwardUp(size * allowance.relative + (flushesNothing ? 0 : allowance.absolute)));
  e.spread.band = band;
  e.spread.anyZeroSign = e.spread.error >= std::fabs(c);
  return e;
}

void ProductEnclosure::multiply(ElementType type, const Element &factor) {
  auto range = rangeOf(type, factor);
  if (!range) {
    (isNaN(type, factor) ? special : unbounded) = true;
    return;
  }
  double value = decode(type, factor.bits);
  if (value == 0 && factor.spread.error == 0) {
    zero = true;
    freeSign |= factor.state == State::Enclosed && factor.spread.anyZeroSign;
    return;
  }
  double error = factor.state == State::Enclosed ? factor.spread.error : 0;
  if (error >= std::fabs(value)) {
    unbounded = true;
    return;
  }
  relative = outwardUp(relative + error / (std::fabs(value) - error) * (1 + relative));
  band = std::max(band, bandOf(factor));
  double exponent = std::log2(std::fabs(value));
  upExponent += std::max(0.0, exponent);
  downExponent += std::max(0.0, -exponent);
  int exponentOfValue = std::ilogb(value);
  int bits = exponentOfValue - std::ilogb(lowestBit(value));
  significantBits += bits == 0 ? 0 : bits + 1;
}

Element ProductEnclosure::finish(ElementType type, uint64_t centre, double count, bool directed,
                                 bool flush) const {
  const FloatFormat &format = formatOf(type);
  if (special)
    return {*nanPattern(type), State::NaN};
  if (unbounded || upExponent + relative + 1 > format.maxExponent)
    return vacuousElement(centre);
  if (zero) // whatever else was lost on the way
    return freeSign ? zeroOfAnySign(type) : Element{centre};
  // Partial products of factors up to 1 are as large as the product, or larger: what they lose below
  // the normal range is not multiplied.
  const bool mayUnderflow = downExponent + relative + 1 > -format.minExponent;
  if (mayUnderflow && upExponent + relative > 0)
    return vacuousElement(centre);
  if (!mayUnderflow && relative == 0 && significantBits <= format.precision)
    return {centre};
  double u = unitRoundoff(type) * (directed ? 2 : 1);
  double gamma = count * u / (1 - count * u);
  double reach = 2 * gamma / (1 - gamma) + relative * (1 + 4 * gamma);
  if (!(count * u < 0.25) || !(reach < 1))
    return vacuousElement(centre);
  if (flush && downExponent - 2 > -format.minExponent)
    return {centre}; // too small in every order: zero of the product's sign
  double lost = !mayUnderflow ? 0
                : flush       ? std::ldexp(1.0, format.minExponent)
                              : std::ldexp(1.0, format.minExponent - format.precision + 1);
  Element e{centre, State::Enclosed};
  e.spread.error =
      outwardUp(std::fabs(decode(type, centre)) * reach * (1 + 0x1p-40) + 2 * count * lost);
  e.spread.band = band;
  e.spread.anyZeroSign = e.spread.error >= std::fabs(decode(type, centre));
  return e;
}
