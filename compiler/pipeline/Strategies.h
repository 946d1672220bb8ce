//===- Strategies.h - forms of compiled code that are chosen by name --------------------------===//
//
// None is on by default: each is a second way to the same results, to be measured on the device it
// is for and compared with the first way anywhere. `auto` lets tileas-choose-strategy pick, kernel
// by kernel; its rule stands in ChooseStrategy.cpp.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_PIPELINE_STRATEGIES_H
#define COMPILER_PIPELINE_STRATEGIES_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <string>
#include <utility>

namespace tilesmith {

struct Strategies {
  bool warpSpecialize = false;    ///< warps of their own copy (sm_90 and newer)
  bool tma = false;               ///< bulk copies of rows into pipelines (sm_90 and newer)
  bool tensorMap = false;         ///< tensor copies into pipelines (sm_90 and newer)
  bool dynamicPersistent = false; ///< blocks take the work of others (sm_100 and newer)
  bool automatic = false;         ///< warp-specialize and tensor-map where they should pay

  /// Switches one on: warp-specialize, tma, tensor-map, dynamic-persistent or auto. False: no such
  /// name.
  bool enable(llvm::StringRef name) {
    for (auto [known, flag] : named())
      if (name == known)
        return *flag = true;
    return false;
  }
  /// The names of those that are on, each with a blank behind it.
  std::string str() const {
    std::string names;
    for (auto [name, flag] : const_cast<Strategies *>(this)->named())
      if (*flag)
        names += name.str() + " ";
    return names;
  }
  /// Bulk copies of either kind, wanted by name.
  bool bulkCopies() const { return tma || tensorMap; }

private:
  std::array<std::pair<llvm::StringRef, bool *>, 5> named() {
    return {{{"warp-specialize", &warpSpecialize},
             {"tma", &tma},
             {"tensor-map", &tensorMap},
             {"dynamic-persistent", &dynamicPersistent},
             {"auto", &automatic}}};
  }
};

} // namespace tilesmith

#endif // COMPILER_PIPELINE_STRATEGIES_H
