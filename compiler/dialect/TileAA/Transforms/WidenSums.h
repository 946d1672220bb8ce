//===- WidenSums.h - sums of f16 that a loop carries as f32 -----------------------------------===//
#ifndef COMPILER_DIALECT_TILEAA_TRANSFORMS_WIDENSUMS_H
#define COMPILER_DIALECT_TILEAA_TRANSFORMS_WIDENSUMS_H

#include "mlir/IR/PatternMatch.h"

namespace tilesmith::tileaa {

/// Of tileaa-fold-view-shapes: where tensor memory holds the sums of a loop, those of f16 stay f32 between
/// its turns.
void addWidenSums(mlir::RewritePatternSet &patterns);

} // namespace tilesmith::tileaa

#endif // COMPILER_DIALECT_TILEAA_TRANSFORMS_WIDENSUMS_H
