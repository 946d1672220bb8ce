//===- Launch.h - runs the functions of an nv_tileaa module -----------------------------------===//
#ifndef ORACLES_ENGINES_TILEAA_LAUNCH_H
#define ORACLES_ENGINES_TILEAA_LAUNCH_H

#include "oracles/engines/Engine.h"
#include "oracles/engines/tileaa/Machine.h"
#include "reference/testcase/Launch.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilesmith::oracles::tileaa_engine {

/// Addresses of globals by module and symbol; they keep their contents between launches.
using Globals = std::map<std::pair<const void *, std::string>, uint64_t>;

/// How a stage executes: its ops, and who watches the accesses of a block.
struct Stage {
  const OpTable *ops = nullptr;
  std::function<std::unique_ptr<AccessObserver>()> makeObserver = {};
};

/// Runs every tile block of one launch; blocks start in a seeded order and take turns when one of
/// them polls. The result has no buffers.
EngineResult launch(mlir::ModuleOp module, const testcase::LaunchImage &image, uint64_t seed,
                    reference::Memory &memory, Globals &globals, const Stage &stage = {});

} // namespace tilesmith::oracles::tileaa_engine

#endif // ORACLES_ENGINES_TILEAA_LAUNCH_H
