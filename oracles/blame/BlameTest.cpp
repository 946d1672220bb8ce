//===- BlameTest.cpp --------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "oracles/blame/EmulatorSelfTest.h"
#include "oracles/blame/EngineBisect.h"
#include "oracles/blame/LayoutEquivalence.h"
#include "oracles/blame/PoisonProbe.h"
#include "oracles/blame/ScalarLoweringProbe.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::oracles;
using testing::HasSubstr;

namespace {

testcase::TestCase caseOf(const std::string &path) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  return llvm::cantFail(
      testcase::loadTestCase(std::string(source ? source : ".") + "/corpus/" + path));
}

TEST(EmulatorSelfTest, FindsNothingWrongAndThePlantedBug) {
  EXPECT_EQ(testEmulator(), "");
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  llvm::cantFail(activatePlant("emulator-bfly-wraps"));
  std::string broken = testEmulator();
  deactivatePlants();
  EXPECT_THAT(broken, HasSubstr("shuffle bfly by 16"));
}

TEST(ScalarLoweringProbe, FindsNothingWrongAndThePlantedBug) {
  testcase::TestCase testCase = caseOf("planted/nvvm-maxnum-as-minnum");
  ScalarLoweringProbe right = probeScalarLowering(testCase, testCase.versions().front(), {});
  EXPECT_GT(right.asked, 10u);
  EXPECT_EQ(right.broken, "");
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  llvm::cantFail(activatePlant("nvvm-maxnum-as-minnum"));
  ScalarLoweringProbe wrong = probeScalarLowering(testCase, testCase.versions().front(), {});
  deactivatePlants();
  EXPECT_THAT(wrong.broken, HasSubstr("arith.m"));
  auto parsed = ScalarLoweringProbe::parse(wrong.str());
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->broken, wrong.broken);
  EXPECT_EQ(ScalarLoweringProbe::parse(std::nullopt), std::nullopt);
}

TEST(EngineBisect, CountsTheOptionalPassesOfEachLevel) {
  EngineOptions options;
  options.compile.optLevel = 0;
  EXPECT_TRUE(optionalPasses(options).empty());
  options.compile.optLevel = 3;
  std::vector<std::string> all = optionalPasses(options);
  EXPECT_THAT(all, testing::Contains("tileaa-canonicalize"));
  options.compile.optLevel = 1;
  EXPECT_LT(optionalPasses(options).size(), all.size());
}

TEST(LayoutEquivalence, ClearsLayoutPasses) {
  testcase::TestCase testCase = caseOf("frontends/matmul_f16_bT_exact");
  EngineOptions options;
  std::vector<std::string> all = optionalPasses(options);
  // Materialising a schedule rewrites the loop; its driver's next run folds the arithmetic that
  // this leaves behind.
  bool rewritten = false;
  for (size_t i = 0; i < all.size(); ++i) {
    llvm::StringRef pass = all[i];
    if (!pass.starts_with("tileas-"))
      continue;
    const bool keeps =
        keepsMeaning(testCase, testCase.versions().back(), options, static_cast<int64_t>(i) + 1);
    if (pass == "tileas-materialize-schedule") {
      EXPECT_FALSE(keeps) << "the case has no loop to pipeline";
      rewritten = true;
    } else if (!rewritten || pass != "tileas-remove-layout-conversions") {
      EXPECT_TRUE(keeps) << pass.str() << " changes more than layouts";
    }
  }
  EXPECT_TRUE(rewritten);
}

TEST(LayoutEquivalence, SeesThatAFoldChangesTheProgram) {
  testcase::TestCase testCase = caseOf("planted/divi-floor-as-trunc");
  EngineOptions options;
  std::vector<std::string> all = optionalPasses(options);
  const auto before = llvm::find(all, "cudatile-canonicalize") - all.begin();
  ASSERT_LT(before, static_cast<int64_t>(all.size()));
  EXPECT_TRUE(keepsMeaning(testCase, testCase.versions().back(), options, before));
  EXPECT_FALSE(keepsMeaning(testCase, testCase.versions().back(), options, before + 1));
}

TEST(EngineBisect, FindsTheFirstBadStep) {
  std::vector<int64_t> asked;
  for (int64_t first = 1; first <= 20; ++first)
    EXPECT_EQ(firstBad(0, 20, [&](int64_t limit) { return limit >= first; }), first);
}

// Machine code is wrong: who did it shows in what else is wrong.
TEST(EngineBisect, TellsApartWhatMakesMachineCode) {
  testcase::TestCase testCase = caseOf("planted/ptx-less-as-less-equal");
  JudgeOptions options;
  options.engines = "reference,sass";
  ModuleReport report;
  report.verdict = Verdict::disagree("sass", "buffer 0", "1 element");
  auto blamed = [&](std::vector<std::string> wrong) {
    auto judge = [&](const JudgeOptions &asked) {
      ModuleReport answer;
      if (llvm::is_contained(wrong, asked.engines))
        answer.verdict = report.verdict;
      return answer;
    };
    auto inChild = [](const std::function<std::string()> &) {
      return std::optional<std::string>();
    };
    const std::string version = testCase.versions().front();
    Finding finding{testCase, version, options, report, judge, inChild};
    return bisectEngines(finding).component;
  };
  EXPECT_EQ(blamed({}), "ptxas");
  EXPECT_EQ(blamed({"reference,sass@ptxas0"}), "PTX backend");
  EXPECT_EQ(blamed({"reference,sass@ptxas0", "reference,emulator@optimized"}), "pass");
  EXPECT_EQ(blamed({"reference,emulator", "reference,tileaa"}), "pass");
}

// The engine that leaves a NaN turned into an integer open explains the wrong elements of the one
// behind it.
TEST(PoisonProbe, ExplainsWhatAConversionLeavesOpen) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  testcase::TestCase testCase = caseOf("planted/ftoi-nan-not-zero");
  llvm::cantFail(activatePlant("ftoi-nan-not-zero"));
  PoisonProbe probe =
      probePoison(testCase, testCase.versions().front(), {}, "tileaa", 0, "emulator");
  deactivatePlants();
  EXPECT_TRUE(probe.explains()) << probe.wrong << " wrong, " << probe.open << " open";
  PoisonProbe right =
      probePoison(testCase, testCase.versions().front(), {}, "tileaa", 0, "emulator");
  EXPECT_EQ(right.wrong, 0u);
  EXPECT_FALSE(right.explains());
}

} // namespace
