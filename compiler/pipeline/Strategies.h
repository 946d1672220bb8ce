//===- Strategies.h - forms of compiled code that are chosen by name --------------------------===//
//
// Each is a second way to the same results, to be compared with the first way anywhere. Where
// nothing is named, or `auto`, tileas-choose-strategy picks, kernel by kernel, what the cost model
// predicts a gain for; names force a way, and `plain` the first one.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_PIPELINE_STRATEGIES_H
#define COMPILER_PIPELINE_STRATEGIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tilesmith {

struct Strategies {
  bool warpSpecialize = false;    ///< warps of their own copy (sm_90 and newer)
  bool tma = false;               ///< bulk copies of rows into pipelines (sm_90 and newer)
  bool tensorMap = false;         ///< tensor copies into pipelines (sm_90 and newer)
  bool tensorStore = false;       ///< tensor copies of results (sm_90 and newer)
  bool dynamicPersistent = false; ///< blocks take the work of others (sm_100 and newer)
  bool automatic = false;         ///< warp-specialize and tensor-map where they should pay
  bool plain = false;             ///< all warps copy with cp.async, and compute

  /// A strategy by its name, in the order in which names are printed.
  struct Known {
    llvm::StringLiteral name, description;
    bool Strategies::*flag;
  };
  static llvm::ArrayRef<Known> known();

  /// Switches one on. False: no strategy has this name.
  bool enable(llvm::StringRef name) {
    for (const Known &one : known())
      if (name == one.name)
        return this->*one.flag = true;
    return false;
  }
  /// The names of those that are on.
  llvm::SmallVector<llvm::StringRef> names() const {
    llvm::SmallVector<llvm::StringRef> result;
    for (const Known &one : known())
      if (this->*one.flag)
        result.push_back(one.name);
    return result;
  }
  /// `warp-specialize,tma`; empty when none is on.
  std::string str() const { return llvm::join(names(), ","); }
  /// Reads what str() prints. Error: the first name that is unknown, and all known ones.
  static llvm::Expected<Strategies> parse(llvm::StringRef list);
  /// Every one of them on.
  static Strategies all();

  bool operator==(const Strategies &) const = default;
  bool any() const { return *this != Strategies(); }
  /// The cost model picks: nobody named a way.
  bool modelPicks() const { return automatic || !any(); }
  /// Bulk copies of either kind, wanted by name.
  bool bulkCopies() const { return tma || tensorMap; }
};

inline llvm::ArrayRef<Strategies::Known> Strategies::known() {
  static constexpr Known kKnown[] = {
      {"warp-specialize", "warps of their own copy", &Strategies::warpSpecialize},
      {"tma", "bulk copies of rows", &Strategies::tma},
      {"tensor-map", "tensor copies", &Strategies::tensorMap},
      {"tensor-store", "tensor copies of results", &Strategies::tensorStore},
      {"dynamic-persistent", "blocks take the work of others", &Strategies::dynamicPersistent},
      {"auto", "tileas-choose-strategy picks, kernel by kernel", &Strategies::automatic},
      {"plain", "all warps copy with cp.async and compute", &Strategies::plain}};
  return kKnown;
}

inline Strategies Strategies::all() {
  Strategies result;
  for (const Known &one : known())
    result.*one.flag = true;
  return result;
}

inline llvm::Expected<Strategies> Strategies::parse(llvm::StringRef list) {
  Strategies result;
  llvm::SmallVector<llvm::StringRef> words;
  list.split(words, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words)
    if (!result.enable(word))
      return llvm::createStringError("expected strategies among " + all().str() + ", found '" +
                                     word + "'");
  return result;
}

} // namespace tilesmith

#endif // COMPILER_PIPELINE_STRATEGIES_H
