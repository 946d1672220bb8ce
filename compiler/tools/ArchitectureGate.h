//===- ArchitectureGate.h - element types that a GPU lacks ------------------------------------===//
#ifndef COMPILER_TOOLS_ARCHITECTUREGATE_H
#define COMPILER_TOOLS_ARCHITECTUREGATE_H

#include "mlir/Support/LLVM.h"

namespace tilesmith::target {
struct GpuTarget;
} // namespace tilesmith::target

namespace tilesmith::tools {

/// Fails at the first operation (in program order) with an element type or an atomic that `gpu` has
/// no instructions for, with the text of the original: "Incompatibility with architecture 'sm_90':
/// unsupported type 'f8E8M0FNU'". Pointers to such types are fine.
mlir::LogicalResult checkArchitecture(mlir::Operation *module, const target::GpuTarget &gpu);

} // namespace tilesmith::tools

#endif // COMPILER_TOOLS_ARCHITECTUREGATE_H
