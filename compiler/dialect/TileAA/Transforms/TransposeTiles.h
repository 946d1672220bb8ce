//===- TransposeTiles.h - tiles that a kernel computes and only uses transposed ---------------===//
#ifndef COMPILER_DIALECT_TILEAA_TRANSFORMS_TRANSPOSETILES_H
#define COMPILER_DIALECT_TILEAA_TRANSFORMS_TRANSPOSETILES_H

#include "mlir/IR/PatternMatch.h"

namespace tilesmith::tileaa {

/// Of tileaa-fold-view-shapes: products whose sums are only used transposed are computed transposed.
void addTransposeTiles(mlir::RewritePatternSet &patterns);

} // namespace tilesmith::tileaa

#endif // COMPILER_DIALECT_TILEAA_TRANSFORMS_TRANSPOSETILES_H
