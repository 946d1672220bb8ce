//===- Oracle.h - what can call a module wrong ------------------------------------------------===//
//
// An oracle judges one module, says who is to blame for what it found, and proves itself on three
// cases. Everything that drives oracles (campaign, check, replay, reduce, bisect) loops over the
// registry (Registry.h) and knows none by name.
//
// A new oracle is a class in a folder oracles/<name>, one line of Registry.cpp and one of
// oracles/CMakeLists.txt.
//
// Invariants
//  - judge() states nothing about a module that applies() refuses, and never changes the case;
//  - a finding shows again with the options that focus() leaves, with this oracle alone;
//  - the three cases of triple() are in corpus/oracles or corpus/planted, and OracleTriplesTest
//  runs
//    them for every oracle of the registry.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ORACLE_H
#define ORACLES_ORACLE_H

#include "oracles/JudgeOptions.h"
#include "oracles/verdict/Report.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace tilesmith::oracles {

/// What an oracle is given.
struct OracleContext {
  const testcase::TestCase &testCase;
  llvm::StringRef version; ///< of the bytecode
  const JudgeOptions &options;

  /// Engines by their list, created on first use and kept by this process. The list was checked.
  llvm::ArrayRef<std::unique_ptr<Engine>> engines(const std::string &list) const;

  /// How one engine compiles and runs the case: a campaign visits levels, targets and strategies; who asks for
  /// an oracle alone says which.
  EngineOptions drawnOptions() const;
};

/// One run that narrowed the blame down.
struct BlameStep {
  std::string what; ///< `reference,emulator -O3, 4 of 7 optional passes`
  Verdict verdict;
};

/// Who is to blame for a finding.
struct Attribution {
  /// frontend, pass, emulator, PTX backend, ptxas, external compiler, generator, reference, unknown
  std::string component;
  std::string pass;      ///< `convert-cudatile-to-tileaa`, or what else of the component
  std::string interval;  ///< what could not be told apart; empty when decided
  std::string exposedBy; ///< optional pass without which the bug does not show; may be empty
  bool decided = true;
  std::vector<BlameStep> steps = {};

  static Attribution of(std::string component, std::string pass);
  /// The likeliest, and all that it stands for.
  static Attribution undecided(std::string component, std::string pass, std::string interval);
  /// `convert-tileas-to-nvgpu (pass); not told apart: ...`: one line.
  std::string str() const;
};

/// What blame() is given: a module that failed, and ways to ask again.
struct Finding {
  const testcase::TestCase &testCase;
  llvm::StringRef version;
  const JudgeOptions &options; ///< focused on the oracle that found it
  const ModuleReport &report;  ///< judged so
  /// Judges the same module in a child, where the fault acts.
  llvm::function_ref<ModuleReport(const JudgeOptions &)> judge;
  /// Runs a probe in a child, where the fault acts. Nothing when the child did not come back.
  llvm::function_ref<std::optional<std::string>(const std::function<std::string()> &)> inChild;
};

/// One case of a triple: a folder below corpus/, a planted bug to switch on (or none), and words of
/// the command line (paths below the repository start with `@/`).
struct Sample {
  llvm::StringLiteral testCase, plant = "", words = "";
};

/// The proof that an oracle works.
struct Triple {
  Sample agrees, disagrees, abstains;
  llvm::StringLiteral blamed; ///< Attribution::pass of what `disagrees` shows
};

class Oracle {
public:
  virtual ~Oracle() = default;

  virtual llvm::StringRef name() const = 0;            ///< a word in kebab-case
  virtual llvm::StringRef question() const = 0;        ///< what it asks, in one line
  virtual llvm::StringRef needs() const { return ""; } ///< options without which it judges nothing
  virtual unsigned share() const { return 1; }         ///< one case in so many
  virtual bool isSlow() const { return false; } ///< far slower than the engines of a campaign
  /// Whether it compiles or runs the kernel once more, so that large ones cost it most. Of those it judges fewer.
  virtual bool growsWithKernel() const { return false; }

  /// Whether there is something to judge; `soFar` is what the oracles before it have said.
  virtual bool applies(const OracleContext &context, const ModuleReport &soFar) const = 0;
  /// Judges; may add rows of engines to the report.
  virtual Verdict judge(const OracleContext &context, ModuleReport &report) const = 0;
  virtual Attribution blame(const Finding &finding) const = 0;
  virtual Triple triple() const = 0;
  /// Narrows the options to what it takes to see the failure again, beside `only`.
  virtual void focus(JudgeOptions &, const ModuleReport &, llvm::StringRef /*caseName*/) const {}

  /// Whether it judges this case: asked for by name, or drawn by the name of the case. Kernels that
  /// are not drawn are not judged, so a share is the same on every machine.
  bool draws(const OracleContext &context, const ModuleReport &soFar) const;
};

} // namespace tilesmith::oracles

#endif // ORACLES_ORACLE_H
