//===- Passes.h - passes and pattern sets over nv_tileaa --------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAA_TRANSFORMS_PASSES_H
#define COMPILER_DIALECT_TILEAA_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir {
class Operation;
class RewritePatternSet;
} // namespace mlir

namespace tilesmith::tileaa {

/// One canonicalizer: its name (debug name of the pattern, usable with disable-patterns), the ops
/// it looks at, the condition under which it fires and how that is shown to be sound.
struct CanonicalizerInfo {
  llvm::StringLiteral name, ops, condition, proof;
};

/// All of them, in the order in which they are registered.
llvm::ArrayRef<CanonicalizerInfo> canonicalizerTable();

/// All canonicalizers as one greedy set. Same results, same memory order, same result types.
void populateCanonicalizers(mlir::RewritePatternSet &patterns);

/// What the pass does to `root`: the set, or the one canonicalizer named `only`, to a fixed point.
/// Counts how often each of them fired, by name.
llvm::LogicalResult canonicalize(mlir::Operation *root, llvm::StringRef only = "",
                                 llvm::StringMap<unsigned> *firings = nullptr);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/dialect/TileAA/Transforms/Passes.h.inc"

} // namespace tilesmith::tileaa

#endif // COMPILER_DIALECT_TILEAA_TRANSFORMS_PASSES_H
