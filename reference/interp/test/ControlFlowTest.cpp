//===- ControlFlowTest.cpp - loops, branches, assertions, printing ----------------------------===//
#include "reference/interp/test/KernelText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilesmith::reference;

namespace {

const std::string numbers =
    "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n"
    "%c2 = constant <i32: 2> : tile<i32>\n%c5 = constant <i32: 5> : tile<i32>\n"
    "%c7 = constant <i32: 7> : tile<i32>\n";

// [spec: flow-for, flow-for-step, flow-dataflow]
TEST(ControlFlowTest, ForCountsAndCarries) {
  EXPECT_EQ(evaluate(numbers + R"(
      %r = for %i in (%c1 to %c7, step %c2) : tile<i32> iter_values(%s = %c0) -> (tile<i32>) {
        %n = addi %s, %i : tile<i32>
        continue %n : tile<i32>
      }
      print_tko "%d", %r : tile<i32> -> token)"),
            "9")
      << "1 + 3 + 5";
  EXPECT_EQ(evaluate(numbers + R"(
      %r = for %i in (%c7 to %c1, step %c2) : tile<i32> iter_values(%s = %c5) -> (tile<i32>) {
        continue %i : tile<i32>
      }
      print_tko "%d", %r : tile<i32> -> token)"),
            "5")
      << "no iteration: the initial value";
  EXPECT_EQ(evaluate(numbers + "for %i in (%c1 to %c7, step %c0) : tile<i32> {\n}\n"),
            "undefined (loop-step)");
}

// [spec: flow-for, flow-for-wrap]
TEST(ControlFlowTest, ForComparesAsToldAndDoesNotDecideBeyondTheEdgeOfItsType) {
  auto loop = [](const std::string &kind, int lower, int upper, int step) {
    auto constant = [](const std::string &name, int value) {
      return name + " = constant <i8: " + std::to_string(value) + "> : tile<i8>\n";
    };
    return evaluate(constant("%l", lower) + constant("%u", upper) + constant("%s", step) + "for " +
                    kind +
                    " %i in (%l to %u, step %s) : tile<i8> {\nprint_tko \"%d \", %i : "
                    "tile<i8> -> token\n}\n");
  };
  EXPECT_EQ(loop("", 117, 127, 5), "117 122 ") << "127 is the edge";
  EXPECT_EQ(loop("", 118, 127, 5), "inconclusive (loop-edge)") << "118, 123, 128";
  EXPECT_EQ(loop("unsigned", 118, -128, 5), "118 123 ") << "up to 128";
  EXPECT_EQ(loop("unsigned", 55, -1, 100), "55 -101 ") << "55, 155 of 255";
  EXPECT_EQ(loop("unsigned", 56, -1, 100), "inconclusive (loop-edge)") << "56, 156, 256";
  EXPECT_EQ(loop("", 120, -1, 5), "");
}

TEST(ControlFlowTest, LoopLeavesByBreakThroughNestedIfs) {
  EXPECT_EQ(evaluate(numbers + R"(
      %r = loop iter_values(%i = %c0) : tile<i32> -> tile<i32> {
        %n = addi %i, %c1 : tile<i32>
        %big = cmpi greater_than %n, %c5, signed : tile<i32> -> tile<i1>
        if %big {
          %odd = andi %n, %c1 : tile<i32>
          %isOdd = cmpi equal %odd, %c1, signed : tile<i32> -> tile<i1>
          if %isOdd {
            break %n : tile<i32>
          }
        }
        print_tko "%d ", %n : tile<i32> -> token
        continue %n : tile<i32>
      }
      print_tko "end %d", %r : tile<i32> -> token)"),
            "1 2 3 4 5 6 end 7");
}

TEST(ControlFlowTest, ContinueSkipsTheRestOfTheBody) {
  EXPECT_EQ(evaluate(numbers + R"(
      for %i in (%c0 to %c5, step %c1) : tile<i32> {
        %odd = andi %i, %c1 : tile<i32>
        %isOdd = cmpi equal %odd, %c1, signed : tile<i32> -> tile<i1>
        if %isOdd {
          continue
        }
        print_tko "%d ", %i : tile<i32> -> token
      })"),
            "0 2 4 ");
}

TEST(ControlFlowTest, IfYieldsAndReturnEndsTheBlock) {
  EXPECT_EQ(evaluate(numbers + R"(
      %t = cmpi less_than %c1, %c2, signed : tile<i32> -> tile<i1>
      %r = if %t -> (tile<i32>) {
        yield %c5 : tile<i32>
      } else {
        yield %c7 : tile<i32>
      }
      print_tko "%d", %r : tile<i32> -> token
      if %t {
        return
      }
      print_tko "never" -> token)"),
            "5");
}

// [spec: flow-return]
TEST(ControlFlowTest, ReturnInLoopsEndsTheBlock) {
  EXPECT_EQ(evaluate(numbers + R"(
      %one = constant <i32: 1> : tile<i32>
      loop iter_values(%i = %one) : tile<i32> {
        print_tko "%d", %i : tile<i32> -> token
        loop {
          %t = cmpi equal %i, %c2, signed : tile<i32> -> tile<i1>
          if %t {
            return
          }
          break
        }
        %n = addi %i, %one : tile<i32>
        continue %n : tile<i32>
      }
      print_tko "never" -> token)"),
            "12");
}

// [spec: flow-decided, state-unspecified]
TEST(ControlFlowTest, BranchOnAnUnspecifiedValueIsInconclusive) {
  EXPECT_EQ(
      evaluate(
          "%a = constant <i32: 1> : tile<i32>\n%s = constant <i32: 32> : tile<i32>\n"
          "%u = shli %a, %s : tile<i32>\n%c = cmpi equal %u, %a, signed : tile<i32> -> tile<i1>\n"
          "if %c {\n}\n"),
      "inconclusive (unspecified-branch)");
}

TEST(ControlFlowTest, StepLimitEndsEndlessLoops) {
  KernelOptions options;
  options.limits.steps = 1000;
  EXPECT_EQ(evaluate("loop {\n}\n", options), "inconclusive (step-limit)");
}

// [spec: assert-traps]
TEST(ControlFlowTest, AssertTraps) {
  Outcome outcome = runKernel(
      "%c = constant <i1: [true, false]> : tile<2xi1>\nassert %c, \"no way\" : tile<2xi1>\n");
  EXPECT_EQ(outcome.kind, Outcome::Kind::Trapped);
  EXPECT_EQ(outcome.message, "no way");
  EXPECT_EQ(outcome.op, "cuda_tile.assert");
  EXPECT_EQ(
      evaluate("%c = constant <i1: [true, true]> : tile<2xi1>\nassert %c, \"no\" : tile<2xi1>\n"),
      "");
}

// [spec: launch-block-id, launch-num-blocks]
TEST(ControlFlowTest, BlocksKnowTheirPlace) {
  KernelOptions options;
  options.grid = {2, 1, 2};
  EXPECT_EQ(evaluate("%x, %y, %z = get_tile_block_id : tile<i32>\n%a, %b, %c = get_num_tile_blocks "
                     ": tile<i32>\n"
                     "print_tko \"%d%d of %d%d%d; \", %x, %z, %a, %b, %c : tile<i32>, tile<i32>, "
                     "tile<i32>, tile<i32>, "
                     "tile<i32> -> token\n",
                     options),
            "00 of 212; 10 of 212; 01 of 212; 11 of 212; ");
}

// [spec: print-format, print-tile]
TEST(MiscTest, PrintFormats) {
  EXPECT_EQ(evaluate(integers("a", "i8", {-1, 5}) + show("a", "tile<2xi8>", "100%% %04d")),
            "100% [-001, 0005]");
  EXPECT_EQ(evaluate(integers("a", "i8", {-1}) + show("a", "tile<1xi8>", "%u")), "[255]");
  EXPECT_EQ(evaluate(integers("a", "i1", {1, 0}) + show("a", "tile<2xi1>", "%d")), "[1, 0]");
  EXPECT_EQ(evaluate(floats("a", "f16", {1.5}) + show("a", "tile<1xf16>", "%+08.3f")),
            "[+001.500]");
}

// [spec: assume-false, assume-div-by]
TEST(MiscTest, AssumptionsAreChecked) {
  std::string body = integers("a", "i32", {16, 24}) + "%b = assume div_by<16>, %a : tile<2xi32>\n";
  Outcome outcome = runKernel(body);
  EXPECT_TRUE(outcome.completed());
  ASSERT_EQ(outcome.notes.size(), 1u);
  EXPECT_THAT(outcome.notes[0], testing::HasSubstr("element 1 is 24, expected a multiple of 16"));
  KernelOptions strict;
  strict.strictAssume = true;
  EXPECT_EQ(evaluate(body, strict), "undefined (violated-assume)");
  EXPECT_THAT(runKernel(body, strict).describe(),
              testing::StartsWith("undefined [violated-assume]: element 1 is 24"));
  EXPECT_EQ(evaluate(integers("a", "i32", {3, 4}) + "%b = assume bounded<0, 4>, %a : tile<2xi32>\n",
                     strict),
            "");
  EXPECT_EQ(evaluate(integers("a", "i32", {3, 4}) + "%b = assume bounded<?, 3>, %a : tile<2xi32>\n",
                     strict),
            "undefined (violated-assume)");
  EXPECT_EQ(evaluate(integers("a", "i32", {3, 3, 4, 4}) +
                         "%b = assume same_elements<[2]>, %a : tile<4xi32>\n",
                     strict),
            "");
  EXPECT_EQ(evaluate(integers("a", "i32", {8, 9, 16, 17}) +
                         "%b = assume div_by<8, every 2 along 0>, %a : tile<4xi32>\n",
                     strict),
            "");
}

} // namespace
