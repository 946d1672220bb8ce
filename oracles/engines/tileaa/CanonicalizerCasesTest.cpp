//===- CanonicalizerCasesTest.cpp - a kernel for every canonicalizer, run by every engine -----===//
//
// Frontends fold most of what the canonicalizers look for, so seven of them never fire on their
// kernels. canonicalizers.mlir is written by hand so that each rule that a cuda_tile program can
// reach fires (queues and pragmas come from no cuda_tile op). The kernel is run as it stands, after
// each rule alone, after all of them, and on the emulated GPU; all must agree with the reference.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/conversion/CudaTileToTileAA/CudaTileToTileAA.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "oracles/differential/Differential.h"
#include "oracles/engines/tileaa/TileAAEngine.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

class CanonicalizerCases : public ::testing::Test {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    tileaa::registerDialect(registry);
    registry.insert<cuda_tile::CudaTileDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    const char *root = std::getenv("TILESMITH_SOURCE_DIR");
    ASSERT_TRUE(root);
    module = mlir::parseSourceFile<mlir::ModuleOp>(
        std::string(root) + "/oracles/engines/tileaa/canonicalizers.mlir", &context);
    ASSERT_TRUE(module);
  }

  /// 16 inputs, six rows of 16 results, 16 cells for the atomics.
  testcase::TestCase makeCase(int32_t n) {
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    llvm::cantFail(bytecode::writeBytecode(*module->getOps<cuda_tile::ModuleOp>().begin(), stream));
    testcase::TestCase result;
    result.name = "canonicalizers";
    for (int64_t count : {16, 96, 16}) {
      testcase::Buffer &buffer = result.buffers.emplace_back();
      buffer.dtype = testcase::DataType::I32;
      buffer.shape = {count};
      buffer.strides = {1};
      for (int64_t i = 0; i < count; ++i)
        for (uint32_t word = static_cast<uint32_t>(i * 37 % 11 - 5), k = 0; k < 4; ++k)
          buffer.data.push_back(static_cast<uint8_t>(word >> (8 * k)));
      if (count == 96)
        buffer.compare.mode = testcase::Comparison::Mode::Enclosure; // no stored expectation
    }
    testcase::Launch &launch = result.launches.emplace_back();
    launch.kernel = "kernel";
    launch.modules.push_back({"13.3", "m.tileirbc", testcase::Bytes(bytes.begin(), bytes.end())});
    for (unsigned i = 0; i < 3; ++i)
      launch.params.push_back(testcase::Parameter::pointer(i, testcase::DataType::I32));
    launch.params.push_back(
        testcase::Parameter::scalar(testcase::DataType::I32, static_cast<uint32_t>(n)));
    return result;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(CanonicalizerCases, EveryReachableRuleFiresAndAgrees) {
  const std::set<std::string> unreachable = {"prune-queue-get-results", "prune-pragma-results"};
  testcase::TestCase cases[] = {makeCase(3), makeCase(0)};
  for (const tileaa::CanonicalizerInfo &info : tileaa::canonicalizerTable()) {
    std::string rule = info.name.str();
    mlir::OwningOpRef<mlir::ModuleOp> converted = module->clone();
    mlir::PassManager passes(&context);
    passes.addPass(createConvertCudaTileToTileAAPass({"sm_90"}));
    ASSERT_TRUE(mlir::succeeded(passes.run(*converted)));
    llvm::StringMap<unsigned> firings;
    ASSERT_TRUE(mlir::succeeded(tileaa::canonicalize(*converted, rule, &firings)));
    std::fprintf(stderr, "%-28s fires %u times\n", rule.c_str(), firings.lookup(rule));
    EXPECT_EQ(firings.lookup(rule) == 0, unreachable.count(rule) == 1) << rule;

    auto engines = llvm::cantFail(createEngines("reference"));
    engines.push_back(
        createTileAAEngineWith(rule, [&](mlir::OpPassManager &manager, const EngineOptions &) {
          manager.addPass(createConvertCudaTileToTileAAPass({"sm_90"}));
          auto pass = tileaa::createCanonicalizePass();
          ASSERT_TRUE(mlir::succeeded(pass->initializeOptions(
              "only=" + rule, [](const llvm::Twine &) { return mlir::failure(); })));
          manager.addPass(std::move(pass));
        }));
    for (const testcase::TestCase &testCase : cases) {
      ModuleReport report = judgeModule(testCase, "13.3", engines, {});
      EXPECT_TRUE(report.verdict.isAgree()) << rule << ": " << report.verdict.str();
    }
  }
  auto engines = llvm::cantFail(createEngines("reference,tileaa,tileaa-opt,emulator"));
  for (unsigned level : {0u, 3u})
    for (const testcase::TestCase &testCase : cases) {
      DifferentialOptions options;
      options.engine.compile.optLevel = level;
      ModuleReport report = judgeModule(testCase, "13.3", engines, options);
      EXPECT_TRUE(report.verdict.isAgree()) << "-O" << level << ": " << report.verdict.str();
    }
}

} // namespace
