//===- PerformanceTest.cpp --------------------------------------------------------------------===//
#include "oracles/performance/Performance.h"
#include "oracles/performance/ChangePoints.h"

#include "llvm/Support/Path.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

CodeFigures row(std::map<std::string, double> figures, std::string code = "a") {
  return {"case", "sm_90", 3, std::move(code), std::move(figures)};
}

TEST(Performance, ClassesOfPTX) {
  std::map<std::string, double> figures;
  addPTXFigures(".visible .entry kernel(\n.param .u64 p\n)\n{\n  .reg .b32 %r<4>;\n"
                "  ld.param.u64 %rd1, [p];\n  ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];\n"
                "  // a remark;\n  @%p1 bra $L1;\n  bar.sync 0;\n$L1:\n"
                "  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};\n"
                "  st.local.u32 [%rd2], %r1;\n  add.f32 %f1, %f1, %f2;\n  ret;\n}\n",
                figures);
  EXPECT_EQ(figures["ptx/instructions"], 8);
  EXPECT_EQ(figures["ptx/global-loads"], 1);
  EXPECT_EQ(figures["ptx/branches"], 1);
  EXPECT_EQ(figures["ptx/barriers"], 1);
  EXPECT_EQ(figures["ptx/mma"], 1);
  EXPECT_EQ(figures["ptx/local"], 1);
  EXPECT_EQ(figures["ptx/other"], 2);
}

TEST(Performance, FiguresOfPtxasAndSASS) {
  std::map<std::string, double> figures;
  addPtxasFigures("ptxas info    : Function properties for kernel\n"
                  "    24 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
                  "ptxas info    : Used 40 registers, used 1 barriers, 2048 bytes smem\n",
                  figures);
  EXPECT_EQ(figures["ptxas/registers"], 40);
  EXPECT_EQ(figures["ptxas/stack"], 24);
  EXPECT_EQ(figures["ptxas/spills"], 20);
  EXPECT_EQ(figures["ptxas/shared"], 2048);
  addSASSFigures("        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
                 "        /*0010*/              @!P0 LDG.E.128 R4, [R2.64] ;\n"
                 "        /*0020*/                   LDGSTS.E [R2], [R4.64] ;\n"
                 "        /*0030*/                   HMMA.16816.F32 R4, R4, R6, R8 ;\n"
                 "        /*0040*/                   NOP;\n.L_x_0:\n",
                 figures);
  EXPECT_EQ(figures["sass/instructions"], 4);
  EXPECT_EQ(figures["sass/global-loads"], 1);
  EXPECT_EQ(figures["sass/async-copies"], 1);
  EXPECT_EQ(figures["sass/mma"], 1);
}

TEST(Performance, BothFloorsMustBePassed) {
  auto judge = [](double before, double after) {
    CodeFigures stored = row({{"ptx/instructions", before}});
    return comparePerformance(&stored, row({{"ptx/instructions", after}}, "b"));
  };
  EXPECT_TRUE(judge(1000, 1000).isAgree());
  EXPECT_TRUE(judge(1000, 900).isAgree());
  EXPECT_TRUE(judge(10, 25).isAgree()) << "far above 5 %, but only 15 more";
  EXPECT_TRUE(judge(10000, 10100).isAgree()) << "100 more, but only 1 %";
  Verdict worse = judge(1000, 1100);
  EXPECT_TRUE(worse.isDisagree());
  EXPECT_EQ(worse.byHowMuch, "ptx/instructions 1000 -> 1100");
}

TEST(Performance, NewClassesCountFromZeroAndNewToolsDoNot) {
  CodeFigures stored = row({{"ptx/instructions", 100}});
  EXPECT_TRUE(comparePerformance(&stored, row({{"ptx/local", 20}}, "b")).isDisagree());
  EXPECT_TRUE(comparePerformance(&stored, row({{"sass/local", 20}}, "b")).isAgree());
}

TEST(Performance, TheSameCodeIsUnchanged) {
  CodeFigures stored = row({{"ptxas/registers", 32}});
  EXPECT_TRUE(comparePerformance(&stored, row({{"ptxas/registers", 255}})).isAgree());
  EXPECT_TRUE(comparePerformance(&stored, row({{"ptxas/registers", 255}}, "b")).isDisagree());
}

TEST(Performance, WithoutAStoredRowNothingIsKnown) {
  CodeFigures stored = row({{"ptxas/registers", 32}}), measured = stored;
  EXPECT_TRUE(comparePerformance(nullptr, measured).isInconclusive());
  measured.gpuName = "sm_80";
  EXPECT_TRUE(comparePerformance(&stored, measured).isInconclusive());
  measured = stored;
  measured.optLevel = 0;
  EXPECT_TRUE(comparePerformance(&stored, measured).isInconclusive());
}

