//===- TileirasCompiler.h - Tile IR bytecode in, a file's bytes out ---------------------------===//
//
// Everything tileiras does between reading its input and writing its output, as one function
// without side effects on files (but for ptxas' temporaries), so that the C interface
// (compiler/capi), through it the tool, and tests share it.
//
// Checks come in this order, the first failing one decides the exit code: magic and version (3),
// GPU, level, debug with optimization (2), bytecode and verifier (3), target gates, lowering, ptxas
// (5).
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TOOLS_TILEIRASCOMPILER_H
#define COMPILER_TOOLS_TILEIRASCOMPILER_H

#include "compiler/tools/TileirasOptions.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilesmith::tools {

/// Exit codes of the process.
// [spec: driver-exit-codes, driver-check-order]
enum ExitCode {
  kExitSuccess = 0,
  kExitUsage = 1,
  kExitConfiguration = 2,
  kExitBytecode = 3,
  kExitCompile = 5
};

struct TileirasResult {
  int exitCode = kExitSuccess;
  std::string output;         ///< bytes of the output file: a cubin, or the text chosen by `emit`
  std::string launchMetadata; ///< JSON (compiler/target/LaunchMetadata.h)
  std::string remarks;        ///< text of the chosen remarks in the chosen form (Remarks.h)
  std::string diagnostics;    ///< lines for standard error, each ends with a newline; may hold
                              ///< warnings on success
};

/// The newest minor version that is read under a profile.
unsigned newestMinorOf(const TileirasOptions &options);

/// Only the magic and the version, which need no options.
TileirasResult checkTileIRHeader(llvm::StringRef bytecode);

/// Only GPU, level and debug with optimization.
TileirasResult checkTileIRConfiguration(llvm::StringRef bytecode, const TileirasOptions &options);

/// Compiles `bytecode` as `options` say; makes all checks itself.
TileirasResult compileTileIR(llvm::StringRef bytecode, const TileirasOptions &options);

} // namespace tilesmith::tools

#endif // COMPILER_TOOLS_TILEIRASCOMPILER_H
