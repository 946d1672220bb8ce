//===- MetamorphicOracleTest.cpp --------------------------------------------------------------===//
#include "oracles/metamorphic/Pinning.h"

#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

constexpr const char *kPlain = "%s = addi %x, %x : tile<8xi32>";
constexpr const char *kSplit = "%zero = constant <i32: 0> : tile<i32>\n"
                               "%one = constant <i32: 1> : tile<i32>\n"
                               "%a = extract %x[%zero] : tile<8xi32> -> tile<4xi32>\n"
                               "%b = extract %x[%one] : tile<8xi32> -> tile<4xi32>\n"
                               "%c = addi %a, %a : tile<4xi32>\n"
                               "%d = addi %b, %b : tile<4xi32>\n"
                               "%s = cat %c, %d dim = 0 : tile<4xi32>, tile<4xi32> -> tile<8xi32>";
constexpr const char *kUndefined = "%z = constant <i32: 0> : tile<8xi32>\n"
                                   "%s = divi %x, %z signed : tile<8xi32>";

/// A kernel that stores what `body` computes of 0 to 7.
testcase::TestCase caseOf(llvm::StringRef body) {
  std::string text = "cuda_tile.module @m { entry @k(%p: tile<ptr<i32>>) {\n"
                     "%x = iota : tile<8xi32>\n" +
                     body.str() +
                     "\n%r = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>\n"
                     "%q = broadcast %r : tile<1xptr<i32>> -> tile<8xptr<i32>>\n"
                     "%o = offset %q, %x : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>\n"
                     "%t = store_ptr_tko weak %o, %s : tile<8xptr<i32>>, tile<8xi32> -> token\n"
                     "return } }";
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  llvm::cantFail(
      bytecode::writeBytecode(*module->getOps<cuda_tile::ModuleOp>().begin(), sink, {13, 3, 0}));
  testcase::TestCase result;
  result.name = "metamorphic";
  testcase::Launch &launch = result.launches.emplace_back();
  launch.kernel = "k";
  launch.modules.push_back({"13.3", "k.tileirbc", testcase::Bytes(bytes.begin(), bytes.end())});
  launch.params.push_back(testcase::Parameter::pointer(0, testcase::DataType::I32));
  testcase::Buffer &buffer = result.buffers.emplace_back();
  buffer.dtype = testcase::DataType::I32;
  buffer.shape = {8};
  buffer.strides = {1};
  buffer.data.assign(32, 0);
  buffer.compare.mode = testcase::Comparison::Mode::Enclosure;
  return result;
}

Verdict judge(const char *original, const char *edited) {
  static auto engines = llvm::cantFail(createEngines("reference,emulator"));
  return judgeEdited(caseOf(original), caseOf(edited), "13.3", engines, {}).verdict;
}

TEST(MetamorphicOracle, AgreesOnAKernelThatComputesTheSameInAnotherWay) {
  Verdict verdict = judge(kPlain, kSplit);
  EXPECT_TRUE(verdict.isAgree()) << verdict.str();
}

TEST(MetamorphicOracle, DisagreesOnAnotherResult) {
  Verdict verdict = judge(kPlain, "%s = muli %x, %x : tile<8xi32>");
  EXPECT_TRUE(verdict.isDisagree()) << verdict.str();
}

#ifdef TILESMITH_PLANTS
TEST(MetamorphicOracle, FindsAPlantedReaderThatAllEnginesShare) {
  testcase::TestCase original = caseOf(kPlain), edited = caseOf(kSplit);
  auto engines = llvm::cantFail(createEngines("reference,emulator"));
  llvm::cantFail(activatePlant("reader-swaps-cat"));
  Verdict alone = judgeModule(edited, "13.3", engines, {}).verdict;
  Verdict verdict = judgeEdited(original, edited, "13.3", engines, {}).verdict;
  deactivatePlants();
  EXPECT_TRUE(alone.isAgree()) << alone.str();
  EXPECT_TRUE(verdict.isDisagree()) << verdict.str();
}
#endif

TEST(MetamorphicOracle, IsInconclusiveWhenTheOriginalHasNoResult) {
  Verdict verdict = judge(kUndefined, kPlain);
  EXPECT_TRUE(verdict.isInconclusive()) << verdict.str();
}

} // namespace
