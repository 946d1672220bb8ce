//===- DocumentsTest.cpp - what the documents name, and how far each of it goes ---------------===//
//
// One row per operation of cuda_tile, nv_tileaa, nv_tileas, nvgpu and nvgpu_ext and per root of the
// other patterns of convert-gpu-to-nvvm, per canonicalizer of nv_tileaa, per pass and per option of
// a pass. Columns, all taken from the code and from runs:
//   built     registered
//   pipeline  met between the stages of the pipeline, or run by it, on one of the modules below
//   executed  an engine has an evaluator for it, or the emulated GPU runs what it becomes
//   fuzzed    drawn by a campaign or by TileAAProgramsTest, or met in a case that a campaign stored
//   (an option: the pipeline gives it more than one value)
//   planted   met in the stored case of a planted bug, which fails with the bug and passes without
// Modules: the stored cases of all planted bugs, in the settings that show them, and the corpora of
// strategies, frontends, regressions and nv_tileaa. An empty cell has a reason in documents.md, and a
// filled one has none. What stands in front of convert-gpu-to-nvvm as NVVM already has a reason, too.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/support/Plants.h"
#include "oracles/engines/ModuleLoader.h"
#include "oracles/engines/tileaa/Machine.h"
#include "oracles/engines/tileas/Ops.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <map>
#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

using Names = std::set<std::string>;

std::string sourceFile(llvm::StringRef name) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  return ((root ? root : ".") + llvm::Twine("/") + name).str();
}

/// Columns that may be empty, by row: a letter each (p, e, f, l), and why.
struct Reason {
  std::string cells, text;
};

/// `| name | cells | reason |` of oracles/engines/documents.md.
const std::map<std::string, Reason> &reasons() {
  static const std::map<std::string, Reason> table = [] {
    std::map<std::string, Reason> result;
    auto page = llvm::MemoryBuffer::getFile(sourceFile("oracles/engines/documents.md"));
    llvm::SmallVector<llvm::StringRef> lines, fields;
    if (page)
      (*page)->getBuffer().split(lines, '\n');
    for (llvm::StringRef line : lines) {
      fields.clear();
      line.split(fields, '|');
      if (fields.size() == 5 && fields[1].trim() != "row" && !fields[1].contains("---"))
        for (llvm::StringRef name : llvm::split(fields[1].trim(), ", "))
          result[name.trim().str()] = {fields[2].trim().str(), fields[3].trim().str()};
    }
    return result;
  }();
  return table;
}

/// What was met on the way of the stored cases.
struct Met {
  Names ops;                            ///< by full name
  Names passes;                         ///< by argument
  Names direct;                         ///< NVVM in front of convert-gpu-to-nvvm
  std::map<std::string, Names> options; ///< of "PASS{OPTION}": its values

  /// The options of a pass with their defaults.
  void addDefaults(llvm::StringRef argument) {
    mlir::OpPassManager manager;
    if (mlir::failed(mlir::parsePassPipeline(argument, manager, llvm::nulls())))
      return;
    Names before = passes;
    for (mlir::Pass &pass : manager.getPasses())
      addPass(pass);
    passes = before;
  }

  /// `name{option=value …}`, as a pipeline prints a pass.
  void addPass(mlir::Pass &pass) {
    passes.insert(pass.getArgument().str());
    std::string text;
    llvm::raw_string_ostream stream(text);
    pass.printAsTextualPipeline(stream);
    llvm::StringRef rest = llvm::StringRef(text).split('{').second;
    rest.consume_back("}");
    for (llvm::StringRef option : llvm::split(rest, ' '))
      if (auto [name, value] = option.split('='); !name.empty())
        options[(pass.getArgument() + "{" + name + "}").str()].insert(value.str());
  }
};

void collect(mlir::Operation *root, Names &names) {
  root->walk([&](mlir::Operation *op) { names.insert(op->getName().getStringRef().str()); });
}

/// Operations and intrinsics (to their third word) of NVVM, and assembly that has a text.
void collectDirect(mlir::Operation *root, Names &names) {
  root->walk([&](mlir::Operation *op) {
    if (op->getName().getDialectNamespace() == "nvvm")
      names.insert(op->getName().getStringRef().str());
    if (auto call = mlir::dyn_cast<mlir::LLVM::CallIntrinsicOp>(op)) {
      llvm::SmallVector<llvm::StringRef> words;
      call.getIntrin().split(words, '.');
      words.truncate(3);
      names.insert(llvm::join(words, "."));
    }
    if (auto assembly = mlir::dyn_cast<mlir::LLVM::InlineAsmOp>(op))
      if (!assembly.getAsmString().empty())
        names.insert("llvm.inline_asm");
  });
}

