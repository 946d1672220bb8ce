//===- TargetMachine.h - LLVM's target machine for a GPU --------------------------------------===//
#ifndef COMPILER_TARGET_TARGETMACHINE_H
#define COMPILER_TARGET_TARGETMACHINE_H

#include "compiler/target/Targets.h"

#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tilesmith::target {

/// A new NVPTX target machine with contraction off and IEEE division and square root. Initialises
/// NVPTX on first use. `optLevel` is 0 to 3.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(const GpuTarget &gpu,
                                                                         unsigned optLevel);

} // namespace tilesmith::target

#endif // COMPILER_TARGET_TARGETMACHINE_H
