//===- TextLimits.h - how deep MLIR text may nest ---------------------------------------------===//
//
// MLIR's text parser descends recursively and has no limit of its own, so deep text would end the
// process on a full stack. This scan runs before the parser and refuses text that nests too deep.
// It knows brackets, strings, comments and alias definitions, nothing else.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_TEXTLIMITS_H
#define COMPILER_SUPPORT_TEXTLIMITS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tilesmith {

/// Above what the bytecode reader accepts, so that everything it reads can be printed and parsed.
inline constexpr unsigned kMaxTextDepth = 640;
/// Chains of alias definitions, each of which uses the one before.
inline constexpr unsigned kMaxAliasDepth = 320;
/// Uses of other aliases in one alias definition, written out in full.
inline constexpr uint64_t kMaxAliasUses = 1 << 20;

/// Fails, naming line and column, when brackets or aliases nest deeper than the limits. With
/// `splitInput`, every line `// -----` starts a new input.
llvm::Error checkTextLimits(llvm::StringRef text, bool splitInput = false);

} // namespace tilesmith

#endif // COMPILER_SUPPORT_TEXTLIMITS_H
