//===- ConvertTest.cpp - every stored frontend module converts and verifies -----------------------===//
//
// Walks the *.tileirbc files below corpus/frontends (and below TILESMITH_EXTRA_CASES when set), converts each and runs
// the verifier. A summary line says how many of them were refused by the reader and why.
//
//===----------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/conversion/CudaTileToTileAA/CudaTileToTileAA.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <chrono>
#include <cstdlib>

using namespace tilesmith;

namespace {

std::vector<std::string> findModules(llvm::StringRef root) {
  std::vector<std::string> files;
  std::error_code ec;
  for (llvm::sys::fs::recursive_directory_iterator it(root, ec), end; it != end && !ec; it.increment(ec))
    if (llvm::StringRef(it->path()).ends_with(".tileirbc"))
      files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

/// A module of its own around the tile module, as the pipeline does it.
mlir::OwningOpRef<mlir::ModuleOp> wrap(mlir::OwningOpRef<cuda_tile::ModuleOp> tileModule) {
  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(tileModule->getLoc()));
  module->push_back(tileModule.release());
  return module;
}

TEST(ConvertCudaTileToTileAATest, CapabilityAcceptsNamesAndNumbers) {
  EXPECT_EQ(parseComputeCapability("sm_90"), 90u);
  EXPECT_EQ(parseComputeCapability("sm_100a"), 100u);
  EXPECT_EQ(parseComputeCapability("120"), 120u);
  for (const char *bad : {"", "sm_", "sm_x", "90.0", "-1", "5", "sm_9000"})
    EXPECT_EQ(parseComputeCapability(bad), std::nullopt) << bad;
}

TEST(ConvertCudaTileToTileAATest, FrontendModulesConvert) {
  std::vector<std::string> files;
  if (const char *root = std::getenv("TILESMITH_SOURCE_DIR"))
    files = findModules(std::string(root) + "/corpus/frontends");
  if (const char *extra = std::getenv("TILESMITH_EXTRA_CASES"))
    for (std::string &file : findModules(extra))
      files.push_back(file);
  mlir::DialectRegistry registry;
  tileaa::registerDialect(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  unsigned converted = 0, unreadable = 0;
  double milliseconds = 0, worst = 0;
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    ASSERT_TRUE(bool(buffer)) << file;
    auto tileModule = bytecode::readBytecode((*buffer)->getBuffer(), &context);
    if (!tileModule) {
      ++unreadable;
      std::fprintf(stderr, "unreadable: %s: %s\n", file.c_str(), llvm::toString(tileModule.takeError()).c_str());
      continue;
    }
    mlir::OwningOpRef<mlir::ModuleOp> module = wrap(std::move(*tileModule));
    mlir::PassManager passes(&context);
    passes.addPass(createConvertCudaTileToTileAAPass({"sm_90"}));
    auto start = std::chrono::steady_clock::now();
    bool ok = mlir::succeeded(passes.run(*module));
    double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    EXPECT_TRUE(ok) << file;
    converted += ok;
    milliseconds += ms;
    worst = std::max(worst, ms);
  }
  std::fprintf(stderr, "%u converted, %u unreadable, %.2f ms each, %.2f ms at worst\n", converted, unreadable,
               converted ? milliseconds / converted : 0.0, worst);
}

} // namespace
