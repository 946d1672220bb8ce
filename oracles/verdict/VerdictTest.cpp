//===- VerdictTest.cpp ------------------------------------------------------------------------===//
#include "oracles/verdict/Verdict.h"

#include "gtest/gtest.h"

using namespace tilesmith::oracles;

namespace {

VerdictCounts counts(uint64_t passed, uint64_t failed, uint64_t inconclusive,
                     uint64_t unavailable) {
  return {passed, failed, inconclusive, unavailable};
}

TEST(Verdict, EveryKindPrintsItsDetails) {
  EXPECT_EQ(Verdict::agree().str(), "agree");
  EXPECT_EQ(Verdict::disagree("emulator against reference", "buffer 1", "got 1, want 2").str(),
            "disagree: emulator against reference, buffer 1: got 1, want 2");
  EXPECT_EQ(Verdict::inconclusive("step budget").str(), "inconclusive: step budget");
  EXPECT_EQ(Verdict::unavailable("cuda", "no libcuda.so.1").str(),
            "unavailable: engine `cuda`: no libcuda.so.1");
}

TEST(Verdict, NamesTheRuleThatWasBroken) {
  Verdict verdict = Verdict::disagree("tileas against reference", "outcome", "no barrier");
  verdict.label = "hazard";
  EXPECT_EQ(verdict.str(), "disagree: tileas against reference, outcome: no barrier [hazard]");
  verdict.byHowMuch = "undefined [hazard]: no barrier";
  EXPECT_EQ(verdict.str(),
            "disagree: tileas against reference, outcome: undefined [hazard]: no barrier");
}

TEST(Verdict, TheWorstJudgementDecides) {
  Verdict agree = Verdict::agree(), missing = Verdict::unavailable("cuda", "x");
  Verdict unsure = Verdict::inconclusive("y"), bad = Verdict::disagree("a", "b", "c");
  EXPECT_TRUE(combine(agree, missing).isUnavailable());
  EXPECT_TRUE(combine(missing, unsure).isInconclusive());
  EXPECT_TRUE(combine(bad, unsure).isDisagree());
  EXPECT_EQ(combine(bad, Verdict::disagree("z", "", "")).what, "a")
      << "the first of two equals is kept";
}

TEST(Verdict, EveryVerdictIsCountedOnce) {
  VerdictCounts sum;
  sum.add(Verdict::agree());
  sum.add(Verdict::disagree("", "", ""));
  sum.add(Verdict::inconclusive(""));
  sum.add(Verdict::unavailable("", ""));
  EXPECT_EQ(sum.total(), 4u);
  sum += counts(3, 0, 0, 0);
  EXPECT_EQ(sum.str(), "4 passed, 1 failed, 1 inconclusive, 1 unavailable");
}

TEST(Verdict, FloatComparisonsAddUpAndPrintTheirMedianWidth) {
  FloatComparisons floats;
  floats.points = 6;
  floats.addRange(1);
  floats.addRange(5);
  floats.addRange(6);
  FloatComparisons more;
  more.vacuous = 2;
  more.open = 1;
  more.skipped = {{"f32: log f32", 2}, {"f16: open", 1}};
  floats += more;
  EXPECT_EQ(floats.total(), 12u);
  EXPECT_EQ(floats.medianWidth(), 4);
  EXPECT_EQ(floats.str(), "float results: 6 points, 3 within bounds (25.0 %, median width 4 ulp), "
                          "2 vacuous, 1 open\nnot compared: 1 f16: open, 2 f32: log f32");
}

TEST(Verdict, ExitCodesFollowTheDesign) {
  ExitPolicy policy;
  EXPECT_EQ(exitCode(counts(10, 0, 0, 0), policy), 0);
  EXPECT_EQ(exitCode(counts(10, 1, 5, 5), policy), 1) << "a failure outweighs everything";
  EXPECT_EQ(exitCode(counts(0, 0, 0, 0), policy), 3) << "nothing passed";
  EXPECT_EQ(exitCode(counts(0, 0, 7, 0), policy), 3) << "nothing passed";
  EXPECT_EQ(exitCode(counts(10, 0, 0, 1), policy), 3) << "an engine was unavailable";
  EXPECT_EQ(exitCode(counts(98, 0, 2, 0), policy), 0) << "two percent are allowed";
  EXPECT_EQ(exitCode(counts(97, 0, 3, 0), policy), 4);
  policy.maxInconclusivePercent = 50;
  EXPECT_EQ(exitCode(counts(97, 0, 3, 0), policy), 0);
  policy.expectPassed = 97;
  EXPECT_EQ(exitCode(counts(97, 0, 3, 0), policy), 0);
  policy.expectPassed = 98;
  EXPECT_EQ(exitCode(counts(97, 0, 3, 0), policy), 1) << "--expect-passed is binding";
}

} // namespace
