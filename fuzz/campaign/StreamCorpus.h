//===- StreamCorpus.h - choice streams that reached something new -----------------------------===//
//
// Coverage-guided generation: the choices of kernels that were the first to make a rewrite of the
// compiler fire, two of them together, or one beside an operation on a type, are kept, and changed to
// make other kernels (generators/entropy/ChoiceChanges.h). What a stream reached is a set of hashes.
//
// Invariants
//  - for every feature there is one owner: the first stream that reached it, or one of at most half
//    its length that came later; a stream without a feature of its own is forgotten;
//  - what is drawn depends on the corpus and on the numbers given alone.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_STREAMCORPUS_H
#define FUZZ_CAMPAIGN_STREAMCORPUS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilesmith::fuzz {

/// What a case reached, as a worker of a campaign says it.
struct CaseFeatures {
  std::set<std::string> rewrites; ///< that fired
  std::set<std::string> pairs;    ///< `op type`
  std::set<std::string> modes;    ///< `op type mode`
  std::string choices;            ///< of the kernel; empty: they do not make it alone
};

/// All of them, two rewrites in one kernel, and a rewrite beside an operation, as hashes, sorted.
std::vector<uint64_t> hashesOf(const CaseFeatures &features);

class StreamCorpus {
public:
  /// Keeps the stream if it reached something first, or by half the bytes: what that was.
  std::vector<uint64_t> add(std::string choices, llvm::ArrayRef<uint64_t> features);
  /// The choices of a kept stream, changed; nothing: none is kept.
  std::optional<std::string> draw(uint64_t random);

  size_t streams() const { return live.size(); }
  size_t features() const { return owners.size(); }

private:
  struct Stream {
    std::string choices;
    uint64_t owned = 0, draws = 0;
  };
  std::vector<Stream> all;
  std::vector<uint32_t> live; ///< those that own something, in the order of `all`
  llvm::DenseMap<uint64_t, uint32_t> owners;
};

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_STREAMCORPUS_H
