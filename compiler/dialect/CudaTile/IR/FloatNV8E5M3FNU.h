//===- FloatNV8E5M3FNU.h - values of fnv8E5M3FNU ----------------------------------------------===//
//
// An unsigned 8-bit format: code = exponent * 8 + mantissa, bias 15, subnormals, no infinity, 0xff
// is NaN. Its value is (8 + mantissa) * 2^(exponent - 18), or mantissa * 2^-17 for exponent 0.
// APFloat has no such format, so values are doubles, which hold all of them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_COMPILER_DIALECT_CUDATILE_IR_FLOATNV8E5M3FNU_H
#define TILESMITH_COMPILER_DIALECT_CUDATILE_IR_FLOATNV8E5M3FNU_H

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace tilesmith::cuda_tile {

inline double decodeFloatNV8E5M3FNU(uint8_t code) {
  if (code == 0xff)
    return std::numeric_limits<double>::quiet_NaN();
  int exponent = code >> 3, mantissa = code & 7;
  return exponent == 0 ? std::ldexp(mantissa, -17) : std::ldexp(8 + mantissa, exponent - 18);
}

/// The nearest code, ties to even; nothing for values that have none (negative, too large,
/// infinite).
inline std::optional<uint8_t> encodeFloatNV8E5M3FNU(double value) {
  if (std::isnan(value))
    return 0xff;
  if (std::signbit(value) && value != 0)
    return std::nullopt;
  // Codes rise with their values: find the neighbours by bisection.
  int below = 0, above = 0xff;
  while (above - below > 1) {
    int middle = (below + above) / 2;
    (decodeFloatNV8E5M3FNU(middle) <= value ? below : above) = middle;
  }
  double low = decodeFloatNV8E5M3FNU(below);
  // One step past the largest value would be code 0xff.
  double high = above == 0xff ? std::ldexp(15, 13) : decodeFloatNV8E5M3FNU(above);
  bool up = value - low > high - value || (value - low == high - value && (above & 1) == 0);
  int code = up ? above : below;
  return code == 0xff ? std::nullopt : std::optional<uint8_t>(code);
}

} // namespace tilesmith::cuda_tile

#endif // TILESMITH_COMPILER_DIALECT_CUDATILE_IR_FLOATNV8E5M3FNU_H
