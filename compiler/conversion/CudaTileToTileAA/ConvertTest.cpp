//===- ConvertTest.cpp - every stored frontend module converts and verifies -------------------===//
//
// Walks the *.tileirbc files below corpus/frontends (and below TILESMITH_EXTRA_CASES when set),
// converts each and runs the verifier. A summary line says how many of them were refused by the
// reader and why.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/conversion/CudaTileToTileAA/CudaTileToTileAA.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
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
  for (llvm::sys::fs::recursive_directory_iterator it(root, ec), end; it != end && !ec;
       it.increment(ec))
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

// Every registered op has a pattern, or a reason not to have one.
TEST(ConvertCudaTileToTileAATest, EveryOpHasAPatternOrAReason) {
  const std::map<std::string, std::string> reasons = {
      {"cuda_tile.loop", "structured into scf.while before the patterns run"},
      {"cuda_tile.break", "structured before the patterns run"},
      {"cuda_tile.multimem_load_reduce_view_tko", "needs multicast memory of several devices"},
      {"cuda_tile.multimem_reduce_view_tko", "needs multicast memory of several devices"},
      {"cuda_tile.multimem_store_view_tko", "needs multicast memory of several devices"},
  };
  mlir::MLIRContext context;
  context.loadDialect<cuda_tile::CudaTileDialect>();
  mlir::RewritePatternSet patterns(&context);
  cudatile_to_tileaa::CudaTileTypeConverter types;
  cudatile_to_tileaa::Settings settings;
  cudatile_to_tileaa::populateAllPatterns(types, patterns, settings);
  std::map<std::string, unsigned> roots;
  for (const auto &pattern : patterns.getNativePatterns())
    ++roots[pattern->getRootKind()->getStringRef().str()];
  unsigned total = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperationsByDialect("cuda_tile")) {
    std::string op = name.getStringRef().str();
    ++total;
    EXPECT_EQ(roots.count(op) + reasons.count(op), 1u) << op;
    EXPECT_LE(roots[op], 1u) << op << " has several patterns";
  }
  EXPECT_GE(total, 100u);
}

// The eight singleton adders are the only ones that bring their ops into a set.
TEST(ConvertCudaTileToTileAATest, SingletonsAreNotInTheMainPopulators) {
  using namespace cudatile_to_tileaa;
  mlir::MLIRContext context;
  context.loadDialect<cuda_tile::CudaTileDialect>();
  CudaTileTypeConverter types;
  Settings settings;
  mlir::RewritePatternSet parts(&context), singles(&context);
  populatePartA(types, parts, settings);
  populatePartB(types, parts, settings);
  populatePartC(types, parts, settings);
  for (auto add : {addTruncIPattern, addRsqrtPattern, addMaxIPattern, addIToFPattern,
                   addGlobalPattern, addFmaPattern, addConstantPattern, addAssumePattern})
    add(types, singles);
  auto roots = [](mlir::RewritePatternSet &set) {
    std::vector<std::string> names;
    for (const auto &pattern : set.getNativePatterns())
      names.push_back(pattern->getRootKind()->getStringRef().str());
    return names;
  };
  std::vector<std::string> expected = {"cuda_tile.trunci",   "cuda_tile.rsqrt",  "cuda_tile.maxi",
                                       "cuda_tile.itof",     "cuda_tile.global", "cuda_tile.fma",
                                       "cuda_tile.constant", "cuda_tile.assume"};
  EXPECT_EQ(roots(singles), expected);
  std::vector<std::string> order = roots(parts);
  for (const std::string &name : expected)
    EXPECT_EQ(llvm::count(order, name), 0) << name;

  // All patterns are the three parts in their order, then the eight.
  mlir::RewritePatternSet all(&context);
  populateAllPatterns(types, all, settings);
  llvm::append_range(order, expected);
  EXPECT_EQ(roots(all), order);
  // The order is not that of the other way round.
  mlir::RewritePatternSet first(&context), last(&context);
  populatePartA(types, first, settings);
  populatePartC(types, last, settings);
  ASSERT_FALSE(roots(first).empty() || roots(last).empty());
  EXPECT_EQ(order.front(), roots(first).front());
  EXPECT_EQ(order[order.size() - expected.size() - 1], roots(last).back());
}

