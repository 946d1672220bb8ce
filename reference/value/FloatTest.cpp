//===- FloatTest.cpp - formats and arithmetic against APFloat ---------------------------------===//
#include "reference/value/Float.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "llvm/ADT/APFloat.h"

using namespace tilesmith::reference;
using llvm::APFloat;
using llvm::APInt;

namespace {

const llvm::fltSemantics &semanticsOf(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return APFloat::IEEEhalf();
  case ElementType::BF16:
    return APFloat::BFloat();
  case ElementType::F32:
    return APFloat::IEEEsingle();
  case ElementType::TF32:
    return APFloat::FloatTF32();
  case ElementType::F8E4M3FN:
    return APFloat::Float8E4M3FN();
  case ElementType::F8E5M2:
    return APFloat::Float8E5M2();
  case ElementType::F8E8M0FNU:
    return APFloat::Float8E8M0FNU();
  case ElementType::F4E2M1FN:
    return APFloat::Float4E2M1FN();
  default:
    return APFloat::IEEEdouble();
  }
}

APFloat::roundingMode apMode(Rounding r) {
  switch (r) {
  case Rounding::Zero:
    return APFloat::rmTowardZero;
  case Rounding::Down:
    return APFloat::rmTowardNegative;
  case Rounding::Up:
    return APFloat::rmTowardPositive;
  case Rounding::NearestAway:
    return APFloat::rmNearestTiesToAway;
  default:
    return APFloat::rmNearestTiesToEven;
  }
}

constexpr Rounding ieeeModes[] = {Rounding::NearestEven, Rounding::Zero, Rounding::Down,
                                  Rounding::Up};

/// Patterns that meet every special case, then random ones.
std::vector<uint64_t> samples(ElementType type, unsigned count, uint64_t seed) {
  unsigned width = widthOf(type);
  uint64_t sign = uint64_t(1) << (width - 1), infinity = *infinityPattern(type, false);
  uint64_t one = encode(type, 1.0);
  std::vector<uint64_t> result;
  for (uint64_t magnitude :
       {uint64_t(0), uint64_t(1), uint64_t(2), infinity - 1, infinity, *nanPattern(type), one,
        one + 1, one - 1, maxFinitePattern(type, false) - 1,
        (uint64_t(1) << (formatOf(type).precision - 1)),
        (uint64_t(1) << (formatOf(type).precision - 1)) - 1})
    for (uint64_t s : {uint64_t(0), sign})
      result.push_back(magnitude | s);
  std::mt19937_64 random(seed);
  while (result.size() < count) {
    uint64_t bits = random() & maskOf(type);
    if (random() % 2) // concentrate on close exponents, where sums cancel and round
      bits = (bits & ~(infinity >> 3 << 3)) | (one & infinity) | (bits & sign);
    result.push_back(bits & maskOf(type));
  }
  return result;
}

void expectSame(ElementType type, uint64_t got, APFloat want, const char *what, uint64_t a,
                uint64_t b, uint64_t c = 0) {
  if (want.isNaN()) {
    EXPECT_TRUE(isNaN(type, got)) << what << std::hex << ' ' << a << ' ' << b << ' ' << c;
    return;
  }
  EXPECT_EQ(got, want.bitcastToAPInt().getZExtValue())
      << what << std::hex << ' ' << a << ' ' << b << ' ' << c;
}

class ArithmeticTest : public testing::TestWithParam<ElementType> {};

// [spec: float-add, float-mul, float-div, float-fma, half-single-rounding]
TEST_P(ArithmeticTest, EveryOperationAndModeRoundsLikeAPFloat) {
  ElementType type = GetParam();
  const llvm::fltSemantics &semantics = semanticsOf(type);
  unsigned width = widthOf(type);
  auto left = samples(type, 160, 1), right = samples(type, 160, 2), third = samples(type, 160, 3);
  for (Rounding mode : ieeeModes)
    for (uint64_t a : left)
      for (uint64_t b : right) {
        APFloat x(semantics, APInt(width, a)), y(semantics, APInt(width, b));
        APFloat sum = x, difference = x, product = x, quotient = x, fused = x;
        sum.add(y, apMode(mode));
        difference.subtract(y, apMode(mode));
        product.multiply(y, apMode(mode));
        quotient.divide(y, apMode(mode));
        uint64_t c = third[(a * 31 + b) % third.size()];
        fused.fusedMultiplyAdd(y, APFloat(semantics, APInt(width, c)), apMode(mode));
        expectSame(type, add(type, a, b, mode, false), sum, "add", a, b);
        expectSame(type, sub(type, a, b, mode, false), difference, "sub", a, b);
        expectSame(type, mul(type, a, b, mode, false), product, "mul", a, b);
        expectSame(type, div(type, a, b, mode, false), quotient, "div", a, b);
        expectSame(type, fma(type, a, b, c, mode, false), fused, "fma", a, b, c);
        if (HasFailure())
          return;
      }
}

