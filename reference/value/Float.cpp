//===- Float.cpp - exact conversion and IEEE arithmetic ---------------------------------------===//
//
// Rounding to odd: if the float64 result of an operation is inexact, the error term (TwoSum, or an
// fma residual) says on which side the exact value lies; the result is moved to the neighbour with
// an odd last bit if it is even. Later rounding to fewer than 52 bits then sees a value on the
// right side of every boundary.
//
//===------------------------------------------------------------------------------------------===//
#include "reference/value/Float.h"

#include <mpfr.h>

#include <cassert>
#include <cmath>
#include <limits>

#include "llvm/ADT/APFloat.h"

#pragma STDC FP_CONTRACT OFF

using namespace tilesmith::reference;

namespace {

uint64_t bitsOf(double x) {
  return std::bit_cast<uint64_t>(x);
}
double fromBits(uint64_t x) {
  return std::bit_cast<double>(x);
}
float floatOf(uint64_t x) {
  return std::bit_cast<float>(static_cast<uint32_t>(x));
}
uint64_t bitsOfFloat(float x) {
  return std::bit_cast<uint32_t>(x);
}

/// Moves an inexact result whose exact value is value + error to the odd neighbour on the side of
/// the error.
Sticky toOdd(double value, double error) {
  if (error == 0 || !std::isfinite(value))
    return {value, false};
  if (bitsOf(value) & 1)
    return {value, true};
  if (value == 0)
    return {error > 0 ? std::numeric_limits<double>::denorm_min()
                      : -std::numeric_limits<double>::denorm_min(),
            true};
  // Magnitude grows when error and value have the same sign.
  uint64_t bits = bitsOf(value);
  return {fromBits((error > 0) == (value > 0) ? bits + 1 : bits - 1), true};
}

/// a + b rounded to odd; exact error by Knuth's TwoSum (no overflow in the ranges used here).
Sticky stickyAdd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum))
    return {sum, false};
  double bb = sum - a;
  double error = (a - (sum - bb)) + (b - bb);
  return toOdd(sum, error);
}

double decodeSmall(ElementType type, uint64_t bits) {
  const FloatFormat &f = formatOf(type);
  int fractionBits = f.precision - 1 + f.trailingZeros;
  unsigned width = widthOf(type);
  bool negative = f.isSigned && (bits >> (width - 1) & 1);
  uint64_t magnitude = f.isSigned ? bits & ((uint64_t(1) << (width - 1)) - 1) : bits;
  magnitude &= ~((uint64_t(1) << f.trailingZeros) - 1);
  uint64_t fraction = magnitude & ((uint64_t(1) << fractionBits) - 1);
  int exponent = static_cast<int>(magnitude >> fractionBits);
  double value;
  if (!f.hasZero)
    value = std::ldexp(1.0, exponent + f.minExponent);
  else if (exponent == 0)
    value = std::ldexp(static_cast<double>(fraction), f.minExponent - fractionBits);
  else
    value = std::ldexp(static_cast<double>(fraction | uint64_t(1) << fractionBits),
                       exponent - 1 + f.minExponent - fractionBits);
  return negative ? -value : value;
}

/// Whether a magnitude with the given discarded part is rounded away from zero.
bool roundsUp(Rounding rounding, bool negative, bool odd, bool half, bool rest) {
  switch (rounding) {
  case Rounding::NearestEven:
    return half && (rest || odd);
  case Rounding::NearestAway:
    return half;
  case Rounding::Zero:
    return false;
  case Rounding::Down:
    return negative && (half || rest);
  case Rounding::Up:
    return !negative && (half || rest);
  }
  return false;
}

uint64_t overflowPattern(ElementType type, bool negative, Rounding rounding, Overflow overflow) {
  auto infinity = infinityPattern(type, negative);
  bool towardZero = rounding == Rounding::Zero || (rounding == Rounding::Down && !negative) ||
                    (rounding == Rounding::Up && negative);
  if (!infinity || overflow == Overflow::Saturate || towardZero)
    return maxFinitePattern(type, negative);
  return *infinity;
}

llvm::APFloat::roundingMode apRounding(Rounding rounding) {
  switch (rounding) {
  case Rounding::NearestEven:
    return llvm::APFloat::rmNearestTiesToEven;
  case Rounding::Zero:
    return llvm::APFloat::rmTowardZero;
  case Rounding::Down:
    return llvm::APFloat::rmTowardNegative;
  case Rounding::Up:
    return llvm::APFloat::rmTowardPositive;
  case Rounding::NearestAway:
    return llvm::APFloat::rmNearestTiesToAway;
  }
  return llvm::APFloat::rmNearestTiesToEven;
}

llvm::APFloat ap(uint64_t bits) {
  return llvm::APFloat(fromBits(bits));
}
uint64_t fromAp(const llvm::APFloat &x) {
  return x.bitcastToAPInt().getZExtValue();
}