CompileOptions settingsOf(llvm::StringRef engines) {
  CompileOptions options;
  options.strategies.warpSpecialize = engines.contains("warp-specialize");
  options.strategies.tma = engines.contains("@tma");
  options.strategies.tensorMap = engines.contains("tensor-map");
  options.strategies.tensorStore = engines.contains("tensor-store");
  options.strategies.dynamicPersistent = engines.contains("dynamic-persistent");
  options.fuseFma = engines.contains("fuse-fma");
  options.hostMaps = engines.contains("host-maps");
  if (engines.contains("@O0"))
    options.optLevel = 0;
  if (engines.contains("sm_100"))
    options.gpuName = "sm_100";
  return options;
}

/// Runs the pipeline from `from` and notes what it meets.
void follow(mlir::ModuleOp module, const CompileOptions &given, Stage from, Met &met) {
  int64_t optionalPasses = 0;
  for (Stage stage : {Stage::TileAA, Stage::TileAS, Stage::GPU, Stage::NVVM}) {
    if (stage <= from)
      continue;
    mlir::PassManager manager(module.getContext());
    buildPipeline(manager, given, from, stage, optionalPasses);
    for (mlir::Pass &pass : manager.getPasses())
      met.addPass(pass);
    if (mlir::failed(manager.run(module)))
      return;
    collect(module, met.ops);
    if (stage == Stage::GPU)
      collectDirect(module, met.direct);
    from = stage;
  }
}

/// Follows every module of the case in `folder`.
void followCase(mlir::MLIRContext &context, const std::string &folder,
                const CompileOptions &options, Met &met) {
  auto testCase = testcase::loadTestCase(folder);
  if (!testCase) {
    llvm::consumeError(testCase.takeError());
    return;
  }
  for (const testcase::Launch &launch : testCase->launches) {
    const testcase::ModuleFile &file = launch.modules.back();
    llvm::StringRef bytes = llvm::toStringRef(file.bytes);
    if (startsAtTileAA(file)) {
      auto module = mlir::parseSourceString<mlir::ModuleOp>(bytes, &context);
      collect(*module, met.ops);
      follow(*module, options, Stage::TileAA, met);
      continue;
    }
    auto read = bytecode::readBytecode(bytes, &context);
    if (!read) {
      llvm::consumeError(read.takeError());
      continue;
    }
    collect(**read, met.ops);
    mlir::OwningOpRef<mlir::ModuleOp> module = wrapModule(**read);
    follow(*module, options, Stage::CudaTile, met);
  }
}

/// The stored cases of the planted bugs, as they are judged.
Met followPlantedCases(mlir::MLIRContext &context) {
  Met met;
  std::map<std::string, std::string> engines;
  auto list = llvm::MemoryBuffer::getFile(sourceFile("corpus/planted/engines.txt"));
  llvm::SmallVector<llvm::StringRef> lines;
  (*list)->getBuffer().split(lines, '\n');
  for (llvm::StringRef line : lines)
    engines[line.split(' ').first.str()] = line.split(' ').second.str();
  for (const PlantInfo &plant : plantRegistry())
    followCase(context, sourceFile("corpus/planted/" + plant.id.str()),
               settingsOf(engines[plant.id.str()]), met);
  return met;
}

/// The other corpora that ctest runs: strategies in each of their forms, kernels of a frontend,
/// programs of nv_tileaa, regressions.
Met followOtherCases(mlir::MLIRContext &context) {
  Met met;
  auto each = [&](llvm::StringRef corpus, llvm::function_ref<void(const std::string &)> body) {
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(sourceFile(corpus), error), end; it != end && !error;
         it.increment(error))
      body(it->path());
  };
  CompileOptions plain;
  each("corpus/tileaa", [&](const std::string &path) { followCase(context, path, plain, met); });
  each("corpus/regressions",
       [&](const std::string &path) { followCase(context, path, plain, met); });
  each("corpus/frontends", [&](const std::string &path) {
    CompileOptions withLines;
    withLines.debugInfo = target::DebugInfo::Lines;
    followCase(context, path, withLines, met);
  });
  each("corpus/strategies", [&](const std::string &path) {
    for (int form = 0; form < 6; ++form) {
      CompileOptions options;
      options.strategies.automatic = form == 0;
      options.strategies.warpSpecialize = form == 1;
      options.strategies.tma = form == 2;
      options.strategies.tensorMap = options.hostMaps = form == 3;
      options.strategies.dynamicPersistent = form == 4;
      options.strategies.tensorStore = form == 5;
      if (form >= 4)
        options.gpuName = "sm_100";
      followCase(context, path, options, met);
    }
  });
  return met;
}