/// The machine's operation on 16-bit patterns against the exact one: every left operand, special
/// and random right ones. TILESMITH_PAIRS=65536 takes all pairs.
template <ElementType type> void expectNarrowArithmetic() {
  for (uint64_t x = 0; x < 65536; ++x) {
    EXPECT_TRUE(isNaN(type, x) ? std::isnan(widen16<type>(x))
                               : std::bit_cast<uint64_t>(widen16<type>(x)) ==
                                     std::bit_cast<uint64_t>(decode(type, x)))
        << std::hex << x;
  }
  const char *pairs = std::getenv("TILESMITH_PAIRS");
  size_t count = pairs ? std::atoi(pairs) : 40;
  std::vector<uint64_t> right;
  if (count < 65536)
    right = samples(type, count, 9);
  else
    for (uint64_t y = 0; y < 65536; ++y)
      right.push_back(y);
  constexpr auto mode = Rounding::NearestEven;
  for (uint64_t y : right) {
    double b = widen16<type>(y);
    for (uint64_t x = 0; x < 65536; ++x) {
      double a = widen16<type>(x);
      bool same = narrow16<type>(a + b) == add(type, x, y, mode, false) &&
                  narrow16<type>(a - b) == sub(type, x, y, mode, false) &&
                  narrow16<type>(a * b) == mul(type, x, y, mode, false) &&
                  narrow16<type>(a / b) == div(type, x, y, mode, false);
      ASSERT_TRUE(same) << std::hex << x << ' ' << y;
    }
  }
}

TEST(FloatTest, SixteenBitArithmeticOnTheMachineIsExact) {
  expectNarrowArithmetic<ElementType::F16>();
  expectNarrowArithmetic<ElementType::BF16>();
}

TEST_P(ArithmeticTest, RemainderIsExact) {
  ElementType type = GetParam();
  for (uint64_t a : samples(type, 100, 5))
    for (uint64_t b : samples(type, 100, 6)) {
      APFloat x(semanticsOf(type), APInt(widthOf(type), a));
      x.mod(APFloat(semanticsOf(type), APInt(widthOf(type), b)));
      expectSame(type, remainder(type, a, b), x, "rem", a, b);
    }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, ArithmeticTest,
                         testing::Values(ElementType::F16, ElementType::BF16, ElementType::F32,
                                         ElementType::F64),
                         [](const auto &info) { return spelling(info.param).str(); });

TEST(FloatTest, SquareRootsBracketTheExactRoot) {
  for (uint64_t bits = 0; bits < 0x7c00; bits += 3) {
    double x = decodeF16(bits);
    double down = decode(ElementType::F16, sqrt(ElementType::F16, bits, Rounding::Down, false));
    double up = decode(ElementType::F16, sqrt(ElementType::F16, bits, Rounding::Up, false));
    EXPECT_LE(down * down, x);
    EXPECT_GE(up * up, x);
    uint64_t gap = encode(ElementType::F16, up) - encode(ElementType::F16, down);
    EXPECT_EQ(gap, down * down == x ? 0u : 1u);
  }
  EXPECT_EQ(sqrt(ElementType::F32, 0x80000000, Rounding::NearestEven, false), 0x80000000u);
  EXPECT_TRUE(isNaN(ElementType::F32, sqrt(ElementType::F32, 0xbf800000, Rounding::Up, false)));
  EXPECT_EQ(sqrt(ElementType::F64, 0x4000000000000000, Rounding::Up, false),
            sqrt(ElementType::F64, 0x4000000000000000, Rounding::Down, false) + 1);
}

// [spec: type-e4m3, type-e5m2, type-e8m0, type-e2m1]
TEST(FloatTest, SmallFormatsDecodeLikeAPFloat) {
  for (ElementType type : {ElementType::F16, ElementType::BF16, ElementType::F8E4M3FN,
                           ElementType::F8E5M2, ElementType::F8E8M0FNU, ElementType::F4E2M1FN}) {
    for (uint64_t bits = 0; bits <= maskOf(type); ++bits) {
      APFloat want(semanticsOf(type), APInt(widthOf(type), bits));
      bool exact;
      want.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
      double got = decode(type, bits);
      if (want.isNaN())
        EXPECT_TRUE(std::isnan(got)) << spelling(type).str() << ' ' << bits;
      else
        EXPECT_EQ(std::bit_cast<uint64_t>(got), std::bit_cast<uint64_t>(want.convertToDouble()))
            << spelling(type).str() << ' ' << bits;
      if (!std::isnan(got))
        EXPECT_EQ(encode(type, got), bits) << spelling(type).str();
    }
  }
}

