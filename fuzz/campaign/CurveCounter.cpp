//===- CurveCounter.cpp - what a campaign has reached after so many cases ---------------------------===//
#include "fuzz/campaign/CurveCounter.h"

#include "oracles/verdict/Signature.h"

#include "llvm/Support/xxhash.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

void CurveCounter::add(uint64_t index, CaseFeatures reached, const oracles::Verdict &verdict) {
  std::string signature = verdict.isDisagree() ? oracles::signatureOf(verdict).str() : "";
  waiting.try_emplace(index, std::move(reached), std::move(signature));
  for (auto it = waiting.find(next); it != waiting.end(); it = waiting.find(++next)) {
    count(it->second.first, it->second.second);
    waiting.erase(it);
  }
}

void CurveCounter::count(const CaseFeatures &reached, const std::string &signature) {
  auto note = [&](size_t measure, const std::string &what) {
    seen[measure].insert(llvm::xxh3_64bits(what));
  };
  for (auto first = reached.rewrites.begin(); first != reached.rewrites.end(); ++first) {
    note(0, *first);
    for (auto second = std::next(first); second != reached.rewrites.end(); ++second)
      note(1, *first + "\n" + *second);
    for (const std::string &pair : reached.pairs)
      note(4, *first + "\n" + pair);
  }
  for (const std::string &pair : reached.pairs)
    note(2, pair);
  for (const std::string &mode : reached.modes)
    note(3, mode);
  if (!signature.empty())
    note(5, signature);
  for (size_t i = 0; i < kCurveMeasures.size(); ++i)
    after[i].push_back(static_cast<double>(seen[i].size()));
}
