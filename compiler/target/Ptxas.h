//===- Ptxas.h - assembling PTX with an installed ptxas ---------------------------------------===//
//
// PTX goes to a temporary file ($TMPDIR is honoured), ptxas runs on it, and the cubin comes back as
// bytes. Temporaries are removed on every way out, also on signals.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TARGET_PTXAS_H
#define COMPILER_TARGET_PTXAS_H

#include "compiler/target/Targets.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>

namespace tilesmith::target {

struct PtxasOptions {
  std::string gpuName = kDefaultGpu.str();
  unsigned optLevel = 3; ///< 0 to 3
  bool lineInfo = false;
  bool deviceDebug = false;
  bool sanitizeMemcheck = false;
  std::string cudaPath;   ///< as `--cuda-path` (CudaToolkit.h)
  std::string hostObject; ///< goes into `.nv.host` (HostCode.h); empty: none
};

/// The cubin for `ptx`. Errors: ptxas not found (one line that says where it was looked for),
/// temporary files, or what ptxas printed.
llvm::Expected<std::string> assemblePTX(llvm::StringRef ptx, const PtxasOptions &options);

/// Major and minor version of the ptxas at `path`, from its `--version`.
llvm::Expected<std::pair<unsigned, unsigned>> ptxasVersion(llvm::StringRef path);

} // namespace tilesmith::target

#endif // COMPILER_TARGET_PTXAS_H
