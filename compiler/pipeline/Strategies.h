//===- Strategies.h - forms of compiled code that are chosen by name --------------------------===//
//
// None is on by default: each is a second way to the same results, to be measured on the device it
// is for and compared with the first way anywhere.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_PIPELINE_STRATEGIES_H
#define COMPILER_PIPELINE_STRATEGIES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilesmith {

struct Strategies {
  bool warpSpecialize = false;    ///< warps of their own copy (sm_90 and newer)
  bool tma = false;               ///< bulk copies of rows into pipelines (sm_90 and newer)
  bool dynamicPersistent = false; ///< blocks take the work of others (sm_100 and newer)

  /// Switches one on: warp-specialize, tma or dynamic-persistent. False: no such name.
  bool enable(llvm::StringRef name) {
    bool *flag = name == "warp-specialize"      ? &warpSpecialize
                 : name == "tma"                ? &tma
                 : name == "dynamic-persistent" ? &dynamicPersistent
                                                : nullptr;
    if (flag)
      *flag = true;
    return flag;
  }
  /// The names of those that are on, each with a blank behind it.
  std::string str() const {
    return std::string(warpSpecialize ? "warp-specialize " : "") + (tma ? "tma " : "") +
           (dynamicPersistent ? "dynamic-persistent " : "");
  }
};

} // namespace tilesmith

#endif // COMPILER_PIPELINE_STRATEGIES_H