/// The passes of settings that the drivers and campaigns use, with their options; nothing is run.
void addPipelines(mlir::MLIRContext &context, Met &met) {
  std::vector<CompileOptions> settings(10);
  for (unsigned level = 0; level < 4; ++level)
    settings[level].optLevel = level;
  settings[4].numWarps = 8;
  settings[5].gpuName = "sm_80";
  settings[6].strategies.automatic = true;
  settings[7].strategies.tensorMap = settings[7].strategies.warpSpecialize = true;
  settings[8].hostMaps = true;
  settings[9].strategies.tensorStore = true;
  for (const CompileOptions &options : settings)
    for (bool remarks : {false, true}) {
      mlir::PassManager manager(&context);
      int64_t optionalPasses = 0;
      buildPipeline(manager, options, Stage::CudaTile, Stage::NVVM, optionalPasses,
                    {.stopAfter = "", .remarks = remarks});
      for (mlir::Pass &pass : manager.getPasses())
        met.addPass(pass);
    }
}

/// Operations that a campaign has drawn.
Names drawnOps() {
  Names names;
  auto page = llvm::MemoryBuffer::getFile(sourceFile("generators/program/coverage.txt"));
  llvm::SmallVector<llvm::StringRef> lines;
  (*page)->getBuffer().split(lines, '\n');
  for (llvm::StringRef line : lines) {
    auto [count, rest] = line.ltrim().split(' ');
    rest = rest.ltrim();
    if (count != "0" && rest.consume_front("op "))
      names.insert("cuda_tile." + rest.split(' ').first.split(':').first.str());
  }
  return names;
}

class Table {
public:
  void row(llvm::StringRef name, bool pipeline, bool executed, bool fuzzed, bool planted) {
    ++rows;
    auto found = reasons().find(name.str());
    std::string allowed = found == reasons().end() ? "" : found->second.cells;
    std::string text = llvm::formatv("{0,-52} built ", name);
    const std::pair<char, bool> cells[] = {
        {'p', pipeline}, {'e', executed}, {'f', fuzzed}, {'l', planted}};
    static constexpr const char *titles[] = {"pipeline", "executed", "fuzzed", "planted"};
    for (auto [i, cell] : llvm::enumerate(cells)) {
      bool excused = llvm::StringRef(allowed).contains(cell.first);
      text += llvm::formatv("{0,-9}", cell.second ? titles[i] : "-");
      filled += cell.second;
      EXPECT_TRUE(cell.second || excused)
          << name.str() << ": no '" << titles[i] << "', and no reason";
      EXPECT_FALSE(cell.second && excused)
          << name.str() << ": '" << titles[i] << "' has a reason to be empty, and is not";
    }
    used.insert(name.str());
    if (found != reasons().end())
      text += found->second.text;
    std::fprintf(stderr, "%s\n", text.c_str());
  }

  /// What is NVVM in front of its conversion.
  void direct(llvm::StringRef name) {
    std::string key = ("direct " + name).str();
    auto found = reasons().find(key);
    EXPECT_TRUE(found != reasons().end()) << key << " has no reason";
    used.insert(key);
    std::fprintf(
        stderr, "%s\n",
        llvm::formatv("{0,-52} {1}", key, found == reasons().end() ? "" : found->second.text)
            .str()
            .c_str());
  }

  void finish() {
    std::fprintf(stderr, "%u rows, %u of %u cells filled\n", rows, filled + rows, 5 * rows);
    for (auto &[name, reason] : reasons())
      EXPECT_TRUE(used.count(name)) << "a reason for '" << name << "', which is no row";
  }

private:
  unsigned rows = 0, filled = 0;
  Names used;
};

