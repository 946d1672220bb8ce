//===- TriageTest.cpp -------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "fuzz/campaign/KernelCoverage.h"
#include "fuzz/triage/Bisect.h"
#include "fuzz/triage/BugReport.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using testing::HasSubstr;

namespace {

testcase::TestCase caseOf(const std::string &path) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  return llvm::cantFail(
      testcase::loadTestCase(std::string(source ? source : ".") + "/corpus/" + path));
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
                    Expected{"fold-addf-to-nearest", "pass", "tileaa-canonicalize"},
                    Expected{"queue-iterator-not-carried", "pass", "convert-tileas-to-nvgpu"},
                    Expected{"ftoi-nan-not-zero", "pass", "convert-cudatile-to-tileaa"},
                    Expected{"nvvm-maxnum-as-minnum", "pass", "convert-gpu-to-nvvm"},
                    Expected{"mma-drops-k-step", "pass", "convert-tileas-to-nvgpu"},
                    Expected{"emulator-bfly-wraps", "emulator", "emulator"}),
    [](const testing::TestParamInfo<Expected> &info) {
      std::string name = info.param.plant;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(BugReport, LongConstantsAreShortenedForReaders) {
  const std::string digits(512, 'A'), few(64, 'B');
  EXPECT_EQ(forReading("a \"0x" + digits + "\" b \"0x" + few + "\" c \"d\""),
            "a \"0x" + digits.substr(0, 32) + "... 512 digits\" b \"0x" + few + "\" c \"d\"");
  for (const char *same : {"", "\"0x", "\"0xAB", "no constant", "\""})
    EXPECT_EQ(forReading(same), same);
}

/// So that a bug that a kernel and a program of nv_tileaa show is one.
TEST(Features, OperationsOfBothDialectsHaveOneName) {
  EXPECT_THAT(featuresOf(caseOf("tileaa/structure")),
              testing::AllOf(testing::IsSupersetOf({"addf", "mulf", "subf"}),
                             testing::Not(testing::Contains(testing::AnyOf(
                                 testing::StartsWith("nv_tileaa."), "load", "store", "func")))));
  EXPECT_THAT(featuresOf(caseOf("frontends/ew_arith_f32")),
              testing::IsSupersetOf({"addf", "mulf"}));
}

TEST(Bisect, RefusesACaseThatPasses) {
  auto blame = bisect(caseOf("frontends/ew_arith_f32"), "13.3", {});
  ASSERT_FALSE(static_cast<bool>(blame));
  EXPECT_THAT(llvm::toString(blame.takeError()), HasSubstr("expected a case that fails"));
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
  EXPECT_THAT(text, HasSubstr("tilesmith replay . --plant=x"));
  EXPECT_THAT(text, testing::Not(HasSubstr(path.str().str()))) << "the folder may be moved";
  EXPECT_THAT(text, HasSubstr("for sm_90 at -O3, bytecode 13."));
  EXPECT_THAT(text, HasSubstr("- unchanged: 0"));
  EXPECT_THAT(text, HasSubstr("`reference.b1.bin`"));
  EXPECT_THAT(text, HasSubstr("entry @kernel"));
  EXPECT_TRUE(llvm::sys::fs::exists(directory + "/kernel.mlir"));
  llvm::sys::fs::remove_directories(path);
}

} // namespace
