//===- LoopEdgeTest.cpp - loops at the edge of the type of their induction variable -----------===//
//
// Where the next value does not fit the type the language does not decide, so neither the reference
// nor the interpreters of later stages do. A bound at the edge itself is reached by every engine.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "oracles/differential/Differential.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// Counts the turns of `for` over i8 from `lower` to `upper` by `step`; `turns` is what is expected.
testcase::TestCase countTurns(const std::string &kind, uint8_t lower, uint8_t upper, uint8_t step,
                              uint8_t turns) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "cuda_tile.module @m {\nentry @k(%l: tile<i8>, %u: tile<i8>, %s: tile<i8>, %o: "
      "tile<ptr<i8>>) {\n%zero = constant <i8: 0> : tile<i8>\n%one = constant <i8: 1> : tile<i8>\n"
      "%n = for " +
          kind +
          " %i in (%l to %u, step %s) : tile<i8> iter_values(%c = %zero) -> (tile<i8>) {\n"
          "%d = addi %c, %one : tile<i8>\ncontinue %d : tile<i8>\n}\n"
          "%t = store_ptr_tko weak %o, %n : tile<ptr<i8>>, tile<i8> -> token\nreturn\n}\n}\n",
      &context);
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::cantFail(bytecode::writeBytecode(*module->getOps<cuda_tile::ModuleOp>().begin(), stream));
  testcase::TestCase testCase;
  testCase.name = "turns";
  testcase::Buffer &out = testCase.buffers.emplace_back();
  out.dtype = testcase::DataType::I8;
  out.shape = out.strides = {1};
  out.data = {0};
  out.expect = testcase::Bytes{turns};
  testcase::Launch &launch = testCase.launches.emplace_back();
  launch.kernel = "k";
  launch.modules.push_back({"13.3", "m.tileirbc", testcase::Bytes(bytes.begin(), bytes.end())});
  for (uint8_t bits : {lower, upper, step})
    launch.params.push_back(testcase::Parameter::scalar(testcase::DataType::I8, bits));
  launch.params.push_back(testcase::Parameter::pointer(0, testcase::DataType::I8));
  return testCase;
}

// [spec: flow-for-wrap]
TEST(LoopEdgeTest, EveryEngineReachesTheEdge) {
  auto engines = llvm::cantFail(createEngines("reference,tileaa,tileas,emulator@O0,emulator@O3"));
  for (const testcase::TestCase &testCase :
       {countTurns("", 117, 127, 5, 2), countTurns("", 126, 127, 1, 1),
        countTurns("unsigned", 55, 255, 100, 2), countTurns("unsigned", 254, 255, 1, 1)}) {
    ModuleReport report = judgeModule(testCase, "13.3", engines, {});
    EXPECT_TRUE(report.verdict.isAgree()) << report.verdict.str();
  }
}

// [spec: flow-for-wrap]
TEST(LoopEdgeTest, NoInterpreterDecidesWhatLiesBeyond) {
  for (const char *name : {"reference", "tileaa", "tileas"})
    for (const testcase::TestCase &testCase :
         {countTurns("", 118, 127, 5, 2), countTurns("unsigned", 56, 255, 100, 2)}) {
      auto engines = llvm::cantFail(createEngines(name));
      EngineResult result = engines.front()->run({testCase, "13.3", {}});
      EXPECT_EQ(result.status, EngineResult::Status::Inconclusive) << name;
      EXPECT_EQ(result.label, "loop-edge") << name << ": " << result.message;
    }
}

} // namespace
