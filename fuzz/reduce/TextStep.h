//===- TextStep.h - a reduced kernel handed to a reducer of texts -----------------------------===//
//
// C-Vise and its kind shorten a text as long as a script says that it is still interesting. This
// is optional, comes after the reducer of IR, and runs whatever program is found at run time:
// `PROGRAM SCRIPT kernel.mlir`, in a folder of its own.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_REDUCE_TEXTSTEP_H
#define FUZZ_REDUCE_TEXTSTEP_H

#include "fuzz/campaign/Judge.h"

namespace tilesmith::fuzz {

/// The case with this text as its only module. Error: it does not parse, verify or fit the version.
llvm::Expected<testcase::TestCase> caseWithText(const testcase::TestCase &testCase,
                                                llvm::StringRef version, llvm::StringRef text);

/// Does the candidate fail as the case does, without undefined behaviour? Judged in a child.
bool failsAlike(const testcase::TestCase &testCase, const testcase::TestCase &candidate,
                llvm::StringRef version, const JudgeOptions &judge, const WorkerLimits &limits,
                const std::function<void()> &prepare);

/// What the program leaves of the text; `test` is the shell command that decides, with the text in
/// `$PWD/kernel.mlir`. Error: the program cannot be run, or ended with an error.
llvm::Expected<std::string> runTextReducer(const std::string &program, llvm::StringRef text,
                                           llvm::StringRef test, unsigned seconds);

} // namespace tilesmith::fuzz

#endif // FUZZ_REDUCE_TEXTSTEP_H
