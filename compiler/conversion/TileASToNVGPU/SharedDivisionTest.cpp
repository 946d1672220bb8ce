//===- SharedDivisionTest.cpp - the short division by a shared reciprocal rounds correctly ----===//
//
// The sequence of SharedDivision.cpp, typed in again, beside the division of the host.
//
// With u the distance of numbers near the quotient: x r is within 2 u of x / s, so that the error of
// the last sum, before it is rounded, is at most 4 u / 2^24. A sum that is that near to the quotient
// rounds otherwise only if the middle of two numbers lies between them. In units of the last places
// of middle and divisor, numerator and middle times divisor are whole numbers apart, and one such
// step is more than u / 2^25: what can go wrong is 8 steps from the middle at most. They are
// enumerated, for all mantissas of the divisor.
//
//===------------------------------------------------------------------------------------------===//
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>

namespace {

float shortly(float x, float s, float r) {
  float q = x * r;
  float error = std::fma(q, s, -x);
  return std::fma(-error, r, q);
}

bool isTameDivisor(float s) {
  return s >= 0x1p-60f && s < 0x1p24f;
}
bool isTame(float x) {
  return std::isnan(x) || x == 0 || (std::fabs(x) >= 0x1p-100f && std::fabs(x) < 0x1p60f);
}

bool agree(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

void expectQuotient(float x, float s) {
  EXPECT_TRUE(agree(shortly(x, s, 1 / s), x / s)) << std::hexfloat << x << " / " << s;
}

TEST(SharedDivision, NoQuotientNearTheMiddleOfTwoNumbersGoesWrong) {
  constexpr int kSteps = 9;
  uint64_t cases = 0, wrong = 0;
  for (uint32_t divisor = 1u << 23; divisor < 1u << 24; ++divisor) {
    const int zeros = std::countr_zero(divisor);
    if (1 << zeros > kSteps)
      continue; // with an odd middle, the steps are a multiple of these powers of two
    const uint32_t odd = divisor >> zeros;
    uint32_t inverse = odd;
    for (int i = 0; i < 5; ++i)
      inverse *= 2 - odd * inverse;
    const float s = static_cast<float>(divisor), r = 1 / s;
    // numerator 2^shift - middle divisor = steps, for a middle of 25 bits.
    for (int shift : {24, 25})
      for (int step = -(kSteps >> zeros); step <= kSteps >> zeros; ++step) {
        if (step % 2 == 0)
          continue;
        const int known = shift - zeros;
        uint64_t middle = (static_cast<uint32_t>(-step) * inverse) & ((uint32_t(1) << known) - 1);
        for (; middle < 1u << 25; middle += uint64_t(1) << known) {
          const uint64_t scaled = middle * divisor + (static_cast<int64_t>(step) << zeros);
          const uint64_t numerator = scaled >> shift;
          if (middle < 1u << 24 || numerator < 1u << 23 || numerator >= 1u << 24)
            continue;
          const float x = static_cast<float>(numerator);
          ++cases;
          wrong += shortly(x, s, r) != x / s;
        }
      }
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(cases, 10'000'000u);
}

TEST(SharedDivision, IsExactAtTheEndsOfWhatTheTestLetsPass) {
  std::mt19937 random(26112);
  auto mantissa = [&] { return 1 + static_cast<float>(random() >> 9) * 0x1p-23f; };
  const int from = -60, to = 23, first = -100, last = 59;
  for (int i = 0; i < 200'000; ++i) {
    const int scales[] = {from, to, static_cast<int>(random() % 84) - 60};
    const int sizes[] = {first, last, static_cast<int>(random() % 160) - 100};
    for (int scale : scales)
      for (int size : sizes) {
        const float s = std::ldexp(mantissa(), scale);
        const float x = std::ldexp(i & 1 ? mantissa() : -mantissa(), size);
        ASSERT_TRUE(isTame(x) && isTameDivisor(s));
        expectQuotient(x, s);
        expectQuotient(std::ldexp(s > 1 ? 1.0f : -1.0f, size), s);
        expectQuotient(std::ldexp(1.0f, size), std::ldexp(2 - 0x1p-23f, scale));
        expectQuotient(std::ldexp(2 - 0x1p-23f, size), std::ldexp(1.0f, scale));
      }
  }
}

TEST(SharedDivision, KeepsZerosAndNaN) {
  for (float s : {0x1p-60f, 1.0f, 3.0f, std::nextafter(0x1p24f, 0.0f)})
    for (float x : {0.0f, -0.0f, std::nanf("")}) {
      ASSERT_TRUE(isTame(x) && isTameDivisor(s));
      expectQuotient(x, s);
    }
}

TEST(SharedDivision, WouldGoWrongBesideTheTest) {
  EXPECT_FALSE(agree(shortly(INFINITY, 3, 1.0f / 3), INFINITY));  // infinite
  EXPECT_FALSE(agree(shortly(0.0f, -3, -1.0f / 3), 0.0f / -3));   // a zero and a negative divisor
  EXPECT_FALSE(agree(shortly(1, 0x1p-149f, INFINITY), INFINITY)); // no reciprocal
  int wrong = 0;
  for (uint32_t bits = 1; bits < 100'000; bits += 7) { // subnormal
    const float x = std::bit_cast<float>(bits), s = 0x1.5bf0a8p+1f;
    wrong += !agree(shortly(x, s, 1 / s), x / s);
  }
  EXPECT_GT(wrong, 0);
}

/// The sum that tells zeros and ordinary numbers from what lies between rounds toward zero.
TEST(SharedDivision, SmallNumbersAreTold) {
  auto passes = [](float x) {
    const float c = 0x1p-101f;
    std::fesetround(FE_TOWARDZERO);
    volatile float magnitude = std::fabs(x), sum = magnitude - c;
    std::fesetround(FE_TONEAREST);
    return std::fabs(sum) >= c;
  };
  for (float x : {0.0f, -0.0f, 0x1p-100f, -0x1p-100f, 1.0f, INFINITY})
    EXPECT_TRUE(passes(x)) << x;
  for (float x : {0x1p-149f, -0x1p-149f, 0x1p-126f, 0x1p-101f, std::nextafter(0x1p-100f, 0.0f)})
    EXPECT_FALSE(passes(x)) << x;
}

/// The bits less one tell the same of numbers that are not negative: all upper halves, ends of lower ones.
TEST(SharedDivision, SmallPartsAreTold) {
  const uint32_t from = std::bit_cast<uint32_t>(0x1p-100f);
  int passed = 0;
  for (uint32_t upper = 0; upper < 1 << 15; ++upper)
    for (uint32_t lower : {0u, 1u, 0xffffu}) {
      const uint32_t bits = upper << 16 | lower;
      const float x = std::bit_cast<float>(bits);
      const bool passes = bits - 1 >= from - 1;
      EXPECT_EQ(passes, std::isnan(x) || x == 0 || x >= 0x1p-100f) << std::hexfloat << x;
      passed += passes;
    }
  EXPECT_GT(passed, 10'000);
  EXPECT_LT(passed, 90'000);
}

/// The quotient by a reciprocal is at most one below; all divisors of 16 bits, ends and random numbers of 32.
TEST(SharedDivision, IntegersNeedOneStepAtMost) {
  std::mt19937 random(4711);
  auto check = [](uint32_t n, uint32_t d) {
    const uint32_t m = UINT32_MAX / d;
    uint32_t q = static_cast<uint32_t>((uint64_t(n) * m) >> 32), rest = n - q * d;
    if (rest >= d)
      ++q, rest -= d;
    EXPECT_TRUE(q == n / d && rest == n % d) << n << " / " << d;
  };
  for (uint32_t d = 1; d < 1 << 16; ++d)
    for (uint32_t n : {0u, 1u, d - 1, d, d + 1, UINT32_MAX, UINT32_MAX / d * d,
                       UINT32_MAX / d * d - 1, static_cast<uint32_t>(random())}) {
      check(n, d);
      check(n, UINT32_MAX - d + 1);
      check(n, static_cast<uint32_t>(random()) | 1);
    }
}

} // namespace
