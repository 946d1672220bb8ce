//===- FloatingPointTest.cpp - float ops, values worked out by hand ---------------------------===//
#include "reference/interp/test/KernelText.h"

#include <cmath>

#include <gtest/gtest.h>

using namespace tilesmith::reference;

namespace {

constexpr double inf = INFINITY, nan = NAN;

TEST(FloatingPointTest, AdditionAndItsSpecialValues) {
  EXPECT_EQ(floatOp("addf %a, %b", "f32", {1.5, -0.0, inf, 3}, {2.25, -0.0, 1, -3}),
            "[3.75, -0, inf, 0]");
  EXPECT_EQ(floatOp("addf %a, %b", "f64", {inf}, {-inf}), "[nan]");
  EXPECT_EQ(floatOp("addf %a, %b rounding<negative_inf>", "f32", {3}, {-3}), "[-0]");
  EXPECT_EQ(floatOp("addf %a, %b", "f16", {2048, 65504}, {1, 16}), "[2048, inf]");
  EXPECT_EQ(floatOp("addf %a, %b rounding<positive_inf>", "f16", {2048}, {1}), "[2050]");
  EXPECT_EQ(floatOp("addf %a, %b rounding<zero>", "bf16", {256}, {1}), "[256]");
  EXPECT_EQ(floatOp("subf %a, %b", "bf16", {256, 1}, {-1, 1}), "[256, 0]");
}

TEST(FloatingPointTest, MultiplicationAndDivision) {
  EXPECT_EQ(floatOp("mulf %a, %b", "f32", {0, -2, 3, 0x1p-149}, {inf, 0, 0.5, 0.5}),
            "[nan, -0, 1.5, 0]");
  EXPECT_EQ(floatOp("divf %a, %b", "f32", {1, -1, 0, 10}, {0, 0, 0, 4}), "[inf, -inf, nan, 2.5]");
  EXPECT_EQ(floatOp("divf %a, %b rounding<approx>", "f32", {1, 10, -1, 0}, {4, 4, 0, 5}),
            "[0.25, 2.5, -inf, 0]");
  EXPECT_EQ(floatOp("divf %a, %b rounding<approx>", "f32", {1}, {0x1p127}),
            "inconclusive (unspecified-print)");
}

TEST(FloatingPointTest, FusedMultiplyAddRoundsOnce) {
  // 1 + 2^-12 squared is 1 + 2^-11 + 2^-24; minus the first two terms leaves 2^-24 only when fused.
  double x = 1 + 0x1p-12;
  EXPECT_EQ(floatOp("fma %a, %b, %c", "f32", {x}, {x}, {-(1 + 0x1p-11)}), "[5.96046e-08]");
  // bf16: 3 * 2^-1 = 1.5; 256 + 1.5 lies between 256 and 258, nearer to 258.
  EXPECT_EQ(floatOp("fma %a, %b, %c", "bf16", {3}, {0.5}, {256}), "[258]");
  // A tie broken by a far smaller addend: 257 * 1 is half way between 256 and 258.
  EXPECT_EQ(floatOp("fma %a, %b, %c", "bf16", {1.0078125}, {255}, {0x1p-100}), "[256]");
}

// [spec: float-flush]
TEST(FloatingPointTest, FlushToZeroKeepsTheSign) {
  EXPECT_EQ(floatOp("mulf %a, %b flush_to_zero", "f32", {-0x1p-126, 0x1p-130}, {0.5, 1}),
            "[-0, 0]");
  EXPECT_EQ(floatOp("addf %a, %b flush_to_zero", "f32", {0x1p-130}, {0x1p-130}), "[0]");
  EXPECT_EQ(floatOp("addf %a, %b", "f32", {0x1p-130}, {0x1p-130}), "[1.46937e-39]");
}

TEST(FloatingPointTest, Remainder) {
  EXPECT_EQ(floatOp("remf %a, %b", "f32", {5, -5, -4, 5}, {3, 3, 2, inf}), "[2, -2, -0, 5]");
  EXPECT_EQ(floatOp("remf %a, %b", "f16", {5, inf}, {0, 2}), "[nan, nan]");
}

TEST(FloatingPointTest, ExtremaAndNaN) {
  EXPECT_EQ(floatOp("maxf %a, %b", "f32", {nan, 1, 0.0, -0.0}, {1, nan, -0.0, 0.0}),
            "[1, 1, 0, 0]");
  EXPECT_EQ(floatOp("maxf %a, %b propagate_nan", "f32", {nan, 1}, {1, 2}), "[nan, 2]");
  EXPECT_EQ(floatOp("minf %a, %b", "f64", {nan, -inf, 0.0, 4}, {nan, 1, -0.0, 3}),
            "[nan, -inf, -0, 3]");
}

TEST(FloatingPointTest, UnaryOps) {
  EXPECT_EQ(floatOp("absf %a", "f32", {-1.5, -0.0, -inf, 2}), "[1.5, 0, inf, 2]");
  EXPECT_EQ(floatOp("negf %a", "bf16", {-1.5, 0.0, inf, 2}), "[1.5, -0, -inf, -2]");
  EXPECT_EQ(floatOp("ceil %a", "f32", {-0.5, 1.25, -1.25, -0.0}), "[-0, 2, -1, -0]");
  EXPECT_EQ(floatOp("floor %a", "f16", {-0.5, 1.25, 0.0, -inf}), "[-1, 1, 0, -inf]");
}

TEST(FloatingPointTest, Comparisons) {
  EXPECT_EQ(floatOp("cmpf equal ordered %a, %b", "f32", {0.0, nan, 1, 1}, {-0.0, nan, 1, 2}),
            "[1, 0, 1, 0]");
  EXPECT_EQ(floatOp("cmpf equal unordered %a, %b", "f32", {0.0, nan, 1, 1}, {-0.0, nan, 1, 2}),
            "[1, 1, 1, 0]");
  EXPECT_EQ(floatOp("cmpf not_equal ordered %a, %b", "f32", {nan, 1}, {1, 2}), "[0, 1]");
  EXPECT_EQ(floatOp("cmpf less_than unordered %a, %b", "f64", {nan, 1, 2, -inf}, {1, 2, 1, inf}),
            "[1, 1, 0, 1]");
  EXPECT_EQ(
      floatOp("cmpf greater_than_or_equal ordered %a, %b", "f16", {2, 1, 1, nan}, {1, 1, 2, 1}),
      "[1, 1, 0, 0]");
}

// [spec: nan-any, state-nan, print-unspecified]
TEST(FloatingPointTest, PayloadOfAComputedNaNIsUnspecified) {
  EXPECT_EQ(evaluate(floats("a", "f32", {inf}) +
                     "%n = subf %a, %a : tile<1xf32>\n"
                     "%i = bitcast %n : tile<1xf32> -> tile<1xi32>\n" +
                     show("i", "tile<1xi32>", "%d")),
            "inconclusive (unspecified-print)");
}

// [spec: math-special-exact]
TEST(MathTest, RootsAndExponentials) {
  EXPECT_EQ(floatOp("sqrt %a", "f32", {4, -0.0, -1, 2}), "[2, -0, nan, 1.41421]");
  EXPECT_EQ(floatOp("rsqrt %a", "f32", {4, 0.0, -0.0, inf}), "[0.5, inf, -inf, 0]");
  EXPECT_EQ(floatOp("exp %a", "f32", {0, -inf, inf, 1}), "[1, 0, inf, 2.71828]");
  EXPECT_EQ(floatOp("exp2 %a", "f16", {-24, 15, 16, 0.5}), "[5.96046e-08, 32768, inf, 1.41406]");
  EXPECT_EQ(floatOp("exp2 %a flush_to_zero", "f32", {-127, 3}), "[0, 8]");
  EXPECT_EQ(floatOp("log %a", "f64", {1, 0, -1, inf}), "[0, -inf, nan, inf]");
  EXPECT_EQ(floatOp("log2 %a", "f32", {8, 0x1p-149}), "[3, -149]");
}

TEST(MathTest, IntegerPowers) {
  EXPECT_EQ(evaluate(floats("a", "f32", {NAN, -0.0, 3, -2}) + integers("n", "i32", {0, -1, 4, -3}) +
                     "%r = fpowi %a, %n : tile<4xf32>, tile<4xi32>\n" +
                     show("r", "tile<4xf32>", "%g")),
            "[1, -inf, 81, -0.125]");
}

TEST(MathTest, TrigonometryAndPowers) {
  EXPECT_EQ(floatOp("sin %a", "f32", {-0.0, inf}), "[-0, nan]");
  EXPECT_EQ(floatOp("cos %a", "f32", {0, 1}), "[1, 0.540302]");
  EXPECT_EQ(floatOp("tan %a", "f32", {1, 0}), "[1.55741, 0]");
  EXPECT_EQ(floatOp("sinh %a", "f64", {0, 1}), "[0, 1.1752]");
  EXPECT_EQ(floatOp("cosh %a", "f64", {0, 1}), "[1, 1.54308]");
  EXPECT_EQ(floatOp("tanh %a", "bf16", {inf, -0.0}), "[1, -0]");
  EXPECT_EQ(floatOp("pow %a, %b", "f32", {nan, 1, -8, -0.0}, {0, nan, 0.333333, -3}),
            "[1, 1, nan, -inf]");
  EXPECT_EQ(floatOp("atan2 %a, %b", "f32", {0.0, -1, 1, 0.0}, {-0.0, 0, inf, 1}),
            "[3.14159, -1.5708, 0, 0]");
}

} // namespace
