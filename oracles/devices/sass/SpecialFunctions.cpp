//===- SpecialFunctions.cpp - the special function unit (see SpecialFunctions.h) --------------===//
#include "oracles/devices/sass/SpecialFunctions.h"

#include "oracles/devices/emulator/Numeric.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilesmith::sass {
namespace {

using emulator::bitsTo;

constexpr uint32_t kNaN = 0x7fffffff;

struct Segment {
  int32_t c0, c1, c2;
};

#include "oracles/devices/sass/SpecialTables.inc"

/// A table and where its coefficients stand in the sum, whose unit is 2^-17 of the last place of
/// the result. `bits`: of x.
struct Table {
  const Segment *segments;
  unsigned bits, shift0, shift1, shift2;
  int64_t constant;
};

// Constants are the least that agree with what was measured.
constexpr Table kReciprocals{kReciprocal, 16, 15, 2, 2, 8092};
constexpr Table kReciprocalRoots{kReciprocalRoot, 17, 15, 1, 3, 32766};
constexpr Table kRoots{kRoot, 17, 15, 0, 1, 32767};
constexpr Table kExponentials{kExponential, 17, 15, 2, 2, 24456};
constexpr Table kLogarithms{kLogarithm, 17, 14, 2, 3, 3348};
constexpr Table kSines{kSine, 17, 16, 4, 4, 0};
constexpr Table kTanhs{kTanh, 17, 15, 0, 1, 0};

/// The upper 15 bits of a square of twice `bits`; products of two bits that stand below them are
/// left out, carries and all.
int64_t squareOf(uint32_t x, unsigned bits) {
  const unsigned lowest = 2 * bits - 15;
  uint64_t sum = 0;
  for (unsigned i = 0; i < bits; ++i) {
    if (!(x >> i & 1))
      continue;
    // With itself, and twice with every higher bit.
    if (2 * i >= lowest)
      sum += uint64_t{1} << (2 * i);
    const unsigned from = std::max(i + 1, lowest - 1 - std::min(i, lowest - 1));
    sum += uint64_t{x >> from} << (from + i + 1);
  }
  return static_cast<int64_t>(sum >> lowest);
}

/// The sum for a segment and the argument within it.
int64_t interpolate(const Table &table, unsigned segment, uint32_t x) {
  const Segment &s = table.segments[segment];
  return (int64_t{s.c0} << table.shift0) + int64_t{s.c1} * x * (1 << table.shift1) +
         s.c2 * squareOf(x, table.bits) * (1 << table.shift2) + table.constant;
}

/// The sum for 23 bits of which the upper ones choose the segment, behind `first`.
int64_t interpolate23(const Table &table, unsigned first, uint32_t argument) {
  return interpolate(table, first + (argument >> table.bits), argument & ((1u << table.bits) - 1));
}

/// An f32, or the high word of a double.
struct Layout {
  int fraction, bias;
};
constexpr Layout kSingle{23, 127}, kHigh{20, 1023};

struct Parts {
  uint32_t sign;                  ///< in its place
  int exponent;                   ///< without bias
  uint32_t mantissa;              ///< 23 bits
  bool isZero, isInfinite, isNaN; ///< subnormal numbers are zero
};

Parts partsOf(const Layout &layout, uint32_t bits) {
  const int most = 2 * layout.bias + 1, biased = static_cast<int>(bits >> layout.fraction) & most;
  const uint32_t mantissa = (bits & ((1u << layout.fraction) - 1)) << (23 - layout.fraction);
  return {bits & 0x80000000,
          biased - layout.bias,
          mantissa,
          biased == 0,
          biased == most && mantissa == 0,
          biased == most && mantissa != 0};
}

uint32_t infinityOf(const Layout &layout) {
  return static_cast<uint32_t>(2 * layout.bias + 1) << layout.fraction;
}

/// value * 2^exponent, truncated; zero below the normal numbers, infinity above.
uint32_t truncate(const Layout &layout, uint64_t value, int exponent) {
  if (value == 0)
    return 0;
  const int top = 63 - std::countl_zero(value), result = top + exponent;
  if (result <= -layout.bias)
    return 0;
  if (result > layout.bias)
    return infinityOf(layout);
  const uint64_t mantissa =
      top >= layout.fraction ? value >> (top - layout.fraction) : value << (layout.fraction - top);
  return static_cast<uint32_t>(result + layout.bias) << layout.fraction |
         (static_cast<uint32_t>(mantissa) & ((1u << layout.fraction) - 1));
}

uint32_t reciprocal(const Layout &layout, uint32_t bits) {
  const Parts x = partsOf(layout, bits);
  if (x.isNaN)
    return kNaN;
  if (x.isZero)
    return x.sign | infinityOf(layout);
  if (x.isInfinite)
    return x.sign;
  return x.sign | truncate(layout, interpolate23(kReciprocals, 0, x.mantissa), -41 - x.exponent);
}

uint32_t reciprocalRoot(const Layout &layout, uint32_t bits) {
  const Parts x = partsOf(layout, bits);
  if (x.isZero)
    return x.sign | infinityOf(layout);
  if (x.isNaN || x.sign)
    return kNaN;
  if (x.isInfinite)
    return 0;
  const unsigned odd = x.exponent & 1;
  const int half = (x.exponent - static_cast<int>(odd)) / 2;
  // Powers of four are exact; the sum is short of them.
  const int64_t sum = x.mantissa == 0 && !odd
                          ? int64_t{1} << 41
                          : interpolate23(kReciprocalRoots, 64 * odd, x.mantissa);
  return truncate(layout, sum, -41 - half);
}

uint32_t root(uint32_t bits) {
  const Parts x = partsOf(kSingle, bits);
  if (x.isZero)
    return x.sign;
  if (x.isNaN || x.sign)
    return kNaN;
  if (x.isInfinite)
    return bits;
  const unsigned odd = x.exponent & 1;
  return truncate(kSingle, interpolate23(kRoots, 64 * odd, x.mantissa),
                  (x.exponent - static_cast<int>(odd)) / 2 - 40);
}

/// |x| in units of 2^-fraction, truncated, where x is below 2^limit.
uint64_t toFixed(const Parts &x, int fraction) {
  if (x.isZero)
    return 0;
  const uint64_t mantissa = x.mantissa | 1u << 23;
  const int shift = x.exponent - 23 + fraction;
  return shift >= 0 ? mantissa << shift : shift > -24 ? mantissa >> -shift : 0;
}

uint32_t exponential(uint32_t bits) {
  const Parts x = partsOf(kSingle, bits);
  if (x.isNaN)
    return kNaN;
  if (x.exponent >= 8)
    return x.sign ? 0 : infinityOf(kSingle);
  constexpr int64_t kFraction = (1 << 23) - 1;
  int64_t fixed = static_cast<int64_t>(toFixed(x, 23));
  // Negative numbers are complemented, whole ones negated.
  if (x.sign)
    fixed = fixed & kFraction ? ~fixed : -fixed;
  return truncate(kSingle, interpolate23(kExponentials, 0, fixed & kFraction),
                  static_cast<int>(fixed >> 23) - 40);
}

uint32_t logarithm(uint32_t bits) {
  const Parts x = partsOf(kSingle, bits);
  if (x.isZero)
    return 0x80000000 | infinityOf(kSingle);
  if (x.isNaN || x.sign)
    return kNaN;
  if (x.isInfinite)
    return bits;
  if (x.exponent == 0 && x.mantissa == 0)
    return 0;
  // 36 bits of fraction; the table is that of 1 to 2. Negative sums are complemented.
  const int64_t fraction = (interpolate23(kLogarithms, 0, x.mantissa) >> 4) - (int64_t{1} << 36);
  const int64_t sum = int64_t{x.exponent} * (int64_t{1} << 36) + fraction;
  return sum < 0 ? 0x80000000 | truncate(kSingle, ~sum, -36) : truncate(kSingle, sum, -36);
}

/// Of a number of turns.
uint32_t sine(uint32_t bits, bool cosine) {
  const Parts x = partsOf(kSingle, bits);
  if (x.isNaN || x.isInfinite)
    return kNaN;
  constexpr uint32_t kQuarter = 1 << 23;
  const uint32_t turn = x.exponent < 25 ? toFixed(x, 25) & (4 * kQuarter - 1) : 0;
  const unsigned quarter = turn / kQuarter;
  const bool falls = (quarter & 1) != unsigned{cosine};
  const uint32_t angle = (falls ? ~turn : turn) & (kQuarter - 1);
  const bool negative = cosine ? quarter == 1 || quarter == 2 : (quarter >= 2) != (x.sign != 0);
  return (negative ? 0x80000000 : 0) | truncate(kSingle, interpolate23(kSines, 0, angle), -41);
}

/// Small numbers are their own, subnormal ones included.
uint32_t hyperbolicTangent(uint32_t bits) {
  const Parts x = partsOf(kSingle, bits);
  if (x.isNaN)
    return kNaN;
  if (x.exponent < -8)
    return bits;
  if (x.exponent >= 3)
    return x.sign | 0x3f800000;
  // Segments by binade, from 2^-8 on: as many as two to this power.
  static constexpr unsigned kSplit[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};
  unsigned first = 0, binade = static_cast<unsigned>(x.exponent + 8);
  for (unsigned k = 0; k < binade; ++k)
    first += 1u << kSplit[k];
  const unsigned dropped = 6 - kSplit[binade];
  return x.sign | truncate(kSingle, interpolate23(kTanhs, first, x.mantissa >> dropped), -39);
}

double valueOf(SpecialFunction function, double x) {
  constexpr double kTurn = 6.283185307179586476925286766559;
  switch (function) {
  case SpecialFunction::Cosine:
    return std::cos(x * kTurn);
  case SpecialFunction::Sine:
    return std::sin(x * kTurn);
  case SpecialFunction::Exponential:
    return std::exp2(x);
  case SpecialFunction::Logarithm:
    return std::log2(x);
  case SpecialFunction::Reciprocal:
  case SpecialFunction::ReciprocalHigh:
    return 1.0 / x;
  case SpecialFunction::ReciprocalRoot:
  case SpecialFunction::ReciprocalRootHigh:
    return 1.0 / std::sqrt(x);
  case SpecialFunction::Root:
    return std::sqrt(x);
  case SpecialFunction::Tanh:
    break;
  }
  return std::tanh(x);
}

} // namespace

