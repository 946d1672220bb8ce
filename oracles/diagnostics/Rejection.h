//===- Rejection.h - is an invalid module refused, and for the right reason -----------===//
//
// Reads and verifies the module of a must-reject case (`expect_reject`), text by the parser and
// bytecode by the reader. Three outcomes: agree (refused, and everything the case says of the
// report is true) · disagree (accepted; another diagnostic; another op; another place; more than
// one fault reported) · inconclusive (the case says nothing that can be checked).
//
// Places: `LINE` and `LINE:COLUMN` of the text, `FILE:LINE:COLUMN` of debug information, `@SYMBOL
// op N` of bytecode (the op is found again by its position, not by what the reader says), or the
// section that the reader must name.
//
// `runTool` asks a `tileiras` command for the same: it must end with a code of its own, say
// something, and leave no output behind.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DIAGNOSTICS_REJECTION_H
#define ORACLES_DIAGNOSTICS_REJECTION_H

#include "oracles/verdict/Verdict.h"
#include "reference/testcase/TestCase.h"

namespace tilesmith::oracles {

/// Judges the module of this version.
Verdict judgeRejection(const testcase::TestCase &testCase, llvm::StringRef version);

/// Gives the module to the compiler command at `tool`; `folder` is for its files.
Verdict judgeToolRejection(const testcase::TestCase &testCase, llvm::StringRef version,
                           llvm::StringRef tool, llvm::StringRef folder);

} // namespace tilesmith::oracles

#endif // ORACLES_DIAGNOSTICS_REJECTION_H
