//===- ModuleLoader.cpp - bytecode of a case to a verified cuda_tile module -------------------===//
#include "oracles/engines/ModuleLoader.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "oracles/engines/ContextPool.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <unistd.h>

using namespace tilesmith;
using namespace tilesmith::oracles;

std::optional<cuda_tile::Profile> tilesmith::oracles::parseProfile(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<cuda_tile::Profile>>(name)
      .Case("public", cuda_tile::Profile::Public)
      .Case("tileiras-13.5", cuda_tile::Profile::Tileiras13_5)
      .Case("tileiras-13.1", cuda_tile::Profile::Tileiras13_1)
      .Default(std::nullopt);
}

struct ModuleLoader::Read {
  std::shared_ptr<mlir::MLIRContext> context; // outlives the module
  std::string bytes;
  pid_t process; // a forked one reads again: it may have a planted bug of its own
  mlir::OwningOpRef<cuda_tile::ModuleOp> module;
};

ModuleLoader::ModuleLoader(const mlir::DialectRegistry &registry, llvm::StringRef profile,
                           bool fresh)
    : mlirContext(borrowContext(parseProfile(profile).value_or(cuda_tile::Profile::Tileiras13_5))),
      fresh(fresh) {
  mlirContext->appendDialectRegistry(registry);
}

static thread_local std::shared_ptr<ModuleLoader::Read> last;

void ModuleLoader::forget() {
  last.reset();
}

llvm::Expected<std::shared_ptr<ModuleLoader::Read>> ModuleLoader::read(llvm::StringRef bytes) {
  if (!fresh && last && last->context == mlirContext && last->bytes == bytes &&
      last->process == ::getpid())
    return last;
  auto module = bytecode::readBytecode(bytes, mlirContext.get());
  if (!module)
    return module.takeError();
  auto read =
      std::make_shared<Read>(Read{mlirContext, bytes.str(), ::getpid(), std::move(*module)});
  if (!fresh)
    last = read;
  return read;
}

void ModuleLoader::remember(std::shared_ptr<mlir::MLIRContext> context, llvm::StringRef bytes,
                            mlir::OwningOpRef<cuda_tile::ModuleOp> module) {
  last =
      std::make_shared<Read>(Read{std::move(context), bytes.str(), ::getpid(), std::move(module)});
}

namespace {
/// Copies of the latest compilation, with the context that they live in.
struct LoweredStages {
  std::shared_ptr<mlir::MLIRContext> context; // outlives the modules
  std::string key;
  std::map<Stage, mlir::OwningOpRef<mlir::ModuleOp>> modules;
};
thread_local LoweredStages lowered;
} // namespace

void ModuleLoader::keepLowered(const std::string &key, Stage stage, mlir::ModuleOp module) {
  if (lowered.context != mlirContext || lowered.key != key) {
    lowered.modules.clear();
    lowered.context = mlirContext;
    lowered.key = key;
  }
  // A kernel that is too large is compiled once more, at a lower level: that is not what was asked for.
  auto [it, isNew] = lowered.modules.try_emplace(stage);
  if (isNew)
    it->second = module.clone();
}

mlir::OwningOpRef<mlir::ModuleOp> ModuleLoader::takeLowered(const std::string &key, Stage stage) {
  if (lowered.context != mlirContext || lowered.key != key)
    return {};
  auto it = lowered.modules.find(stage);
  return it == lowered.modules.end() ? mlir::OwningOpRef<mlir::ModuleOp>() : std::move(it->second);
}

bool tilesmith::oracles::startsAtTileAA(const testcase::ModuleFile &file) {
  return llvm::StringRef(file.file).ends_with(".tileaa.mlir");
}

bool tilesmith::oracles::startsAtTileAA(const testcase::TestCase &testCase,
                                        llvm::StringRef version) {
  return llvm::any_of(testCase.launches, [&](const testcase::Launch &launch) {
    const testcase::ModuleFile *file = launch.module(version);
    return file && startsAtTileAA(*file);
  });
}

std::string tilesmith::oracles::enginesOf(const testcase::TestCase &testCase,
                                          llvm::StringRef version, llvm::StringRef list) {
  if (!startsAtTileAA(testCase, version))
    return list.str();
  llvm::SmallVector<llvm::StringRef> given;
  list.split(given, ',', -1, /*KeepEmpty=*/false);
  llvm::SmallSetVector<llvm::StringRef, 8> result;
  for (llvm::StringRef engine : given)
    if (engine == "reference")
      result.insert_range(llvm::ArrayRef<llvm::StringRef>{"tileaa", "tileaa-opt", "tileas"});
    else
      result.insert(engine);
  return llvm::join(result, ",");
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
ModuleLoader::loadTileAA(const testcase::ModuleFile &file) {
  mlirContext->loadAllAvailableDialects();
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(mlirContext.get(), [&](mlir::Diagnostic &diagnostic) {
    diagnostics += diagnostics.empty() ? diagnostic.str() : "; " + diagnostic.str();
    return mlir::success();
  });
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(llvm::toStringRef(file.bytes), mlirContext.get());
  if (!module)
    return llvm::createStringError(file.file + ": " + diagnostics);
  return module;
}

llvm::Expected<cuda_tile::ModuleOp> ModuleLoader::load(const testcase::Launch &launch,
                                                       llvm::StringRef version) {
  const testcase::ModuleFile *file = launch.module(version);
  if (!file)
    return llvm::createStringError(
        llvm::formatv("no module of bytecode version {0}", version).str());
  if (startsAtTileAA(*file))
    return llvm::createStringError(
        llvm::formatv("'{0}' holds nv_tileaa, expected bytecode", file->file).str());
  auto it = modules.find(file->file);
  if (it == modules.end()) {
    auto module = read(llvm::toStringRef(file->bytes));
    if (!module)
      return module.takeError();
    it = modules.emplace(file->file, std::move(*module)).first;
  }
  return *it->second->module;
}

void tilesmith::oracles::addTileAAPasses(mlir::OpPassManager &manager,
                                         const CompileOptions &options, int64_t &optionalPasses) {
  if (options.optLevel == 0)
    return;
  auto add = [&](std::unique_ptr<mlir::Pass> pass) {
    if (options.optBisectLimit >= 0 && optionalPasses >= options.optBisectLimit)
      return;
    ++optionalPasses;
    manager.addPass(std::move(pass));
  };
  add(tileaa::createCanonicalizePass());
  add(tileaa::createFoldViewShapesPass());
  add(mlir::createCSEPass());
  add(tileaa::createInferFactsPass());
}

std::vector<BufferResult> tilesmith::oracles::initialBuffers(const testcase::TestCase &testCase) {
  std::vector<BufferResult> result;
  for (const testcase::Buffer &buffer : testCase.buffers)
    result.push_back({buffer.data, {}});
  return result;
}
