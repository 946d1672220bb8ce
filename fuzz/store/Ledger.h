//===- Ledger.h - the work of a fleet, leased to its workers ----------------------------------===//
//
// A planned run (`tilesmith fuzz --plan`) is a list of tasks: ranges of cases to judge, findings to
// reduce and file, small cases of bugs to judge again, cases whose code is measured, bugs with more
// stored cases than they need. Any number of workers on any number of machines claim them; the store
// is the only thing that they share.
//
// A task is ready, leased or done. A lease has an end, by the clock of the database, that beat()
// moves on, and a token that each claim counts up. Whoever lost a lease (it ran out, and another
// worker claimed the task) cannot write any more: every write asks for the token in its own
// transaction. What the task has finished until then stays, and is not done again.
//
// Invariants
//  - a case is counted once, whoever judged it, and however often;
//  - a finding and the task to file it are written with its case;
//  - of findings with one signature one is reduced at a time, so that a new bug is reduced once.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_STORE_LEDGER_H
#define FUZZ_STORE_LEDGER_H

#include "fuzz/store/Store.h"

namespace tilesmith::fuzz {

enum class TaskKind { Progression, Minimise, Perf, Fuzz, Prune };
llvm::StringRef toString(TaskKind kind);

/// A claimed task.
struct Lease {
  int64_t task = 0, token = 0;
  TaskKind kind = TaskKind::Fuzz;
  uint64_t first = 0, count = 0; ///< Fuzz: the cases
  std::string subject;           ///< Progression, Prune: a bug; Minimise: a finding; Perf: a case
  unsigned attempt = 1;
};

/// A run that workers work on.
struct PlannedRun {
  int64_t id = 0, campaign = 0;
  uint64_t seed = 1, first = 0;
  std::string build, options;
  std::string settings; ///< as the planner wrote them
  uint64_t open = 0;    ///< tasks that are not done
};

/// What a case ended with.
struct CaseResult {
  uint64_t index = 0;
  oracles::Verdict verdict;
  Coverage coverage;
};

class Ledger {
public:
  /// `worker` names this process; a lease lasts for `seconds`.
  Ledger(Store &store, std::string worker, double seconds)
      : store(store), worker(std::move(worker)), seconds(seconds) {}

  /// Plans `info.count` cases of a campaign on a build, or more of them where some are planned
  /// already, the small cases of all bugs, and the pruning of those with many cases; chooses that run. `role`: the only one of the server's
  /// roles, beside the owner, that may see its settings; empty: none.
  llvm::Error plan(const CampaignKey &key, const RunInfo &info, const std::string &settings,
                   const std::string &role);
  /// Plans that the code of a case, the files of a folder, is measured on the chosen build.
  llvm::Error planPerf(const std::string &name, const std::string &directory);
  /// The files of that case.
  std::vector<std::pair<std::string, std::string>> inputOf(const Lease &lease) const;
  /// All that this process may see, oldest first.
  std::vector<PlannedRun> plannedRuns() const;
  /// Chooses the run that the calls below, and those of the store, are about.
  void choose(const PlannedRun &run);

  /// A task of that kind; nothing: none is ready now.
  llvm::Expected<std::optional<Lease>> claim(TaskKind kind);
  bool isReady(TaskKind kind) const;
  /// Tasks of the chosen run that are not done.
  uint64_t openTasks() const;
  std::set<uint64_t> finishedOf(const Lease &lease) const;

  /// Runs `write` in a transaction if the lease still holds, which begins anew. False: it was lost,
  /// and nothing is written.
  llvm::Expected<bool> guarded(const Lease &lease, llvm::function_ref<llvm::Error()> write);
  /// Results of a range, each case once; inside of guarded(). A case that has a result keeps that,
  /// and where this one is another, it comes to `differing` with what the store has. `fresh` is the
  /// coverage of the others.
  llvm::Error add(const std::vector<CaseResult> &results, Coverage &fresh,
                  std::vector<std::pair<CaseResult, oracles::Verdict::Kind>> &differing);
  llvm::Error addCoverage(const Coverage &more) { return store.addCoverage(more); }
  /// A finding of a range, its files, and the task to file it.
  llvm::Error addFinding(uint64_t index, const StoredFinding &finding,
                         const oracles::Verdict &verdict, const std::string &directory);
  /// Ends a lease, with something that is written in the same transaction: the task is done, or what
  /// is left of it is given back. False: the lease was lost.
  llvm::Expected<bool> leave(
      const Lease &lease, bool isDone,
      llvm::function_ref<llvm::Error()> last = [] { return llvm::Error::success(); });
  /// The lease begins anew, if it still holds.
  llvm::Error beat(const Lease &lease);

  /// That this worker lives, and what it has done.
  llvm::Error sign(const std::string &host, const std::string &build, uint64_t tasks, bool ends);
  /// Ends the chosen run if no task is left; adds a sample of the rate now and then.
  llvm::Error settle();

  double leaseSeconds() const { return seconds; }

private:
  llvm::Error addRanges(uint64_t from, uint64_t to);
  llvm::Error addForBugs(TaskKind kind, const std::string &bugs);
  llvm::Error allow(const std::string &role);
  std::string sql(llvm::StringRef text) const;

  Store &store;
  std::string worker;
  double seconds;
};

} // namespace tilesmith::fuzz

#endif // FUZZ_STORE_LEDGER_H
