//===- Bisect.h - who is to blame for a failing case ------------------------------------------===//
//
// Judges the case in a child, asks the oracle that found it (Oracle::blame), and gives that oracle
// children to ask again.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_TRIAGE_BISECT_H
#define FUZZ_TRIAGE_BISECT_H

#include "fuzz/campaign/Judge.h"

namespace tilesmith::fuzz {

struct BisectOptions {
  JudgeOptions judge;
  WorkerLimits limits{60, 4096};
  std::function<void()> prepare; ///< runs in the judging child
};

/// Error: the case does not fail at this version.
llvm::Expected<oracles::Attribution> bisect(const testcase::TestCase &testCase,
                                            llvm::StringRef version, const BisectOptions &options);

} // namespace tilesmith::fuzz

#endif // FUZZ_TRIAGE_BISECT_H
