//===- HostLoweringSelection.h - forms that the host's fast instruction selection knows ------------===//
//
// The last step of host lowering for a function; see the .cpp for what it replaces.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_EMULATOR_HOSTLOWERINGSELECTION_H
#define ORACLES_DEVICES_EMULATOR_HOSTLOWERINGSELECTION_H

namespace llvm {
class Function;
}

namespace tilesmith::emulator {

/// Rewrites operations that only slow instruction selection knows into ones of the same bits.
void prepareForFastSelection(llvm::Function &function);

} // namespace tilesmith::emulator

#endif // ORACLES_DEVICES_EMULATOR_HOSTLOWERINGSELECTION_H
