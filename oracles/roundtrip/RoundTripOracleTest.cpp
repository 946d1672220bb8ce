//===- RoundTripOracleTest.cpp ----------------------------------------------------------------===//
#include "oracles/roundtrip/RoundTripOracle.h"

#include "compiler/support/Plants.h"

#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

testcase::TestCase caseOf(const std::string &path) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  return llvm::cantFail(
      testcase::loadTestCase(std::string(source ? source : ".") + "/corpus/" + path));
}

Verdict judge(const testcase::TestCase &testCase) {
  ModuleReport report;
  JudgeOptions options;
  std::string version = testCase.versions().front();
  return roundTripOracle().judge({testCase, version, options}, report);
}

// A module that a compiler may refuse has no round trip when ours does.
TEST(RoundTripOracle, AModuleThatMayBeRefusedMayBe) {
  testcase::TestCase testCase = caseOf("oracles/truncated");
  EXPECT_TRUE(judge(testCase).isDisagree());
  testCase.mayReject = true;
  EXPECT_TRUE(judge(testCase).isAgree());
}

TEST(RoundTripOracle, SeesWhatThePrinterDrops) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs (preset dist)";
  testcase::TestCase testCase = caseOf("planted/printer-drops-rounding-to-zero");
  EXPECT_TRUE(judge(testCase).isAgree());
  llvm::cantFail(activatePlant("printer-drops-rounding-to-zero"));
  Verdict verdict = judge(testCase);
  deactivatePlants();
  EXPECT_TRUE(verdict.isDisagree());
  EXPECT_EQ(verdict.what, "text");
}

} // namespace
