//===- IntegerTest.cpp - integer and bitwise ops, values worked out by hand -------------------===//
#include "reference/interp/test/KernelText.h"

#include <gtest/gtest.h>

using namespace tilesmith::reference;

namespace {

constexpr int64_t minI32 = INT32_MIN, maxI32 = INT32_MAX;

TEST(IntegerTest, AdditionWrapsUnlessItPromisesNotTo) {
  EXPECT_EQ(integerOp("addi %a, %b", "i8", {127, -128, 5, -1}, {1, -1, 6, 1}),
            "[-128, 127, 11, 0]");
  EXPECT_EQ(integerOp("addi %a, %b", "i1", {1, 1}, {1, 0}), "[0, 1]");
  EXPECT_EQ(integerOp("addi %a, %b overflow<no_signed_wrap>", "i32", {maxI32}, {1}),
            "undefined (signed-overflow)");
  EXPECT_EQ(integerOp("addi %a, %b overflow<no_signed_wrap>", "i32", {-1}, {1}), "[0]");
  EXPECT_EQ(integerOp("addi %a, %b overflow<no_unsigned_wrap>", "i32", {-1}, {1}),
            "undefined (unsigned-overflow)");
  EXPECT_EQ(integerOp("addi %a, %b overflow<no_unsigned_wrap>", "i32", {maxI32}, {1}),
            "[-2147483648]");
  EXPECT_EQ(integerOp("addi %a, %b overflow<no_wrap>", "i64", {INT64_MAX}, {1}),
            "undefined (signed-overflow)");
}

TEST(IntegerTest, Subtraction) {
  EXPECT_EQ(integerOp("subi %a, %b", "i16", {-32768, 0}, {1, 1}), "[32767, -1]");
  EXPECT_EQ(integerOp("subi %a, %b overflow<no_signed_wrap>", "i16", {-32768}, {1}),
            "undefined (signed-overflow)");
  EXPECT_EQ(integerOp("subi %a, %b overflow<no_unsigned_wrap>", "i16", {0}, {1}),
            "undefined (unsigned-overflow)");
}

TEST(IntegerTest, Multiplication) {
  EXPECT_EQ(integerOp("muli %a, %b", "i8", {16, -3, 100, -128}, {16, 5, 3, -1}),
            "[0, -15, 44, -128]");
  EXPECT_EQ(integerOp("muli %a, %b", "i64", {INT64_MIN, -1}, {-1, -1}),
            "[-9223372036854775808, 1]");
  EXPECT_EQ(integerOp("muli %a, %b overflow<no_signed_wrap>", "i64", {INT64_MIN}, {-1}),
            "undefined (signed-overflow)");
  EXPECT_EQ(integerOp("muli %a, %b overflow<no_unsigned_wrap>", "i64", {-1}, {2}),
            "undefined (unsigned-overflow)");
  EXPECT_EQ(integerOp("muli %a, %b overflow<no_unsigned_wrap>", "i64", {-1}, {1}), "[-1]");
}

TEST(IntegerTest, DivisionRoundsAsAsked) {
  EXPECT_EQ(integerOp("divi %a, %b signed", "i32", {-7, 7, -7, 7}, {2, -2, -2, 2}),
            "[-3, -3, 3, 3]");
  EXPECT_EQ(integerOp("divi %a, %b signed rounding<negative_inf>", "i32", {-7, 7, -7, -8},
                      {2, -2, -2, 2}),
            "[-4, -4, 3, -4]");
  EXPECT_EQ(
      integerOp("divi %a, %b signed rounding<positive_inf>", "i32", {-7, 7, -7, 8}, {2, -2, -2, 3}),
      "[-3, -3, 4, 3]");
  EXPECT_EQ(integerOp("divi %a, %b unsigned", "i8", {-1, 7}, {2, 7}), "[127, 1]");
  EXPECT_EQ(integerOp("divi %a, %b unsigned rounding<positive_inf>", "i8", {-1, 0}, {2, 7}),
            "[-128, 0]");
  EXPECT_EQ(integerOp("divi %a, %b signed", "i32", {1}, {0}), "undefined (division-by-zero)");
  EXPECT_EQ(integerOp("divi %a, %b unsigned", "i32", {0}, {0}), "undefined (division-by-zero)");
  EXPECT_EQ(integerOp("divi %a, %b signed", "i32", {minI32}, {-1}), "undefined (signed-overflow)");
}

TEST(IntegerTest, RemainderHasTheSignOfTheDividend) {
  EXPECT_EQ(integerOp("remi %a, %b signed", "i32", {-7, 7, -7, minI32}, {2, -2, -2, -1}),
            "[-1, 1, -1, 0]");
  EXPECT_EQ(integerOp("remi %a, %b unsigned", "i8", {-1, 10}, {7, 3}), "[3, 1]");
  EXPECT_EQ(integerOp("remi %a, %b signed", "i8", {5}, {0}), "undefined (division-by-zero)");
}

TEST(IntegerTest, Shifts) {
  EXPECT_EQ(integerOp("shli %a, %b", "i8", {1, -1, 3, 64}, {7, 4, 0, 1}), "[-128, -16, 3, -128]");
  EXPECT_EQ(integerOp("shri %a, %b signed", "i8", {-128, -1, 64, 7}, {7, 3, 6, 0}),
            "[-1, -1, 1, 7]");
  EXPECT_EQ(integerOp("shri %a, %b unsigned", "i8", {-128, -1}, {7, 3}), "[1, 31]");
  EXPECT_EQ(integerOp("shli %a, %b", "i8", {1}, {8}), "inconclusive (unspecified-print)");
  EXPECT_EQ(integerOp("shri %a, %b signed", "i32", {1}, {-1}), "inconclusive (unspecified-print)");
  EXPECT_EQ(integerOp("shli %a, %b overflow<no_signed_wrap>", "i8", {64}, {1}),
            "undefined (signed-overflow)");
  EXPECT_EQ(integerOp("shli %a, %b overflow<no_unsigned_wrap>", "i8", {-128}, {1}),
            "undefined (unsigned-overflow)");
  EXPECT_EQ(integerOp("shli %a, %b overflow<no_unsigned_wrap>", "i8", {64}, {1}), "[-128]");
}

// [spec: state-unspecified]
TEST(IntegerTest, AnOperandThatDecidesLeavesNothingOpen) {
  // %u is unspecified (shift by the width); %a decides in its first element and not in its second.
  auto beside = [](const std::string &op, const std::string &type, std::vector<int64_t> a) {
    const std::string tile = "tile<2x" + type + ">";
    return evaluate(integers("a", type, a) + integers("w", type, {64, 64}) +
                    "%u = shli %a, %w : " + tile + "\n%r = " + op + " : " + tile + "\n" +
                    "%z = constant <i32: 0> : tile<i32>\n%e = extract %r[%z] : " + tile +
                    " -> tile<1x" + type + ">\n" + show("e", "tile<1x" + type + ">", "%lld"));
  };
  for (const char *op :
       {"muli %a, %u", "muli %u, %a", "mulhii %u, %a", "andi %a, %u", "mini %a, %u unsigned"})
    EXPECT_EQ(beside(op, "i64", {0, 7}), "[0]") << op;
  EXPECT_EQ(beside("ori %u, %a", "i64", {-1, 7}), "[-1]");
  EXPECT_EQ(beside("maxi %u, %a unsigned", "i64", {-1, 7}), "[-1]");
  EXPECT_EQ(beside("maxi %u, %a signed", "i64", {INT64_MAX, 7}), "[9223372036854775807]");
  EXPECT_EQ(beside("mini %a, %u signed", "i64", {INT64_MIN, 7}), "[-9223372036854775808]");
  // What decides for one operation does not for another, nor does any other value.
  for (const char *op :
       {"muli %a, %u", "mulhii %a, %u", "andi %a, %u", "ori %a, %u", "maxi %a, %u unsigned",
        "mini %a, %u unsigned", "maxi %a, %u signed", "mini %a, %u signed"})
    EXPECT_EQ(beside(op, "i64", {1, 0}), "inconclusive (unspecified-print)") << op;
}

TEST(IntegerTest, Bitwise) {
  EXPECT_EQ(integerOp("andi %a, %b", "i16", {0x0ff0, -1}, {0x00ff, 7}), "[240, 7]");
  EXPECT_EQ(integerOp("ori %a, %b", "i16", {0x0ff0, -2}, {0x00ff, 1}), "[4095, -1]");
  EXPECT_EQ(integerOp("xori %a, %b", "i16", {0x0ff0, -1}, {0x00ff, -1}), "[3855, 0]");
}

TEST(IntegerTest, ExtremaDependOnSignedness) {
  EXPECT_EQ(integerOp("maxi %a, %b signed", "i8", {-1, 3}, {0, 2}), "[0, 3]");
  EXPECT_EQ(integerOp("maxi %a, %b unsigned", "i8", {-1, 3}, {0, 2}), "[-1, 3]");
  EXPECT_EQ(integerOp("mini %a, %b signed", "i8", {-1, 3}, {0, 2}), "[-1, 2]");
  EXPECT_EQ(integerOp("mini %a, %b unsigned", "i8", {-1, 3}, {0, 2}), "[0, 2]");
  EXPECT_EQ(integerOp("maxi %a, %b signed", "i1", {0, 1}, {1, 1}), "[0, 1]") << "true is -1";
}

TEST(IntegerTest, UnaryOps) {
  EXPECT_EQ(integerOp("absi %a", "i8", {-128, -5, 5, 0}), "[-128, 5, 5, 0]");
  EXPECT_EQ(integerOp("negi %a", "i8", {-128, -5, 5, 0}), "[-128, 5, -5, 0]");
  EXPECT_EQ(integerOp("negi %a overflow<no_signed_wrap>", "i8", {-128}),
            "undefined (signed-overflow)");
}

TEST(IntegerTest, HighProductIsUnsigned) {
  EXPECT_EQ(integerOp("mulhii %a, %b", "i8", {-1, 16}, {-1, 16}), "[-2, 1]");
  EXPECT_EQ(integerOp("mulhii %a, %b", "i64", {-1, INT64_MIN}, {-1, 2}), "[-2, 1]");
}

TEST(IntegerTest, Comparisons) {
  EXPECT_EQ(integerOp("cmpi less_than %a, %b, signed", "i8", {-1, 0, 5, 7}, {0, -1, 5, 8}),
            "[1, 0, 0, 1]");
  EXPECT_EQ(integerOp("cmpi less_than %a, %b, unsigned", "i8", {-1, 0, 5, 7}, {0, -1, 5, 8}),
            "[0, 1, 0, 1]");
  EXPECT_EQ(
      integerOp("cmpi greater_than_or_equal %a, %b, signed", "i8", {-1, 0, 5, 7}, {0, -1, 5, 8}),
      "[0, 1, 1, 0]");
  EXPECT_EQ(integerOp("cmpi equal %a, %b, signed", "i8", {1, 2}, {1, 3}), "[1, 0]");
  EXPECT_EQ(integerOp("cmpi not_equal %a, %b, unsigned", "i8", {1, 2}, {1, 3}), "[0, 1]");
  EXPECT_EQ(integerOp("cmpi less_than %a, %b, signed", "i1", {1, 0}, {0, 1}), "[1, 0]");
}

} // namespace
