//===- Judge.h - one module judged as a campaign judges it ------------------------------------===//
//
// The engines compared by oracles/differential, and for a generated case also its bytecode read and
// written again; a case that must be refused goes to oracles/diagnostics instead. `judge` runs in
// this process; `ForkedJudge` in a child, for callers whose candidates may crash the compiler.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_JUDGE_H
#define FUZZ_CAMPAIGN_JUDGE_H

#include "fuzz/campaign/WorkerProcess.h"
#include "oracles/differential/Differential.h"
#include "oracles/external/External.h"

namespace tilesmith::fuzz {

/// Everything that decides a verdict.
struct JudgeOptions {
  std::string engines = "reference,emulator";
  oracles::DifferentialOptions differential;
  oracles::ExternalTools external; ///< no paths: nobody is asked
  /// One case in so many (by its name) is also compiled twice: oracles/compilation. 0: none.
  unsigned compilationShare = 8;
  /// One case in so many also runs with the race detector of the emulated GPU. 0: none.
  unsigned hazardShare = 16;
  bool fresh =
      false; ///< the module comes from this generator: its bytes survive a way through text
};

/// Judges in this process. Engines are created on first use and kept, by their list.
oracles::ModuleReport judge(const testcase::TestCase &testCase, llvm::StringRef version,
                            const JudgeOptions &options);

/// Reads and writes the first module of a case: written again, and read from its own text, it must
/// be the same in memory; the same bytes too where we wrote it, of a fresh module also after a way
/// through text. Inconclusive without bytecode.
oracles::Verdict judgeRoundTrips(const testcase::TestCase &testCase, llvm::StringRef version,
                                 bool fresh);

/// Runs the compiled case on the emulated GPU with its race detector: a barrier or a wait that is
/// missing shows although the results are right by luck.
oracles::Verdict judgeHazards(const testcase::TestCase &testCase, llvm::StringRef version,
                              const oracles::EngineOptions &options);

/// The reference and the engine that the verdict of a failing case names, with the settings behind
/// its '@' as plain options: as much as it takes to see the failure again.
JudgeOptions focusOn(const oracles::ModuleReport &report, llvm::StringRef caseName,
                     JudgeOptions options);

/// What a worker's end says about the module that it was judging.
oracles::Verdict verdictOf(const WorkerAnswer &answer);

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
