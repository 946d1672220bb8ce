//===- DiagnosticsOracleTest.cpp --------------------------------------------------------------===//
#include "oracles/diagnostics/Rejection.h"

#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

testcase::TestCase caseOf(std::string text, testcase::ExpectedRejection expected) {
  testcase::TestCase result;
  result.name = "rejected";
  testcase::Launch &launch = result.launches.emplace_back();
  launch.kernel = "k";
  launch.modules.push_back({"13.3", "kernel.mlir", testcase::Bytes(text.begin(), text.end())});
  result.expectReject = std::move(expected);
  return result;
}

constexpr const char *kBroken = "cuda_tile.module @m {\n"
                                "  entry @k() {\n"
                                "    %a = constant <f16: 1.0> : tile<4xf16>\n"
                                "    %b = mulf %a, %a flush_to_zero : tile<4xf16>\n"
                                "  }\n"
                                "}\n";

testcase::ExpectedRejection expectation() {
  return {"flush_to_zero", "mulf", "4:10",
          "flush_to_zero modifier only supported for f32 data type, but got: 'f16'"};
}

TEST(DiagnosticsOracle, AgreesWhenTheRightFaultIsReportedAtTheRightPlace) {
  Verdict verdict = judgeRejection(caseOf(kBroken, expectation()), "13.3");
  EXPECT_TRUE(verdict.isAgree()) << verdict.str();
}

TEST(DiagnosticsOracle, DisagreesWithAnotherTextOpOrPlace) {
  testcase::ExpectedRejection text = expectation(), op = expectation(), place = expectation();
  text.diagnostic = "something else";
  op.op = "addf";
  place.location = "3:10";
  for (const testcase::ExpectedRejection &wrong : {text, op, place}) {
    Verdict verdict = judgeRejection(caseOf(kBroken, wrong), "13.3");
    EXPECT_TRUE(verdict.isDisagree()) << verdict.str();
    EXPECT_THAT(verdict.str(), testing::HasSubstr("rule [" + wrong.rule + "]"));
  }
}

TEST(DiagnosticsOracle, ChecksThePlaceOfBytecodeByTheOpAndNotByWhatTheReaderSays) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kBroken, config);
  ASSERT_TRUE(module);
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  llvm::cantFail(
      bytecode::writeBytecode(*module->getOps<cuda_tile::ModuleOp>().begin(), sink, {13, 3, 0}));
  for (const char *place : {"@k op 2", "@k op 1", "@k op 9", "@other op 2"}) {
    testcase::ExpectedRejection want = expectation();
    want.location = place;
    testcase::TestCase testCase = caseOf(bytes, want);
    testCase.launches.front().modules.front().file = "kernel.v13.3.tileirbc";
    Verdict verdict = judgeRejection(testCase, "13.3");
    EXPECT_EQ(verdict.isAgree(), llvm::StringRef(place) == "@k op 2") << verdict.str();
  }
}

TEST(DiagnosticsOracle, DisagreesWhenTheModuleIsAccepted) {
  std::string right(kBroken);
  right.replace(right.find("flush_to_zero "), 14, "");
  Verdict verdict = judgeRejection(caseOf(right, expectation()), "13.3");
  EXPECT_TRUE(verdict.isDisagree());
  EXPECT_NE(verdict.str().find("accepted"), std::string::npos) << verdict.str();
}

#ifdef TILESMITH_PLANTS
TEST(DiagnosticsOracle, FindsAPlantedVerifierThatForgetsARule) {
  llvm::cantFail(activatePlant("verifier-forgets-flush-to-zero"));
  Verdict verdict = judgeRejection(caseOf(kBroken, expectation()), "13.3");
  deactivatePlants();
  EXPECT_TRUE(verdict.isDisagree()) << verdict.str();
}
#endif

TEST(DiagnosticsOracle, IsInconclusiveWithoutAnExpectationOrWithUnknownRules) {
  testcase::TestCase open = caseOf(kBroken, expectation()), odd = open;
  open.expectReject.reset();
  odd.features = {"profile:nobody"};
  EXPECT_TRUE(judgeRejection(open, "13.3").isInconclusive());
  EXPECT_TRUE(judgeRejection(odd, "13.3").isInconclusive());
  EXPECT_TRUE(judgeRejection(odd, "13.1").isInconclusive());
}

} // namespace