// Counters of machine code are ours beside another compiler's; only ours get worse.
TEST(Performance, MachineCodeStandsBesideThatOfAnotherCompiler) {
  CodeFigures counted = row({{"machine/barriers", 4},
                             {"external/barriers", 16},
                             {"machine/async_bytes", 0},
                             {"external/async_bytes", 0},
                             {"machine/instructions", 100}},
                            "");
  counted.tools = {{"machine", "ptxas 13.5.37"}, {"external", "tileiras 13.5.37"}};
  std::vector<MachineFigure> figures = machineFigures(counted.figures);
  ASSERT_EQ(figures.size(), 3u);
  EXPECT_EQ(figures[0].name, "async_bytes");
  EXPECT_EQ(figures[0].theirs, 0.0);
  EXPECT_FALSE(figures[0].ratio()) << "nothing to divide by";
  EXPECT_EQ(figures[1].ratio(), 0.25);
  EXPECT_FALSE(figures[2].theirs);
  EXPECT_FALSE(figures[2].ratio());

  CodeFigures worse = counted;
  worse.figures["external/barriers"] = 99;
  EXPECT_TRUE(changedFigures(counted, worse).empty());
  worse.figures["machine/barriers"] = 99;
  std::vector<FigureChange> changes = changedFigures(counted, worse);
  ASSERT_EQ(changes.size(), 1u) << "rows without a code are compared";
  EXPECT_TRUE(changes[0].isWorse);

  // They join a row of the same build, and a row of other figures keeps them.
  CodeFigures compiled = row({{"ptx/instructions", 7}});
  for (const CodeFigures &joined :
       {updatedRow(&compiled, counted), updatedRow(&counted, compiled)}) {
    EXPECT_EQ(joined.code, "a");
    EXPECT_EQ(joined.figures.size(), 6u);
    EXPECT_EQ(joined.tools, counted.tools);
  }
}

TEST(Performance, BaselinesComeBack) {
  CodeFigures one = row({{"ptx/instructions", 100}, {"ptxas/registers", 32}});
  auto rows = readBaseline(toJsonLine(one) + toJsonLine(row({})));
  ASSERT_TRUE(static_cast<bool>(rows)) << llvm::toString(rows.takeError());
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0].caseName, "case");
  EXPECT_EQ((*rows)[0].code, "a");
  EXPECT_EQ((*rows)[0].figures, one.figures);
  auto bad = readBaseline(toJsonLine(one) + "{\"case\": 1}\n");
  ASSERT_FALSE(static_cast<bool>(bad));
  EXPECT_EQ(llvm::toString(bad.takeError()),
            "line 2: expected an object with case, gpu, O, code and figures");
}

// A planted performance bug: the optional passes, without which the results are the same, are left
// out.
TEST(Performance, MissingPassesAreSeen) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  if (!root)
    GTEST_SKIP() << "needs the source folder in TILESMITH_SOURCE_DIR, as ctest sets it";
  llvm::SmallString<256> folder(root);
  llvm::sys::path::append(folder, "corpus", "planted", "mma-drops-k-step");
  auto testCase = testcase::loadTestCase(folder);
  ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
  std::vector<std::string> missing;
  auto measure = [&](int64_t limit) {
    EngineOptions options;
    options.compile.optBisectLimit = limit;
    return llvm::cantFail(measureCode(*testCase, testCase->versions().front(), options, missing));
  };
  CodeFigures stored = measure(-1), again = measure(-1), slow = measure(0);
  EXPECT_EQ(stored.code, again.code);
  EXPECT_GT(stored.figures["ptx/instructions"], 10);
  EXPECT_TRUE(comparePerformance(&stored, again).isAgree());
  EXPECT_NE(stored.code, slow.code);
  EXPECT_TRUE(comparePerformance(&stored, slow).isDisagree());
}

TEST(Performance, CostsOfCompilationCountFromThreeSigma) {
  auto judge = [](std::map<std::string, double> before, std::map<std::string, double> after) {
    CodeFigures stored = row(std::move(before));
    return comparePerformance(&stored, row(std::move(after)));
  };
  const std::string cost = "compile/instructions", sigma = "compile/sigma",
                    reference = "compile/reference";
  EXPECT_TRUE(judge({{cost, 1e9}}, {{cost, 1.05e9}}).isAgree()) << "no spread: the wide gate";
  EXPECT_TRUE(judge({{cost, 1e9}, {sigma, 1e-3}}, {{cost, 1.05e9}, {sigma, 1e-3}}).isDisagree());
  EXPECT_TRUE(judge({{cost, 1e9}, {sigma, 2e-2}}, {{cost, 1.05e9}, {sigma, 1e-3}}).isAgree());
  EXPECT_TRUE(judge({{cost, 1e9}, {sigma, 1e-6}}, {{cost, 1.004e9}, {sigma, 1e-6}}).isAgree())
      << "below half a percent";
  EXPECT_TRUE(judge({{cost, 1e9}, {sigma, 1e-3}, {reference, 1e9}},
                    {{cost, 1.05e9}, {sigma, 1e-3}, {reference, 1.05e9}})
                  .isAgree())
      << "the machine";
}

