//===- CpuForkSelection.h - forms that the host's fast instruction selection knows ------------===//
//
// The last step of the CPU fork for a function; see the .cpp for what it replaces.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_EMULATOR_CPUFORKSELECTION_H
#define ORACLES_ENGINES_EMULATOR_CPUFORKSELECTION_H

namespace llvm {
class Function;
}

namespace tilesmith::emulator {

/// Rewrites operations that only slow instruction selection knows into ones of the same bits.
void prepareForFastSelection(llvm::Function &function);

} // namespace tilesmith::emulator

#endif // ORACLES_ENGINES_EMULATOR_CPUFORKSELECTION_H
