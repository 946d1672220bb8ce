//===- TileASEngine.h - nv_tileas modules as an engine ----------------------------------------===//
#ifndef ORACLES_ENGINES_TILEAS_TILEASENGINE_H
#define ORACLES_ENGINES_TILEAS_TILEASENGINE_H

#include "oracles/engines/tileaa/TileAAEngine.h"

namespace tilesmith::oracles {

/// `tileas`: executes the module before per-thread code at the level that is asked for, with tiles
/// as the registers of all threads, and watches for hazards between two barriers.
std::unique_ptr<Engine> createTileASEngine();

/// The same with passes of the caller's choice up to nv_tileas; `name` must outlive the engine. `reached`: as for
/// createTileAAEngineWith.
std::unique_ptr<Engine>
createTileASEngineWith(llvm::StringRef name,
                       std::function<void(mlir::OpPassManager &, const EngineOptions &)> addPasses,
                       std::optional<Stage> reached = {});

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_TILEAS_TILEASENGINE_H
