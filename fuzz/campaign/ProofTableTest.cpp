//===- ProofTableTest.cpp - every fold and rewrite of the dialects, and how it is proven ------===//
//
// The list is read from the sources: every rewrite pattern, fold and canonicalizer under
// compiler/dialect. Each must have a row here that names its proof or says that it has none, and
// each row must still exist. Those of cuda_tile called metamorphic must fire on generated kernels,
// which run on the reference before and after canonicalization. Prints the table.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "generators/program/ProgramGenerator.h"
#include "reference/interp/RunCase.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <map>
#include <set>

using namespace tilesmith;

namespace {

struct ProofRow {
  const char *name, *proof;
};

constexpr const char *kMetamorphic = "metamorphic: generated kernels on the reference";
constexpr const char *kLayouts = "layouts only: engine tileas and the differential runs";
constexpr const char *kRare = "none: generated kernels hardly reach it";
constexpr const char *kTileAA = "CanonicalizerProofTest: run on random arguments before and after";

const ProofRow kRows[] = {
    // cuda_tile
    {"AddFOp::canonicalize", kRare},
    {"AssumeOp::fold", kMetamorphic},
    {"ConstantOp::fold", "by definition: the constant itself"},
    {"SelectOp::fold", kMetamorphic},
    {"IfOp::fold", kRare},
    {"SelectToNot", kRare},
    {"SelectToExtension", kRare},
    {"SelectOfConstants", kRare},
    {"RemoveStaticCondition", kMetamorphic},
    {"MoveTerminatorToParent", kRare},
    {"RemoveEmptyElseBranch", kRare},
    {"RemoveUnusedResults", kMetamorphic},
    {"ReplaceYieldWithValue", kMetamorphic},
    {"ConvertToSelect", kMetamorphic},
    {"CombineIfs", kRare},
    {"CombineNestedIfs", kRare},
    {"FuseProduct", "none: changes results by one rounding (D-17), in no -O pipeline"},
    // nv_tileaa
    {"FoldDot", kTileAA},
    {"MaskedLoad", kTileAA},
    {"MaskedStore", kTileAA},
    {"FoldAtomicCAS", kTileAA},
    {"FoldAtomicRMW", kTileAA},
    {"PruneResults", kTileAA},
    {"FoldSplatWrapper", kTileAA},
    {"FoldView", kTileAA},
    {"HoistExtract", kTileAA},
    {"FuseAddPtr", kTileAA},
    {"PushAssume", kTileAA},
    {"PushSelect", kTileAA},
    // nv_tileas
    {"FoldConversion", kLayouts},
    {"CarryLayout", kLayouts},
};

// Every rewrite of the dialects stands in the table, and nothing else.
TEST(ProofTable, ListsEveryRewrite) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  if (!root)
    GTEST_SKIP() << "needs the source folder";
  std::map<std::string, std::string> found;
  llvm::Regex pattern("struct ([A-Za-z]+) .*OpRewritePattern<"),
      fold("^[A-Za-z ]*([A-Z][A-Za-z]+Op::(fold|canonicalize))\\(");
  std::error_code code;
  for (llvm::sys::fs::recursive_directory_iterator
           it(std::string(root) + "/compiler/dialect", code),
       end;
       it != end && !code; it.increment(code)) {
    llvm::StringRef path = it->path();
    if (!path.ends_with(".cpp") || path.ends_with("Test.cpp"))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(static_cast<bool>(buffer)) << path.str();
    llvm::SmallVector<llvm::StringRef> lines, parts;
    (*buffer)->getBuffer().split(lines, '\n');
    for (llvm::StringRef line : lines)
      if (pattern.match(line, &parts) || fold.match(line, &parts))
        found[parts[1].str()] = path.drop_front(std::strlen(root) + 1).str();
  }
  EXPECT_GE(found.size(), 20u);
  std::set<std::string> listed;
  for (const ProofRow &row : kRows) {
    listed.insert(row.name);
    EXPECT_TRUE(found.count(row.name)) << row.name << " is listed, but in no source";
    std::fprintf(stderr, "%-26s %-58s %s\n", row.name, found[row.name].c_str(), row.proof);
  }
  for (const auto &[name, path] : found)
    EXPECT_TRUE(listed.count(name)) << name << " of " << path << " has no row with its proof";
}

