//===- EmulatorEngine.h - our compiler and the emulated GPU as an engine ----------------------===//
#ifndef ORACLES_ENGINES_EMULATORENGINE_H
#define ORACLES_ENGINES_EMULATORENGINE_H

#include "oracles/engines/Engine.h"

namespace tilesmith::oracles {

/// Compiles every launch down to LLVM IR and runs it on the emulated GPU. Its variation is another
/// thread schedule.
std::unique_ptr<Engine> createEmulatorEngine();

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_EMULATORENGINE_H
