//===- PlantRules.h - planted bugs that follow a mechanical rule ------------------------------===//
//
// Most planted bugs come from a list of rules that is applied to the sources file by file, so that
// they are not chosen to be easy: swap operands, drop a predicate, off-by-one bound, wrong
// rounding, drop a barrier or token edge, wrong signedness, stale mask. `tilesmith plants` counts
// them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_PLANTRULES_H
#define COMPILER_SUPPORT_PLANTRULES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tilesmith {

/// A rule and the plants that came of applying it to file after file.
struct MechanicalRule {
  llvm::StringLiteral name, ids;
  llvm::SmallVector<llvm::StringRef> plants() const;
};
llvm::ArrayRef<MechanicalRule> mechanicalRules();

/// The rule that a planted bug follows; empty for one of its own.
llvm::StringRef mechanicalRule(llvm::StringRef id);

} // namespace tilesmith

#endif // COMPILER_SUPPORT_PLANTRULES_H
