//===- OracleTest.cpp - how often an oracle judges ------------------------------------------------===//
#include "oracles/Oracle.h"

#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// Judges one case in four, and fewer of large kernels where that is asked for.
class Sampling : public Oracle {
public:
  explicit Sampling(bool grows) : grows(grows) {}
  llvm::StringRef name() const override { return "sampling"; }
  llvm::StringRef question() const override { return ""; }
  unsigned share() const override { return 4; }
  bool growsWithKernel() const override { return grows; }
  bool applies(const OracleContext &, const ModuleReport &) const override { return true; }
  Verdict judge(const OracleContext &, ModuleReport &) const override { return {}; }
  Attribution blame(const Finding &) const override { return {}; }
  Triple triple() const override { return {{""}, {""}, {""}, ""}; }

private:
  bool grows;
};

constexpr unsigned kCases = 8000;
constexpr uint64_t kOrdinaryElements = 1 << 17, kOrdinaryInstructions = 1500;

EngineReport didWork(std::string engine, uint64_t work) {
  EngineReport report;
  report.engine = std::move(engine);
  report.work = work;
  return report;
}

/// Cases of `kCases` that such an oracle judges, all of which gave the engines so much to do.
unsigned judged(bool grows, std::vector<EngineReport> engines, const JudgeOptions &options = {}) {
  Sampling oracle(grows);
  ModuleReport report;
  report.engines = std::move(engines);
  testcase::TestCase testCase;
  unsigned count = 0;
  for (unsigned i = 0; i < kCases; ++i) {
    testCase.name = "s1-" + std::to_string(i);
    count += oracle.draws({testCase, "13.3", options}, report);
  }
  return count;
}

/// Within a fifth.
void expectAbout(unsigned wanted, unsigned got) {
  EXPECT_GE(got * 5, wanted * 4);
  EXPECT_LE(got * 5, wanted * 6);
}

TEST(OracleShare, OrdinaryKernelsAreDrawnByTheShareAlone) {
  expectAbout(kCases / 4, judged(true, {}));
  expectAbout(kCases / 4, judged(true, {didWork("reference", 2 * kOrdinaryElements - 1),
                                        didWork("emulator", 2 * kOrdinaryInstructions - 1)}));
}

// The costliest engine decides, and what an element costs the reference is not what an instruction costs another.
TEST(OracleShare, FallsWithTheWorkOfTheCostliestEngine) {
  const unsigned small = judged(true, {didWork("reference", 1)});
  EXPECT_EQ(judged(true, {didWork("reference", kOrdinaryInstructions * 8)}), small);
  expectAbout(kCases / 16, judged(true, {didWork("reference", 4 * kOrdinaryElements)}));
  expectAbout(kCases / 32, judged(true, {didWork("reference", 2 * kOrdinaryElements),
                                         didWork("emulator", 8 * kOrdinaryInstructions)}));
  // Never to nothing at sizes that are drawn.
  EXPECT_GT(judged(true, {didWork("emulator", 100 * kOrdinaryInstructions)}), 0u);
}

TEST(OracleShare, OthersJudgeLargeKernelsAsOften) {
  EXPECT_EQ(judged(false, {didWork("reference", 64 * kOrdinaryElements)}),
            judged(false, {didWork("reference", 1)}));
}

// Who names an oracle or gives its share gets what was asked for, whatever the size.
TEST(OracleShare, WhatIsAskedForDoesNotFall) {
  const std::vector<EngineReport> large = {didWork("reference", 64 * kOrdinaryElements)};
  JudgeOptions options;
  options.shares["sampling"] = 2;
  expectAbout(kCases / 2, judged(true, large, options));
  options.shares["sampling"] = 0;
  EXPECT_EQ(judged(true, large, options), 0u);
  options = {};
  options.only.push_back("sampling");
  EXPECT_EQ(judged(true, large, options), kCases);
}

} // namespace
