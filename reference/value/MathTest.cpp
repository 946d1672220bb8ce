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
    close(apply(UnaryFunction::Exp, F32, f(x)), std::exp(x));
    close(apply(UnaryFunction::Sin, F32, f(x)), std::sin(x));
    close(apply(UnaryFunction::Tan, F32, f(x)), std::tan(x));
    close(apply(UnaryFunction::Sinh, F32, f(x)), std::sinh(x));
    close(apply(UnaryFunction::Tanh, F32, f(x)), std::tanh(x));
    close(apply(UnaryFunction::Log2, F32, f(std::fabs(x))), std::log2(std::fabs(x)));
    close(atan2(F32, f(x), f(2)), std::atan2(x, 2));
  }
}

} // namespace
