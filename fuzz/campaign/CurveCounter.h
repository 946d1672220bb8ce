//===- CurveCounter.h - what a campaign has reached after so many cases -----------------------------===//
//
// Cases come in the order in which they end; they are counted in that of their numbers, so that the
// curve does not depend on the number of workers.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_CURVECOUNTER_H
#define FUZZ_CAMPAIGN_CURVECOUNTER_H

#include "fuzz/campaign/StreamCorpus.h"
#include "oracles/verdict/Verdict.h"

#include <array>
#include <map>
#include <unordered_set>

namespace tilesmith::fuzz {

/// What is counted: each once, in the order of CurveCounter's sums.
inline constexpr std::array<llvm::StringLiteral, 6> kCurveMeasures = {
    "rewrites that fired",         "pairs of rewrites in one kernel",      "operations by type",
    "operations by type and mode", "rewrites beside an operation by type", "distinct findings"};

class CurveCounter {
public:
  void add(uint64_t index, CaseFeatures reached, const oracles::Verdict &verdict);
  /// By measure, after each case: all cases up to the first one that is missing.
  const std::array<std::vector<double>, kCurveMeasures.size()> &sums() const { return after; }

private:
  void count(const CaseFeatures &reached, const std::string &signature);

  /// Came ahead of their turn; with the signature of what was found.
  std::map<uint64_t, std::pair<CaseFeatures, std::string>> waiting;
  uint64_t next = 0;
  std::array<std::unordered_set<uint64_t>, kCurveMeasures.size()> seen;
  std::array<std::vector<double>, kCurveMeasures.size()> after;
};

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_CURVECOUNTER_H
