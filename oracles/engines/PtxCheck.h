//===- PtxCheck.h - the PTX of a device module, checked ---------------------------------------===//
//
// Runs the PTX side of the fork on a copy of the module that the emulator executes, and checks the
// text with the independent parser of oracles/devices/ptx.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_PTXCHECK_H
#define ORACLES_ENGINES_PTXCHECK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace tilesmith::oracles {

/// Errors: the PTX cannot be made, or the parser rejects it ("LINE:COLUMN: error: ...").
llvm::Error checkDevicePTX(const llvm::Module &module, llvm::StringRef gpuName, unsigned optLevel);

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_PTXCHECK_H