/// Counts how often each pattern and each fold changed something.
struct Firings : mlir::RewriterBase::Listener {
  std::map<std::string, unsigned> counts;
  bool inPattern = false;
  void notifyPatternBegin(const mlir::Pattern &, mlir::Operation *) override { inPattern = true; }
  void notifyPatternEnd(const mlir::Pattern &pattern, mlir::LogicalResult status) override {
    inPattern = false;
    llvm::StringRef name = pattern.getDebugName();
    if (mlir::succeeded(status))
      ++counts[name.rsplit("::").second.str()];
  }
  void notifyOperationReplaced(mlir::Operation *op, mlir::ValueRange) override {
    if (!inPattern)
      ++counts["fold of " + op->getName().stripDialect().str()];
  }
};

void canonicalize(mlir::Operation *root, Firings &firings) {
  mlir::MLIRContext *context = root->getContext();
  mlir::RewritePatternSet patterns(context);
  for (mlir::RegisteredOperationName name : context->getRegisteredOperationsByDialect("cuda_tile"))
    name.getCanonicalizationPatterns(patterns, context);
  mlir::GreedyRewriteConfig config;
  config.setListener(&firings);
  (void)mlir::applyPatternsGreedily(root, std::move(patterns), config);
}

/// Equal where the first result is determined.
void expectSame(const reference::CaseResult &before, const reference::CaseResult &after,
                const std::string &what) {
  ASSERT_EQ(before.outcome.kind, after.outcome.kind) << what << ": " << after.outcome.describe();
  EXPECT_EQ(before.printed, after.printed) << what;
  ASSERT_EQ(before.buffers.size(), after.buffers.size());
  for (size_t b = 0; b < before.buffers.size(); ++b) {
    const auto &x = before.buffers[b], &y = after.buffers[b];
    for (size_t i = 0; i < x.bytes.size(); ++i)
      if (x.ignored.empty() || !x.ignored[i])
        ASSERT_EQ(x.bytes[i], y.bytes[i]) << what << ", buffer " << b << ", byte " << i;
  }
}

TEST(ProofTable, CanonicalizationKeepsTheResultsOfGeneratedKernels) {
  generators::ProgramGenerator generator;
  Firings firings;
  for (uint64_t i = 0; i < 150; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(83, i);
    auto testCase = generator.generate(stream, generators::nameOfCase(83, i));
    ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    reference::loadReferenceDialects(context);
    std::vector<mlir::OwningOpRef<cuda_tile::ModuleOp>> owned;
    std::vector<cuda_tile::ModuleOp> modules;
    for (const testcase::Launch &launch : testCase->launches) {
      const testcase::ModuleFile &file = launch.modules.front();
      owned.push_back(llvm::cantFail(bytecode::readBytecode(
          llvm::StringRef(reinterpret_cast<const char *>(file.bytes.data()), file.bytes.size()),
          &context)));
      modules.push_back(*owned.back());
    }
    auto before = reference::runCase(*testCase, modules, {});
    ASSERT_TRUE(static_cast<bool>(before)) << llvm::toString(before.takeError());
    for (cuda_tile::ModuleOp module : modules)
      canonicalize(module, firings);
    auto after = reference::runCase(*testCase, modules, {});
    ASSERT_TRUE(static_cast<bool>(after)) << llvm::toString(after.takeError());
    expectSame(*before, *after, testCase->name);
  }
  for (const auto &[name, count] : firings.counts)
    std::fprintf(stderr, "%6u  %s\n", count, name.c_str());
  for (const ProofRow &row : kRows)
    if (row.proof == kMetamorphic) {
      auto [op, isFold] = llvm::StringRef(row.name).split("Op::");
      std::string what = isFold.empty() ? row.name : "fold of " + op.lower();
      EXPECT_GT(firings.counts[what], 0u) << row.name << " fires on no generated kernel";
    }
}

} // namespace
