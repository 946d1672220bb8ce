//===- TextLimitsTest.cpp - what the scan before the text parser refuses ----------------------===//
#include "compiler/support/TextLimits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilesmith;
using testing::HasSubstr;

namespace {

std::string check(const std::string &text, bool split = false) {
  llvm::Error error = checkTextLimits(text, split);
  return error ? llvm::toString(std::move(error)) : "fine";
}

std::string repeat(unsigned count, llvm::StringRef text) {
  std::string result;
  for (unsigned i = 0; i < count; ++i)
    result += text;
  return result;
}

TEST(TextLimits, AcceptsTextUpToTheLimitAndNamesThePlaceBehindIt) {
  for (const char *bracket : {"(", "[", "{", "<"}) {
    EXPECT_EQ(check(repeat(kMaxTextDepth, bracket)), "fine");
    EXPECT_EQ(check("\n\n" + repeat(kMaxTextDepth + 1, bracket)),
              "line 3, column 641: brackets nest deeper than 640 levels");
  }
  EXPECT_EQ(check(repeat(10000, "({[<>]})")), "fine");
}

TEST(TextLimits, DoesNotCountArrowsStringsAndComments) {
  EXPECT_EQ(check(repeat(2000, "\"((((\\\"((((\" ")), "fine");
  EXPECT_EQ(check(repeat(2000, "// {{{{\n")), "fine");
  EXPECT_THAT(check(repeat(641, "< -> ")), HasSubstr("nest deeper"));
  EXPECT_THAT(check(repeat(641, "\"x\" ( // )\n")), HasSubstr("nest deeper"));
}

TEST(TextLimits, BracketsThatNothingOpenedAreLeftToTheParser) {
  EXPECT_EQ(check(")))>>>" + repeat(kMaxTextDepth, "(")), "fine");
}

TEST(TextLimits, ChainsOfAliasesAreLimitedInDepth) {
  std::string text = "#a0 = loc(unknown)\n";
  for (unsigned i = 1; i <= kMaxAliasDepth; ++i)
    text +=
        "#a" + std::to_string(i) + " = loc(callsite(#a" + std::to_string(i - 1) + " at unknown))\n";
  EXPECT_EQ(check(text), "fine");
  EXPECT_THAT(check(text + "#b = loc(callsite(unknown at #a320))"),
              HasSubstr("aliases nest deeper than 320 levels at '#b'"));
}

TEST(TextLimits, AliasesThatDoubleAreLimitedInSize) {
  std::string text = "!t0 = i32\n";
  for (unsigned i = 1; i <= 30; ++i)
    text += "!t" + std::to_string(i) + " =\n  tuple\n<!t" + std::to_string(i - 1) + ", !t" +
            std::to_string(i - 1) + ">\n";
  EXPECT_THAT(check(text), HasSubstr("stands for more than 1048576 uses of other aliases"));
}

TEST(TextLimits, UsesInOpsDoNotCountForTheLastDefinition) {
  std::string uses = "module {\n" + repeat(400, "%0 = x loc(#a)\n") + "} loc(#b)\n";
  std::string text = "#a = loc(unknown)\n#b = loc(#a)\n";
  for (unsigned i = 0; i < 400; ++i)
    text += uses;
  EXPECT_EQ(check(text + "#c = loc(#b)"), "fine");
}

TEST(TextLimits, SplitMarkersStartAnew) {
  std::string text = repeat(400, "(") + "\n// -----\n" + repeat(400, "(");
  EXPECT_EQ(check(text, /*split=*/true), "fine");
  EXPECT_THAT(check(text), HasSubstr("nest deeper"));
}

} // namespace
