//===- Passes.h - passes and pattern sets over nv_tileaa --------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAA_TRANSFORMS_PASSES_H
#define COMPILER_DIALECT_TILEAA_TRANSFORMS_PASSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

#include <memory>

namespace mlir {
class Operation;
class Pass;
class RewritePatternSet;
} // namespace mlir

namespace tilesmith::tileaa {

/// One canonicalizer: its name (debug name of the pattern, usable with disable-patterns), the ops
/// it looks at, the condition under which it fires and how that is shown to be sound.
struct CanonicalizerInfo {
  llvm::StringLiteral name, ops, condition, proof;
};

/// The fourteen, in the order in which they are registered.
llvm::ArrayRef<CanonicalizerInfo> canonicalizerTable();

/// All canonicalizers as one greedy set. Same results, same memory order, same result types.
void populateCanonicalizers(mlir::RewritePatternSet &patterns);

/// What the pass does to `root`: the set, or the one canonicalizer named `only`, to a fixed point.
/// Counts how often each of them fired, by name.
llvm::LogicalResult canonicalize(mlir::Operation *root, llvm::StringRef only = "",
                                 llvm::StringMap<unsigned> *firings = nullptr);

/// `tileaa-canonicalize`: runs the set to a fixed point. Option `only` keeps one canonicalizer by
/// name.
std::unique_ptr<mlir::Pass> createCanonicalizePass();

/// `tileaa-infer-facts`: annotates integer, pointer and memref values with divisibility, bounds and
/// contiguity.
std::unique_ptr<mlir::Pass> createInferFactsPass();

/// `tileaa-lower-tokens`: the second hop of tokens. Synchronous order becomes at most one CTA
/// barrier, asynchronous order an mbarrier of a pool of 32; fails when the pool is exhausted.
std::unique_ptr<mlir::Pass> createLowerTokensPass();

/// `tileaa-map-queues`: checks the resources of agents and plugins and maps every queue to a
/// pipeline; fails when something does not fit.
std::unique_ptr<mlir::Pass> createMapQueuesPass();

void registerTransformPasses();

} // namespace tilesmith::tileaa

#endif // COMPILER_DIALECT_TILEAA_TRANSFORMS_PASSES_H
