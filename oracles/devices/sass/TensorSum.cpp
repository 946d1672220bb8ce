//===- TensorSum.cpp - sums of tensor cores (see TensorSum.h) ---------------------------------===//
#include "oracles/devices/sass/TensorSum.h"

#include "oracles/devices/emulator/Numeric.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

namespace tilesmith::sass {
namespace {

/// Exponents of zero and of what is not finite: sums with other exponents stay below and above all.
constexpr int kOfZero = -16384, kNotFinite = 1 << 20;

int exponentOf(double x) {
  const int biased = static_cast<int>(emulator::bitsTo<uint64_t>(x) >> 52 & 0x7ff);
  return biased == 0 ? kOfZero : biased == 0x7ff ? kNotFinite : biased - 1023;
}

/// Of what is added to: a subnormal f32 is not normalised first.
int exponentOfSum(double x) {
  const int exponent = exponentOf(x);
  return exponent == kOfZero ? exponent : std::max(exponent, -126);
}

double powerOfTwo(int exponent) {
  return emulator::bitsTo<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

double truncated(double x, int fraction) {
  return emulator::bitsTo<double>(emulator::bitsTo<uint64_t>(x) & ~uint64_t{0} << (52 - fraction));
}

/// One rounding at the end, in the order of ascending k.
void addExactly(const double *a, const double *b, unsigned stride, unsigned k, unsigned columns,
                double *sums) {
  double products[kMaxSums] = {};
  for (unsigned i = 0; i < k; ++i)
    for (unsigned n = 0; n < columns; ++n)
      products[n] += a[i] * b[i * stride + n];
  for (unsigned n = 0; n < columns; ++n)
    sums[n] += products[n];
}

} // namespace

void addProducts(const SumRule &rule, const double *a, const double *b, unsigned stride, unsigned k,
                 unsigned columns, double *sums) {
  // Whole numbers of 25 bits and more products than 32 might leave 32 bits.
  assert(k <= (rule.truncates ? 32 : kMaxProducts) && columns <= kMaxSums);
  if (!rule.truncates) {
    addExactly(a, b, stride, k, columns, sums);
    return;
  }
  int largest[kMaxSums], ofA[kMaxProducts];
  double scale[kMaxSums], whole[kMaxSums];
  for (unsigned i = 0; i < k; ++i)
    ofA[i] = exponentOf(a[i]);
  for (unsigned n = 0; n < columns; ++n)
    largest[n] = exponentOfSum(sums[n]);
  for (unsigned i = 0; i < k; ++i)
    for (unsigned n = 0; n < columns; ++n)
      largest[n] = std::max(largest[n], ofA[i] + exponentOf(b[i * stride + n]));
  bool allUsual = true;
  for (unsigned n = 0; n < columns; ++n) {
    const bool usual = largest[n] > -1000 && largest[n] < 1000; // else all zero, or not finite
    allUsual &= usual;
    scale[n] = usual ? powerOfTwo(rule.fraction - largest[n]) : 0;
    whole[n] = static_cast<int32_t>(usual ? sums[n] * scale[n] : 0);
  }
  // Below 2^(fraction + 2), so that they fit into 32 bits.
  for (unsigned i = 0; i < k; ++i)
    for (unsigned n = 0; n < columns; ++n)
      whole[n] += static_cast<int32_t>(scale[n] == 0 ? 0 : a[i] * b[i * stride + n] * scale[n]);
  if (!allUsual) {
    double exact[kMaxSums];
    std::copy_n(sums, columns, exact);
    addExactly(a, b, stride, k, columns, exact);
    for (unsigned n = 0; n < columns; ++n)
      sums[n] = scale[n] == 0 ? exact[n] : whole[n] / scale[n];
    return;
  }
  for (unsigned n = 0; n < columns; ++n)
    sums[n] = whole[n] / scale[n];
}

unsigned encodeSumAsF32(const SumRule &rule, double sum) {
  if (!rule.truncates || !(std::fabs(sum) < 0x1p128)) // truncation ends at infinity, too
    return emulator::encode(sum, emulator::kF32);
  return emulator::encode(rule.kept ? truncated(sum, rule.kept) : sum, emulator::kF32,
                          emulator::Round::Zero);
}

unsigned encodeSumAsF16(double sum) {
  const unsigned bits = emulator::encode(sum, emulator::kF16);
  return bits == 0x8000 && sum != 0 ? 0 : bits;
}

} // namespace tilesmith::sass
