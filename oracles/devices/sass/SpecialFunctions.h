//===- SpecialFunctions.h - the functions of the special function unit ------------------------===//
//
// As an H200 computes them, bit for bit: a table by the leading bits of the argument, and in each
// segment c0 + c1 x + c2 x^2 in fixed point, truncated (after Oberman and Siu, "A high-performance
// area-efficient multifunction interpolator", 2005). Coefficients and truncations were fitted to
// measured results (2026-11-28), with which all agree; README.md says how many.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_SPECIALFUNCTIONS_H
#define ORACLES_DEVICES_SASS_SPECIALFUNCTIONS_H

#include <cstdint>

namespace tilesmith::sass {

/// In the numbers of MUFU. Sines and cosines take turns; the two of doubles, high words.
enum class SpecialFunction : uint8_t {
  Cosine,
  Sine,
  Exponential,
  Logarithm,
  Reciprocal,
  ReciprocalRoot,
  ReciprocalHigh,
  ReciprocalRootHigh,
  Root,
  Tanh
};

/// The result of an H200 for the bits of an f32, or for the high word of a double.
uint32_t approximate(SpecialFunction function, uint32_t bits);

/// The value rounded once, for chips that have not been measured.
uint32_t roundedOnce(SpecialFunction function, uint32_t bits);

/// An f32 truncated to f16 or bf16, as results of 16 bits are made of those of 32.
uint32_t truncateToHalf(uint32_t bits, bool bfloat);

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_SPECIALFUNCTIONS_H
