//===- TileAAEngine.cpp - nv_tileaa modules as an engine --------------------------------------===//
//
// Bytecode to a cuda_tile module, the conversion, the passes that the engine's name stands for, and
// then Launch.cpp. A module that must be accepted and does not convert is a failure of the engine;
// one that has undefined behaviour only here is one as well (see the differential).
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/TileAAEngine.h"

#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "oracles/engines/HostMemory.h"
#include "oracles/engines/ModuleLoader.h"
#include "oracles/engines/tileaa/Launch.h"
#include "reference/interp/RunCase.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

using Adder = std::function<void(mlir::OpPassManager &, const EngineOptions &)>;

class TileAAEngine : public Engine {
public:
  TileAAEngine(llvm::StringRef name, Adder addPasses, tileaa_engine::Stage stage,
               std::optional<Stage> reached)
      : engineName(name), addPasses(std::move(addPasses)), stage(std::move(stage)),
        reached(reached) {
    registerCompilerDialects(registry);
  }

  llvm::StringRef name() const override { return engineName; }
  EngineResult run(const EngineRequest &request) override;

  EngineOptions variation(EngineOptions options) const override {
    options.seed = options.seed + 1; // another order of the tile blocks
    return options;
  }

private:
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> lower(cuda_tile::ModuleOp module,
                                                          const EngineOptions &options);

  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
  lowerTileAA(ModuleLoader &loader, const testcase::ModuleFile &file, const EngineOptions &options);

  llvm::StringRef engineName;
  Adder addPasses;
  tileaa_engine::Stage stage;
  std::optional<Stage> reached; ///< by the passes of the pipeline, and no others
  mlir::DialectRegistry registry;
};

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
TileAAEngine::lower(cuda_tile::ModuleOp module, const EngineOptions &options) {
  mlir::OwningOpRef<mlir::ModuleOp> wrapper = wrapModule(module);
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    diagnostics += diagnostics.empty() ? diagnostic.str() : "; " + diagnostic.str();
    return mlir::success();
  });
  mlir::PassManager manager(module.getContext());
  manager.enableVerifier(options.compile.verifyEach);
  addPasses(manager, options);
  if (mlir::failed(manager.run(*wrapper)))
    return llvm::createStringError(diagnostics.empty() ? "lowering failed without a diagnostic"
                                                       : diagnostics);
  return wrapper;
}

/// A module of nv_tileaa: the passes that stay there, and for a later stage those that lead to it.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
TileAAEngine::lowerTileAA(ModuleLoader &loader, const testcase::ModuleFile &file,
                          const EngineOptions &options) {
  auto module = loader.loadTileAA(file);
  if (!module || engineName == "tileaa")
    return module;
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(&loader.context(), [&](mlir::Diagnostic &diagnostic) {
    diagnostics += diagnostics.empty() ? diagnostic.str() : "; " + diagnostic.str();
    return mlir::success();
  });
  mlir::PassManager manager(&loader.context());
  int64_t optionalPasses = 0;
  addTileAAPasses(manager, options.compile, optionalPasses);
  if (stage.ops)
    buildPipeline(manager, options.compile, Stage::TileAA, Stage::TileAS, optionalPasses);
  if (mlir::failed(manager.run(**module)))
    return llvm::createStringError(diagnostics);
  return module;
}

/// Bytes whose contents are open: only unknown ones.
testcase::Bytes openBytes(const reference::Allocation &allocation) {
  testcase::Bytes flags(allocation.states.size());
  for (size_t i = 0; i < flags.size(); ++i)
    flags[i] = allocation.states[i] == reference::ByteState::Unknown;
  if (llvm::is_contained(flags, 1))
    return flags;
  return {};
}

EngineResult TileAAEngine::run(const EngineRequest &request) {
  using Status = EngineResult::Status;
  ModuleLoader loader(registry, request.options.profile);
  loader.context().loadAllAvailableDialects();
  reference::Memory memory;
  auto addresses = reference::placeBuffers(memory, request.testCase);
  if (!addresses)
    return EngineResult::stop(Status::Inconclusive, llvm::toString(addresses.takeError()));
  auto placeTable = [&](llvm::ArrayRef<uint64_t> words) {
    return reference::placeTable(memory, words);
  };

  EngineResult result;
  std::map<const void *, mlir::OwningOpRef<mlir::ModuleOp>> lowered;
  tileaa_engine::Globals globals;
  for (const testcase::Launch &launch : request.testCase.launches) {
    const testcase::ModuleFile *file = launch.module(request.version);
    bool internal = file && startsAtTileAA(*file);
    const void *key = internal ? static_cast<const void *>(file) : nullptr;
    cuda_tile::ModuleOp source;
    if (!internal) {
      auto module = loader.load(launch, request.version);
      if (!module)
        return EngineResult::stop(Status::Rejected, llvm::toString(module.takeError()));
      source = *module;
      key = source.getOperation();
    }
    auto &code = lowered[key];
    if (!code && reached && !internal)
      code = loader.takeLowered(loweredKey(request, *file), *reached);
    if (!code) {
      auto fresh =
          internal ? lowerTileAA(loader, *file, request.options) : lower(source, request.options);
      if (!fresh)
        return EngineResult::stop(internal ? Status::Rejected : Status::Failed,
                                  llvm::toString(fresh.takeError()));
      code = std::move(*fresh);
    }
    auto image = testcase::flattenLaunch(request.testCase, launch, *addresses, placeTable);
    if (!image)
      return EngineResult::stop(Status::Failed, llvm::toString(image.takeError()));
    EngineResult outcome =
        tileaa_engine::launch(*code, *image, request.options.seed, memory, globals, stage);
    result.printed += outcome.printed;
    if (!outcome.completed()) {
      result.status = outcome.status;
      result.message = outcome.message;
      result.label = outcome.label;
      return result;
    }
  }
  for (uint64_t address : *addresses) {
    const reference::Allocation *allocation = memory.find(address);
    result.buffers.push_back(allocation && allocation->base == address
                                 ? BufferResult{allocation->bytes, openBytes(*allocation)}
                                 : BufferResult{});
  }
  return result;
}

} // namespace

std::unique_ptr<Engine> tilesmith::oracles::createTileAAEngineWith(
    llvm::StringRef name,
    std::function<void(mlir::OpPassManager &, const EngineOptions &)> addPasses,
    tileaa_engine::Stage stage, std::optional<Stage> reached) {
  return std::make_unique<TileAAEngine>(name, std::move(addPasses), std::move(stage), reached);
}

/// The stage as the pipeline runs it at a level.
static void addStage(mlir::OpPassManager &manager, const EngineOptions &options,
                     unsigned optLevel) {
  CompileOptions compile = options.compile;
  compile.optLevel = optLevel;
  int64_t optionalPasses = 0;
  buildPipeline(manager, compile, Stage::CudaTile, Stage::TileAA, optionalPasses);
}

std::unique_ptr<Engine> tilesmith::oracles::createTileAAEngine() {
  return createTileAAEngineWith("tileaa",
                                [](mlir::OpPassManager &manager, const EngineOptions &options) {
                                  addStage(manager, options, 0);
                                });
}

std::unique_ptr<Engine> tilesmith::oracles::createTileAAOptEngine() {
  return createTileAAEngineWith(
      "tileaa-opt",
      [](mlir::OpPassManager &manager, const EngineOptions &options) {
        addStage(manager, options, options.compile.optLevel);
      },
      {}, Stage::TileAA);
}
