//===- Judge.h - one module judged in a child -------------------------------------------------===//
//
// oracles/Registry.h judges in this process. Here a child does, for callers whose candidates may
// crash the compiler: whatever becomes of it is a report.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_JUDGE_H
#define FUZZ_CAMPAIGN_JUDGE_H

#include "fuzz/campaign/WorkerProcess.h"
#include "oracles/Registry.h"

namespace tilesmith::fuzz {

using oracles::JudgeOptions;

/// What a worker's end says about the module that it was judging: oracle `crash`, or an
/// inconclusive verdict that names the limit.
oracles::Verdict verdictOf(const WorkerAnswer &answer);

/// The verdict of a harness that is itself at fault: `what` went wrong at `place`.
oracles::Verdict harnessFault(std::string what, std::string place, std::string text);

/// Judges cases in a child process, one at a time.
class ForkedJudge {
public:
  /// `prepare` runs in the child before anything else (switching planted bugs on, for instance).
  explicit ForkedJudge(WorkerLimits limits, std::function<void()> prepare = {});
  ~ForkedJudge();

  /// The child starts with the first call. Every answer is a report: a crash disagrees, a time-out
  /// is inconclusive.
  oracles::ModuleReport judge(const testcase::TestCase &testCase, llvm::StringRef version,
                              const JudgeOptions &options);

private:
  WorkerLimits limits;
  std::function<void()> prepare;
  WorkerProcess process;
  std::string directory; ///< of the case under way
  unsigned served = 0;
};

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_JUDGE_H
