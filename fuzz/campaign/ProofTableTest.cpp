//===- ProofTableTest.cpp - every fold and rewrite of the dialects, and how it is proven ------===//
//
// The list is read from the sources: every rewrite pattern, fold and canonicalizer under
// compiler/dialect. Each must have a row here that names its proof or says that it has none, and
// each row must still exist. Those of cuda_tile called metamorphic must fire on generated kernels,
// which run on the reference before and after canonicalization; those that generated kernels hardly
// reach must fire on the modules of ProofModules.h, on every condition. Prints the table.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "fuzz/campaign/ProofModules.h"
#include "generators/program/ProgramGenerator.h"
#include "reference/interp/RunCase.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/StringExtras.h"
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
constexpr const char *kModules =
    "exhaustive: ProofModules.h on all conditions and all values of 8 bits";
constexpr const char *kTileAA = "CanonicalizerProofTest: run on random arguments before and after";
constexpr const char *kShapes =
    "same elements from the same addresses: engine tileaa-opt and the differential runs";

const ProofRow kRows[] = {
    // cuda_tile
    {"AddFOp::canonicalize", kModules},
    {"AssumeOp::fold", kMetamorphic},
    {"ConstantOp::fold", "by definition: the constant itself"},
    {"SelectOp::fold", kMetamorphic},
    {"IfOp::fold", kModules},
    {"SelectToNot", kModules},
    {"SelectToExtension", kModules},
    {"SelectOfConstants", kModules},
    {"RemoveStaticCondition", kMetamorphic},
    {"MoveTerminatorToParent", kModules},
    {"RemoveEmptyElseBranch", kModules},
    {"RemoveUnusedResults", kMetamorphic},
    {"ReplaceYieldWithValue", kMetamorphic},
    {"ConvertToSelect", kMetamorphic},
    {"CombineIfs", kModules},
    {"CombineNestedIfs", kModules},
    {"FuseProduct",
     "none: changes results by one rounding [spec: float-no-contraction], in no -O pipeline"},
    {"FuseReciprocalRoot", "none: changes results, in no -O pipeline"},
    // nv_tileaa
    {"AddFOp::fold", "TileAAProgramsTest: random programs on engines with it and without"},
    {"FoldDot", kTileAA},
    {"MaskedRead", kTileAA},
    {"MaskedWrite", kTileAA},
    {"FoldAtomicCAS", kTileAA},
    {"FoldAtomicRMW", kTileAA},
    {"PruneResults", kTileAA},
    {"PruneTiles", kTileAA},
    {"FoldSplatWrapper", kTileAA},
    {"FoldView", kTileAA},
    {"HoistExtract", kTileAA},
    {"FuseAddPtr", kTileAA},
    {"OffsetBase", kTileAA},
    {"CountCarriedSum", kTileAA},
    {"PushAssume", kTileAA},
    {"PushSelect", kTileAA},
    {"FoldIdentityOperand", kTileAA},
    {"FoldPermutedLoad", kShapes},
    {"FoldNarrowedLoad", kShapes},
    {"ConvertBehind", kShapes},
    {"DropUnitBatch", kShapes},
    {"CarryMatrix", kShapes},
    {"TransposeProduct", kShapes},
    {"TransposeTiles", kShapes},
    {"WidenSum",
     "corpus/planted/widened-sum-starts-at-zero: engines with it and without, within bounds"},
    {"FoldExpandedView", kShapes},
    {"FoldConstantView", kShapes},
    // nv_tileas
    {"FoldConversion", kLayouts},
    {"FoldBehindPermute", kLayouts},
    {"CarryLayout", kLayouts},
    {"LeaveBranch", kLayouts},
    {"LeaveLoop", kLayouts},
    {"LeaveLoopWithSource", kLayouts},
    {"ReadAsWanted", kLayouts},
    {"StageAsHeld", kLayouts},
    {"StageRightAsHeld", kLayouts},
    {"RecomputeIndices", kLayouts},
};

// Every rewrite of the dialects stands in the table, and nothing else.
TEST(ProofTable, ListsEveryRewrite) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  if (!root)
    GTEST_SKIP() << "needs the source folder in TILESMITH_SOURCE_DIR, as ctest sets it";
  std::map<std::string, std::string> found;
  llvm::Regex pattern("struct ([A-Za-z]+) .*RewritePattern[< ]"),
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

/// What Firings calls the rewrite of a row.
std::string firingOf(llvm::StringRef name) {
  if (name == "AddFOp::canonicalize")
    return ""; // a pattern without a name
  auto [op, isFold] = name.split("Op::");
  return isFold.empty() ? name.str() : "fold of " + op.lower();
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
      ++counts[name.contains("::") ? name.rsplit("::").second.str() : name.str()];
  }
  // A fold in place.
  void notifyOperationModified(mlir::Operation *op) override {
    if (!inPattern)
      ++counts["fold of " + op->getName().stripDialect().str()];
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
      owned.push_back(llvm::cantFail(
          bytecode::readBytecode(llvm::toStringRef(llvm::ArrayRef(file.bytes)), &context)));
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
    if (row.proof == kMetamorphic)
      EXPECT_GT(firings.counts[firingOf(row.name)], 0u)
          << row.name << " fires on no generated kernel";
}

