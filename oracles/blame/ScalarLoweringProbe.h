//===- ScalarLoweringProbe.h - scalar operations of the last conversion, one by one -----------===//
//
// Behind nv_tileas no engine runs the IR between the steps. What convert-gpu-to-nvvm does with a
// scalar operation can be asked all the same: every operation of arith and math that a failing
// kernel has at stage gpu is put into a kernel of its own, lowered, translated and run on the
// emulated GPU with numbers at the ends of its ranges, and compared with what the dialect's own
// constant folder says of the same numbers.
//
// Operations that a folder cannot decide (unfolded, undefined, poison) are left out. Vectors,
// memory and device operations are not asked.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_BLAME_SCALARLOWERINGPROBE_H
#define ORACLES_BLAME_SCALARLOWERINGPROBE_H

#include "oracles/engines/Engine.h"

#include <optional>

namespace tilesmith::oracles {

struct ScalarLoweringProbe {
  unsigned asked = 0; ///< operations that were compared
  std::string broken; ///< the first that came out wrong, with its numbers; empty when all agree

  /// As text, for the way out of a child, and back.
  std::string str() const;
  static std::optional<ScalarLoweringProbe> parse(const std::optional<std::string> &text);
};

/// Probes the operations of all launches of a case.
ScalarLoweringProbe probeScalarLowering(const testcase::TestCase &testCase, llvm::StringRef version,
                                        const EngineOptions &options);

} // namespace tilesmith::oracles

#endif // ORACLES_BLAME_SCALARLOWERINGPROBE_H
