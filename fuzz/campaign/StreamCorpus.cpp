//===- StreamCorpus.cpp - choice streams that reached something new ---------------------------===//
#include "fuzz/campaign/StreamCorpus.h"

#include "generators/entropy/ChoiceChanges.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

std::vector<uint64_t> tilesmith::fuzz::hashesOf(const CaseFeatures &features) {
  std::vector<uint64_t> result;
  auto add = [&](const std::string &text) {
    // The two greatest numbers are keys that DenseMap keeps for itself.
    result.push_back(llvm::xxh3_64bits(text) >> 1);
  };
  for (const std::set<std::string> *set : {&features.rewrites, &features.pairs, &features.modes})
    for (const std::string &one : *set)
      add(one);
  for (auto first = features.rewrites.begin(); first != features.rewrites.end(); ++first) {
    for (auto second = std::next(first); second != features.rewrites.end(); ++second)
      add(*first + "\n" + *second);
    for (const std::string &pair : features.pairs)
      add(*first + "\n" + pair);
  }
  llvm::sort(result);
  result.erase(llvm::unique(result), result.end());
  return result;
}

std::vector<uint64_t> StreamCorpus::add(std::string choices, llvm::ArrayRef<uint64_t> features) {
  std::vector<uint64_t> gained;
  if (choices.empty())
    return gained;
  const auto number = static_cast<uint32_t>(all.size());
  for (uint64_t feature : features) {
    auto [owner, isNew] = owners.try_emplace(feature, number);
    if (!isNew) {
      Stream &before = all[owner->second];
      if (choices.size() * 2 > before.choices.size())
        continue;
      --before.owned;
      owner->second = number;
    }
    gained.push_back(feature);
  }
  if (gained.empty())
    return gained;
  all.push_back({std::move(choices), gained.size()});
  live.push_back(number);
  llvm::erase_if(live, [&](uint32_t stream) {
    if (all[stream].owned == 0)
      all[stream].choices.clear();
    return all[stream].owned == 0;
  });
  return gained;
}

std::optional<std::string> StreamCorpus::draw(uint64_t seed) {
  if (live.empty())
    return std::nullopt;
  constexpr size_t kLongest = 1 << 14, kTail = 256;
  generators::ChangeRandom random{seed};
  // Of two the one that was drawn less often.
  uint32_t first = live[random.below(live.size())], second = live[random.below(live.size())];
  if (all[second].draws < all[first].draws)
    std::swap(first, second);
  Stream &chosen = all[first];
  ++chosen.draws;
  std::vector<uint8_t> bytes(chosen.choices.begin(), chosen.choices.end());
  if (random.below(4) == 0)
    bytes =
        generators::joinChoices(bytes, llvm::arrayRefFromStringRef(all[second].choices), random);
  for (size_t count = 1 + random.below(3); count > 0; --count)
    generators::changeChoices(bytes, random);
  bytes.resize(std::min(bytes.size(), kLongest));
  // Where the change asks for more than there was, zeros would be dull answers.
  for (size_t i = 0; i < kTail; ++i)
    bytes.push_back(static_cast<uint8_t>(random.next()));
  return llvm::toStringRef(bytes).str();
}
