//===- TensorSumTest.cpp - sums of tensor cores against an H100 -------------------------------===//
//
// One row of A, one column of B and what an H100 made of them (2026-11-28): the element of a kernel
// whose sum was furthest from the exact one.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/TensorSum.h"

#include "oracles/devices/emulator/Numeric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr SumRule kWide{.truncates = true}, kBytes{.truncates = true, .fraction = 13, .kept = 13};

struct Measured {
  emulator::Format format;
  int fraction;
  std::vector<uint32_t> a, b;
  uint32_t sum;
};

const Measured kMeasured[] = {
    {emulator::kF16,
     25,
     {0xa2d4, 0xb37a, 0xce68, 0xb6bf, 0xb2a4, 0xcb75, 0xd7d, 0x419c, 0xcdc4, 0x2567, 0xc7ae, 0xb571,
      0xa988, 0x94ed, 0x4657, 0x4145},
     {0x2c3c, 0x36c7, 0x3e64, 0xd205, 0x41d4, 0x4231, 0x4b8b, 0xc95f, 0x2747, 0x1965, 0xca78,
      0x3b83, 0x369d, 0xa12b, 0xa73a, 0xb481},
     0xbe434540},
    {emulator::kBF16,
     25,
     {0xbba4, 0xc024, 0xbda3, 0x4212, 0x3c23, 0xc0df, 0xbf00, 0xc0e9, 0xbd0e, 0xbe89, 0xbc1b,
      0xbff2, 0x3b97, 0xc1eb, 0x3b15, 0x41e8},
     {0x3d07, 0xbe67, 0x3f68, 0x410b, 0xc0ae, 0x425d, 0x418a, 0x3f67, 0x3c65, 0x3f2b, 0x3ff4,
      0x418e, 0x4014, 0xc08d, 0xc183, 0x3e6c},
     0x419d4aec},
    {emulator::kF32,
     25,
     {0xc24d2000, 0x3c12c000, 0xbcba6000, 0x4034c000, 0x40278000, 0xbc28e000, 0x3f6d8000,
      0xbea08000},
     {0xbcf08000, 0x3d5a0000, 0x404ae000, 0xc19a6000, 0xbf00e000, 0xc2072000, 0x425fa000,
      0xc021a000},
     0xbfb029b8},
    {emulator::kE4M3,
     13,
     {0x32, 0x84, 0x9d, 0x2d, 0x9d, 0x4f, 0x30, 0xa8, 0x20, 0x40, 0x61,
      0x3c, 0x1d, 0xd2, 0xb1, 0x63, 0x5d, 0xb1, 0x63, 0xda, 0x97, 0xab,
      0x44, 0x55, 0xcd, 0x83, 0x1b, 0xc7, 0x94, 0x4d, 0xb2, 0x5},
     {0xa4, 0xb,  0x24, 0x2f, 0xe,  0x22, 0x26, 0x4,  0xa1, 0x92, 0x3c,
      0x5,  0xb1, 0x47, 0x54, 0x2,  0x48, 0x2f, 0x41, 0x30, 0x97, 0x28,
      0x5f, 0xe6, 0xc9, 0x45, 0x1c, 0xe5, 0xc0, 0x5f, 0xdb, 0x29},
     0xbf880000},
    {emulator::kE5M2,
     13,
     {0xb4, 0x20, 0x27, 0x4d, 0xab, 0x3b, 0xb4, 0x2c, 0xca, 0x34, 0x3b,
      0x2d, 0x9c, 0xa2, 0xc0, 0xb5, 0x35, 0x9f, 0xbd, 0x4f, 0xa6, 0x44,
      0x32, 0xbe, 0xae, 0xcf, 0x4c, 0xbd, 0xb2, 0x3e, 0x1b, 0x21},
     {0x2b, 0x23, 0x22, 0x2c, 0xbe, 0x3f, 0x24, 0xa4, 0x40, 0x37, 0x42,
      0xd0, 0xae, 0x2b, 0xbb, 0x2f, 0xaf, 0x2e, 0x1e, 0x3d, 0x16, 0xc0,
      0x25, 0x9e, 0xc4, 0x36, 0x31, 0x23, 0x1a, 0xb4, 0x2b, 0x2a},
     0xbe7e0000},
};

double sumOf(const SumRule &rule, const std::vector<double> &a, const std::vector<double> &b,
             double sum = 0) {
  addProducts(rule, a.data(), b.data(), 1, a.size(), 1, &sum);
  return sum;
}

TEST(TensorSum, IsWhatAnH100Makes) {
  for (const Measured &m : kMeasured) {
    std::vector<double> a, b;
    for (uint32_t bits : m.a)
      a.push_back(emulator::decode(bits, m.format));
    for (uint32_t bits : m.b)
      b.push_back(emulator::decode(bits, m.format));
    const SumRule &rule = m.fraction == 13 ? kBytes : kWide;
    EXPECT_EQ(encodeSumAsF32(rule, sumOf(rule, a, b)), m.sum);
    // One rounding gives another number, so that the rule shows.
    EXPECT_NE(encodeSumAsF32({}, sumOf({}, a, b)), m.sum);
  }
}

TEST(TensorSum, TruncatesBelowTheLargestExponent) {
  EXPECT_EQ(sumOf(kWide, {1, 1}, {1, 0x1p-25}), 1 + 0x1p-25);
  EXPECT_EQ(sumOf(kWide, {1, 1}, {1, 0x1p-26}), 1);
  EXPECT_EQ(sumOf(kWide, {1, 1}, {1, -0x1p-26}), 1);
  // The exponent of 1.5 * 1.5 is 0, not that of 2.25; the sum to begin with counts as well.
  EXPECT_EQ(sumOf(kWide, {1.5, 1}, {1.5, 0x1p-25}), 2.25 + 0x1p-25);
  EXPECT_EQ(sumOf(kWide, {1}, {0x1p-24}, 4), 4);
  EXPECT_EQ(sumOf(kBytes, {1, 1}, {1, 0x1p-14}), 1);
}

TEST(TensorSum, ResultsAreTruncatedToF32AndRoundedToF16) {
  EXPECT_EQ(encodeSumAsF32(kWide, 1 + 0x1.8p-24), 0x3f800000u);
  EXPECT_EQ(encodeSumAsF32(kWide, 0x1p128), 0x7f800000u); // beyond all numbers: infinity
  EXPECT_EQ(encodeSumAsF32(kWide, -0x1p128), 0xff800000u);
  EXPECT_EQ(encodeSumAsF32(kBytes, 1 + 0x1p-13 + 0x1p-14), 0x3f800400u);
  EXPECT_EQ(encodeSumAsF16(1 + 0x1.8p-11), 0x3c01u);
  EXPECT_EQ(encodeSumAsF16(-0x1p-30), 0u); // no negative zero from a number
  EXPECT_EQ(encodeSumAsF16(-0.0), 0x8000u);
}

TEST(TensorSum, WhatIsNotFiniteFollowsIEEE) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sumOf(kWide, {1, 1}, {inf, 1}), inf);
  EXPECT_TRUE(std::isnan(sumOf(kWide, {0, 1}, {inf, 1})));
  EXPECT_TRUE(std::isnan(sumOf(kWide, {1, 1}, {inf, -inf})));
}

} // namespace
