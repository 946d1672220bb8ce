//===- Store.h - what a campaign knows --------------------------------------------------------===//
//
// An SQLite file, or a schema of a PostgreSQL server, with the runs of campaigns (History.h), the
// cases that were finished, the findings and the bugs they belong to, what was covered, and samples
// of the rate. The schema is Store.cpp's first lines; `PRAGMA user_version`, or the table
// store_version, holds its number. A store of schema 1 is taken to the present one when it is opened:
// its cases become one run of an unknown build; one of schema 2 gets the tables of
// Ledger.h, one of schema 3 a mark for releases, one of schema 4 a table of choice streams.
//
// Invariants: a finished case and its finding are written in one transaction, before anybody is
// told; the store survives the death of the process, and of the server, at any moment; identifiers
// depend on seed, index and options alone.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_STORE_STORE_H
#define FUZZ_STORE_STORE_H

#include "fuzz/store/Database.h"
#include "fuzz/store/History.h"
#include "oracles/verdict/Verdict.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tilesmith::fuzz {

/// A run of the generator: what decides which kernels are made and how they are judged.
struct CampaignKey {
  uint64_t seed = 1;
  std::string options; ///< engines, level, plants, ... as words
  unsigned shard = 0, shards = 1;
};

struct StoredFinding {
  std::string id;   ///< hexadecimal, stable
  std::string name; ///< of the case
  std::string verdict, signature;
  std::string bug;   ///< id of the bug, empty before triage
  std::string known; ///< reason when a suppression matches
  uint64_t seed = 0, index = 0;
  std::string options;
};

struct StoredBug {
  std::string id, pass, blame, signature, known;
  std::set<std::string> features; ///< operations that survive the reduction
  std::string text, command;      ///< of the reduced kernel
  std::string judge;              ///< judgeWords as a line: how the reduced kernel shows it
  unsigned operationsBefore = 0, operationsAfter = 0;
  double reduceSeconds = 0;
  uint64_t hits = 0;
  std::string firstFinding;
};

/// A worker of a fleet (Ledger.h).
struct StoredWorker {
  std::string name, host, build;
  double sinceSeen = 0; ///< seconds
  bool hasEnded = false;
  uint64_t tasks = 0;
};

/// Choices that made a kernel which reached something first.
struct StoredStream {
  std::string choices;            ///< bytes of generators/entropy/ChoiceStream.h
  std::vector<uint64_t> features; ///< what they were the first, or the shortest, to reach
};

/// How a campaign stood at some time.
struct Sample {
  double seconds = 0; ///< since the campaign began, pauses not counted
  uint64_t cases = 0, failed = 0, inconclusive = 0;
  uint64_t rssKiB = 0; ///< of the process that keeps the store
};

/// op and element type to the number of cases that have it.
using Coverage = std::map<std::pair<std::string, std::string>, uint64_t>;
/// In place of an op, with `PASS/NAME` for the type: a rewrite of the compiler that fired in a case,
/// and one that a pass has.
inline constexpr llvm::StringLiteral kRewriteFired = "rewrite", kRewriteFound = "rewrite-found";
/// Takes those out: cases by rewrite, 0 for what never fired.
std::map<std::string, uint64_t> splitRewrites(Coverage &coverage);

class Store {
public:
  static constexpr int schemaVersion = 5;

  /// Opens or creates, by the name of a file or the address of a server. Errors: no store, or one of another schema.
  static llvm::Expected<Store> open(const std::string &path, bool create = true);
  /// For reading alone: whatever is tried later, nothing changes. Errors: no store, or one of another
  /// schema than the present one.
  static llvm::Expected<Store> openToRead(const std::string &path);

  /// The seed of the only campaign, if there is one.
  std::optional<uint64_t> onlySeed() const;

  /// Chooses the campaign and the run that the calls below write to, and keeps the campaign until
  /// this process ends: the same cases twice would be counted twice. Error: another process works on
  /// it.
  llvm::Error begin(const CampaignKey &key, const RunInfo &info = {});
  /// Number of the first case of the build that was given to begin().
  uint64_t firstCase() const { return first; }
  /// False when an earlier run of this build was killed, and is gone on with.
  bool isNewRun() const { return isFreshRun; }
  llvm::Error endRun(llvm::StringRef at);
  int64_t chosenRun() const { return run; }
  std::vector<StoredRun> runs() const; ///< oldest first

