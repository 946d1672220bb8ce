//===- GlobalNames.h - names of globals in compiled code ---------------------------------------===//
#ifndef COMPILER_SUPPORT_GLOBALNAMES_H
#define COMPILER_SUPPORT_GLOBALNAMES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilesmith {

/// Whether ptxas would take a global of this name for the local memory or a parameter of a kernel: it says
/// nothing and takes the address of what is nearer.
inline bool isHiddenGlobalName(llvm::StringRef name) {
  return name.starts_with("__local_depot") || name.contains("_param_");
}

/// The name that a global has in compiled code.
inline std::string visibleGlobalName(llvm::StringRef name) {
  return isHiddenGlobalName(name) ? (name + "$global").str() : name.str();
}

} // namespace tilesmith

#endif // COMPILER_SUPPORT_GLOBALNAMES_H
