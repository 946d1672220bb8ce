//===- CarriedValues.h - values that a loop hands on begin somewhere --------------------------===//
#ifndef COMPILER_TARGET_CARRIEDVALUES_H
#define COMPILER_TARGET_CARRIEDVALUES_H

namespace llvm {
class Module;
}

namespace tilesmith::target {

/// ptxas 13.0 to 13.5 gives one register to two values that a loop sets in some of its turns and
/// that have none before (oracles/external/notes.md, 40). Such values begin as zero.
void beginCarriedValues(llvm::Module &module);

} // namespace tilesmith::target

#endif // COMPILER_TARGET_CARRIEDVALUES_H
