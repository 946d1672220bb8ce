//===- JudgeOptions.h - everything that decides a verdict -------------------------------------===//
//
// One record for every way to judge: a campaign, `check`, `replay`, the reducer, blame, and the
// children that these ask. What is not in here cannot change a verdict; `judgeWords` prints all of
// it, so that the command in a report shows the finding again.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_JUDGEOPTIONS_H
#define ORACLES_JUDGEOPTIONS_H

#include "compiler/support/OptionTable.h"
#include "oracles/differential/Differential.h"
#include "oracles/external/External.h"

#include <map>
#include <string>
#include <vector>

namespace tilesmith::oracles {

struct JudgeOptions {
  std::string engines = "reference,emulator"; ///< --engines: what `differential` runs
  DifferentialOptions differential;
  ExternalTools external; ///< --external-compiler, --external-verifier
  /// --oracles: these alone, and each on every case that it applies to; empty: all, by their
  /// shares.
  std::vector<std::string> only;
  /// --share=ORACLE:N: one case in N instead of the oracle's own share; 0: none.
  std::map<std::string, unsigned> shares;
  /// --performance-baseline: rows of `tilesmith perf` that compiled code is held to.
  std::string performanceBaseline;
  /// --fresh: the module comes from this very generator, so that its bytes survive a way through
  /// text.
  bool fresh = false;
};

/// Every option beside those of engines, as a command line can set it.
llvm::ArrayRef<OptionRow<JudgeOptions>> judgeOptionTable();

/// The options as words of the command line, each that differs from its default.
std::vector<std::string> judgeWords(const JudgeOptions &options);

/// What those words say. Error: a word that judgeWords does not print.
llvm::Expected<JudgeOptions> parseJudgeWords(llvm::ArrayRef<std::string> words);

} // namespace tilesmith::oracles

#endif // ORACLES_JUDGEOPTIONS_H
