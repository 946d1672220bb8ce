//===- ConfiguredEngine.h - an engine with settings of its own --------------------------------===//
#ifndef ORACLES_ENGINES_CONFIGUREDENGINE_H
#define ORACLES_ENGINES_CONFIGUREDENGINE_H

#include "oracles/engines/Engine.h"
#include "oracles/engines/EngineSettings.h"

namespace tilesmith::oracles {

/// Wraps `engine`; `name` is its whole name, settings included.
std::unique_ptr<Engine> configureEngine(std::unique_ptr<Engine> engine, llvm::StringRef name,
                                        EngineSettings settings);

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_CONFIGUREDENGINE_H
