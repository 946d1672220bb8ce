//===- External.h - compilers and verifiers of others -----------------------------------------===//
//
// Any program with the command line of `tileiras` (IN -o OUT --gpu-name SM -O<N>) and any with that
// of `cuda-tile-opt` (reads a module as text) is held to what our reader and verifier say of the
// module. A run ends in one class:
//
//   * accepted: exit code 0 and, of a compiler, an ELF file of a sensible size
//   * rejected: another exit code with a diagnostic
//   * unsupported: another exit code, and the first diagnostic says that the target lacks something
//   * internal-error: another exit code, and its own text says that the fault is not the module's
//   * crash: ended by a signal
//   * hang: ran longer than the limit
//   * blow-up: more memory than the limit, or a result of absurd size
//   * bad-output: exit code 0 without a readable result
//   * unavailable: could not be started
//
// crash, hang, blow-up, bad-output and internal-error are findings whatever the module is; accepted
// and rejected are findings where our verifier says the opposite. A valid module that is
// unsupported is compiled again for the widest target; unsupported there, it is a finding.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_EXTERNAL_EXTERNAL_H
#define ORACLES_EXTERNAL_EXTERNAL_H

#include "compiler/pipeline/CompileOptions.h"
#include "compiler/target/Targets.h"
#include "oracles/verdict/Verdict.h"
#include "reference/testcase/TestCase.h"

namespace tilesmith::oracles {

/// What runs beside our own engines; empty paths are not asked.
struct ExternalTools {
  std::string compiler; ///< --external-compiler
  std::string verifier; ///< --external-verifier
  std::string gpuName = target::kDefaultGpu.str();
  unsigned optLevel = 3;
  bool draw = false;         ///< target and level by the name of the case instead
  unsigned seconds = 60;     ///< then it is a hang
  unsigned mebibytes = 8192; ///< address space; beyond it is a blow-up
  bool any() const { return !compiler.empty() || !verifier.empty(); }
};

/// The tools with the target and level that a case draws, if it draws.
ExternalTools externalToolsFor(ExternalTools tools, llvm::StringRef caseName);

/// How one run ended.
struct ExternalRun {
  enum class Class {
    Accepted,
    Rejected,
    Unsupported,
    InternalError,
    Crash,
    Hang,
    BlowUp,
    BadOutput,
    Unavailable
  };
  Class kind = Class::Accepted;
  std::string text;         ///< its first diagnostic, or the signal
  uint64_t resultBytes = 0; ///< size of the cubin
};

/// `accepted`, `rejected`, `internal-error`, ...
llvm::StringRef toString(ExternalRun::Class kind);

/// Runs the compiler on bytecode.
ExternalRun runExternalCompiler(const ExternalTools &tools, llvm::ArrayRef<uint8_t> bytecode);

/// Compiles a kernel that does nothing, for this target and level, before anything is judged by the tools: a compiler that
/// refuses it is not set up (its own assembler is missing, say), and would make a finding of every
/// module. Error: what it said. One that cannot be started is no error here: the verdicts say so.
llvm::Error probeExternalTools(ExternalTools tools, const CompileOptions &compile);

/// Runs the verifier on the text of a module.
ExternalRun runExternalVerifier(const ExternalTools &tools, llvm::StringRef text);

/// What a run says about a module that our verifier takes (`valid`) or refuses. A refusal of a case
/// that may be rejected agrees.
Verdict judgeExternalRun(const ExternalRun &run, llvm::StringRef tool, bool valid, bool mayReject);

/// All modules of a case at that version through all tools: bytecode through both, text through the
/// verifier alone. A module with a labelled fault must be refused; its rule may be one that only
/// another profile has, and then nothing is asked.
Verdict judgeExternally(const ExternalTools &tools, const testcase::TestCase &testCase,
                        llvm::StringRef version);

} // namespace tilesmith::oracles

#endif // ORACLES_EXTERNAL_EXTERNAL_H
