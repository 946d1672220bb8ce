//===- Strategies.h - forms of compiled code that are chosen by name --------------------------===//
//
// None is on by default: each is a second way to the same results, to be measured on the device it
// is for and compared with the first way anywhere. `auto` lets tileas-choose-strategy pick, kernel
// by kernel; its rule stands in ChooseStrategy.cpp.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_PIPELINE_STRATEGIES_H
#define COMPILER_PIPELINE_STRATEGIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilesmith {

struct Strategies {
  bool warpSpecialize = false;    ///< warps of their own copy (sm_90 and newer)
  bool tma = false;               ///< bulk copies of rows into pipelines (sm_90 and newer)
  bool tensorMap = false;         ///< tensor copies into pipelines (sm_90 and newer)
  bool dynamicPersistent = false; ///< blocks take the work of others (sm_100 and newer)
  bool automatic = false;         ///< warp-specialize and tensor-map where they should pay

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
  /// The names of those that are on, each with a blank behind it.
  std::string str() const {
    std::string names;
    for (const Known &one : known())
      if (this->*one.flag)
        names += one.name.str() + " ";
    return names;
  }
  /// Bulk copies of either kind, wanted by name.
  bool bulkCopies() const { return tma || tensorMap; }
};

inline llvm::ArrayRef<Strategies::Known> Strategies::known() {
  static constexpr Known kKnown[] = {
      {"warp-specialize", "warps of their own copy", &Strategies::warpSpecialize},
      {"tma", "bulk copies of rows", &Strategies::tma},
      {"tensor-map", "tensor copies", &Strategies::tensorMap},
      {"dynamic-persistent", "blocks take the work of others", &Strategies::dynamicPersistent},
      {"auto", "tileas-choose-strategy picks, kernel by kernel", &Strategies::automatic}};
  return kKnown;
}

} // namespace tilesmith

#endif // COMPILER_PIPELINE_STRATEGIES_H