// Each adder alone converts its op, and leaves every other op of the entry as it is.
TEST(ConvertCudaTileToTileAATest, SingletonsWorkAlone) {
  using namespace cudatile_to_tileaa;
  mlir::DialectRegistry registry;
  tileaa::registerDialect(registry);
  registry.insert<cuda_tile::CudaTileDialect, mlir::arith::ArithDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  using Adder = void (*)(const mlir::TypeConverter &, mlir::RewritePatternSet &);
  const std::pair<const char *, Adder> adders[] = {
      {"cuda_tile.trunci", addTruncIPattern},     {"cuda_tile.rsqrt", addRsqrtPattern},
      {"cuda_tile.maxi", addMaxIPattern},         {"cuda_tile.itof", addIToFPattern},
      {"cuda_tile.global", addGlobalPattern},     {"cuda_tile.fma", addFmaPattern},
      {"cuda_tile.constant", addConstantPattern}, {"cuda_tile.assume", addAssumePattern}};
  for (auto [name, add] : adders) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
      cuda_tile.module @m {
        global @g alignment = 16 <i32: [1, 2]> : tile<2xi32>
        entry @k(%l: tile<i64>, %i: tile<i32>, %x: tile<f32>) {
          %0 = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
          %1 = trunci %l : tile<i64> -> tile<i32>
          %2 = maxi %1, %i signed : tile<i32>
          %3 = itof %2 signed : tile<i32> -> tile<f32>
          %4 = rsqrt %3 : tile<f32>
          %5 = fma %4, %x, %x : tile<f32>
          %6 = assume bounded<0, ?>, %2 : tile<i32>
          return
        }
      })",
                                                          &context);
    ASSERT_TRUE(module);
    CudaTileTypeConverter types;
    mlir::RewritePatternSet patterns(&context);
    add(types, patterns);
    EXPECT_EQ(patterns.getNativePatterns().size(), 1u) << name;
    mlir::ConversionTarget target(context);
    target.addLegalDialect<cuda_tile::CudaTileDialect, tileaa::TileAADialect,
                           mlir::arith::ArithDialect>();
    target.addLegalOp<mlir::ModuleOp, mlir::UnrealizedConversionCastOp>();
    target.addIllegalOp(mlir::OperationName(name, &context));
    ASSERT_TRUE(mlir::succeeded(mlir::applyPartialConversion(*module, target, std::move(patterns))))
        << name;
    std::set<std::string> left;
    module->walk([&](mlir::Operation *op) { left.insert(op->getName().getStringRef().str()); });
    for (auto [other, unused] : adders)
      EXPECT_EQ(left.count(other), other == name ? 0u : 1u) << name << ": " << other;
  }
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
  llvm::StringMap<unsigned> firings;
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    ASSERT_TRUE(bool(buffer)) << file;
    auto tileModule = bytecode::readBytecode((*buffer)->getBuffer(), &context);
    if (!tileModule) {
      ++unreadable;
      std::fprintf(stderr, "unreadable: %s: %s\n", file.c_str(),
                   llvm::toString(tileModule.takeError()).c_str());
      continue;
    }
    mlir::OwningOpRef<mlir::ModuleOp> module = wrap(std::move(*tileModule));
    mlir::PassManager passes(&context);
    passes.addPass(createConvertCudaTileToTileAAPass({"sm_90"}));
    auto start = std::chrono::steady_clock::now();
    bool ok = mlir::succeeded(passes.run(*module));
    double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    EXPECT_TRUE(ok) << file;
    converted += ok;
    module->walk([&](mlir::Operation *op) {
      auto isOld = [](mlir::Type type) {
        return mlir::isa<cuda_tile::CudaTileDialect>(type.getDialect());
      };
      EXPECT_NE(op->getName().getDialectNamespace(), "cuda_tile") << file;
      EXPECT_TRUE(llvm::none_of(op->getResultTypes(), isOld)) << file;
      for (mlir::Region &region : op->getRegions())
        for (mlir::Block &block : region)
          EXPECT_TRUE(llvm::none_of(block.getArgumentTypes(), isOld)) << file;
    });
    milliseconds += ms;
    worst = std::max(worst, ms);
    if (ok)
      EXPECT_TRUE(mlir::succeeded(tileaa::canonicalize(*module, "", &firings))) << file;
  }
  EXPECT_GE(converted, 60u);
  EXPECT_EQ(unreadable, 0u);
  std::fprintf(stderr, "%u converted, %u unreadable, %.2f ms each, %.2f ms at worst\n", converted,
               unreadable, converted ? milliseconds / converted : 0.0, worst);
  for (const tileaa::CanonicalizerInfo &info : tileaa::canonicalizerTable())
    std::fprintf(stderr, "%-28s fired %u times\n", info.name.str().c_str(),
                 firings.lookup(info.name));
}

} // namespace
