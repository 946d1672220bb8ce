//===- TileASEngine.cpp - nv_tileas modules as an engine --------------------------------------===//
#include "oracles/engines/tileas/TileASEngine.h"

#include "compiler/pipeline/Pipeline.h"
#include "oracles/engines/tileas/Hazards.h"
#include "oracles/engines/tileas/Ops.h"

#include "mlir/Pass/PassManager.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

std::unique_ptr<Engine> tilesmith::oracles::createTileASEngineWith(
    llvm::StringRef name,
    std::function<void(mlir::OpPassManager &, const EngineOptions &)> addPasses,
    std::optional<Stage> reached) {
  return createTileAAEngineWith(
      name, std::move(addPasses),
      {&tileas_engine::opTable(), [] { return std::make_unique<tileas_engine::HazardChecker>(); }},
      reached);
}

std::unique_ptr<Engine> tilesmith::oracles::createTileASEngine() {
  return createTileASEngineWith(
      "tileas",
      [](mlir::OpPassManager &manager, const EngineOptions &options) {
        int64_t optionalPasses = 0;
        buildPipeline(manager, options.compile, Stage::CudaTile, Stage::TileAS, optionalPasses);
      },
      Stage::TileAS);
}
