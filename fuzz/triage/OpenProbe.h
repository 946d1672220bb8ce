//===- OpenProbe.h - results that a conversion leaves open ------------------------------------===//
//
// A conversion that drops a guard makes poison of a value that the kernel defines (a NaN turned
// into an integer, an overflow that was promised not to happen). The engines of the stages in
// between leave such elements open, so they disagree with nobody; only what runs the machine code
// shows some number. This probe asks whether the wrong elements are exactly of that kind.
//
// Criterion: the last engine differs from the reference, and no longer does once the elements are
// left out that the engine in between leaves open.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_TRIAGE_OPENPROBE_H
#define FUZZ_TRIAGE_OPENPROBE_H

#include "oracles/engines/Engine.h"

#include <functional>
#include <optional>

namespace tilesmith::fuzz {

struct OpenProbe {
  uint64_t wrong = 0; ///< elements in which `last` differs from the reference
  uint64_t open = 0;  ///< of those, how many `between` leaves open
  bool explains() const { return wrong > 0 && open == wrong; }
};

/// Engines by name, as createEngines takes them, each at its own number of optional passes. An
/// error when one of the three does not run to the end.
llvm::Expected<OpenProbe> probeOpen(const testcase::TestCase &testCase, llvm::StringRef version,
                                    oracles::EngineOptions options, llvm::StringRef between,
                                    int64_t passesBetween, llvm::StringRef last);

/// The same in a child, after `prepare`; nothing when that does not work.
std::optional<OpenProbe>
probeOpenInChild(const testcase::TestCase &testCase, llvm::StringRef version,
                 const oracles::EngineOptions &options, llvm::StringRef between,
                 int64_t passesBetween, llvm::StringRef last, const std::function<void()> &prepare);

} // namespace tilesmith::fuzz

#endif // FUZZ_TRIAGE_OPENPROBE_H
