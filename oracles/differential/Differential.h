//===- Differential.h - engines against expectations, themselves and each other ---------------===//
//
// Judges one module: one case at one bytecode version.
//
// Steps
//  1. Run every engine, and run it again under its variation (another schedule): the two must be
//     equal.
//  2. Compare every engine with the stored expectation: buffers, printed text, traps, rejections. A
//     buffer without `expect` must be unchanged, unless its comparison mode says that the case
//     stores no expectation for what the kernel writes there (close or enclosure without `expect`,
//     as generated cases have it).
//  3. Compare all engines that ran to the end with the first of them, by each buffer's own
//     comparison mode. Bytes that an engine reports as left open by the language are not compared.
//
// When an engine finds undefined behaviour or cannot decide, no result means anything and the
// module is inconclusive.
//
// Mode enclosure: where the reference gives bounds of legal results, every element of the other
// engines (and a stored expectation, one admissible result) must lie inside. Elements with vacuous
// bounds are not compared; a buffer of which at least half is left open is inconclusive.
//
// Where nothing fixes the order of racing atomics, and results differ in what the reference shows
// to change between several orders of the tile blocks, the verdict is inconclusive and names the
// ops; a stored expectation still decides. Where only sums of floats are open, formed in memory by
// atomics, everything within the bounds of the reference agrees.
//
// A kernel that assumes what is not so agrees where all engines do; a difference is inconclusive
// and names the assumption, for a compiler may rely on it [spec: assume-false]. So is a difference
// of an engine that keeps to public text alone where the reference defines what that leaves
// undefined [spec: choice-index-beyond].
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DIFFERENTIAL_DIFFERENTIAL_H
#define ORACLES_DIFFERENTIAL_DIFFERENTIAL_H

#include "oracles/engines/Engine.h"
#include "oracles/verdict/Report.h"

namespace tilesmith::oracles {

struct DifferentialOptions {
  EngineOptions engine;
  bool compareWithSelf = true;
  /// Asked when an engine disagrees with what is stored: for the legal results of a buffer in mode
  /// `enclosure`, of which the stored outcome is one, and whether the kernel has undefined
  /// behaviour, so that a fault is its own. Null: only the stored outcome will do.
  Engine *bounds = nullptr;
};

/// Judges one module with the given engines. Never throws away a result: see Verdict.h.
ModuleReport judgeModule(const testcase::TestCase &testCase, llvm::StringRef version,
                         llvm::ArrayRef<std::unique_ptr<Engine>> engines,
                         const DifferentialOptions &options);

} // namespace tilesmith::oracles

#endif // ORACLES_DIFFERENTIAL_DIFFERENTIAL_H
