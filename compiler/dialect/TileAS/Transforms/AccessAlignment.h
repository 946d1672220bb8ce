//===- AccessAlignment.h - how many neighbouring elements memory lets one access move ---------===//
//
// What base pointer, strides and coordinates allow, as far as the facts of nv_tileaa know; the
// layout of the tile has its own say (VectorizeMemory.cpp).
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_ACCESSALIGNMENT_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_ACCESSALIGNMENT_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ValueRange.h"

#include <optional>

namespace tilesmith::tileas {

struct AccessAlignment {
  unsigned dim;     ///< tile dimension along which memory is contiguous
  int64_t elements; ///< a power of two, at most 16 bytes
};

/// For a tile of a view; nullopt when no tile dimension is contiguous in memory.
std::optional<AccessAlignment> viewAlignment(mlir::Value view, mlir::ValueRange indices,
                                             mlir::RankedTensorType tile);

/// For a tile of pointers, along its last dimension.
int64_t pointerAlignment(mlir::Value pointers, mlir::RankedTensorType tile);

/// Neighbours along a dimension: what a thread holds, and what it holds together with the threads beside it.
struct Runs {
  int64_t own, together;
};
Runs runsOf(LayoutAttr layout, unsigned dim);

/// Memory is moved in pieces of so many bytes.
inline constexpr int64_t kSectorBytes = 32;

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_ACCESSALIGNMENT_H