uint32_t approximate(SpecialFunction function, uint32_t bits) {
  switch (function) {
  case SpecialFunction::Cosine:
    return sine(bits, true);
  case SpecialFunction::Sine:
    return sine(bits, false);
  case SpecialFunction::Exponential:
    return exponential(bits);
  case SpecialFunction::Logarithm:
    return logarithm(bits);
  case SpecialFunction::Reciprocal:
    return reciprocal(kSingle, bits);
  case SpecialFunction::ReciprocalRoot:
    return reciprocalRoot(kSingle, bits);
  case SpecialFunction::ReciprocalHigh:
    return reciprocal(kHigh, bits);
  case SpecialFunction::ReciprocalRootHigh:
    return reciprocalRoot(kHigh, bits);
  case SpecialFunction::Root:
    return root(bits);
  case SpecialFunction::Tanh:
    break;
  }
  return hyperbolicTangent(bits);
}

uint32_t roundedOnce(SpecialFunction function, uint32_t bits) {
  if (function == SpecialFunction::ReciprocalHigh ||
      function == SpecialFunction::ReciprocalRootHigh) {
    const double x = bitsTo<double>(uint64_t{bits} << 32);
    return static_cast<uint32_t>(bitsTo<uint64_t>(valueOf(function, x)) >> 32);
  }
  // Subnormal numbers are zero, but for the tangent; the exponential makes no difference.
  const float x = bitsTo<float>(bits);
  const bool keeps = function == SpecialFunction::Tanh;
  auto result = static_cast<float>(valueOf(function, keeps ? x : emulator::flush(x)));
  if (!keeps)
    result = emulator::flush(result);
  return result != result ? kNaN : bitsTo<uint32_t>(result);
}

uint32_t truncateToHalf(uint32_t bits, bool bfloat) {
  const Parts x = partsOf(kSingle, bits);
  if (x.isNaN)
    return 0x7fff;
  if (bfloat)
    return bits >> 16;
  const uint32_t sign = x.sign >> 16;
  if (x.exponent > 15)
    return sign | 0x7c00;
  if (x.exponent >= -14)
    return sign | static_cast<uint32_t>(x.exponent + 15) << 10 | x.mantissa >> 13;
  return sign | static_cast<uint32_t>(toFixed(x, 24));
}

} // namespace tilesmith::sass