/// Noise of one percent around a level, the same on every machine.
std::vector<double> noisy(std::vector<std::pair<size_t, double>> levels) {
  std::vector<double> series;
  uint64_t state = 7;
  for (auto [count, level] : levels)
    for (size_t i = 0; i < count; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      series.push_back(level * (1 + 0.01 * (static_cast<double>(state >> 40) / (1 << 23) - 1)));
    }
  return series;
}

std::vector<size_t> placesOf(const std::vector<ChangePoint> &points) {
  std::vector<size_t> places;
  for (const ChangePoint &point : points)
    places.push_back(point.at);
  return places;
}

TEST(ChangePoints, AreFoundWhereTheLevelChanges) {
  using testing::ElementsAre;
  EXPECT_THAT(placesOf(changePoints(noisy({{30, 100}}))), ElementsAre());
  EXPECT_THAT(placesOf(changePoints(noisy({{15, 100}, {15, 104}}))), ElementsAre(15));
  EXPECT_THAT(placesOf(changePoints(noisy({{12, 100}, {10, 110}, {12, 105}}))),
              ElementsAre(12, 22));
  EXPECT_THAT(placesOf(changePoints(noisy({{15, 100}, {1, 150}, {15, 100}}))), ElementsAre())
      << "a spike";
  EXPECT_THAT(placesOf(changePoints(noisy({{25, 100}, {5, 103}}))), ElementsAre(25));
  EXPECT_THAT(placesOf(changePoints(noisy({{140, 100}, {20, 90}}))), ElementsAre(140));
  EXPECT_THAT(placesOf(changePoints(noisy({{3, 100}, {3, 200}}))), ElementsAre())
      << "too few to say";
  EXPECT_THAT(placesOf(changePoints({})), ElementsAre());
  EXPECT_THAT(placesOf(changePoints(std::vector<double>(40, 7))), ElementsAre());
  std::vector<double> exact{5, 5, 6, 6, 4};
  EXPECT_THAT(placesOf(exactSteps(exact)), ElementsAre(2, 4));
  EXPECT_EQ(exactSteps(exact)[1].before, 6);
}

TEST(ChangePoints, SamplesAreComparedByRank) {
  // Values of U and of its probability worked out by hand: four by four apart are 2 of 70.
  std::vector<double> low{1, 2, 3, 4}, high{5, 6, 7, 8}, mixed{1.5, 2.5, 3.5, 4.5};
  SampleComparison apart = compareSamples(low, high);
  EXPECT_NEAR(apart.probability, 2.0 / 70, 1e-9);
  EXPECT_EQ(apart.effect, 1);
  EXPECT_TRUE(apart.isSlower && !apart.isFaster);
  EXPECT_TRUE(compareSamples(high, low).isFaster);
  // U = 10 of 16: as far from 8 as U <= 6 or >= 10: 48 of 70.
  SampleComparison same = compareSamples(low, mixed);
  EXPECT_NEAR(same.probability, 48.0 / 70, 1e-9);
  EXPECT_FALSE(same.isSlower || same.isFaster);
  EXPECT_FALSE(compareSamples({1, 2, 3}, {7, 8, 9}).isSlower) << "three are too few";
  // One outlier moves a mean, no rank.
  EXPECT_FALSE(compareSamples({10, 11, 12, 13, 14}, {10.5, 11.5, 12.5, 13.5, 900}).isSlower);
  // All alike, and ties: the normal approximation.
  std::vector<double> ones(10, 1);
  EXPECT_EQ(compareSamples(ones, ones).probability, 1);
  EXPECT_TRUE(compareSamples(noisy({{25, 100}}), noisy({{25, 103}})).isSlower);
  EXPECT_FALSE(compareSamples(noisy({{25, 100}}), noisy({{25, 100.5}})).isSlower)
      << "below one percent";
  EXPECT_EQ(compareSamples({}, {1}).probability, 1);
  std::vector<double> runs{99, 101, 100, 100};
  EXPECT_NEAR(relativeSigma(runs), 0.00816, 1e-4);
  EXPECT_EQ(medianOf({}), 0);
}

} // namespace
