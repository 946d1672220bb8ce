//===- DistinctTiles.h - two tiles of one view that share no byte -----------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_DISTINCTTILES_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_DISTINCTTILES_H

#include "mlir/IR/Operation.h"

namespace tilesmith::tileas {

/// Both load or store a whole tile of the same view, at indices that differ whenever the two run.
bool touchDistinctTiles(mlir::Operation *a, mlir::Operation *b);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_DISTINCTTILES_H
