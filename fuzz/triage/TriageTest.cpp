//===- TriageTest.cpp -------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "fuzz/triage/Bisect.h"
#include "fuzz/triage/BugReport.h"
#include "fuzz/triage/EmulatorProbe.h"
#include "fuzz/triage/Erasure.h"
#include "fuzz/triage/LoweringProbe.h"
#include "fuzz/triage/Signature.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using oracles::Verdict;
using testing::HasSubstr;

namespace {

testcase::TestCase caseOf(const std::string &path) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  return llvm::cantFail(
      testcase::loadTestCase(std::string(source ? source : ".") + "/corpus/" + path));
}

TEST(Signature, ForgetsNumbersAndNamesOnly) {
  auto of = [](const char *what, const char *where, const char *much) {
    return signatureOf(Verdict::disagree(what, where, much));
  };
  EXPECT_EQ(of("emulator against reference", "buffer 3", "1 of 2 elements differ"),
            of("emulator against reference", "buffer 11", "5 of 9 elements differ"));
  EXPECT_NE(of("emulator against reference", "buffer 3", ""),
            of("tileaa against reference", "buffer 3", ""));
  EXPECT_EQ(of("emulator failed", "outcome", "out of bounds access (0 bytes after 'b'): store"),
            of("emulator failed", "outcome", "out of bounds access (8 bytes after 'c'): load"));
  EXPECT_NE(of("emulator failed", "outcome", "out of bounds access (0 bytes): store"),
            of("emulator failed", "outcome", "deadlock: 3 threads wait"));
  EXPECT_EQ(of("emulator@O0 against reference", "buffer 3", "1 of 2 elements differ"),
            of("emulator@draw against reference", "buffer 3", "2 of 2 elements differ"));
  EXPECT_NE(of("emulator against reference", "buffer 3", "first at storage element 8 between rows"),
            of("emulator against reference", "buffer 3", "first at [0]"));
  EXPECT_EQ(signatureOf(Verdict::agree()), Signature());
}

TEST(Signature, HashesAreStable) {
  EXPECT_EQ(stableHash(""), "cbf29ce484222325");
  EXPECT_EQ(stableHash("a"), "af63dc4c8601ec8c");
}

TEST(EmulatorProbe, FindsNothingWrongAndThePlantedBug) {
  EXPECT_EQ(probeEmulator(), std::nullopt);
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  auto broken = probeEmulatorInChild([] { llvm::cantFail(activatePlant("emulator-bfly-wraps")); });
  ASSERT_TRUE(broken.has_value());
  EXPECT_THAT(*broken, HasSubstr("shuffle bfly by 16"));
}

TEST(LoweringProbe, FindsNothingWrongAndThePlantedBug) {
  testcase::TestCase testCase = caseOf("planted/nvvm-maxnum-as-minnum");
  LoweringProbe right = probeLowering(testCase, testCase.versions().front(), {});
  EXPECT_GT(right.asked, 10u);
  EXPECT_EQ(right.broken, "");
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  auto wrong = probeLoweringInChild(testCase, testCase.versions().front(), {},
                                    [] { llvm::cantFail(activatePlant("nvvm-maxnum-as-minnum")); });
  ASSERT_TRUE(wrong.has_value());
  EXPECT_THAT(wrong->broken, HasSubstr("arith.m"));
}

struct Expected {
  const char *plant, *component, *pass;
};

class BlameOf : public testing::TestWithParam<Expected> {};

TEST_P(BlameOf, APlantedBugIsItsPass) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  testcase::TestCase testCase = caseOf(std::string("planted/") + GetParam().plant);
  BisectOptions options;
  options.prepare = [] { llvm::cantFail(activatePlant(GetParam().plant)); };
  auto blame = bisect(testCase, testCase.versions().front(), options);
  ASSERT_TRUE(static_cast<bool>(blame)) << llvm::toString(blame.takeError());
  EXPECT_EQ(blame->component, GetParam().component) << blame->str();
  EXPECT_EQ(blame->pass, GetParam().pass) << blame->str();
}

