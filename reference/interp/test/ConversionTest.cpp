//===- ConversionTest.cpp - changes of element type, values worked out by hand ----------------===//
#include "reference/interp/test/KernelText.h"

#include <cmath>

#include <gtest/gtest.h>

using namespace tilesmith::reference;

namespace {

constexpr double inf = INFINITY, nan = NAN;

TEST(ConversionTest, IntegerWidths) {
  EXPECT_EQ(convertIntegers("exti %a signed", "i8", {-1, 127}, "i32"), "[-1, 127]");
  EXPECT_EQ(convertIntegers("exti %a unsigned", "i8", {-1, 127}, "i32"), "[255, 127]");
  EXPECT_EQ(convertIntegers("exti %a signed", "i1", {1, 0}, "i8"), "[-1, 0]");
  EXPECT_EQ(convertIntegers("exti %a unsigned", "i1", {1, 0}, "i8"), "[1, 0]");
  EXPECT_EQ(convertIntegers("trunci %a", "i32", {300, -1, 2, 3}, "i8"), "[44, -1, 2, 3]");
  EXPECT_EQ(convertIntegers("trunci %a", "i32", {2, 3}, "i1"), "[0, 1]");
  EXPECT_EQ(convertIntegers("trunci %a overflow<no_signed_wrap>", "i32", {-128}, "i8"), "[-128]");
  EXPECT_EQ(convertIntegers("trunci %a overflow<no_signed_wrap>", "i32", {128}, "i8"),
            "undefined (signed-overflow)");
  EXPECT_EQ(convertIntegers("trunci %a overflow<no_unsigned_wrap>", "i32", {255}, "i8"), "[-1]");
  EXPECT_EQ(convertIntegers("trunci %a overflow<no_unsigned_wrap>", "i32", {-1}, "i8"),
            "undefined (unsigned-overflow)");
}

// [spec: conv-itof, conv-itof-small]
TEST(ConversionTest, IntegersToFloats) {
  EXPECT_EQ(convertIntegers("itof %a signed", "i8", {-1, 127}, "f32"), "[-1, 127]");
  EXPECT_EQ(convertIntegers("itof %a unsigned", "i8", {-1, 127}, "f32"), "[255, 127]");
  EXPECT_EQ(convertIntegers("itof %a signed", "i1", {1, 0}, "f32"), "[-1, 0]");
  EXPECT_EQ(convertIntegers("itof %a signed", "i32", {16777217, 16777219}, "f32"),
            "[1.67772e+07, 1.67772e+07]");
  EXPECT_EQ(convertIntegers("itof %a signed", "i32", {2049, 2051, 65519, 65520}, "f16"),
            "[2048, 2052, 65504, inf]");
  // 2^24 + 2^16 + 1 lies just above the midpoint of two bf16 numbers; rounding through f32 would
  // lose the last bit.
  EXPECT_EQ(convertIntegers("itof %a signed", "i32", {(1 << 24) + (1 << 16) + 1}, "bf16"),
            "[1.69083e+07]");
  EXPECT_EQ(convertIntegers("itof %a signed", "i32", {448, -448}, "f8E4M3FN"), "[448, -448]");
  EXPECT_EQ(convertIntegers("itof %a signed", "i32", {449}, "f8E4M3FN"),
            "inconclusive (unspecified-print)");
}

// [spec: conv-ftoi-range]
TEST(ConversionTest, FloatsToIntegers) {
  EXPECT_EQ(convertFloats("ftoi %a signed", "f32", {-1.75, 1.75, -0.5, 127}, "i8"),
            "[-1, 1, 0, 127]");
  EXPECT_EQ(convertFloats("ftoi %a unsigned", "f32", {-0.75, 255.5}, "i8"), "[0, -1]");
  EXPECT_EQ(convertFloats("ftoi %a signed", "f32", {128}, "i8"),
            "inconclusive (unspecified-print)");
  EXPECT_EQ(convertFloats("ftoi %a signed", "f32", {nan}, "i32"),
            "inconclusive (unspecified-print)");
  EXPECT_EQ(convertFloats("ftoi %a unsigned", "f32", {-1}, "i32"),
            "inconclusive (unspecified-print)");
  EXPECT_EQ(convertFloats("ftoi %a signed", "f64", {-0x1p63}, "i64"), "[-9223372036854775808]");
  EXPECT_EQ(convertFloats("ftoi %a signed", "f32", {0, -0.0, nan, -0.5}, "i1"), "[0, 0, 1, 1]");
  EXPECT_EQ(convertFloats("ftoi %a signed saturating", "f32", {1e9, -1e9, nan, 3.5}, "i8"),
            "[127, -128, 0, 3]");
  EXPECT_EQ(convertFloats("ftoi %a unsigned saturating", "f32", {1e9, -1e9}, "i8"), "[-1, 0]");
}

// [spec: conv-ftof-saturate, conv-ftof-nan, conv-ftof-power]
TEST(ConversionTest, FloatsToFloats) {
  EXPECT_EQ(convertFloats("ftof %a", "f32", {65519, 65520, -inf, nan}, "f16"),
            "[65504, inf, -inf, nan]");
  EXPECT_EQ(convertFloats("ftof %a", "f32", {1.00390625, 1.01171875}, "bf16"), "[1, 1.01562]");
  EXPECT_EQ(convertFloats("ftof %a", "f32", {1e9, -inf, 17, 0x1p-10}, "f8E4M3FN"),
            "[448, -448, 16, 0]");
  EXPECT_EQ(convertFloats("ftof %a", "f32", {1e9, inf, 3.5, -0.0}, "f8E5M2"),
            "[57344, 57344, 3.5, -0]");
  EXPECT_EQ(convertFloats("ftof %a", "f8E5M2", {57344, inf}, "f8E4M3FN"), "[448, 448]");
  EXPECT_EQ(convertFloats("ftof %a", "f16", {0x1p-24, nan}, "f64"), "[5.96046e-08, nan]");
  EXPECT_EQ(convertFloats("ftof %a", "f32", {1, 17, 0x1p-17, 114688}, "fnv8E5M3FNU"),
            "[1, 16, 7.62939e-06, 114688]");
  EXPECT_EQ(convertFloats("ftof %a", "fnv8E5M3FNU", {114688, 0.5, 0, 1}, "f32"),
            "[114688, 0.5, 0, 1]");
  // tf32 keeps 10 fraction bits: a tie goes to the even neighbour.
  EXPECT_EQ(convertFloats("ftof %a", "f32", {1 + 0x1p-11, 1 + 0x3p-11}, "tf32"), "[1, 1.00195]");
}

TEST(ConversionTest, BitsAreKept) {
  EXPECT_EQ(evaluate(floats("a", "f32", {1, -0.0}) +
                     "%r = bitcast %a : tile<2xf32> -> tile<2xi32>\n" +
                     show("r", "tile<2xi32>", "%x")),
            "[3f800000, 80000000]");
  EXPECT_EQ(evaluate(integers("a", "i32", {0x04030201, -1}) +
                     "%r = pack %a : tile<2xi32> -> tile<8xi8>\n" + show("r", "tile<8xi8>", "%d")),
            "[1, 2, 3, 4, -1, -1, -1, -1]");
  EXPECT_EQ(evaluate(integers("a", "i8", {1, 2, 3, -1}) +
                     "%r = unpack %a : tile<4xi8> -> tile<2xi16>\n" +
                     show("r", "tile<2xi16>", "%d")),
            "[513, -253]");
  EXPECT_EQ(evaluate(integers("a", "i8", {0x42, 0x71}) +
                     "%u = unpack %a : tile<2xi8> -> tile<4xf4E2M1FN>\n"
                     "%r = ftof %u : tile<4xf4E2M1FN> -> tile<4xf32>\n" +
                     show("r", "tile<4xf32>", "%g")),
            "[1, 2, 0.5, 6]")
      << "the low nibble comes first";
  EXPECT_EQ(evaluate(integers("a", "i64", {4096}) +
                     "%p = int_to_ptr %a : tile<1xi64> -> tile<1xptr<i8>>\n"
                     "%q = ptr_to_ptr %p : tile<1xptr<i8>> -> tile<1xptr<f32>>\n"
                     "%r = ptr_to_int %q : tile<1xptr<f32>> -> tile<1xi64>\n" +
                     show("r", "tile<1xi64>", "%lld")),
            "[4096]");
}

} // namespace
