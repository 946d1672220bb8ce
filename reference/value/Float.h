//===- Float.h - exact conversion between bit patterns and float64, and IEEE arithmetic -------===//
//
// Every format of the language up to 32 bits embeds exactly into float64, and so does every product
// of two such values. Arithmetic on them is therefore done in float64 and, where float64 itself
// rounds, the result is rounded to odd ("sticky"), after which one rounding to the target gives the
// correctly rounded result in every mode (53 >= 24 + 2). float32 and float64 with rounding to
// nearest use the machine's own operations, which are IEEE-identical; float64 in directed modes
// goes through APFloat and MPFR.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_VALUE_FLOAT_H
#define REFERENCE_VALUE_FLOAT_H

#include <bit>
#include <cstdint>

#include "reference/value/ElementType.h"

namespace tilesmith::reference {

enum class Rounding : uint8_t { NearestEven, Zero, Down, Up, NearestAway };

/// What happens to finite values beyond the largest finite one.
enum class Overflow : uint8_t {
  Infinity, ///< IEEE: infinity or the largest finite value, by rounding mode
  Saturate, ///< the largest finite value, for infinities as well
};

/// The value of a pattern; NaN patterns give a quiet NaN. Exact.
double decode(ElementType type, uint64_t bits);
/// f16, bf16, f32, f64 fast paths.
double decodeF16(uint16_t bits);
inline double decodeBF16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

/// f16 and bf16 by operations of the machine on float64, without branches. One operation + - * / of
/// float64 and narrow16 give what IEEE asks of the narrow type: float64 has more than 2 * 11 + 2
/// bits, so no result that float64 rounds lies on a boundary of the narrow type, subnormal or not.
template <ElementType type> double widen16(uint64_t bits);
template <ElementType type> uint64_t narrow16(double value);

/// `value` rounded once to `type`. NaN becomes nanPattern (0 where the format has none). Formats
/// without infinity saturate whatever `overflow` says. For the power-of-two format the magnitude is
/// rounded to a power of two.
uint64_t encode(ElementType type, double value, Rounding rounding = Rounding::NearestEven,
                Overflow overflow = Overflow::Infinity);

bool isNaN(ElementType type, uint64_t bits);
/// NaN test of f16, bf16, f32, f64 without decoding.
inline bool isIeeeNaN(ElementType type, uint64_t bits) {
  switch (type) {
  case ElementType::F16:
    return (bits & 0x7fff) > 0x7c00;
  case ElementType::BF16:
    return (bits & 0x7fff) > 0x7f80;
  case ElementType::F32:
    return (bits & 0x7fffffff) > 0x7f800000;
  default:
    return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
  }
}

/// A float64 rounded to odd from the exact value, and whether anything was lost.
struct Sticky {
  double value;
  bool inexact;
};

/// An unsigned 128-bit magnitude as float64, rounded to odd.
Sticky integerToSticky(unsigned __int128 magnitude, bool negative);

/// IEEE operations on patterns of f16, bf16, f32, f64: one rounding. `flush` (f32 only) replaces
/// subnormal operands and results by zeros of their sign; `nearFlushBoundary`, if given, is set
/// when the exact result is below the smallest normal number but rounds up to it, where flushing is
/// undecided.
uint64_t add(ElementType type, uint64_t a, uint64_t b, Rounding rounding, bool flush,
             bool *nearFlushBoundary = nullptr);
uint64_t sub(ElementType type, uint64_t a, uint64_t b, Rounding rounding, bool flush,
             bool *nearFlushBoundary = nullptr);
uint64_t mul(ElementType type, uint64_t a, uint64_t b, Rounding rounding, bool flush,
             bool *nearFlushBoundary = nullptr);
uint64_t div(ElementType type, uint64_t a, uint64_t b, Rounding rounding, bool flush,
             bool *nearFlushBoundary = nullptr);
uint64_t fma(ElementType type, uint64_t a, uint64_t b, uint64_t c, Rounding rounding, bool flush,
             bool *nearFlushBoundary = nullptr);
uint64_t sqrt(ElementType type, uint64_t a, Rounding rounding, bool flush);
/// x - trunc(x / y) * y, exact.
uint64_t remainder(ElementType type, uint64_t x, uint64_t y);
uint64_t floor(ElementType type, uint64_t a);
uint64_t ceil(ElementType type, uint64_t a);
/// maximumNumber / minimumNumber, or the NaN-propagating forms; +0 is larger than -0.
uint64_t maximum(ElementType type, uint64_t a, uint64_t b, bool propagateNaN, bool flush);
uint64_t minimum(ElementType type, uint64_t a, uint64_t b, bool propagateNaN, bool flush);

/// f32: zero of the same sign for a subnormal, else unchanged.
uint64_t flushSubnormal(uint64_t f32Bits);

/// acc + a * b with one rounding to nearest, for matrix products: a and b decoded, acc in f32.
float fmaToFloat(double a, double b, float acc);

// --- implementation ---

template <ElementType type> double widen16(uint64_t bits) {
  if constexpr (type == ElementType::BF16)
    return decodeBF16(static_cast<uint16_t>(bits));
  uint64_t magnitude = bits & 0x7fff;
  double small = static_cast<double>(static_cast<int32_t>(magnitude)) * 0x1p-24;
  uint64_t normal = (magnitude << 42) + (uint64_t(1023 - 15) << 52);
  uint64_t wide = magnitude >= 0x7c00  ? uint64_t(0x7ff) << 52 | (magnitude & 0x3ff) << 42
                  : magnitude < 0x0400 ? std::bit_cast<uint64_t>(small)
                                       : normal;
  return std::bit_cast<double>(wide | (bits & 0x8000) << 48);
}

template <ElementType type> uint64_t narrow16(double value) {
  constexpr bool isHalf = type == ElementType::F16;
  constexpr int drop = isHalf ? 42 : 45, bias = isHalf ? 15 : 127;
  constexpr uint64_t infinity = isHalf ? 0x7c00 : 0x7f80, nan = isHalf ? 0x7e00 : 0x7fc0;
  constexpr double smallestNormal = isHalf ? 0x1p-14 : 0x1p-126;
  constexpr double magic = isHalf ? 0x1p28 : 0x1p-81; // its last place is the smallest subnormal
  uint64_t bits = std::bit_cast<uint64_t>(value), magnitude = bits & ~(uint64_t(1) << 63);
  double absolute = std::bit_cast<double>(magnitude);
  uint64_t small = std::bit_cast<uint64_t>(absolute + magic) - std::bit_cast<uint64_t>(magic);
  uint64_t rounded = magnitude + (magnitude >> drop & 1) + ((uint64_t(1) << (drop - 1)) - 1);
  uint64_t normal = (rounded >> drop) - (uint64_t(1023 - bias) << (52 - drop));
  normal = normal < infinity ? normal : infinity;
  uint64_t result = absolute < smallestNormal ? small : normal;
  return value != value ? nan : result | (bits >> 48 & 0x8000);
}

} // namespace tilesmith::reference

#endif // REFERENCE_VALUE_FLOAT_H
