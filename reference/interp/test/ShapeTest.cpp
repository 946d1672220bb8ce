//===- ShapeTest.cpp - movement of elements, reductions, products -----------------------------===//
#include "reference/interp/test/KernelText.h"

#include <gtest/gtest.h>

using namespace tilesmith::reference;

namespace {

const std::string iota8 =
    "%i = iota : tile<8xi32>\n%m = reshape %i : tile<8xi32> -> tile<2x4xi32>\n";

TEST(ShapeTest, ReshapeKeepsRowMajorOrder) {
  EXPECT_EQ(evaluate(iota8 + show("m", "tile<2x4xi32>", "%d")), "[[0, 1, 2, 3], [4, 5, 6, 7]]");
}

TEST(ShapeTest, PermuteMovesAxes) {
  EXPECT_EQ(evaluate(iota8 + "%r = permute %m [1, 0] : tile<2x4xi32> -> tile<4x2xi32>\n" +
                     show("r", "tile<4x2xi32>", "%d")),
            "[[0, 4], [1, 5], [2, 6], [3, 7]]");
  EXPECT_EQ(evaluate("%i = iota : tile<8xi32>\n%c = reshape %i : tile<8xi32> -> tile<2x2x2xi32>\n"
                     "%r = permute %c [2, 0, 1] : tile<2x2x2xi32> -> tile<2x2x2xi32>\n" +
                     show("r", "tile<2x2x2xi32>", "%d")),
            "[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]");
}

TEST(ShapeTest, BroadcastStretchesUnitDimensions) {
  EXPECT_EQ(evaluate("%i = iota : tile<2xi32>\n%c = reshape %i : tile<2xi32> -> tile<2x1xi32>\n"
                     "%r = broadcast %c : tile<2x1xi32> -> tile<2x4xi32>\n" +
                     show("r", "tile<2x4xi32>", "%d")),
            "[[0, 0, 0, 0], [1, 1, 1, 1]]");
}

TEST(ShapeTest, CatExtractInsert) {
  EXPECT_EQ(evaluate("%i = iota : tile<2xi32>\n%c = reshape %i : tile<2xi32> -> tile<2x1xi32>\n"
                     "%d = constant <i32: [[7], [8]]> : tile<2x1xi32>\n"
                     "%r = cat %c, %d dim = 1 : tile<2x1xi32>, tile<2x1xi32> -> tile<2x2xi32>\n" +
                     show("r", "tile<2x2xi32>", "%d")),
            "[[0, 7], [1, 8]]");
  EXPECT_EQ(evaluate(iota8 +
                     "%x = constant <i32: 1> : tile<i32>\n"
                     "%r = extract %m[%x, %x] : tile<2x4xi32> -> tile<1x2xi32>\n" +
                     show("r", "tile<1x2xi32>", "%d")),
            "[[6, 7]]")
      << "indices count slices";
  EXPECT_EQ(evaluate(iota8 +
                     "%x = constant <i32: 2> : tile<i32>\n"
                     "%r = extract %m[%x, %x] : tile<2x4xi32> -> tile<1x2xi32>\n" +
                     show("r", "tile<1x2xi32>", "%d")),
            "undefined (slice-index)");
}

TEST(ShapeTest, InsertReplacesOneSlice) {
  EXPECT_EQ(
      evaluate(
          iota8 +
          "%x = constant <i32: 1> : tile<i32>\n%s = constant <i32: [[90, 91]]> : tile<1x2xi32>\n"
          "%r = insert %s, %m[%x, %x] : tile<1x2xi32>, tile<2x4xi32>\n" +
          show("r", "tile<2x4xi32>", "%d")),
      "[[0, 1, 2, 3], [4, 5, 90, 91]]");
  EXPECT_EQ(
      evaluate(
          iota8 +
          "%x = constant <i32: -1> : tile<i32>\n%s = constant <i32: [[90, 91]]> : tile<1x2xi32>\n"
          "%r = insert %s, %m[%x, %x] : tile<1x2xi32>, tile<2x4xi32>\n"),
      "undefined (slice-index)");
}

// [spec: shape-select, state-unspecified]
TEST(ShapeTest, SelectDoesNotLeakTheOtherSide) {
  // The second element of the false side is unspecified (shift by the width), but not chosen.
  EXPECT_EQ(
      evaluate(
          integers("a", "i32", {1, 1}) + integers("s", "i32", {3, 32}) +
          integers("c", "i1", {0, 1}) +
          "%u = shli %a, %s : tile<2xi32>\n%r = select %c, %a, %u : tile<2xi1>, tile<2xi32>\n" +
          show("r", "tile<2xi32>", "%d")),
      "[8, 1]");
}

TEST(ShapeTest, OffsetCountsElementsAndMayNotOverflow) {
  std::string pointer = "%z = constant <i64: [4096]> : tile<1xi64>\n"
                        "%p = int_to_ptr %z : tile<1xi64> -> tile<1xptr<f64>>\n";
  std::string tail =
      "%r = ptr_to_int %q : tile<1xptr<f64>> -> tile<1xi64>\n" + show("r", "tile<1xi64>", "%lld");
  EXPECT_EQ(evaluate(pointer + integers("o", "i8", {-2}) +
                     "%q = offset %p, %o : tile<1xptr<f64>>, tile<1xi8> -> tile<1xptr<f64>>\n" +
                     tail),
            "[4080]");
  EXPECT_EQ(evaluate(pointer + integers("o", "i64", {-1000}) +
                     "%q = offset %p, %o : tile<1xptr<f64>>, tile<1xi64> -> tile<1xptr<f64>>\n" +
                     tail),
            "undefined (pointer-overflow)");
}

std::string reduceBody(const char *op, const char *type) {
  return std::string("(%x: tile<") + type + ">, %y: tile<" + type + ">) {\n%s = " + op +
         " : tile<" + type + ">\nyield %s : tile<" + type + ">\n}\n";
}

TEST(ReduceTest, SumsAlongEitherDimension) {
  EXPECT_EQ(evaluate(iota8 +
                     "%r = reduce %m dim=0 identities=[0 : i32] : tile<2x4xi32> -> tile<4xi32>\n" +
                     reduceBody("addi %x, %y", "i32") + show("r", "tile<4xi32>", "%d")),
            "[4, 6, 8, 10]");
  EXPECT_EQ(evaluate(iota8 +
                     "%r = reduce %m dim=1 identities=[0 : i32] : tile<2x4xi32> -> tile<2xi32>\n" +
                     reduceBody("addi %x, %y", "i32") + show("r", "tile<2xi32>", "%d")),
            "[6, 22]");
}

// [spec: reduce-canonical]
TEST(ReduceTest, CanonicalTreeAddsNeighboursFirst) {
  // (2^24 + 1) + (1 + 1): the tree gives 2^24 + 2, from left to right it would stay 2^24.
  EXPECT_EQ(evaluate(floats("a", "f32", {16777216, 1, 1, 1}) +
                     "%r = reduce %a dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32>\n" +
                     reduceBody("addf %x, %y", "f32") + show("r", "tile<f32>", "%.1f")),
            "16777218.0");
}

// [spec: reduce-dependent, reduce-order]
TEST(ReduceTest, ABodyThatDependsOnTheOrderIsUnspecified) {
  EXPECT_EQ(evaluate(std::string("%i = iota : tile<8xi32>\n%r = reduce %i dim=0 identities=[0 : "
                                 "i32] : tile<8xi32> -> tile<i32>\n") +
                     "(%x: tile<i32>, %y: tile<i32>) {\nyield %x : tile<i32>\n}\n" +
                     show("r", "tile<i32>", "%d")),
            "inconclusive (unspecified-print)");
}

// [spec: reduce-form, bound-exact-body]
TEST(ReduceTest, SeveralOperandsMakeAnArgMax) {
  EXPECT_EQ(evaluate(integers("v", "i32", {3, 9, 9, 1}) + "%i = iota : tile<4xi32>\n" + R"(
      %m:2 = reduce %v, %i dim=0 identities=[0 : i32, 0 : i32] : tile<4xi32>, tile<4xi32> -> tile<i32>, tile<i32>
      (%v0: tile<i32>, %v1: tile<i32>, %i0: tile<i32>, %i1: tile<i32>) {
        %gt = cmpi greater_than %v0, %v1, signed : tile<i32> -> tile<i1>
        %eq = cmpi equal %v0, %v1, signed : tile<i32> -> tile<i1>
        %lo = cmpi less_than %i0, %i1, signed : tile<i32> -> tile<i1>
        %tie = andi %eq, %lo : tile<i1>
        %first = ori %gt, %tie : tile<i1>
        %v2 = select %first, %v0, %v1 : tile<i1>, tile<i32>
        %i2 = select %first, %i0, %i1 : tile<i1>, tile<i32>
        yield %v2, %i2 : tile<i32>, tile<i32>
      }
      print_tko "%d at %d", %m#0, %m#1 : tile<i32>, tile<i32> -> token
  )"),
            "9 at 1");
}

// [spec: scan-form]
TEST(ReduceTest, ScanRunsForwardAndBackward) {
  std::string head = "%i = iota : tile<4xi32>\n%r = scan %i dim=0 reverse=";
  std::string tail = " identities=[0 : i32] : tile<4xi32> -> tile<4xi32>\n" +
                     reduceBody("addi %x, %y", "i32") + show("r", "tile<4xi32>", "%d");
  EXPECT_EQ(evaluate(head + "false" + tail), "[0, 1, 3, 6]");
  EXPECT_EQ(evaluate(head + "true" + tail), "[6, 6, 5, 3]");
  // The first argument is what came before: subtracting it shows the order.
  EXPECT_EQ(evaluate(head + "false identities=[0 : i32] : tile<4xi32> -> tile<4xi32>\n" +
                     reduceBody("subi %x, %y", "i32") + show("r", "tile<4xi32>", "%d")),
            "[0, -1, -3, -6]");
}

// [spec: mma-float, mma-integer]
TEST(MmaTest, SmallProducts) {
  std::string ab = "%a = constant <f16: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf16>\n"
                   "%b = constant <f16: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xf16>\n";
  EXPECT_EQ(evaluate(ab +
                     "%c = constant <f32: [[100.0, 0.0], [0.0, -1.0]]> : tile<2x2xf32>\n"
                     "%r = mmaf %a, %b, %c : tile<2x2xf16>, tile<2x2xf16>, tile<2x2xf32>\n" +
                     show("r", "tile<2x2xf32>", "%g")),
            "[[119, 22], [43, 49]]");
  EXPECT_EQ(
      evaluate(
          "%a = constant <i8: [[-1, 2], [3, 4]]> : tile<2x2xi8>\n"
          "%c = constant <i32: [[0, 0], [0, 0]]> : tile<2x2xi32>\n"
          "%r = mmai %a, %a, %c unsigned signed : tile<2x2xi8>, tile<2x2xi8>, tile<2x2xi32>\n" +
          show("r", "tile<2x2xi32>", "%d")),
      "[[-249, 518], [9, 22]]")
      << "-1 is 255 on the left";
  EXPECT_EQ(
      evaluate("%a = constant <i8: [[127]]> : tile<1x1xi8>\n"
               "%c = constant <i32: [[2147483647]]> : tile<1x1xi32>\n"
               "%r = mmai %a, %a, %c signed signed : tile<1x1xi8>, tile<1x1xi8>, tile<1x1xi32>\n" +
               show("r", "tile<1x1xi32>", "%d")),
      "inconclusive (unspecified-print)");
}

TEST(MmaTest, BatchesAndFloat64) {
  EXPECT_EQ(evaluate("%a = constant <f64: [[[2.0]], [[3.0]]]> : tile<2x1x1xf64>\n"
                     "%b = constant <f64: [[[10.0, 1.0]], [[100.0, -1.0]]]> : tile<2x1x2xf64>\n"
                     "%c = constant <f64: 0.5> : tile<2x1x2xf64>\n"
                     "%r = mmaf %a, %b, %c : tile<2x1x1xf64>, tile<2x1x2xf64>, tile<2x1x2xf64>\n" +
                     show("r", "tile<2x1x2xf64>", "%g")),
            "[[[20.5, 2.5]], [[300.5, -2.5]]]");
}

// [spec: mma-canonical]
TEST(MmaTest, AnF16AccumulatorIsRoundedOnceAtTheEnd) {
  // 2048 + 1 + 1 in f16 steps would stay 2048.
  EXPECT_EQ(evaluate("%a = constant <f16: [[1.0, 1.0]]> : tile<1x2xf16>\n"
                     "%b = constant <f16: [[1.0], [1.0]]> : tile<2x1xf16>\n"
                     "%c = constant <f16: [[2048.0]]> : tile<1x1xf16>\n"
                     "%r = mmaf %a, %b, %c : tile<1x2xf16>, tile<2x1xf16>, tile<1x1xf16>\n" +
                     show("r", "tile<1x1xf16>", "%g")),
            "[[2050]]");
}

// [spec: mma-scaled]
TEST(MmaTest, BlockScalesMultiplyRunsOfK) {
  // 64 ones times 64 ones; the first 32 have scale 2 on the left and 4 on the right, the rest 1: 32
  // * 8 + 32.
  EXPECT_EQ(evaluate("%a = constant <f8E4M3FN: 1.0> : tile<1x64xf8E4M3FN>\n"
                     "%b = constant <f8E4M3FN: 1.0> : tile<64x1xf8E4M3FN>\n"
                     "%c = constant <f32: 0.0> : tile<1x1xf32>\n" +
                     patterns("x", "f8E8M0FNU", {128, 127}) +
                     patterns("y", "f8E8M0FNU", {129, 127}) +
                     "%s = reshape %x : tile<2xf8E8M0FNU> -> tile<1x2xf8E8M0FNU>\n"
                     "%t = reshape %y : tile<2xf8E8M0FNU> -> tile<2x1xf8E8M0FNU>\n"
                     "%r = mmaf_scaled %a, %b, %c, %s, %t : tile<1x64xf8E4M3FN>, "
                     "tile<64x1xf8E4M3FN>, tile<1x1xf32>, "
                     "tile<1x2xf8E8M0FNU>, tile<2x1xf8E8M0FNU>\n" +
                     show("r", "tile<1x1xf32>", "%g")),
            "[[288]]");
}

} // namespace
