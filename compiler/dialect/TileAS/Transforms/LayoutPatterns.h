//===- LayoutPatterns.h - rewrites that move layout conversions -------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_LAYOUTPATTERNS_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_LAYOUTPATTERNS_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilesmith::tileas {

/// Layouts of sums of products, and what reductions and views make of them.
using KeptLayouts = llvm::SmallPtrSet<const void *, 8>;

/// The layouts of sums under `root` whose rows no two warps share.
KeptLayouts layoutsOfSums(mlir::Operation *root);

/// What is computed from a sum keeps its layout; see FollowProducts.cpp. `kept` grows.
void populateFollowProducts(mlir::RewritePatternSet &patterns, KeptLayouts &kept);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_LAYOUTPATTERNS_H
