//===- Rewrites.h - which rewrites of the compiler fired --------------------------------------===//
//
// A campaign asks of each case which of our patterns changed something. Until it does, nothing is
// counted. Passes take part by CountedRewrites.h.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_REWRITES_H
#define COMPILER_SUPPORT_REWRITES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

namespace tilesmith {

/// Of this process, from now on.
void countRewrites();
bool areRewritesCounted();

/// A pass has these patterns.
void noteRewrites(llvm::StringRef pass, llvm::ArrayRef<std::string> names);
/// One of them changed something.
void noteRewrite(llvm::StringRef pass, llvm::StringRef name);

/// By `PASS/NAME`.
struct Rewrites {
  std::set<std::string> fired;
  std::set<std::string> found; ///< patterns of passes that ran for the first time
};
/// What came since the last call.
Rewrites takeRewrites();

/// `Fold<Add>` of `(anonymous namespace)::Fold<(anonymous namespace)::Add>`.
std::string shortTypeName(llvm::StringRef name);

} // namespace tilesmith

#endif // COMPILER_SUPPORT_REWRITES_H