/// The text of a proof module: `@store`, `@load` and `@keep` written out.
std::string expandProof(llvm::StringRef body) {
  std::string text;
  llvm::raw_string_ostream out(text);
  unsigned serial = 0;
  llvm::SmallVector<llvm::StringRef> lines;
  body.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    std::string n = std::to_string(serial++);
    llvm::SmallVector<llvm::StringRef> words;
    if (line.consume_front("@store ")) { // N, %V
      line.split(words, ", ");
      out << "%o" << n << " = constant <i32: " << words[0] << "> : tile<i32>\n%p" << n
          << " = offset %out, %o" << n << " : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n%t" << n
          << " = store_ptr_tko weak %p" << n << ", " << words[1]
          << " : tile<ptr<i32>>, tile<i32> -> token\n";
    } else if (line.starts_with("@load ") || line.starts_with("@keep ")) {
      // load: %V, %POINTER, NxT; keep: %V, NxT, in the buffer %wide
      bool load = line.starts_with("@load ");
      line.drop_front(6).split(words, ", ");
      auto [size, element] = words.back().split('x');
      std::string tile = "tile<" + words.back().str() + ">",
                  view = ("tensor_view<" + words.back() + ", strides=[1]>").str(),
                  part = ("partition_view<tile=(" + size + "), " + view + ">").str();
      out << "%v" << n << " = make_tensor_view " << (load ? words[1] : "%wide") << ", shape = ["
          << size << "], strides = [1] : " << view << "\n%w" << n << " = make_partition_view %v"
          << n << " : " << part << "\n%z" << n << " = constant <i32: 0> : tile<i32>\n";
      if (load)
        out << words[0] << ", %t" << n << " = load_view_tko weak %w" << n << "[%z" << n
            << "] : " << part << ", tile<i32> -> " << tile << ", token\n";
      else
        out << "%t" << n << " = store_view_tko weak " << words[0] << ", %w" << n << "[%z" << n
            << "] : " << tile << ", " << part << ", tile<i32> -> token\n";
    } else {
      out << line << '\n';
    }
  }
  llvm::StringRef entry = fuzz::kProofEntry;
  auto [head, tail] = entry.split("BODY");
  return (head + text + tail).str();
}

/// The case that runs a proof module on two conditions.
testcase::TestCase proofCase(bool c, bool d) {
  using testcase::DataType;
  using testcase::Parameter;
  testcase::TestCase result;
  result.name = "proof";
  auto buffer = [&](DataType type, int64_t count, auto valueOf) {
    testcase::Buffer made;
    made.dtype = type;
    made.shape = {count};
    made.strides = {1};
    unsigned size = sizeInBytes(type);
    for (int64_t i = 0; i < count; ++i)
      for (unsigned b = 0; b < size; ++b)
        made.data.push_back(static_cast<uint8_t>(static_cast<uint64_t>(valueOf(i)) >> 8 * b));
    result.buffers.push_back(std::move(made));
  };
  buffer(DataType::I32, 64, [](int64_t) { return 7; });
  buffer(DataType::I8, 256, [](int64_t i) { return i; });
  buffer(DataType::I8, 256, [](int64_t i) { return i * 77 + 13; });
  buffer(DataType::I8, 65536, [](int64_t) { return 7; });
  buffer(DataType::F16, 65536, [](int64_t i) { return i; });
  testcase::Launch &launch = result.launches.emplace_back();
  launch.kernel = "k";
  launch.params = {Parameter::scalar(DataType::Bool, c),   Parameter::scalar(DataType::Bool, d),
                   Parameter::scalar(DataType::I32, 1000), Parameter::scalar(DataType::I32, 9),
                   Parameter::pointer(0, DataType::I32),   Parameter::pointer(1, DataType::I8),
                   Parameter::pointer(2, DataType::I8),    Parameter::pointer(3, DataType::I8),
                   Parameter::pointer(4, DataType::F16)};
  return result;
}

// Each rewrite of the table that is proven so fires on its modules and keeps their results.
TEST(ProofTable, HandwrittenModulesKeepTheirResultsOnAllConditions) {
  std::map<std::string, unsigned> proven;
  for (const fuzz::ProofModule &row : fuzz::kProofModules) {
    SCOPED_TRACE(std::string(row.rewrite) + ":\n" + row.body);
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    reference::loadReferenceDialects(context);
    std::string text = expandProof(row.body);
    auto before = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    auto after = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(before && after) << text;
    Firings firings;
    canonicalize(*after, firings);
    std::string name = firingOf(row.rewrite);
    EXPECT_GT(firings.counts[name], 0u) << "does not fire";
    ++proven[row.rewrite];
    auto run = [&](mlir::ModuleOp module, bool c, bool d) {
      return reference::runCase(proofCase(c, d), {*module.getOps<cuda_tile::ModuleOp>().begin()});
    };
    std::set<std::string> different; // the conditions matter
    for (unsigned conditions = 0; conditions < 4; ++conditions) {
      bool c = conditions & 1, d = conditions & 2;
      auto want = run(*before, c, d), got = run(*after, c, d);
      ASSERT_TRUE(static_cast<bool>(want)) << llvm::toString(want.takeError());
      ASSERT_TRUE(static_cast<bool>(got)) << llvm::toString(got.takeError());
      ASSERT_EQ(want->outcome.kind, reference::Outcome::Kind::Completed)
          << want->outcome.describe();
      expectSame(*want, *got, row.rewrite);
      // Stored something: a module without effects proves nothing.
      testcase::TestCase original = proofCase(c, d);
      bool changed = want->buffers[0].bytes != original.buffers[0].data ||
                     want->buffers[3].bytes != original.buffers[3].data;
      different.insert(changed ? "changed" : "untouched");
    }
    EXPECT_TRUE(different.count("changed")) << "stores nothing";
  }
  for (const ProofRow &row : kRows)
    EXPECT_EQ(row.proof == kModules, proven.count(row.name) > 0) << row.name;
}

} // namespace