TEST(FloatTest, NarrowingRoundsLikeAPFloat) {
  std::mt19937_64 random(7);
  for (ElementType type : {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::TF32,
                           ElementType::F8E4M3FN, ElementType::F8E5M2, ElementType::F4E2M1FN}) {
    for (Rounding mode : {Rounding::NearestEven, Rounding::Zero, Rounding::Down, Rounding::Up,
                          Rounding::NearestAway})
      for (unsigned i = 0; i < 4000; ++i) {
        const FloatFormat &f = formatOf(type);
        int range = f.maxExponent - f.minExponent + f.precision + 3;
        int exponent = f.minExponent - f.precision - 1 + static_cast<int>(random() % range);
        double value =
            std::ldexp(1.0 + (random() % 64) / 64.0 + (random() % 4 == 0 ? 0x1p-40 : 0), exponent);
        if (random() % 2)
          value = -value;
        if (std::fabs(value) > decode(type, maxFinitePattern(type, false)))
          continue; // overflow policies have their own test
        APFloat want(value);
        bool exact;
        want.convert(semanticsOf(type), apMode(mode), &exact);
        uint64_t pattern = want.bitcastToAPInt().getZExtValue();
        if (type == ElementType::TF32)
          pattern <<= 13;
        ASSERT_EQ(encode(type, value, mode), pattern)
            << spelling(type).str() << ' ' << value << " mode " << static_cast<int>(mode);
      }
  }
}

TEST(FloatTest, OverflowFollowsThePolicy) {
  EXPECT_EQ(encode(ElementType::F16, 65519.9), 0x7bffu);
  EXPECT_EQ(encode(ElementType::F16, 65520), 0x7c00u);
  EXPECT_EQ(encode(ElementType::F16, 1e9, Rounding::Zero), 0x7bffu);
  EXPECT_EQ(encode(ElementType::F16, -1e9, Rounding::Up), 0xfbffu);
  EXPECT_EQ(encode(ElementType::F8E4M3FN, 1e9), 0x7eu);
  EXPECT_EQ(encode(ElementType::F8E4M3FN, -INFINITY), 0xfeu);
  EXPECT_EQ(encode(ElementType::F8E5M2, 1e9), 0x7cu);
  EXPECT_EQ(encode(ElementType::F8E5M2, 1e9, Rounding::NearestEven, Overflow::Saturate), 0x7bu);
  EXPECT_EQ(encode(ElementType::F8E5M2, INFINITY, Rounding::NearestEven, Overflow::Saturate),
            0x7bu);
  EXPECT_EQ(encode(ElementType::F4E2M1FN, 100), 0x7u);
  EXPECT_EQ(encode(ElementType::F8E8M0FNU, 3.0, Rounding::Zero), 128u);
  EXPECT_EQ(encode(ElementType::F8E8M0FNU, 3.0, Rounding::Up), 129u);
  EXPECT_EQ(encode(ElementType::F8E8M0FNU, 2.0, Rounding::Up), 128u);
  EXPECT_EQ(decode(ElementType::F8E5M3FNU, 0xfe), 114688);
  EXPECT_EQ(encode(ElementType::F8E5M3FNU, 1.0), 0x78u);
}

// [spec: float-minmax, float-minmax-propagate]
TEST(FloatTest, MaximumAndMinimumKnowSignedZerosAndNaNs) {
  constexpr auto F = ElementType::F32;
  uint64_t nan = 0x7fc00000, plusZero = 0, minusZero = 0x80000000, one = 0x3f800000;
  EXPECT_EQ(maximum(F, plusZero, minusZero, false, false), plusZero);
  EXPECT_EQ(maximum(F, minusZero, plusZero, false, false), plusZero);
  EXPECT_EQ(minimum(F, plusZero, minusZero, false, false), minusZero);
  EXPECT_EQ(maximum(F, nan, one, false, false), one);
  EXPECT_TRUE(isNaN(F, maximum(F, one, nan, true, false)));
  EXPECT_TRUE(isNaN(F, minimum(F, nan, nan, false, false)));
  EXPECT_EQ(maximum(F, 0x80000001, 0xc0a00000, false, true), minusZero)
      << "flushing keeps the sign";
}

// [spec: float-flush-boundary]
TEST(FloatTest, FlushingReportsItsUndecidedBoundary) {
  bool boundary = false;
  // (2^-126 - 2^-149)/2 squared away from the boundary, then 1.99999988 * 2^-127, which rounds up
  // to 2^-126.
  EXPECT_EQ(mul(ElementType::F32, 0x00ffffff, 0x3f000000, Rounding::NearestEven, true, &boundary),
            0u);
  EXPECT_TRUE(boundary);
  boundary = false;
  EXPECT_EQ(mul(ElementType::F32, 0x80800000, 0x3f000000, Rounding::NearestEven, true, &boundary),
            0x80000000u);
  EXPECT_FALSE(boundary);
  EXPECT_EQ(mul(ElementType::F32, 0x00ffffff, 0x3f000000, Rounding::NearestEven, false),
            0x00800000u);
}

TEST(FloatTest, IntegersKeepTheirStickyBit) {
  EXPECT_EQ(integerToSticky(5, true).value, -5);
  Sticky s = integerToSticky((uint64_t(1) << 60) + 1, false);
  EXPECT_TRUE(s.inexact);
  EXPECT_EQ(encode(ElementType::F32, s.value, Rounding::Up), encode(ElementType::F32, 0x1p60) + 1);
  EXPECT_EQ(encode(ElementType::F32, s.value), encode(ElementType::F32, 0x1p60));
}

} // namespace