/// Rounds a sticky result of f16/bf16/f32 arithmetic, with flushing.
uint64_t finish(ElementType type, double value, Rounding rounding, bool flush,
                bool *nearFlushBoundary) {
  uint64_t bits = encode(type, value, rounding);
  if (flush && value != 0 && std::fabs(value) < 0x1p-126) {
    if (nearFlushBoundary && (bits & 0x7fffffff) == 0x00800000)
      *nearFlushBoundary = true;
    return std::signbit(value) ? 0x80000000u : 0;
  }
  return bits;
}

/// The sign of an exact zero sum of x and y.
double zeroSum(double x, double y, Rounding rounding) {
  if (std::signbit(x) == std::signbit(y))
    return x;
  return rounding == Rounding::Down ? -0.0 : 0.0;
}

} // namespace

double tilesmith::reference::decodeF16(uint16_t h) {
  uint64_t sign = static_cast<uint64_t>(h >> 15) << 63;
  int exponent = h >> 10 & 31;
  uint64_t fraction = h & 0x3ff;
  if (exponent == 31)
    return fromBits(sign | 0x7ff0000000000000 | (fraction ? 0x8000000000000 : 0));
  if (exponent == 0) {
    double value = static_cast<double>(fraction) * 0x1p-24;
    return sign ? -value : value;
  }
  return fromBits(sign | static_cast<uint64_t>(exponent - 15 + 1023) << 52 | fraction << 42);
}

double tilesmith::reference::decode(ElementType type, uint64_t bits) {
  switch (type) {
  case ElementType::F64:
    return fromBits(bits);
  case ElementType::F32:
    return floatOf(bits);
  case ElementType::F16:
    return decodeF16(static_cast<uint16_t>(bits));
  case ElementType::BF16:
    return decodeBF16(static_cast<uint16_t>(bits));
  case ElementType::TF32:
    return floatOf(bits & ~uint64_t(0x1fff));
  default:
    break;
  }
  if (isNaN(type, bits))
    return std::numeric_limits<double>::quiet_NaN();
  if (auto infinity = infinityPattern(type, false); infinity && (bits & 0x7f) == *infinity)
    return bits & 0x80 ? -std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::infinity();
  return decodeSmall(type, bits);
}

bool tilesmith::reference::isNaN(ElementType type, uint64_t bits) {
  switch (type) {
  case ElementType::F16:
  case ElementType::BF16:
  case ElementType::F32:
  case ElementType::F64:
    return isIeeeNaN(type, bits);
  case ElementType::TF32:
    return isIeeeNaN(ElementType::F32, bits);
  case ElementType::F8E4M3FN:
    return (bits & 0x7f) == 0x7f;
  case ElementType::F8E5M2:
    return (bits & 0x7f) > 0x7c;
  case ElementType::F8E8M0FNU:
  case ElementType::F8E5M3FNU:
    return bits == 0xff;
  default:
    return false;
  }
}

uint64_t tilesmith::reference::encode(ElementType type, double value, Rounding rounding,
                                      Overflow overflow) {
  if (type == ElementType::F64)
    return std::isnan(value) ? *nanPattern(type) : bitsOf(value);
  const FloatFormat &f = formatOf(type);
  if (std::isnan(value))
    return nanPattern(type).value_or(0);
  if (type == ElementType::F32 && rounding == Rounding::NearestEven &&
      overflow == Overflow::Infinity)
    return bitsOfFloat(static_cast<float>(value));
  bool negative = std::signbit(value);
  uint64_t sign = negative && f.isSigned ? uint64_t(1) << (widthOf(type) - 1) : 0;
  if (negative && !f.isSigned)
    return f.hasZero ? 0 : 0; // no negative numbers: callers mark such results unspecified
  if (std::isinf(value)) {
    auto infinity = infinityPattern(type, negative);
    return infinity && overflow == Overflow::Infinity ? *infinity
                                                      : maxFinitePattern(type, negative);
  }
  if (value == 0)
    return sign; // smallest value in the format without zero
  // |value| = significand * 2^(exponent - 52), significand with bit 52 set.
  int exponent;
  double scaled = std::frexp(std::fabs(value), &exponent); // in [0.5, 1)
  --exponent;
  uint64_t significand = static_cast<uint64_t>(std::ldexp(scaled, 53));
  int fractionBits = f.precision - 1;
  int drop = 52 - fractionBits;
  int biased = exponent - f.minExponent + 1; // exponent field of a normal number
  if (!f.hasZero)
    biased -= 1;
  if (biased < (f.hasZero ? 1 : 0)) { // subnormal: shift further right
    drop += (f.hasZero ? 1 : 0) - biased;
    biased = 0;
  }
  if (!f.hasZero && drop > 52)
    return 0; // below the smallest power of two
  uint64_t kept = drop > 63 ? 0 : significand >> drop;
  bool half, rest;
  if (drop > 53) {
    half = false;
    rest = true;
  } else {
    half = drop > 0 && (significand >> (drop - 1) & 1);
    rest = drop > 1 && (significand & ((uint64_t(1) << (drop - 1)) - 1)) != 0;
  }
  uint64_t magnitude;
  if (!f.hasZero) { // the pattern is the exponent alone
    bool odd = biased & 1;
    magnitude = biased + roundsUp(rounding, negative, odd, half, rest);
    return magnitude > 254 ? 254 : magnitude;
  }
  bool up = roundsUp(rounding, negative, kept & 1, half, rest);
  uint64_t hidden = uint64_t(1) << fractionBits;
  // Adding one to the pattern carries into the exponent as it must; a subnormal that becomes normal
  // does as well.
  magnitude = biased > 0 ? (static_cast<uint64_t>(biased) << fractionBits) + (kept - hidden) : kept;
  magnitude += up;
  magnitude <<= f.trailingZeros;
  if (magnitude > maxFinitePattern(type, false))
    return overflowPattern(type, negative, rounding, overflow);
  return magnitude | sign;
}

