//===- DistinctTiles.h - accesses of views that no two threads meet in ------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_DISTINCTTILES_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_DISTINCTTILES_H

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "mlir/IR/Builders.h"

namespace tilesmith::tileas {

/// Why no byte is accessed by different threads in two accesses.
struct Separation {
  /// Null: it always is so. Else it is so where the strides of this memory keep elements apart.
  tileaa::MakeMemRefOp memref;
};

/// For two loads or stores of whole tiles of views: whenever both run, they touch different bytes,
/// or each byte they share in the same thread. Nothing where that is not known.
std::optional<Separation> separate(mlir::Operation *a, mlir::Operation *b);

/// Computes whether elements of a memory may share bytes, as far as its strides tell (i1).
mlir::Value mayShareBytes(mlir::OpBuilder &builder, tileaa::MakeMemRefOp memref);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_DISTINCTTILES_H
