//===- Pinning.h - an edited kernel against the kernel that it came from ------------===//
//
// The results of the original on the reference become the expectation of the edited case; the
// edited case is then judged as any case with an expectation, by every engine. So the finding is
// one case that says everything, and a fault that all engines share (the reader, the dialect, the
// reference itself) still shows where it treats the two kernels differently.
//
// Only contents with one legal value are pinned: elements with bounds, bytes that the language
// leaves open and results that depend on an open order are left to the engines.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_METAMORPHIC_PINNING_H
#define ORACLES_METAMORPHIC_PINNING_H

#include "oracles/differential/Differential.h"

namespace tilesmith::oracles {

/// Pins the contents of `edited` to what `reference` computes for `original`. Nothing, or the
/// reason why nothing could be pinned.
std::optional<std::string> pinToOriginal(testcase::TestCase &edited,
                                         const testcase::TestCase &original,
                                         llvm::StringRef version, Engine &reference,
                                         const EngineOptions &options);

/// Judges the edited case against the original; the first engine is the reference. Inconclusive
/// where the original says nothing.
ModuleReport judgeEdited(const testcase::TestCase &original, testcase::TestCase edited,
                         llvm::StringRef version, llvm::ArrayRef<std::unique_ptr<Engine>> engines,
                         const DifferentialOptions &options);

} // namespace tilesmith::oracles

#endif // ORACLES_METAMORPHIC_PINNING_H
