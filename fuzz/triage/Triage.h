//===- Triage.h - findings become bugs --------------------------------------------------------===//
//
// Puts each finding of a store under a bug: blames a pass, reduces the case, and takes it for a
// known bug when pass and signature agree and the case has the operations that survived in that
// bug's reduced kernel.
//
// Steps for a finding
//  1. bisect. A bug of the same pass and signature whose operations the case has: its hit. Every
//     50th hit goes on to step 2 all the same, because another bug may hide behind the first.
//  2. reduce, bisect the small case, and compare the surviving operations with those of the bugs.
//  3. A new bug: a report folder `bug-<id>` beside the findings.
// After 20 hits of one signature, bisecting is skipped, too.
//
// A suppression names a bug that is known: its findings are counted, but fail nothing.
//
// `runAgain` judges the small case of every bug on the present build: what passes is fixed, what
// fails though it was fixed has regressed (fuzz/store/History.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_TRIAGE_TRIAGE_H
#define FUZZ_TRIAGE_TRIAGE_H

#include "fuzz/campaign/Judge.h"
#include "fuzz/store/Store.h"

namespace tilesmith::fuzz {

/// `PATTERN => REASON`: a glob over `PASS: SIGNATURE [OPERATIONS]`.
struct Suppression {
  std::string pattern, reason;
};

/// One suppression a line; `#` starts a comment. Errors name the line: no reason, no glob.
llvm::Expected<std::vector<Suppression>> readSuppressions(llvm::StringRef path);
llvm::Expected<std::vector<Suppression>> parseSuppressions(llvm::StringRef text);

struct TriageOptions {
  JudgeOptions judge;
  WorkerLimits limits{60, 4096};
  double reduceSeconds = 60;
  std::function<void()> prepare; ///< runs in judging children
  std::string plants;            ///< options behind the command that reproduces
  std::string directory;         ///< of the report folders
  std::vector<Suppression> known;
};

/// What was decided about one finding.
struct TriagedFinding {
  StoredFinding finding;
  StoredBug bug;
  bool isNew = false; ///< the bug
};

/// A case from files of a store: name and bytes.
llvm::Expected<testcase::TestCase>
caseOf(const std::vector<std::pair<std::string, std::string>> &files);

/// What happened to a bug.
struct AgainJudged {
  BugEvent event = BugEvent::Fixed;
  oracles::Verdict verdict;
};

struct BugReport;

class Triage {
public:
  Triage(Store &store, TriageOptions options) : store(store), options(std::move(options)) {}

  /// Filed bugs are known as the suppressions of now say.
  llvm::Error applySuppressions();
  /// Judges the small cases of all bugs; tells what happened to a bug, and how its case ended.
  llvm::Error runAgain(
      const std::function<void(const StoredBug &, BugEvent, const oracles::Verdict &)> &onEvent);
  /// The small case of one bug on the present build. Nothing: the bug is what it was.
  llvm::Expected<std::optional<AgainJudged>> judgeAgain(const StoredBug &bug);
  /// The findings of a bug whose cases may go: what they cover, the first one or another one of the
  /// bug covers. Of a bug that was fixed ten runs ago only the first stays; the small case of every
  /// bug stays for ever.
  llvm::Expected<std::vector<std::string>> prunable(const std::string &bug) const;
  /// Finds out which bug a finding is; writes its folder when that is new, nothing to the store.
  llvm::Expected<TriagedFinding> triage(const StoredFinding &finding);
  /// Writes that to the store.
  llvm::Error file(const TriagedFinding &triaged);
  /// Files every finding that has no bug yet.
  llvm::Error triageAll(const std::function<void(const TriagedFinding &)> &onTriaged);

private:
  /// Blames, reduces and writes the folder of a module that must be refused, or of a kernel. Null:
  /// `bug` is new; else the known bug that it is.
  llvm::Expected<const StoredBug *> fileInvalid(const testcase::TestCase &testCase,
                                                StoredBug &bug) const;
  llvm::Expected<const StoredBug *> fileKernel(const testcase::TestCase &testCase,
                                               StoredBug &bug) const;
  /// The small case, or the given one where it cannot be made smaller; blame and figures with it.
  BugReport reduceFor(const testcase::TestCase &testCase, StoredBug &bug,
                      oracles::Attribution &blame) const;
  BugReport reportOf(const testcase::TestCase &testCase, const JudgeOptions &judge) const;
  /// A bug that has been fixed is met again by a kernel with its operations alone: a larger one is
  /// that of another bug.
  const StoredBug *match(llvm::StringRef pass, llvm::StringRef signature,
                         const std::set<std::string> &features, bool anyPass = false) const;
  /// Names the bug and writes its folder; the command of both is the one that runs there.
  llvm::Error writeFolder(BugReport &report, StoredBug &bug) const;

  Store &store;
  TriageOptions options;
  std::vector<StoredBug> bugs;
  std::set<std::string> fixed; ///< of them, those whose small case passes now
};

} // namespace tilesmith::fuzz

#endif // FUZZ_TRIAGE_TRIAGE_H
