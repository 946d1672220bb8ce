//===- CompilationTest.cpp --------------------------------------------------------------------===//
//
// What the oracle compiles is what an engine would run: every option of the compiler counts.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/compilation/Compilation.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

testcase::TestCase matmul() {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  return llvm::cantFail(testcase::loadTestCase(std::string(root ? root : ".") +
                                               "/corpus/frontends/matmul_f16_bT_exact"));
}

CompilationFacts compiled(const testcase::TestCase &testCase, const EngineOptions &options) {
  CompilationFacts facts = compileOnce(testCase, testCase.versions().back(), options);
  EXPECT_EQ(facts.error, "");
  return facts;
}

TEST(Compilation, CompilesWithTheStrategiesThatAreAskedFor) {
  testcase::TestCase testCase = matmul();
  EngineOptions none;
  ASSERT_TRUE(none.compile.strategies.enable("plain")); // the cost model picks one of them
  CompilationFacts plain = compiled(testCase, none);
  for (llvm::StringRef name : {"warp-specialize", "tma", "tensor-map"}) {
    EngineOptions options;
    ASSERT_TRUE(options.compile.strategies.enable(name));
    CompilationFacts second = compiled(testCase, options);
    EXPECT_NE(second.text, plain.text) << name.str();
    EXPECT_TRUE(judgeCompilation(testCase, testCase.versions().back(), options).isAgree());
  }
}

TEST(Compilation, SeesANonDeterminismThatNeedsAStrategy) {
  // Two compilations that differ only where a strategy is taken stand for a compiler that takes it
  // the second time only.
  testcase::TestCase testCase = matmul();
  EngineOptions options, other;
  options.compile.strategies.warpSpecialize = true;
  other.compile.strategies.warpSpecialize = other.compile.strategies.tma = true;
  Verdict verdict = judgeDeterminism(compiled(testCase, options), compiled(testCase, other));
  EXPECT_TRUE(verdict.isDisagree());
  EXPECT_EQ(verdict.place, "determinism");
  EXPECT_TRUE(judgeDeterminism(compiled(testCase, options), compiled(testCase, options)).isAgree());
}

TEST(Compilation, RunsNoMorePassesThanAsked) {
  testcase::TestCase testCase = matmul();
  EngineOptions none, all;
  none.compile.optBisectLimit = 0;
  EXPECT_NE(compiled(testCase, none).text, compiled(testCase, all).text);
  EngineOptions lowest;
  lowest.compile.optLevel = 0;
  EXPECT_EQ(compiled(testCase, none).text, compiled(testCase, lowest).text)
      << "no level changes more than the optional passes";
}

} // namespace
