//===- SharedMemoryTest.cpp - kernels that need more shared memory than the chip has --------------===//
//
// With the planted bug `cost-exchanges-not-reserved` the rings of test/attention-of-small-chips.mlir leave no
// room for an exchange: the passes alone make a kernel that no sm_89 can run, runPipeline one that it can.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Error.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilesmith;

namespace {

constexpr llvm::StringLiteral kKernel{TILESMITH_SOURCE_DIR
                                      "/compiler/pipeline/test/attention-of-small-chips.mlir"};

/// The most that a kernel of the module asks for; 0 if none says so.
int64_t sharedBytes(ModuleOp module) {
  int64_t most = 0;
  module.walk([&](Operation *op) {
    if (auto bytes = op->getAttrOfType<IntegerAttr>(kSharedBytesAttr))
      most = std::max(most, bytes.getInt());
  });
  return most;
}

struct SharedMemoryTest : testing::Test {
  SharedMemoryTest() {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    options.gpuName = "sm_89";
    options.optLevel = 3;
  }

  OwningOpRef<ModuleOp> parse() { return parseSourceFile<ModuleOp>(kKernel, &context); }
  int64_t limit() const { return target::lookupGpuTarget(options.gpuName)->maxSharedBytes; }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  CompileOptions options;
};

TEST_F(SharedMemoryTest, RingsFitBesideExchanges) {
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(runPipeline(*module, options, Stage::GPU)));
  EXPECT_EQ(sharedBytes(*module), 80 * 1024);
}

TEST_F(SharedMemoryTest, WithoutRingsWhereTheyDoNot) {
  ASSERT_FALSE(llvm::errorToBool(activatePlant("cost-exchanges-not-reserved")));
  llvm::scope_exit restore(deactivatePlants);

  OwningOpRef<ModuleOp> planned = parse();
  ASSERT_TRUE(planned);
  int64_t optionalPasses = 0;
  PassManager manager(&context);
  buildPipeline(manager, options, Stage::CudaTile, Stage::GPU, optionalPasses);
  ASSERT_TRUE(succeeded(manager.run(*planned)));
  EXPECT_GT(sharedBytes(*planned), limit());

  OwningOpRef<ModuleOp> compiled = parse();
  ASSERT_TRUE(succeeded(runPipeline(*compiled, options, Stage::GPU)));
  EXPECT_GT(sharedBytes(*compiled), 0);
  EXPECT_LE(sharedBytes(*compiled), limit());
}

} // namespace
