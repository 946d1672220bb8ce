//===- Registry.h - every oracle, and one module judged by all of them ------------------------===//
#ifndef ORACLES_REGISTRY_H
#define ORACLES_REGISTRY_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

/// All oracles, in the order in which they judge. Of two that disagree the first one's verdict is
/// that of the module.
llvm::ArrayRef<const Oracle *> oracleRegistry();

/// Null: no such oracle.
const Oracle *findOracle(llvm::StringRef name);

/// The names, for messages: `a, b, c`.
std::string oracleNames();

/// Judges one module in this process by every oracle that draws it.
ModuleReport judge(const testcase::TestCase &testCase, llvm::StringRef version,
                   const JudgeOptions &options);

/// The options under which the oracle whose verdict the report has judges alone.
JudgeOptions focusOn(const ModuleReport &report, llvm::StringRef caseName, JudgeOptions options);

/// The options under which the reference alone says whether the program means anything.
JudgeOptions referenceAlone(JudgeOptions options);

/// Who is to blame for the verdict of `finding.report`, by the oracle that gave it.
Attribution blame(const Finding &finding);

} // namespace tilesmith::oracles

#endif // ORACLES_REGISTRY_H
