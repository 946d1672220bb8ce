//===- TranslateToDevice.h - gpu modules as LLVM IR and PTX -----------------------------------===//
#ifndef COMPILER_TOOLS_TRANSLATETODEVICE_H
#define COMPILER_TOOLS_TRANSLATETODEVICE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

namespace llvm {
class raw_ostream;
} // namespace llvm
namespace mlir {
class Operation;
} // namespace mlir

namespace tilesmith::tools {

/// Writes the one gpu.module in `op`, whose ops are llvm and nvvm only, as the LLVM IR that the PTX
/// backend gets (device math linked).
llvm::LogicalResult exportLLVMIR(mlir::Operation *op, llvm::StringRef gpu,
                                 llvm::raw_ostream &output);

/// The same as PTX at -O`level`.
llvm::LogicalResult exportPTX(mlir::Operation *op, llvm::StringRef gpu, unsigned level,
                              llvm::raw_ostream &output);

} // namespace tilesmith::tools

#endif // COMPILER_TOOLS_TRANSLATETODEVICE_H
