//===- BugReport.h - a folder that shows one bug ----------------------------------------------===//
//
// A case folder (bytecode, inputs, case.json) with everything a reader needs beside it:
//   kernel.mlir       text of the modules
//   <engine>.b<N>.bin what each engine left in each buffer that is written
//   report.md         verdict, blame, one command that reproduces
// Loading the folder as a case ignores the extra files.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_TRIAGE_BUGREPORT_H
#define FUZZ_TRIAGE_BUGREPORT_H

#include "fuzz/campaign/Judge.h"

namespace tilesmith::fuzz {

struct BugReport {
  testcase::TestCase testCase;
  std::string text;    ///< of the modules; read from the case when empty
  std::string command; ///< reproduces; `CASE` in it stands for the folder
  std::string blame;   ///< from Bisect.h, may be empty
  JudgeOptions judge;
  std::function<void()> prepare; ///< as of ForkedJudge
};

/// The options of such a command, each with a blank in front.
std::string reproduceOptions(const JudgeOptions &judge);

/// The command that shows again what these options found in the case `CASE`.
std::string reproduceCommand(const JudgeOptions &judge);

/// Writes the folder as a whole.
llvm::Error writeBugReport(const BugReport &report, llvm::StringRef directory);

/// Text of modules for people: of constants in hexadecimal that fill a line, the beginning and the
/// number of digits. Whoever wants to parse it takes `kernel.mlir`.
std::string forReading(llvm::StringRef text);

/// The text of a case's modules at one version, or what is wrong with them.
std::string textOf(const testcase::TestCase &testCase, llvm::StringRef version);

} // namespace tilesmith::fuzz

#endif // FUZZ_TRIAGE_BUGREPORT_H
