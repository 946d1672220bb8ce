//===- MathTest.cpp - special values and hand-checked results ---------------------------------===//
#include "reference/value/Math.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "reference/value/Float.h"

using namespace tilesmith::reference;

namespace {

constexpr ElementType F32 = ElementType::F32, F64 = ElementType::F64, F16 = ElementType::F16;
uint64_t f(double x) {
  return encode(F32, x);
}
double value(uint64_t bits) {
  return decode(F32, bits);
}

// [spec: math-special-exact]
TEST(MathTest, SpecialValues) {
  EXPECT_EQ(apply(UnaryFunction::Exp, F32, f(-0.0)), f(1));
  EXPECT_EQ(apply(UnaryFunction::Exp, F32, f(-INFINITY)), f(0));
  EXPECT_EQ(apply(UnaryFunction::Exp, F32, f(1000)), f(INFINITY));
  EXPECT_EQ(apply(UnaryFunction::Log, F32, f(0)), f(-INFINITY));
  EXPECT_TRUE(isNaN(F32, apply(UnaryFunction::Log, F32, f(-1))));
  EXPECT_EQ(apply(UnaryFunction::Sin, F32, f(-0.0)), f(-0.0));
  EXPECT_TRUE(isNaN(F32, apply(UnaryFunction::Cos, F32, f(INFINITY))));
  EXPECT_EQ(apply(UnaryFunction::Tanh, F32, f(-INFINITY)), f(-1));
  EXPECT_EQ(apply(UnaryFunction::Rsqrt, F32, f(-0.0)), f(-INFINITY));
  EXPECT_EQ(apply(UnaryFunction::Rsqrt, F32, f(INFINITY)), f(0));
  EXPECT_EQ(pow(F32, f(NAN), f(0)), f(1));
  EXPECT_EQ(pow(F32, f(1), f(NAN)), f(1));
  EXPECT_EQ(pow(F32, f(-0.0), f(-3)), f(-INFINITY));
  EXPECT_TRUE(isNaN(F32, pow(F32, f(-8), f(1.0 / 3))));
  EXPECT_EQ(atan2(F32, f(0.0), f(-0.0)), f(M_PI));
  EXPECT_EQ(atan2(F32, f(-1), f(0)), f(-M_PI / 2));
  EXPECT_EQ(powi(F32, f(NAN), 0), f(1));
  EXPECT_EQ(powi(F32, f(-0.0), -1), f(-INFINITY));
  EXPECT_EQ(powi(F32, f(3), 4), f(81));
  EXPECT_EQ(powi(F32, f(2), -127), f(0x1p-127)) << "2^127 is finite";
  EXPECT_EQ(powi(F32, f(2), -128), f(0)) << "2^128 is not";
  EXPECT_EQ(powi(F32, f(-2), -129), f(-0.0));
  EXPECT_EQ(powi(F16, encode(F16, 300), -3), 1u) << "300^3 is no f16, but an f32";
}

TEST(MathTest, SubnormalResultsAreRoundedOnce) {
  // exp(-103) = 1.80e-45: between 1 and 2 units of 2^-149 (1.401e-45), nearest is one unit.
  EXPECT_EQ(apply(UnaryFunction::Exp, F32, f(-103)), 1u);
  EXPECT_EQ(apply(UnaryFunction::Exp2, F32, f(-149)), 1u);
  EXPECT_EQ(apply(UnaryFunction::Exp2, F32, f(-150)), 0u) << "a tie goes to the even neighbour";
  EXPECT_EQ(apply(UnaryFunction::Exp2, F16, encode(F16, -24)), 1u);
  EXPECT_EQ(apply(UnaryFunction::Exp2, F64, encode(F64, -1074)), 1u);
}

TEST(MathTest, AgreesWithTheHostLibraryToOneUnit) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> range(-20, 20);
  for (int i = 0; i < 2000; ++i) {
    double x = value(f(range(random)));
    auto close = [&](uint64_t got, double want) {
      EXPECT_NEAR(value(got), want, std::fabs(want) * 0x1p-23 + 0x1p-149) << x;
    };
    close(applyInMpfr(UnaryFunction::Exp, F32, f(x)), std::exp(x));
    close(applyInMpfr(UnaryFunction::Sin, F32, f(x)), std::sin(x));
    close(applyInMpfr(UnaryFunction::Tan, F32, f(x)), std::tan(x));
    close(applyInMpfr(UnaryFunction::Sinh, F32, f(x)), std::sinh(x));
    close(applyInMpfr(UnaryFunction::Tanh, F32, f(x)), std::tanh(x));
    close(applyInMpfr(UnaryFunction::Log2, F32, f(std::fabs(x))), std::log2(std::fabs(x)));
    close(atan2InMpfr(F32, f(x), f(2)), std::atan2(x, 2));
  }
}

// The short way through the host's functions changes no pattern.
// [spec: enclosure-centre]
TEST(MathTest, TheShortWayGivesTheSame) {
  std::mt19937_64 random(4);
  for (ElementType type : {F64, F32, F16, ElementType::BF16, ElementType::TF32}) {
    auto draw = [&](bool usual) {
      if (usual) // where most results are normal numbers
        return encode(type, std::ldexp(static_cast<double>(random()), -60) - 8);
      if (type == F64)
        return static_cast<uint64_t>(random());
      uint64_t any = random() & (widthOf(type) == 16 ? 0xffffu : 0xffffffffu);
      return type == ElementType::TF32 ? any & ~uint64_t(0x1fff) : any;
    };
    auto expectSame = [&](uint64_t quick, uint64_t slow, uint64_t x, uint64_t y) {
      EXPECT_TRUE(quick == slow || (isNaN(type, quick) && isNaN(type, slow)))
          << std::hex << "of 0x" << x << " and 0x" << y << ": 0x" << quick << " and 0x" << slow;
    };
    for (int i = 0; i < 1000; ++i) {
      uint64_t x = draw(i % 2), y = draw(i % 2);
      for (int function = 0; function <= static_cast<int>(UnaryFunction::Rsqrt); ++function) {
        auto f = static_cast<UnaryFunction>(function);
        expectSame(apply(f, type, x), applyInMpfr(f, type, x), x, function);
      }
      expectSame(pow(type, x, y), powInMpfr(type, x, y), x, y);
      expectSame(atan2(type, x, y), atan2InMpfr(type, x, y), x, y);
    }
  }
}

} // namespace
