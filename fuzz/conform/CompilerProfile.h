//===- CompilerProfile.h - a program that is called as tileiras is ----------------------------===//
//
// Runs the cases of a compiler list on a program and writes down what happened, as a JSON object
// per requirement: exit code or signal, both streams, and the facts of the file it left. A verdict
// is a function of the requirement and of what was written down, never of the run itself, so that
// anybody can compute it again.
//
// Kinds of requirements
//   cli      one row of the command line (Contract.h)
//   accept   a valid module: exit code 0 and an ELF file
//   reject   a module that breaks the rule: exit code 3, a reason, no file
//   robust   a large or odd module: success, or a refusal with a reason; never a crash or a hang
//   object   what stands in the ELF file
//   execute  a kernel with its inputs and results, for programs whose output can be run here
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CONFORM_COMPILERPROFILE_H
#define FUZZ_CONFORM_COMPILERPROFILE_H

#include "fuzz/conform/List.h"
#include "reference/testcase/TestCase.h"

#include "llvm/Support/JSON.h"

namespace tilesmith::fuzz::conform {

/// What became of a requirement.
enum class State {
  Pass,
  Fail,
  Waived,      ///< it failed, and a user accepts the reason
  Unsupported, ///< not part of the profile (the quick one leaves requirements out)
  NotRun,      ///< nothing is known; never a pass
};
llvm::StringRef toString(State state);
std::optional<State> parseState(llvm::StringRef text);

struct Verdict {
  State state = State::NotRun;
  std::string reason;
};

/// What was written down, by the id of the requirement.
using RawOutputs = std::map<std::string, llvm::json::Object>;

struct ObjectCheck {
  llvm::StringLiteral name, rule;
  unsigned since = 1; ///< of 13.N
};
llvm::ArrayRef<ObjectCheck> objectChecks();

struct CompilerUnderTest {
  std::string path;          ///< absolute
  unsigned seconds = 60;     ///< beyond is a hang
  unsigned mebibytes = 8192; ///< address space
  /// The name of what runs its output (Runner.h); empty: nothing is run.
  std::string runner;
};

/// Runs the case of a requirement in a folder that is there and empty. Error: the case is not in
/// the archive, or is none of a compiler.
llvm::Expected<llvm::json::Object> runCompiler(const Requirement &requirement,
                                               const Archive &archive,
                                               const CompilerUnderTest &compiler,
                                               llvm::StringRef folder);

/// What follows from what was written down.
Verdict judgeCompiler(const Requirement &requirement, const Archive &archive,
                      const RawOutputs &outputs);

/// A case and all its files as one string, for the archive.
std::string packCase(const testcase::TestCase &testCase);
llvm::Expected<testcase::TestCase> unpackCase(llvm::StringRef packed, llvm::StringRef folder);

} // namespace tilesmith::fuzz::conform

#endif // FUZZ_CONFORM_COMPILERPROFILE_H
