//===- OracleTriplesTest.cpp - every oracle agrees, disagrees and abstains --------------------===//
//
// For each oracle of the registry the three cases of its triple: a module that it agrees on, one
// that it calls wrong (a planted bug in our compiler, or a stand-in tool) and one that it cannot
// decide. What it calls wrong is then treated as a finding of a campaign: the blame is right, the
// reducer keeps it, and the options in the report show it again.
//
// The comparisons that `differential` makes (levels, targets, schedules, stages) each have a case
// of corpus/planted that only they tell apart.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "fuzz/reduce/Reducer.h"
#include "fuzz/triage/Bisect.h"
#include "fuzz/triage/BugReport.h"
#include "oracles/Registry.h"
#include "oracles/diagnostics/Rejection.h"
#include "oracles/engines/ModuleLoader.h"
#include "oracles/remarks/RemarksOracle.h"
#include "oracles/verdict/Signature.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::Oracle;
using oracles::Sample;
using oracles::Verdict;
using testcase::TestCase;

namespace {

std::string root() {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  return source ? source : ".";
}

TestCase stored(llvm::StringRef name) {
  auto testCase = testcase::loadTestCase(root() + "/corpus/" + name.str());
  EXPECT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
  return testCase ? std::move(*testCase) : TestCase();
}

/// What the words of a sample say; `--timeout=S` is the limit of the worker.
struct Setting {
  JudgeOptions options;
  WorkerLimits limits{120, 0};
  std::function<void()> prepare;
};

Setting settingOf(const Sample &sample, const Oracle &oracle) {
  Setting setting;
  std::vector<std::string> words;
  llvm::SmallVector<llvm::StringRef> split;
  sample.words.split(split, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : split) {
    if (word.consume_front("--timeout=")) {
      EXPECT_FALSE(word.getAsDouble(setting.limits.seconds));
      continue;
    }
    std::string text = word.str();
    if (size_t at = text.find("@/"); at != std::string::npos)
      text.replace(at, 1, root());
    words.push_back(text);
  }
  words.push_back("--oracles=" + oracle.name().str());
  auto options = oracles::parseJudgeWords(words);
  EXPECT_TRUE(static_cast<bool>(options)) << llvm::toString(options.takeError());
  if (options)
    setting.options = std::move(*options);
  if (oracle.name() == "crash") // what crashes is the work of the others
    setting.options.only.clear();
  if (!sample.plant.empty())
    setting.prepare = [plant = sample.plant.str()] { llvm::cantFail(activatePlant(plant)); };
  return setting;
}

oracles::ModuleReport run(const Sample &sample, const Oracle &oracle) {
  Setting setting = settingOf(sample, oracle);
  TestCase testCase = stored(sample.testCase);
  ForkedJudge judge(setting.limits, setting.prepare);
  return judge.judge(testCase, testCase.versions().front(), setting.options);
}

class EveryOracle : public testing::TestWithParam<const Oracle *> {
protected:
  void SetUp() override {
    if (plantRegistry().empty())
      GTEST_SKIP() << "built without planted bugs (preset dist)";
  }
};

TEST_P(EveryOracle, AgreesDisagreesAndAbstains) {
  const Oracle &oracle = *GetParam();
  oracles::Triple triple = oracle.triple();
  Verdict agrees = run(triple.agrees, oracle).verdict;
  EXPECT_TRUE(agrees.isAgree()) << agrees.str();
  Verdict disagrees = run(triple.disagrees, oracle).verdict;
  EXPECT_TRUE(disagrees.isDisagree()) << disagrees.str();
  EXPECT_EQ(disagrees.oracle, oracle.name().str());
  Verdict abstains = run(triple.abstains, oracle).verdict;
  EXPECT_TRUE(abstains.isInconclusive() || abstains.isUnavailable()) << abstains.str();
}

TEST_P(EveryOracle, BlamesItsPlantedBugRightly) {
  const Oracle &oracle = *GetParam();
  Sample sample = oracle.triple().disagrees;
  Setting setting = settingOf(sample, oracle);
  TestCase testCase = stored(sample.testCase);
  auto blame = bisect(testCase, testCase.versions().front(),
                      {setting.options, setting.limits, setting.prepare});
  ASSERT_TRUE(static_cast<bool>(blame)) << llvm::toString(blame.takeError());
  EXPECT_EQ(blame->pass, oracle.triple().blamed.str()) << blame->str();
}

TEST_P(EveryOracle, WhatAReportSaysShowsTheFindingAgain) {
  const Oracle &oracle = *GetParam();
  Sample sample = oracle.triple().disagrees;
  Setting setting = settingOf(sample, oracle);
  TestCase testCase = stored(sample.testCase);
  std::string version = testCase.versions().front();
  ForkedJudge judge(setting.limits, setting.prepare);
  oracles::ModuleReport found = judge.judge(testCase, version, setting.options);
  JudgeOptions focused = oracles::focusOn(found, testCase.name, setting.options);
  auto again = oracles::parseJudgeWords(oracles::judgeWords(focused));
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  Verdict verdict = judge.judge(testCase, version, *again).verdict;
  EXPECT_EQ(signatureOf(verdict), signatureOf(found.verdict)) << verdict.str() << "\n"
                                                              << found.verdict.str();
}

TEST_P(EveryOracle, IsReducedWithoutLosingTheFinding) {
  const Oracle &oracle = *GetParam();
  Sample sample = oracle.triple().disagrees;
  TestCase testCase = stored(sample.testCase);
  if (testCase.expectReject)
    return; // one fault, and its place: already small
  Setting setting = settingOf(sample, oracle);
  ReduceOptions options;
  options.judge = setting.options;
  options.prepare = setting.prepare;
  options.limits.memoryMiB = 0;
  options.seconds = 15;
  auto reduced = reduceCase(testCase, options);
  if (oracle.name() == "metamorphic") {
    // The expectation is of this very kernel.
    EXPECT_FALSE(static_cast<bool>(reduced));
    if (!reduced)
      llvm::consumeError(reduced.takeError());
    return;
  }
  ASSERT_TRUE(static_cast<bool>(reduced)) << llvm::toString(reduced.takeError());
  EXPECT_EQ(reduced->verdict.oracle, oracle.name().str());
  EXPECT_LE(reduced->operationsAfter, reduced->operationsBefore);
  ForkedJudge judge(setting.limits, setting.prepare);
  Verdict verdict =
      judge.judge(reduced->testCase, reduced->testCase.versions().front(), reduced->judge).verdict;
  EXPECT_EQ(signatureOf(verdict), reduced->signature) << verdict.str();
}

INSTANTIATE_TEST_SUITE_P(All, EveryOracle, testing::ValuesIn(oracles::oracleRegistry()),
                         [](const auto &info) { return info.param->name().str(); });

// Nothing under oracles/ judges without being in the registry.
TEST(OracleRegistry, NamesAreUniqueAndFoldersAreThere) {
  std::set<std::string> names;
  for (const Oracle *oracle : oracles::oracleRegistry()) {
    EXPECT_TRUE(names.insert(oracle->name().str()).second) << oracle->name().str();
    EXPECT_EQ(oracles::findOracle(oracle->name()), oracle);
  }
  std::error_code code;
  unsigned folders = 0;
  for (llvm::sys::fs::directory_iterator it(root() + "/oracles", code), end; it != end && !code;
       it.increment(code)) {
    std::string name = llvm::sys::path::filename(it->path()).str();
    if (!llvm::sys::fs::is_directory(it->path()) || name == "verdict" || name == "devices" ||
        name == "engines" || name == "blame")
      continue;
    ++folders;
    EXPECT_TRUE(names.count(name)) << "oracles/" << name << " is the folder of no oracle";
  }
  EXPECT_EQ(folders, names.size());
}

TEST(JudgeOptions, EveryRowSurvivesTheWayThroughWords) {
  for (const char *words :
       {"--engines=reference", "--oracles=hazards,ptx", "--share=ptx:0,hazards:3",
        "--compare-with-self=false", "--external-compiler=/x", "--external-verifier=/y",
        "--external-compiler=/x --external-draw", "--performance-baseline=/z", "--fresh", "-O1",
        "--gpu-name=sm_80 --opt-bisect-limit=3"}) {
    llvm::SmallVector<llvm::StringRef> split;
    llvm::StringRef(words).split(split, ' ');
    std::vector<std::string> given(split.begin(), split.end());
    auto options = oracles::parseJudgeWords(given);
    ASSERT_TRUE(static_cast<bool>(options)) << llvm::toString(options.takeError());
    std::vector<std::string> printed = oracles::judgeWords(*options);
    EXPECT_FALSE(printed.empty()) << words;
    auto again = oracles::parseJudgeWords(printed);
    ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(oracles::judgeWords(*again), printed);
  }
  for (const char *wrong : {"--oracles=nobody", "--share=ptx", "--share=nobody:1", "--nonsense",
                            "--fresh=maybe", "-O7"}) {
    auto options = oracles::parseJudgeWords({wrong});
    EXPECT_FALSE(static_cast<bool>(options)) << wrong;
    if (!options)
      llvm::consumeError(options.takeError());
  }
}

//===-- the comparisons of `differential` -----------------------------------------------------===//

struct Comparison {
  const char *name, *engines, *plant;
  bool self = false;
};

class Comparisons : public testing::TestWithParam<Comparison> {};

TEST_P(Comparisons, TellThePlantedBugApart) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  const Comparison &row = GetParam();
  TestCase testCase = stored(std::string("planted/") + row.plant);
  auto engines = llvm::cantFail(oracles::createEngines(row.engines));
  oracles::DifferentialOptions options;
  options.compareWithSelf = row.self;
  auto judge = [&] {
    return judgeModule(testCase, testCase.versions().back(), engines, options).verdict;
  };
  Verdict right = judge();
  EXPECT_TRUE(right.isAgree()) << right.str();
  llvm::cantFail(activatePlant(row.plant));
  oracles::ModuleLoader::forget();
  Verdict wrong = judge();
  deactivatePlants();
  oracles::ModuleLoader::forget();
  EXPECT_TRUE(wrong.isDisagree()) << wrong.str();
  EXPECT_FALSE(wrong.engine.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, Comparisons,
    testing::Values(
        Comparison{"expectation", "emulator@plain", "swizzle-bit-flipped"},
        Comparison{"tileaa", "reference,tileaa", "select-operands-swapped"},
        Comparison{"tileaa_opt", "reference,tileaa-opt", "fold-mask-false-as-true"},
        Comparison{"tileas", "reference,tileas", "select-operands-swapped"},
        Comparison{"emulator", "reference,emulator@plain", "swizzle-bit-flipped"},
        Comparison{"schedules", "emulator", "barrier-dropped-in-convert-layout", /*self=*/true},
        Comparison{"levels", "emulator@O0,emulator@O3:plain", "swizzle-bit-flipped"},
        Comparison{"targets", "emulator@O0:sm_100,emulator@O3:sm_80", "mma-drops-k-step"},
        Comparison{"fast_path", "emulator@O0,emulator@O3:plain", "mma-fragment-rows-swapped"}),
    [](const auto &info) { return std::string(info.param.name); });

//===-- remarks ---------------------------------------------------------------------------------===//

TEST(Remarks, CodeThatLlvmRemovesWasThere) {
  const char *remarks = "in function: k:\n= name: RemarkMemoryLoadInstructionSelected\n"
                        "= note: Instruction = TMA Load instruction\n";
  const char *ptx = ".visible .entry k(\nld.global.b32 %r1, [%rd1];\n";
  EXPECT_NE(oracles::contradiction(remarks, ptx), "");
  EXPECT_NE(oracles::contradiction(remarks, ptx, [] { return "nvvm.cp.async.shared.global"; }), "");
  EXPECT_EQ(oracles::contradiction(
                remarks, ptx, [] { return "nvvm.cp.async.bulk.tensor.shared.cluster.global"; }),
            "");
}

//===-- the compiler command ------------------------------------------------------------------===//

/// build/PRESET/bin/tileiras, beside build/PRESET/tests of this test.
std::string compilerCommand() {
  std::string self =
      llvm::sys::fs::getMainExecutable("tests", reinterpret_cast<void *>(&compilerCommand));
  return llvm::sys::path::parent_path(llvm::sys::path::parent_path(self)).str() + "/bin/tileiras";
}

Verdict refusal(const TestCase &testCase, const std::string &tool) {
  llvm::SmallString<128> folder;
  EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("triple", folder));
  Verdict verdict =
      oracles::judgeToolRejection(testCase, testCase.versions().front(), tool, folder);
  llvm::sys::fs::remove_directories(folder);
  return verdict;
}

TEST(CompilerCommand, RefusesABrokenModule) {
  TestCase truncated = stored("oracles/truncated");
  truncated.expectReject = testcase::ExpectedRejection{"file_tail", "", "", ""};
  EXPECT_TRUE(refusal(truncated, compilerCommand()).isAgree());
  EXPECT_TRUE(refusal(truncated, "/bin/true").isDisagree());
  EXPECT_TRUE(
      refusal(stored("oracles/rule-of-another-profile"), compilerCommand()).isInconclusive());
}

} // namespace
