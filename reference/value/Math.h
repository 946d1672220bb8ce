//===- Math.h - correctly rounded transcendental functions ------------------------------------===//
//
// The value of each function in the element format, rounded to nearest even from the exact real
// result (MPFR), with the special cases of IEEE 754 and C99. Bounds around these values are the
// business of the comparison, not of this file.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_VALUE_MATH_H
#define REFERENCE_VALUE_MATH_H

#include "reference/value/ElementType.h"

namespace tilesmith::reference {

enum class UnaryFunction { Exp, Exp2, Log, Log2, Sin, Cos, Tan, Sinh, Cosh, Tanh, Rsqrt };

/// f(x) for a pattern of f16, bf16, f32 or f64. What a wider function of the host decides beyond
/// any doubt about its last bits is taken from it, all else from the form InMpfr, which does
/// without; pow and atan2 likewise.
uint64_t apply(UnaryFunction function, ElementType type, uint64_t x);
uint64_t applyInMpfr(UnaryFunction function, ElementType type, uint64_t x);
/// x to the power y.
uint64_t pow(ElementType type, uint64_t x, uint64_t y);
uint64_t powInMpfr(ElementType type, uint64_t x, uint64_t y);
/// The angle whose tangent is y / x in the quadrant of (x, y): C's atan2(y, x).
uint64_t atan2(ElementType type, uint64_t y, uint64_t x);
uint64_t atan2InMpfr(ElementType type, uint64_t y, uint64_t x);
/// |k| factors of x in f32, in f64 for f64: what a negative power k is the reciprocal of.
double powerBeforeReciprocal(ElementType type, uint64_t x, int64_t exponent);
/// x to an integer power; 1 for exponent 0; a zero where powerBeforeReciprocal is infinite.
uint64_t powi(ElementType type, uint64_t x, int64_t exponent);

} // namespace tilesmith::reference

#endif // REFERENCE_VALUE_MATH_H
