//===- Campaign.h - judging many modules in worker processes ----------------------------------===//
//
// Two campaigns share the pool and the counting: `checkCases` over stored cases, `fuzzCases` over
// generated ones. Every module ends in one ModuleReport, in the order of the tasks where `inOrder`
// is asked for.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_CAMPAIGN_H
#define FUZZ_CAMPAIGN_CAMPAIGN_H

#include "generators/program/ProgramGenerator.h"
#include "oracles/differential/Differential.h"

namespace tilesmith::fuzz {

struct CampaignOptions {
  std::string engines = "reference,emulator";
  oracles::DifferentialOptions differential;
  unsigned jobs = 1;
  double secondsPerModule = 120;
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

struct FuzzOptions {
  uint64_t seed = 1;
  uint64_t count = 0; ///< cases; 0: no limit
  double seconds = 0; ///< time; 0: no limit
  bool stopAtFirst = false;
  std::string findings = "findings"; ///< folder of the cases that disagree
  generators::GeneratorOptions generator;
};

/// A case that disagreed.
struct Finding {
  std::string name, directory;
  oracles::Verdict verdict;
};

struct FuzzResult {
  oracles::VerdictCounts counts;
  double seconds = 0;
  std::map<std::string, uint64_t> inconclusiveReasons; ///< first line of each reason, and how often
};

/// Called after every case with the counts so far.
using OnProgress = std::function<void(const oracles::VerdictCounts &, double seconds)>;

/// Generates cases and judges them; each finding is saved as a case folder and reported at once.
FuzzResult fuzzCases(const FuzzOptions &fuzz, const CampaignOptions &options,
                     const std::function<void(const Finding &)> &onFinding,
                     const OnProgress &onProgress);

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_CAMPAIGN_H
