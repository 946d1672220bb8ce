//===- TensorSum.h - how a tensor core sums the products of one instruction ------------------===//
//
// Read off an H100 and an H200 (2026-11-28, oracles/engines/cuda/README.md): all 786,432 sums of
// products near 2^-126 (mma.sync of bf16 and tf32, wgmma of bf16) agree with this bit for bit, and
// 174 of 178 kernels over f16, bf16, tf32, e4m3 and e5m2 did before subnormal sums were understood.
//
//  - All products of an instruction and what they are added to become integers: truncated towards
//    zero at `fraction` bits below the largest exponent among them. The exponent of a product is the
//    sum of its factors' exponents, whether or not their significands reach 2. That of a subnormal
//    f32 that they are added to is -126, as its bits say. Whether a subnormal factor is normalised,
//    as it is here, makes no difference to what was measured.
//  - The integers are added exactly. An f32 is truncated towards zero (beyond all numbers: infinity),
//    an f16 rounded to nearest; a number that rounds to zero loses its sign.
//  - 8-bit floats of wgmma keep 13 bits, in the sum as well; all others 25.
//
// Chips other than sm_90 have not been measured: there the sum is rounded once.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_TENSORSUM_H
#define ORACLES_DEVICES_SASS_TENSORSUM_H

namespace tilesmith::sass {

/// Of one call: the widest instruction, and the deepest.
inline constexpr unsigned kMaxSums = 256, kMaxProducts = 64;

struct SumRule {
  bool truncates = false; ///< false: exact products, one rounding
  int fraction = 25;      ///< bits below the largest exponent that take part
  int kept = 0;           ///< fraction bits of the sum; 0: those of the result
};

/// Adds to each of `columns` sums the products of one row of A with its column of B. `a` has k
/// elements, row i of B begins at `b + i * stride`. Whatever is not finite follows IEEE 754.
void addProducts(const SumRule &rule, const double *a, const double *b, unsigned stride, unsigned k,
                 unsigned columns, double *sums);

/// The sum as bits of an f32 or f16.
unsigned encodeSumAsF32(const SumRule &rule, double sum);
unsigned encodeSumAsF16(double sum);

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_TENSORSUM_H
