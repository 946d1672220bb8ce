//===- EmulatorSelfTest.h - the emulated GPU by itself ----------------------------------------===//
//
// Kernels that fail on the emulator alone may be compiled right and executed wrong. The test runs
// the warp shuffles, votes and barriers that the lowering of reductions, scans and layout
// conversions rests on, without the compiler, and compares with what the PTX ISA says of them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_BLAME_EMULATORSELFTEST_H
#define ORACLES_BLAME_EMULATORSELFTEST_H

#include <string>

namespace tilesmith::oracles {

/// What the emulator of this process does wrong; empty: nothing.
std::string testEmulator();

} // namespace tilesmith::oracles

#endif // ORACLES_BLAME_EMULATORSELFTEST_H
