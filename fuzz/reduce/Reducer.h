//===- Reducer.h - a failing case made small --------------------------------------------------===//
//
// Looks for the smallest kernel on which the engines disagree in the same way.
//
// Steps, repeated until nothing more succeeds: drop launches, stores, operations (in halves, then
// one by one; results become constants or other values of the same type), loops and branches,
// parameters and buffers, masks and tokens, attributes; shrink tiles and the grid; simplify
// constants and inputs.
//
// Invariants: every candidate verifies and is judged in a child process; it is taken when the
// reference finds it well-defined and the verdict has the signature of the original (Signature.h).
// The result depends on the case and the options alone, unless the time limit ends the search.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_REDUCE_REDUCER_H
#define FUZZ_REDUCE_REDUCER_H

#include "fuzz/campaign/Judge.h"
#include "oracles/verdict/Signature.h"

namespace tilesmith::fuzz {

using oracles::Signature;

struct ReduceOptions {
  JudgeOptions judge;
  WorkerLimits limits{20, 4096}; ///< of one candidate
  double seconds = 300;          ///< of the whole search; 0: no limit
  std::string version;           ///< of the bytecode; empty: the first that fails
  std::function<void()> prepare; ///< runs in the judging child
  /// Called after each step that succeeded.
  std::function<void(unsigned operations, unsigned candidates)> onProgress;
};

struct ReduceResult {
  testcase::TestCase testCase;
  std::string text; ///< of the reduced modules
  Signature signature;
  oracles::Verdict verdict;
  unsigned operationsBefore = 0, operationsAfter = 0;
  unsigned candidates = 0; ///< judged
  double seconds = 0;
  JudgeOptions judge;   ///< engines and settings that show it
  bool complete = true; ///< false: the time limit ended the search
};

/// Error: the case does not fail, or its modules cannot be read.
llvm::Expected<ReduceResult> reduceCase(const testcase::TestCase &testCase,
                                        const ReduceOptions &options);

} // namespace tilesmith::fuzz

#endif // FUZZ_REDUCE_REDUCER_H