Sticky tilesmith::reference::integerToSticky(unsigned __int128 magnitude, bool negative) {
  int bits = 0;
  for (unsigned __int128 m = magnitude; m; m >>= 1)
    ++bits;
  int drop = bits > 53 ? bits - 53 : 0;
  uint64_t kept = static_cast<uint64_t>(magnitude >> drop);
  bool lost = drop && (magnitude & ((static_cast<unsigned __int128>(1) << drop) - 1)) != 0;
  double value = std::ldexp(static_cast<double>(kept | lost), drop);
  return {negative ? -value : value, lost};
}

uint64_t tilesmith::reference::flushSubnormal(uint64_t bits) {
  return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

uint64_t tilesmith::reference::add(ElementType type, uint64_t a, uint64_t b, Rounding rounding,
                                   bool flush, bool *nearFlushBoundary) {
  if (type == ElementType::F64) {
    if (rounding == Rounding::NearestEven)
      return bitsOf(fromBits(a) + fromBits(b));
    llvm::APFloat x = ap(a);
    x.add(ap(b), apRounding(rounding));
    return fromAp(x);
  }
  if (flush)
    a = flushSubnormal(a), b = flushSubnormal(b);
  else if (type == ElementType::F32 && rounding == Rounding::NearestEven)
    return bitsOfFloat(floatOf(a) + floatOf(b));
  double x = decode(type, a), y = decode(type, b);
  Sticky sum = stickyAdd(x, y);
  if (sum.value == 0)
    sum.value = zeroSum(x, y, rounding);
  return finish(type, sum.value, rounding, flush, nearFlushBoundary);
}

uint64_t tilesmith::reference::sub(ElementType type, uint64_t a, uint64_t b, Rounding rounding,
                                   bool flush, bool *nearFlushBoundary) {
  return add(type, a, b ^ uint64_t(1) << (widthOf(type) - 1), rounding, flush, nearFlushBoundary);
}

uint64_t tilesmith::reference::mul(ElementType type, uint64_t a, uint64_t b, Rounding rounding,
                                   bool flush, bool *nearFlushBoundary) {
  if (type == ElementType::F64) {
    if (rounding == Rounding::NearestEven)
      return bitsOf(fromBits(a) * fromBits(b));
    llvm::APFloat x = ap(a);
    x.multiply(ap(b), apRounding(rounding));
    return fromAp(x);
  }
  if (flush)
    a = flushSubnormal(a), b = flushSubnormal(b);
  else if (type == ElementType::F32 && rounding == Rounding::NearestEven)
    return bitsOfFloat(floatOf(a) * floatOf(b));
  return finish(type, decode(type, a) * decode(type, b), rounding, flush,
                nearFlushBoundary); // exact in float64
}

uint64_t tilesmith::reference::div(ElementType type, uint64_t a, uint64_t b, Rounding rounding,
                                   bool flush, bool *nearFlushBoundary) {
  if (type == ElementType::F64) {
    if (rounding == Rounding::NearestEven)
      return bitsOf(fromBits(a) / fromBits(b));
    llvm::APFloat x = ap(a);
    x.divide(ap(b), apRounding(rounding));
    return fromAp(x);
  }
  if (flush)
    a = flushSubnormal(a), b = flushSubnormal(b);
  else if (type == ElementType::F32 && rounding == Rounding::NearestEven)
    return bitsOfFloat(floatOf(a) / floatOf(b));
  double x = decode(type, a), y = decode(type, b), quotient = x / y;
  if (std::isfinite(quotient) && quotient != 0 && std::isfinite(y)) {
    double residual = std::fma(-quotient, y, x); // exact: no underflow in these ranges
    quotient = toOdd(quotient, std::signbit(y) ? -residual : residual).value;
  }
  return finish(type, quotient, rounding, flush, nearFlushBoundary);
}

uint64_t tilesmith::reference::fma(ElementType type, uint64_t a, uint64_t b, uint64_t c,
                                   Rounding rounding, bool flush, bool *nearFlushBoundary) {
  if (type == ElementType::F64) {
    if (rounding == Rounding::NearestEven)
      return bitsOf(std::fma(fromBits(a), fromBits(b), fromBits(c)));
    llvm::APFloat x = ap(a);
    x.fusedMultiplyAdd(ap(b), ap(c), apRounding(rounding));
    return fromAp(x);
  }
  if (flush)
    a = flushSubnormal(a), b = flushSubnormal(b), c = flushSubnormal(c);
  else if (type == ElementType::F32 && rounding == Rounding::NearestEven)
    return bitsOfFloat(std::fma(floatOf(a), floatOf(b), floatOf(c)));
  double product = decode(type, a) * decode(type, b), addend = decode(type, c);
  Sticky sum = stickyAdd(product, addend);
  if (sum.value == 0)
    sum.value = zeroSum(product, addend, rounding);
  return finish(type, sum.value, rounding, flush, nearFlushBoundary);
}

uint64_t tilesmith::reference::sqrt(ElementType type, uint64_t a, Rounding rounding, bool flush) {
  if (type == ElementType::F64) {
    if (rounding == Rounding::NearestEven)
      return bitsOf(std::sqrt(fromBits(a)));
    if (!(fromBits(a) > 0)) // zeros, negative numbers and NaN do not depend on the mode
      return bitsOf(std::sqrt(fromBits(a)));
    mpfr_t x;
    mpfr_init2(x, 53);
    mpfr_set_d(x, fromBits(a), MPFR_RNDN);
    mpfr_rnd_t mode = rounding == Rounding::Zero   ? MPFR_RNDZ
                      : rounding == Rounding::Down ? MPFR_RNDD
                                                   : MPFR_RNDU;
    mpfr_sqrt(x, x, mode);
    double result = mpfr_get_d(x, mode);
    mpfr_clear(x);
    return bitsOf(result);
  }
  if (flush)
    a = flushSubnormal(a);
  if (type == ElementType::F32 && rounding == Rounding::NearestEven)
    return bitsOfFloat(std::sqrt(floatOf(a))); // never subnormal
  double x = decode(type, a), root = std::sqrt(x);
  if (root > 0 && std::isfinite(root))
    root = toOdd(root, std::fma(-root, root, x)).value;
  return encode(type, root, rounding);
}

uint64_t tilesmith::reference::remainder(ElementType type, uint64_t x, uint64_t y) {
  return encode(type, std::fmod(decode(type, x), decode(type, y)));
}

uint64_t tilesmith::reference::floor(ElementType type, uint64_t a) {
  return encode(type, std::floor(decode(type, a)));
}
uint64_t tilesmith::reference::ceil(ElementType type, uint64_t a) {
  return encode(type, std::ceil(decode(type, a)));
}

namespace {

uint64_t extremum(ElementType type, uint64_t a, uint64_t b, bool propagateNaN, bool flush,
                  bool wantMaximum) {
  if (flush)
    a = flushSubnormal(a), b = flushSubnormal(b);
  bool aNaN = isIeeeNaN(type, a), bNaN = isIeeeNaN(type, b);
  if (aNaN || bNaN) {
    if (propagateNaN || (aNaN && bNaN))
      return *nanPattern(type);
    return aNaN ? b : a;
  }
  uint64_t sign = uint64_t(1) << (widthOf(type) - 1);
  // Signed-magnitude to two's complement order; -0 comes directly below +0.
  auto key = [&](uint64_t bits) {
    return bits & sign ? -static_cast<int64_t>(bits & (sign - 1)) - 1 : static_cast<int64_t>(bits);
  };
  return (key(a) < key(b)) == wantMaximum ? b : a;
}

} // namespace

uint64_t tilesmith::reference::maximum(ElementType type, uint64_t a, uint64_t b, bool propagateNaN,
                                       bool flush) {
  return extremum(type, a, b, propagateNaN, flush, true);
}
uint64_t tilesmith::reference::minimum(ElementType type, uint64_t a, uint64_t b, bool propagateNaN,
                                       bool flush) {
  return extremum(type, a, b, propagateNaN, flush, false);
}

float tilesmith::reference::fmaToFloat(double a, double b, float acc) {
  return static_cast<float>(stickyAdd(a * b, acc).value);
}
