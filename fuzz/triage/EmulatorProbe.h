//===- EmulatorProbe.h - the emulated GPU by itself -------------------------------------------===//
//
// Kernels that fail on the emulator alone may be compiled right and executed wrong. The probe runs
// the warp shuffles, votes and barriers that the lowering of reductions, scans and layout
// conversions rests on, without the compiler, and compares with what the PTX ISA says of them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_TRIAGE_EMULATORPROBE_H
#define FUZZ_TRIAGE_EMULATORPROBE_H

#include <functional>
#include <optional>
#include <string>

namespace tilesmith::fuzz {

/// What the emulator of this process does wrong, or nothing.
std::optional<std::string> probeEmulator();

/// The same in a child, after `prepare`.
std::optional<std::string> probeEmulatorInChild(const std::function<void()> &prepare);

} // namespace tilesmith::fuzz

#endif // FUZZ_TRIAGE_EMULATORPROBE_H
