//===- TileAAEngine.h - nv_tileaa modules as an engine ----------------------------------------===//
#ifndef ORACLES_ENGINES_TILEAA_TILEAAENGINE_H
#define ORACLES_ENGINES_TILEAA_TILEAAENGINE_H

#include "compiler/pipeline/CompileOptions.h"
#include "oracles/engines/Engine.h"
#include "oracles/engines/tileaa/Launch.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <optional>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilesmith::oracles {

/// `tileaa`: executes what convert-cudatile-to-tileaa leaves behind.
std::unique_ptr<Engine> createTileAAEngine();

/// `tileaa-opt`: executes it after the optional passes of the stage (canonicalizers, CSE, facts) at
/// the level that is asked for.
std::unique_ptr<Engine> createTileAAOptEngine();

/// The same with passes of the caller's choice after the conversion; `name` must outlive the
/// engine. `reached`: the passes are those of the pipeline up to there, so that what a compilation had there will do.
std::unique_ptr<Engine>
createTileAAEngineWith(llvm::StringRef name,
                       std::function<void(mlir::OpPassManager &, const EngineOptions &)> addPasses,
                       tileaa_engine::Stage stage = {}, std::optional<Stage> reached = {});

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_TILEAA_TILEAAENGINE_H