TEST(Documents, EveryRowIsFilledOrHasAReason) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs";
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  registerCompilerPasses();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  Met planted = followPlantedCases(context), met = followOtherCases(context);
  met.ops.insert(planted.ops.begin(), planted.ops.end());
  met.passes.insert(planted.passes.begin(), planted.passes.end());
  met.direct.insert(planted.direct.begin(), planted.direct.end());
  addPipelines(context, met);
  Names drawn = drawnOps();
  // Drawn by the programs of TileAAProgramsTest.
  for (const char *op : {"call", "call_elementwise_intrinsic", "create_queue", "execute",
                         "extern_elementwise", "mark_for_reuse", "optimization_barrier", "pragma",
                         "queue.get", "queue.put", "queue.yield"})
    drawn.insert(std::string("nv_tileaa.") + op);

  Table table;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    llvm::StringRef dialect = name.getDialectNamespace();
    if (!llvm::is_contained({"cuda_tile", "nv_tileaa", "nv_tileas", "nvgpu", "nvgpu_ext"}, dialect))
      continue;
    std::string full = name.getStringRef().str();
    bool isMet = met.ops.count(full) || drawn.count(full), executed = isMet;
    bool isPlanted = planted.ops.count(full), fuzzed = isPlanted || drawn.count(full);
    if (dialect == "nv_tileaa")
      if (const auto *entry = tileaa_engine::OpTable::get().lookup(full))
        executed = entry->evaluate;
    if (dialect == "nv_tileas")
      if (const auto *entry = tileas_engine::opTable().lookup(full))
        executed = entry->evaluate;
    table.row(full, isMet, executed, fuzzed, isPlanted);
  }
  for (const char *name :
       {"gpu.thread_id", "gpu.block_id", "gpu.block_dim", "gpu.grid_dim", "gpu.cluster_id",
        "gpu.cluster_dim", "gpu.cluster_block_id", "gpu.subgroup_size", "gpu.lane_id",
        "gpu.barrier", "gpu.printf", "gpu.func", "gpu.return", "gpu.dynamic_shared_memory",
        "gpu.shuffle", "gpu.subgroup_reduce", "gpu.all_reduce", "cf.assert"}) {
    bool isMet = met.ops.count(name), isPlanted = planted.ops.count(name);
    table.row(name, isMet, isMet, isPlanted, isPlanted);
  }
  for (const std::string &name : met.direct)
    table.direct(name);
  for (const tileaa::CanonicalizerInfo &rule : tileaa::canonicalizerTable())
    table.row(("canonicalizer " + rule.name).str(), true, !rule.proof.empty(), true,
              llvm::any_of(plantRegistry(), [](const PlantInfo &plant) {
                return plant.file.contains("Canonicalize");
              }));
  for (const char *pass : {"check-public-input",
                           "convert-cudatile-to-tileaa",
                           "convert-gpu-to-nvvm",
                           "convert-tileaa-to-tileas",
                           "convert-tileas-to-nvgpu",
                           "cudatile-canonicalize",
                           "fuse-fma",
                           "loop-split",
                           "synthesize-debug-info-scopes",
                           "tileaa-assign-alias-scopes",
                           "tileaa-canonicalize",
                           "tileaa-fold-masks",
                           "tileaa-fold-view-shapes",
                           "tileaa-infer-facts",
                           "tileaa-load-half-bytes",
                           "tileaa-map-queues",
                           "tileas-assign-dot-layouts",
                           "tileas-assign-memory-layouts",
                           "tileas-assign-pipeline-layouts",
                           "tileas-choose-strategy",
                           "tileas-dynamic-persistent",
                           "tileas-generate-schedule",
                           "tileas-insert-barriers",
                           "tileas-lower-tma-load-store-to-async",
                           "tileas-materialize-schedule",
                           "tileas-pack-elements",
                           "tileas-plan-cta",
                           "tileas-plan-exchanges",
                           "tileas-reduce-lanes-at-once",
                           "tileas-refine-atom-by-resource",
                           "tileas-remove-layout-conversions",
                           "tileas-share-divisors",
                           "tileas-vectorize-memory"}) {
    bool runs = met.passes.count(pass), onPlanted = planted.passes.count(pass);
    table.row(std::string("pass ") + pass, runs, runs, onPlanted, onPlanted);
    met.addDefaults(pass);
  }
  for (const auto &[option, values] : met.options) {
    bool varies = values.size() > 1;
    bool onPlanted = varies && planted.passes.count(option.substr(0, option.find('{')));
    table.row("option " + option, varies, varies, onPlanted, onPlanted);
  }
  table.finish();
}

} // namespace
