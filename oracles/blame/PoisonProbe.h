//===- PoisonProbe.h - results that a conversion leaves open ----------------------------------===//
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
#ifndef ORACLES_BLAME_POISONPROBE_H
#define ORACLES_BLAME_POISONPROBE_H

#include "oracles/engines/Engine.h"

#include <optional>

namespace tilesmith::oracles {

struct PoisonProbe {
  uint64_t wrong = 0; ///< elements in which `last` differs from the reference
  uint64_t open = 0;  ///< of those, how many `between` leaves open
  bool explains() const { return wrong > 0 && open == wrong; }

  /// As text, for the way out of a child, and back; nothing where the probe could not be made.
  std::string str() const;
  static std::optional<PoisonProbe> parse(const std::optional<std::string> &text);
};

/// Engines by name, as createEngines takes them, each at its own number of optional passes. All
/// zero when one of the three does not run to the end.
PoisonProbe probePoison(const testcase::TestCase &testCase, llvm::StringRef version,
                        EngineOptions options, llvm::StringRef between, int64_t passesBetween,
                        llvm::StringRef last);

} // namespace tilesmith::oracles

#endif // ORACLES_BLAME_POISONPROBE_H