INSTANTIATE_TEST_SUITE_P(
    All, BlameOf,
    testing::Values(Expected{"reader-splats-constants", "frontend", "bytecode round trip"},
                    Expected{"reader-ignores-tail", "frontend", "bytecode reader"},
                    Expected{"verifier-cat-skips-last-dimension", "frontend", "verifier"},
                    Expected{"cmpf-unordered-as-ordered", "pass", "convert-cudatile-to-tileaa"},
                    Expected{"ftoi-nan-not-zero", "pass", "convert-cudatile-to-tileaa"},
                    Expected{"nvvm-maxnum-as-minnum", "pass", "convert-gpu-to-nvvm"},
                    Expected{"mma-drops-k-step", "pass", "convert-tileas-to-nvgpu"},
                    Expected{"emulator-bfly-wraps", "emulator", "emulator"}),
    [](const testing::TestParamInfo<Expected> &info) {
      std::string name = info.param.plant;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(Bisect, RefusesACaseThatPasses) {
  auto blame = bisect(caseOf("frontends/ew_arith_f32"), "13.3", {});
  ASSERT_FALSE(static_cast<bool>(blame));
  EXPECT_THAT(llvm::toString(blame.takeError()), HasSubstr("expected a case that fails"));
}

TEST(Bisect, KnowsTheEnginesBeyondOurIR) {
  EXPECT_EQ(attributionBeyond("external")->component, "external compiler");
  EXPECT_THAT(attributionBeyond("cuda")->interval, testing::HasSubstr("ptxas"));
  for (const char *own : {"emulator", "tileaa", "tileaa-opt", "tileas", "reference"})
    EXPECT_FALSE(attributionBeyond(own)) << own;
}

TEST(Bisect, CountsTheOptionalPassesOfEachLevel) {
  oracles::EngineOptions options;
  options.compile.optLevel = 0;
  EXPECT_TRUE(optionalPasses(options).empty());
  options.compile.optLevel = 3;
  std::vector<std::string> all = optionalPasses(options);
  EXPECT_THAT(all, testing::Contains("tileaa-canonicalize"));
  options.compile.optLevel = 1;
  EXPECT_LT(optionalPasses(options).size(), all.size());
}

TEST(Erasure, ClearsLayoutPasses) {
  testcase::TestCase testCase = caseOf("frontends/matmul_f16_bT_exact");
  oracles::EngineOptions options;
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

TEST(Erasure, SeesThatAFoldChangesTheProgram) {
  testcase::TestCase testCase = caseOf("planted/divi-floor-as-trunc");
  oracles::EngineOptions options;
  ASSERT_EQ(optionalPasses(options).front(), "tileaa-canonicalize");
  EXPECT_FALSE(keepsMeaning(testCase, testCase.versions().back(), options, 1));
}

TEST(BugReport, LoadsAsACaseAndNamesItsCommand) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tilesmith-report", path));
  BugReport report;
  report.testCase = caseOf("planted/store-ignores-mask-tail");
  report.command = "tilesmith replay CASE --plant=x";
  std::string directory = path.str().str() + "/finding";
  ASSERT_FALSE(static_cast<bool>(writeBugReport(report, directory)));
  EXPECT_TRUE(static_cast<bool>(testcase::loadTestCase(directory)));
  auto page = llvm::MemoryBuffer::getFile(directory + "/report.md");
  ASSERT_TRUE(static_cast<bool>(page));
  std::string text = (*page)->getBuffer().str();
  EXPECT_THAT(text, HasSubstr("tilesmith replay " + directory + " --plant=x"));
  EXPECT_THAT(text, HasSubstr("`reference.b1.bin`"));
  EXPECT_THAT(text, HasSubstr("entry @kernel"));
  EXPECT_TRUE(llvm::sys::fs::exists(directory + "/kernel.mlir"));
  llvm::sys::fs::remove_directories(path);
}

} // namespace
