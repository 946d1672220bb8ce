//===- ConfiguredEngine.h - an engine with settings of its own --------------------------------===//
//
// `emulator@O0:sm_80:w8` is the emulator at -O0, for sm_80, with eight warps, whatever the shared
// options say; `emulator@draw` chooses level, target and number of warps by the name of the case,
// and for one in eight of the cases at -O3 on sm_90 or newer a strategy of the compiler, so that a
// campaign visits all of them and a case still replays alone. The level of `draw` is 1 to
// 3: it is meant to stand beside `@O0`.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_CONFIGUREDENGINE_H
#define ORACLES_ENGINES_CONFIGUREDENGINE_H

#include "oracles/engines/Engine.h"

#include "llvm/Support/Error.h"

namespace tilesmith::oracles {

/// Wraps `engine`. `spec` is its whole name, `settings` the part behind the '@': some of O0 to O3,
/// a GPU name, w1 to w32 (a power of two), strategies of the compiler (Strategies.h) and draw,
/// separated by colons. Unknown settings are an error that lists the known ones.
llvm::Expected<std::unique_ptr<Engine>>
configureEngine(std::unique_ptr<Engine> engine, llvm::StringRef spec, llvm::StringRef settings);

/// What `draw` chooses for a case, in place of the same fields of `options`.
EngineOptions drawEngineOptions(EngineOptions options, llvm::StringRef caseName);

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_CONFIGUREDENGINE_H
