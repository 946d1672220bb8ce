//===- Canonicalizers.h - the pattern families behind tileaa-canonicalize ---------------------===//
#ifndef COMPILER_DIALECT_TILEAA_TRANSFORMS_CANONICALIZERS_H
#define COMPILER_DIALECT_TILEAA_TRANSFORMS_CANONICALIZERS_H

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace tilesmith::tileaa {

/// The value as an attribute: a scalar's TypedAttr, a tile's DenseElementsAttr (also through
/// splat); null when it is not a constant.
mlir::Attribute getConstant(mlir::Value value);

/// True or false when every element of an i1 value is that constant.
std::optional<bool> getConstantMask(mlir::Value mask);

/// Adds the patterns of a family whose name `keep` accepts.
using KeepFn = llvm::function_ref<bool(llvm::StringRef)>;
void addDotCanonicalizers(mlir::RewritePatternSet &patterns, KeepFn keep);
void addPointerCanonicalizers(mlir::RewritePatternSet &patterns, KeepFn keep);
void addShapeCanonicalizers(mlir::RewritePatternSet &patterns, KeepFn keep);
void addMemoryCanonicalizers(mlir::RewritePatternSet &patterns, KeepFn keep);
void addAtomicCanonicalizers(mlir::RewritePatternSet &patterns, KeepFn keep);
void addRegionCanonicalizers(mlir::RewritePatternSet &patterns, KeepFn keep);
void addLoopCanonicalizers(mlir::RewritePatternSet &patterns, KeepFn keep);

/// Adds Pattern under `name` when it is wanted.
template <typename Pattern>
void addNamed(mlir::RewritePatternSet &patterns, llvm::StringRef name, KeepFn keep) {
  if (keep(name))
    patterns.addWithLabel<Pattern>({name}, patterns.getContext());
}

} // namespace tilesmith::tileaa

#endif // COMPILER_DIALECT_TILEAA_TRANSFORMS_CANONICALIZERS_H
