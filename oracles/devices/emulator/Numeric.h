// Exact rounding between binary floating-point formats, for device operations with a rounding mode.
//
// Everything goes through double: products of two f32 (or narrower) values are exact there, sums,
// quotients and roots are brought to double with round-to-odd, so the final rounding to 24 bits or
// fewer is the only one that shows.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace tilesmith::emulator {

enum class Round { Nearest, Zero, Down, Up, NearestAway };

/// A binary format of at most 32 bits. `max` is the largest finite magnitude's encoding.
struct Format {
  int exponentBits, mantissaBits;
  bool hasInfinity;
  uint32_t maxFinite, nan;

  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr int width() const { return 1 + exponentBits + mantissaBits; }
};
/// tanh with the error that `tanh.approx.f32` may have: twelve significant bits (HostMath.cpp).
float approximateTanh(float x);

constexpr Format kF32{8, 23, true, 0x7f7fffff, 0x7fffffff};
constexpr Format kTF32{8, 10, true, 0x3fbff, 0x3ffff};
constexpr Format kF16{5, 10, true, 0x7bff, 0x7fff};
constexpr Format kBF16{8, 7, true, 0x7f7f, 0x7fff};
constexpr Format kE5M2{5, 2, true, 0x7b, 0x7f};
constexpr Format kE4M3{4, 3, false, 0x7e, 0x7f};
constexpr Format kE3M2{3, 2, false, 0x1f, 0x1f};
constexpr Format kE2M3{2, 3, false, 0x1f, 0x1f};
constexpr Format kE2M1{2, 1, false, 0x7, 0x7};

template <typename To, typename From> To bitsTo(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof(To));
  return result;
}

/// Rounds a double (exact or rounded to odd) to the format. Overflow gives infinity or the largest
/// finite value as the rounding mode says; `saturate` (and formats without infinity) always give
/// the largest finite value.
uint32_t encode(double value, const Format &format, Round round = Round::Nearest,
                bool saturate = false);
/// The exact value.
inline double decode(uint32_t bits, const Format &format) {
  const int field = (bits >> format.mantissaBits) & ((1 << format.exponentBits) - 1);
  const uint64_t mantissa = bits & ((1u << format.mantissaBits) - 1);
  const uint32_t signBit = 1u << (format.exponentBits + format.mantissaBits);
  const uint32_t magnitude = bits & (signBit - 1);
  double result;
  if (format.hasInfinity && field == (1 << format.exponentBits) - 1)
    result = mantissa ? std::nan("") : HUGE_VAL;
  else if (!format.hasInfinity && format.nan != format.maxFinite && magnitude == format.nan)
    result = std::nan("");
  else if (field == 0)
    result =
        static_cast<double>(mantissa) *
        bitsTo<double>(static_cast<uint64_t>(1024 - format.bias() - format.mantissaBits) << 52);
  else
    result = bitsTo<double>(static_cast<uint64_t>(field - format.bias() + 1023) << 52 |
                            mantissa << (52 - format.mantissaBits));
  return bits & signBit ? -result : result;
}

inline float roundToFloat(double value, Round round) {
  return round == Round::Nearest ? static_cast<float>(value)
                                 : bitsTo<float>(encode(value, kF32, round));
}

/// Sum, quotient and square root rounded to odd: the double whose last bit is sticky.
double addToOdd(double a, double b);
double divToOdd(double a, double b);
double sqrtToOdd(double a);

inline float flush(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}
inline float saturate01(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

} // namespace tilesmith::emulator
