// Implements Numeric.h.
#include "oracles/devices/emulator/Numeric.h"

namespace tilesmith::emulator {

uint32_t encode(double value, const Format &format, Round round, bool saturate) {
  const uint32_t signBit = 1u << (format.exponentBits + format.mantissaBits);
  const uint32_t sign = std::signbit(value) ? signBit : 0;
  if (std::isnan(value))
    return saturate && !format.hasInfinity && format.nan == format.maxFinite ? format.maxFinite
                                                                             : format.nan;
  const bool negative = sign != 0;
  const bool finiteOverflow = saturate || !format.hasInfinity;
  const uint32_t infinity = ((1u << format.exponentBits) - 1) << format.mantissaBits;
  if (std::isinf(value))
    return sign | (finiteOverflow ? format.maxFinite : infinity);
  if (value == 0)
    return sign;

  // value = mantissa * 2^(exponent - 53); a subnormal double is far below every format's smallest
  // value and need not be normalised.
  const uint64_t raw = bitsTo<uint64_t>(value) & ~(uint64_t{1} << 63);
  const int field = static_cast<int>(raw >> 52);
  const uint64_t mantissa = (raw & ((uint64_t{1} << 52) - 1)) | static_cast<uint64_t>(field != 0)
                                                                    << 52;
  const int exponent = (field ? field : 1) - 1022;
  const int top = exponent - 1; // |value| in [2^top, 2^(top+1))
  const int minimum = 1 - format.bias();
  const int scale = top > minimum ? top : minimum;
  const int shift = (scale - format.mantissaBits) - (exponent - 53);

  uint64_t kept;
  bool up = false;
  if (shift <= 0) {
    kept = mantissa << -shift;
  } else {
    const bool tiny = shift > 54; // far below half of the smallest value
    kept = tiny ? 0 : mantissa >> shift;
    const uint64_t rest = tiny ? 1 : mantissa & ((uint64_t{1} << shift) - 1);
    const uint64_t half = tiny ? 2 : uint64_t{1} << (shift - 1);
    switch (round) {
    case Round::Nearest:
      up = rest > half || (rest == half && (kept & 1));
      break;
    case Round::NearestAway:
      up = rest >= half;
      break;
    case Round::Zero:
      break;
    case Round::Down:
      up = negative && rest != 0;
      break;
    case Round::Up:
      up = !negative && rest != 0;
      break;
    }
  }
  kept += up;
  // The implicit bit carries into the exponent field by itself.
  const uint64_t bits =
      (static_cast<uint64_t>(scale + format.bias() - 1) << format.mantissaBits) + kept;
  if (bits <= format.maxFinite)
    return sign | static_cast<uint32_t>(bits);
  const bool towardsFinite = round == Round::Zero || (round == Round::Down && !negative) ||
                             (round == Round::Up && negative);
  return sign | (finiteOverflow || towardsFinite ? format.maxFinite : infinity);
}

// Moves an inexact result to the neighbour with an odd last bit, on the side of the error's sign.
static double makeOdd(double rounded, double error) {
  if (error == 0 || std::isnan(error) || std::isinf(rounded))
    return rounded;
  auto bits = bitsTo<uint64_t>(rounded);
  if (bits & 1)
    return rounded;
  const bool outward = (error > 0) == (rounded > 0);
  if (rounded == 0)
    return rounded;
  return bitsTo<double>(outward ? bits + 1 : bits - 1);
}

double addToOdd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  const double bPart = sum - a, aPart = sum - bPart;
  return makeOdd(sum, (a - aPart) + (b - bPart));
}

double divToOdd(double a, double b) {
  const double quotient = a / b;
  if (!std::isfinite(quotient) || quotient == 0 || std::isinf(b))
    return quotient;
  const double remainder =
      std::fma(-quotient, b, a); // a - q*b; its sign relative to b is the error's sign
  return makeOdd(quotient, b > 0 ? remainder : -remainder);
}

double sqrtToOdd(double a) {
  const double root = std::sqrt(a);
  if (!std::isfinite(root) || root == 0)
    return root;
  return makeOdd(root, std::fma(-root, root, a));
}

} // namespace tilesmith::emulator
