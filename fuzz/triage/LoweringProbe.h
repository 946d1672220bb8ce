//===- LoweringProbe.h - scalar operations of the last conversion, one by one -----------------===//
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
#ifndef FUZZ_TRIAGE_LOWERINGPROBE_H
#define FUZZ_TRIAGE_LOWERINGPROBE_H

#include "oracles/engines/Engine.h"

#include <functional>
#include <optional>

namespace tilesmith::fuzz {

struct LoweringProbe {
  unsigned asked = 0; ///< operations that were compared
  std::string broken; ///< the first that came out wrong, with its numbers; empty when all agree
};

/// Probes the operations of all launches of a case.
LoweringProbe probeLowering(const testcase::TestCase &testCase, llvm::StringRef version,
                            const oracles::EngineOptions &options);

/// The same in a child, after `prepare`; nothing when the child did not come back.
std::optional<LoweringProbe> probeLoweringInChild(const testcase::TestCase &testCase,
                                                  llvm::StringRef version,
                                                  const oracles::EngineOptions &options,
                                                  const std::function<void()> &prepare);

} // namespace tilesmith::fuzz

#endif // FUZZ_TRIAGE_LOWERINGPROBE_H
