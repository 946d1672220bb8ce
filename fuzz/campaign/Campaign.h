//===- Campaign.h - judging many modules in worker processes ----------------------------------===//
//
// Two campaigns share the pool and the counting: `checkCases` over stored cases, `fuzzCases` over
// generated ones, kernels and (some cases) batches of invalid modules. Every module ends in one
// ModuleReport, in the order of the tasks where `inOrder` is asked for.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_CAMPAIGN_H
#define FUZZ_CAMPAIGN_CAMPAIGN_H

#include "fuzz/campaign/Judge.h"
#include "fuzz/campaign/StreamCorpus.h"
#include "fuzz/store/Ledger.h"
#include "generators/program/ProgramGenerator.h"

namespace tilesmith::fuzz {

struct CampaignOptions {
  JudgeOptions judge;
  unsigned jobs = 1;
  WorkerLimits limits{120, 4096}; ///< of one module
};

/// One stored module to judge.
struct StoredModule {
  std::string directory; ///< of the case
  std::string caseName;
  std::string version;
};

/// Called for every module, in order.
using OnReport = std::function<void(const oracles::ModuleReport &)>;

/// Judges stored modules. Counts what it passes to `onReport`.
oracles::VerdictCounts checkCases(llvm::ArrayRef<StoredModule> modules,
                                  const CampaignOptions &options, const OnReport &onReport);

/// Where the cases of a fleet's worker come from and where their results go, in place of the order of
/// numbers.
class CaseSource {
public:
  virtual ~CaseSource() = default;
  /// Nothing: enough for now.
  virtual std::optional<uint64_t> next() = 0;
  virtual void add(CaseResult result) = 0;
  virtual llvm::Error addFinding(CaseResult result, const StoredFinding &finding,
                                 const std::string &directory) = 0;
  /// Brings to the store what is due (`isEnd`: all); those cases that had ended otherwise before.
  virtual llvm::Expected<std::vector<std::pair<CaseResult, oracles::Verdict::Kind>>>
  flush(bool isEnd) = 0;
};

struct FuzzOptions {
  uint64_t seed = 1;
  uint64_t count = 0; ///< cases; 0: no limit
  uint64_t first = 0; ///< number of the first one
  double seconds = 0; ///< time; 0: no limit
  bool stopAtFirst = false;
  std::string findings = "findings"; ///< folder of the cases that disagree
  std::string log; ///< file that gets a line with the number of each case that a worker begins
  generators::GeneratorOptions generator;
  /// One case in so many is a batch of invalid modules; 0: none. Not beside `generator.only` and
  /// `generator.version`, which are wishes for valid kernels.
  unsigned invalidShare = 8;
  /// One kernel in so many is edited and judged against what it was before; 0: none.
  unsigned editShare = 8;
  /// One kernel in so many is made of changed choices of one that reached something new; 0: none.
  unsigned guidedShare = 0;
  /// Called after each case, in the order in which they end, with what it reached.
  std::function<void(uint64_t index, const CaseFeatures &, const oracles::Verdict &)> onCase;
  /// One case in so many is a program of nv_tileaa; 0: none. Not beside `generator.only` and
  /// `generator.version` either.
  unsigned tileaaShare = 32;
  /// One kernel in so many is one of the cases in `storedFolders` with changes; 0: none.
  unsigned storedShare = 3;
  std::vector<std::string> storedFolders;
  unsigned shard = 0, shards = 1; ///< only cases whose number is `shard` modulo `shards`
  /// Where progress is kept, with its campaign chosen; null: nowhere. Cases that it has are not run
  /// again.
  Store *store = nullptr;
  /// With `store`: its results come and go by leases. Null: in order, all from this process.
  CaseSource *source = nullptr;
};

/// Whether the case of this number may be made of changed choices: its number alone makes it again
/// only if not.
bool isGuidedCase(const FuzzOptions &fuzz, uint64_t index);

/// The options by which a campaign judges what it has just generated.
JudgeOptions freshly(JudgeOptions options);

/// A case that disagreed.
struct FuzzFinding {
  std::string id, name, directory;
  oracles::Verdict verdict;
};

struct FuzzResult {
  oracles::VerdictCounts counts; ///< of this run
  oracles::OracleCounts oracles; ///< of this run, by oracle
  double seconds = 0;
  size_t coveredPairs = 0;          ///< of op and type, the store's included
  size_t streams = 0, features = 0; ///< guided: kept, and reached by kernels that choices make
  uint64_t changedKernels = 0;      ///< of stored cases, judged
  std::map<std::string, uint64_t> refusals;            ///< changed kernels not judged, by reason
  std::map<std::string, uint64_t> inconclusiveReasons; ///< first line of each reason, and how often
};

/// Called after every case with what is known so far.
using OnProgress = std::function<void(const FuzzResult &)>;

/// Generates cases and judges them; each finding is saved as a case folder and in the store, and
/// reported then. `onFinding` says whether it counts for stopAtFirst. Error: the store.
llvm::Expected<FuzzResult> fuzzCases(const FuzzOptions &fuzz, const CampaignOptions &options,
                                     const std::function<bool(const FuzzFinding &)> &onFinding,
                                     const OnProgress &onProgress);

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_CAMPAIGN_H
