//===- RewriteTable.cpp - how often each rewrite of the compiler fires ------------------------===//
#include "fuzz/campaign/RewriteTable.h"

#include "compiler/dialect/CudaTile/Transforms/Passes.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/support/Rewrites.h"
#include "compiler/target/Targets.h"
#include "fuzz/campaign/CaseModules.h"
#include "generators/program/Coverage.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

/// A rewrite that must fire in more or fewer kernels than most, or that none can reach.
struct RewriteRow {
  llvm::StringLiteral name; ///< `PASS/NAME`
  unsigned floor;           ///< of 1,000 kernels; 0: `reason` says why none
  llvm::StringLiteral reason = "";
};

/// Of 1,000 kernels, where no row says otherwise.
constexpr unsigned kFloor = 3;

constexpr llvm::StringLiteral kNoQueues = "no cuda_tile program makes queues or pragmas";

constexpr RewriteRow kRows[] = {
    {"cudatile-canonicalize/fold of cuda_tile.assume", kFloor},
    {"cudatile-canonicalize/SelectOfConstants", 2},
    {"cudatile-canonicalize/fold of cuda_tile.select", kFloor},
    {"cudatile-canonicalize/fold of cuda_tile.if", kFloor},
    {"tileaa-canonicalize/fold of nv_tileaa.addf", 2},
    {"tileaa-canonicalize/fold-identity-operand of arith.addi", kFloor},
    {"tileaa-canonicalize/fold-identity-operand of arith.muli", kFloor},
    {"tileaa-canonicalize/fold-identity-operand of arith.ori", 2},
    {"tileaa-canonicalize/fold-identity-operand of arith.xori", kFloor},
    {"tileaa-fold-view-shapes/TransposeProduct", 0,
     "only for sm_90, which the survey does not compile for"},
    {"tileaa-fold-view-shapes/TransposeTiles", 0,
     "no generated kernel uses sums of a product transposed alone"},
    {"tileaa-canonicalize/prune-pragma-results", 0, kNoQueues},
    {"tileaa-canonicalize/prune-queue-get-results", 0, kNoQueues},
    {"tileaa-canonicalize/prune-scanned-tiles", 1},
    // Of products that are reduced, as in attention, which costs three times what another kernel does.
    {"tileas-remove-layout-conversions/SinkBelowReduce", 2},
    {"tileas-remove-layout-conversions/StageAsHeld", 1},
    {"tileas-remove-layout-conversions/StageRightAsHeld", 0,
     "only for sm_90, which the survey does not compile for"},
};

/// The row of a rewrite; null: none.
const RewriteRow *rowOf(llvm::StringRef name) {
  const auto *row = std::find_if(std::begin(kRows), std::end(kRows),
                                 [&](const RewriteRow &r) { return r.name == name; });
  return row == std::end(kRows) ? nullptr : row;
}

/// What one pattern does on several operations is a figure, and a row only where it has one.
bool needsRow(llvm::StringRef name) {
  return !name.contains(" of ");
}

} // namespace

RewriteTable::RewriteTable() {
  countRewrites();
  takeRewrites();
  for (const RewriteRow &row : kRows)
    fired[row.name.str()];
}

RewriteTable::~RewriteTable() = default;

llvm::Error RewriteTable::add(const testcase::TestCase &testCase) {
  constexpr uint64_t kContextUses = 200; // it grows with every module
  if (!context || kernels % kContextUses == 0) {
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
  }
  ++kernels;
  auto modules = readModules(testCase, *context);
  if (!modules)
    return modules.takeError();
  CompileOptions options;
  const auto *gpu = llvm::find_if(target::drawnGpus(), [](llvm::StringRef name) {
    return target::lookupGpuTarget(name)->has(target::Feature::Tcgen05);
  });
  options.gpuName = gpu->str(); // has every type and every way
  for (const auto &[file, module] : modules->owned) {
    auto whole = wrapModule(*module), fused = wrapModule(*module);
    mlir::PassManager fuse(context.get());
    fuse.addPass(cuda_tile::createFuseFMAPass());
    if (mlir::failed(runPipeline(*whole, options)) || mlir::failed(fuse.run(*fused)))
      return llvm::createStringError("'" + file + "' does not compile");
  }
  const Rewrites rewrites = takeRewrites();
  for (const std::string &name : rewrites.found)
    fired[name];
  for (const std::string &name : rewrites.fired)
    ++fired[name];
  return llvm::Error::success();
}

void RewriteTable::print(llvm::raw_ostream &out) const {
  out << "kernels in which a rewrite of the compiler fires, of " << kernels << '\n';
  for (const auto &[name, count] : fired) {
    const RewriteRow *row = rowOf(name);
    out << llvm::formatv("{0,6}  {1,-74}", count, name);
    if (row && row->floor == 0)
      out << "  " << row->reason;
    else if (row || needsRow(name))
      out << "  floor " << (row ? row->floor : kFloor);
    out << '\n';
  }
}

std::vector<std::string> RewriteTable::problems() const {
  std::vector<std::string> result;
  for (const auto &[name, count] : fired) {
    const RewriteRow *row = rowOf(name);
    if (!row && !needsRow(name))
      continue;
    const unsigned floor = row ? row->floor : kFloor;
    if (floor == 0 && count > 0)
      result.push_back(llvm::formatv("'{0}' fires in {1} kernels, expected none: {2}", name, count,
                                     row->reason));
    if (floor && kernels >= 1000 && count < generators::leastByChance(floor, kernels))
      result.push_back(
          llvm::formatv("'{0}' fires in {1} of {2} kernels, expected {3} of 1,000 in the mean",
                        name, count, kernels, floor));
  }
  return result;
}
