//===- HostTensor.h - tensors behind views that follow from the arguments of a kernel ---------===//
//
// Where code runs on the host before a kernel, it can make the tensor map of a view whose tensor it knows
// (compiler/conversion/TileASToNVGPU/HostTensorMaps.h).
//
// A tensor follows from the arguments where base, extents and strides do, and also where
//
//   base = host base + i * stride   with i known to the kernel only: the map has one more dimension,
//                                   with a box of one element, and i is its coordinate. So are dimensions
//                                   that a tile lacks (batches, heads, experts).
//   extent = c ? size : 0           the map has `size`; the kernel looks at its own extent as well
//
// The view itself may be made anywhere, also in a loop: what a map says is the same in all turns, and where i lies is
// told to each copy.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_HOSTTENSOR_H
#define COMPILER_DIALECT_TILEAS_IR_HOSTTENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace tilesmith::tileas {

/// A tensor as the host sees it. Values are of the source function.
struct HostTensor {
  /// A dimension along which the kernel has moved the base.
  struct Step {
    mlir::Value index;  ///< i64; known to the kernel only
    mlir::Value stride; ///< i64, in elements
    mlir::Value extent; ///< i64, which the index is below; null: not known
  };
  mlir::Value base;
  llvm::SmallVector<mlir::Value> offsets; ///< integers, added to the base; in elements
  llvm::SmallVector<Step> steps;
  /// By dimension of the tensor.
  llvm::SmallVector<mlir::OpFoldResult> sizes, strides;

  /// One map serves both, which differ in the indices of steps at most.
  bool hasMapOf(const HostTensor &other) const;
};

/// What host code can know of the tensor behind a view whose elements have so many bytes; nullopt when
/// the kernel must make its map.
std::optional<HostTensor> findHostTensor(mlir::Value view, int64_t elementBytes);

/// Dimensions of a map, steps included.
inline constexpr size_t kMostMapDimensions = 5;

/// Whether copies have a tensor map of a view: in front of all loops the kernel can make it, elsewhere the host,
/// where `hostMaps` says that it makes maps.
bool mayHaveTensorMap(mlir::Value view, bool hostMaps);

/// A number that host code can compute with.
bool isHostNumber(mlir::Type type);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_HOSTTENSOR_H