  /// What compiled code costs on a build: a row of oracles/performance as text, in place of an older
  /// one with the same key.
  llvm::Error addPerf(const PerfBuild &build, const std::string &key, const std::string &row);
  std::vector<PerfBuild> perfBuilds() const; ///< oldest first
  std::vector<std::string> perfRows(const std::string &build) const;
  /// What got worse on a build is known: who says so, and why.
  llvm::Error acceptPerf(const std::string &build, const std::string &reason, llvm::StringRef at);
  /// A build is what users have: later ones are held to it.
  llvm::Error markRelease(const std::string &build);
  /// Empty: nobody did.
  std::string perfAccepted(const std::string &build) const;
  /// The stable identifier of a finding of the chosen campaign.
  std::string findingId(uint64_t seed, uint64_t index) const;
  std::set<uint64_t> finishedCases() const;
  /// Of the chosen campaign on its present build; of all when none is chosen.
  oracles::VerdictCounts counts() const;
  double elapsed() const; ///< seconds of earlier runs of the chosen campaign

  /// A case that ended without a finding.
  llvm::Error addCase(uint64_t index, const oracles::Verdict &verdict);
  /// A case that ended with one, and its folder; one transaction.
  llvm::Error addFinding(uint64_t index, const StoredFinding &finding,
                         const oracles::Verdict &verdict, const std::string &directory);
  llvm::Error addCoverage(const Coverage &more);
  llvm::Error addSample(const Sample &sample);
  /// Of the chosen run; the same choices twice are one stream.
  llvm::Error addStreams(const std::vector<StoredStream> &streams);
  /// Streams of all runs of the chosen run's build that were not read before, in the order in which
  /// they came; `after` is where the next call begins, 0 at first. What others were writing at the
  /// time comes with a later call, and some of what was read comes again.
  std::vector<StoredStream> streams(int64_t &after) const;

  std::vector<StoredFinding> findings(bool untriagedOnly = false) const;
  std::optional<StoredFinding> finding(const std::string &id) const;
  /// The files of a finding's case: name and bytes.
  std::vector<std::pair<std::string, std::string>> files(const std::string &finding) const;
  std::vector<StoredBug> bugs() const;
  /// Files the finding under a bug, which is added, and born, if it is new; a fixed one has
  /// regressed. `smallCase` is the folder of the reduced case of a new one. One transaction.
  llvm::Error assign(const std::string &finding, const StoredBug &bug, llvm::StringRef at = "",
                     const std::string &smallCase = "");
  /// The files of a bug's reduced case; empty: it has none.
  std::vector<std::pair<std::string, std::string>> smallCase(const std::string &bug) const;
  /// The files of the first finding of a bug.
  std::vector<std::pair<std::string, std::string>> firstFiles(const std::string &bug) const;
  /// The findings of a bug whose cases are stored, the first one first.
  std::vector<std::string> storedCases(const std::string &bug) const;
  /// Forgets the cases of findings, not that they were found: number, seed and build make them again.
  llvm::Error dropCases(const std::vector<std::string> &findings);
  /// Something happened to a bug in the chosen run.
  llvm::Error addEvent(const std::string &bug, BugEvent event, llvm::StringRef at);
  std::map<std::string, std::vector<StoredEvent>> lives() const; ///< by bug, oldest first
  /// By bug; with a chosen run, that is the latest.
  std::map<std::string, BugState> states() const;
  /// Findings of the chosen run that were not triaged.
  uint64_t unfiledFailures() const;
  /// What is known of a filed bug now; empty: nothing, its findings are failures again. One
  /// transaction.
  llvm::Error setKnown(const std::string &bug, const std::string &reason);

  Coverage coverage() const;
  std::vector<Sample> samples() const;
  std::vector<StoredWorker> workers() const; ///< the last to be seen first
  /// Findings by bug and run, runs in the order of runs().
  std::map<std::string, std::map<int64_t, uint64_t>> hits() const;
  std::vector<CampaignKey> campaigns() const;
  std::map<std::string, uint64_t> inconclusiveReasons() const;

  /// What went wrong when something was read; empty: nothing did.
  const std::string &failure() const { return database.failure(); }

  /// Adds everything another store, a file, holds.
  llvm::Error merge(const std::string &path);

private:
  friend class Ledger;
  static const char *const kAddCase;
  explicit Store(Database database, std::string path)
      : database(std::move(database)), path(std::move(path)) {}
  llvm::Error chooseCampaign(const CampaignKey &key);
  llvm::Error lockCampaign();
  llvm::Error beginRun(const RunInfo &info);
  llvm::Error addFiles(const char *sql, const std::string &owner, const std::string &directory);

  Database database;
  std::string path;
  int64_t campaign = 0, run = 0; ///< 0: none chosen
  uint64_t first = 0;
  bool isFreshRun = false;
  std::string options; ///< of it
};

} // namespace tilesmith::fuzz

#endif // FUZZ_STORE_STORE_H
