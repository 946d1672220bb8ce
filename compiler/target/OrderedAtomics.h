//===- OrderedAtomics.h - atomics that say their order and scope ------------------------------===//
#ifndef COMPILER_TARGET_ORDEREDATOMICS_H
#define COMPILER_TARGET_ORDEREDATOMICS_H

#include "compiler/target/Targets.h"

namespace llvm {
class Module;
}

namespace tilesmith::target {

/// The backend of LLVM 22 prints every `atomicrmw` as a relaxed one of the whole GPU, whatever its
/// order and scope. Those that order other accesses, and those of the whole system, become inline
/// assembly. To be called behind the optimiser, which knows more of the instruction.
void spellOrderedAtomics(llvm::Module &module, const GpuTarget &gpu);

} // namespace tilesmith::target

#endif // COMPILER_TARGET_ORDEREDATOMICS_H
