//===- CudaTileViewTypes.cpp - views of tiles: invariants and indices -------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilesmith::cuda_tile {

//===-- views: shared rules -------------------------------------------------------------------===//

static LogicalResult verifyTileRank(function_ref<InFlightDiagnostic()> emitError,
                                    ArrayRef<int32_t> tileShape, TensorViewType tensorView) {
  if (tileShape.empty())
    // rule: view_rank0
    return emitError() << "0-dimension tile shape is not supported";
  if (tileShape.size() != tensorView.getShape().size())
    // rule: view_rank
    return emitError()
           << "expected tensor_view rank and tile rank to match, got tensor_view of rank "
           << tensorView.getShape().size() << " and tiles of rank " << tileShape.size();
  return success();
}

static LogicalResult verifyTileExtents(function_ref<InFlightDiagnostic()> emitError,
                                       ArrayRef<int32_t> tileShape) {
  if (llvm::any_of(tileShape, [](int32_t dim) { return dim <= 0; }))
    // rule: - (text refuses it while parsing; bytecode does not)
    return emitError() << "tile shape dimensions must have positive length but got [" << tileShape
                       << "]";
  if (llvm::any_of(tileShape, [](int32_t dim) { return !llvm::isPowerOf2_32(dim); }))
    // rule: view_tile_power_of_two
    return emitError() << "tile shape dimensions must have power of two length but got ["
                       << tileShape << "]";
  return success();
}

// The tiles themselves, and padding values that only floats have.
static LogicalResult verifyTileAndPadding(function_ref<InFlightDiagnostic()> emitError,
                                          ArrayRef<int32_t> tileShape, TensorViewType tensorView,
                                          PaddingValueAttr padding) {
  SmallVector<int64_t> wide(tileShape.begin(), tileShape.end());
  Type elementType = tensorView.getElementType();
  if (failed(TileType::verify(emitError, wide, elementType)))
    return failure();
  if (padding && padding.getValue() != PaddingValue::zero && !isa<FloatType>(elementType))
    // rule: view_padding_type
    return emitError() << "padding_value " << stringifyPaddingValue(padding.getValue())
                       << " can only be used with floating point element types, got "
                       << elementType;
  return success();
}

// Partition and strided views: rank, dim_map, extents.
static LogicalResult verifyGridView(function_ref<InFlightDiagnostic()> emitError,
                                    ArrayRef<int32_t> tileShape, TensorViewType tensorView,
                                    ArrayRef<int32_t> dimMap, PaddingValueAttr padding) {
  if (failed(verifyTileRank(emitError, tileShape, tensorView)))
    return failure();
  if (dimMap.size() != tileShape.size())
    // rule: view_dim_map_size
    return emitError() << "expected dim_map to map exactly all " << tileShape.size()
                       << " dimensions of the tile, got " << dimMap.size() << " mappings";
  if (failed(verifyTileExtents(emitError, tileShape)))
    return failure();

  size_t rank = tensorView.getShape().size();
  SmallVector<std::optional<size_t>> tileDimOf(rank);
  for (auto [tileDim, target] : llvm::enumerate(dimMap)) {
    if (target < 0)
      // rule: view_dim_map_negative
      return emitError() << "target dimension must not be negative, got " << target;
    if (static_cast<size_t>(target) >= rank)
      // rule: view_dim_map_outside
      return emitError() << "target dimension is outside of tensor view dimensions, expected "
                            "strictly less than "
                         << rank << ", got " << target;
    if (tileDimOf[target])
      // rule: view_dim_map_twice
      return emitError() << "target dimension " << target
                         << " mapped at least twice (for tile dimensions " << *tileDimOf[target]
                         << " and " << tileDim << ")";
    tileDimOf[target] = tileDim;
  }
  return verifyTileAndPadding(emitError, tileShape, tensorView, padding);
}

// Every index is a scalar tile, all of one type.
static LogicalResult verifyGridIndices(function_ref<InFlightDiagnostic()> emitError,
                                       TypeRange indexTypes) {
  for (Type type : indexTypes) {
    auto tile = dyn_cast<TileType>(type);
    if (!tile)
      // rule: - (the operand constraint refuses it first)
      return emitError() << "expected index type to be a tile type, got " << type;
    if (tile.getRank() != 0)
      // rule: access_index_scalar
      return emitError() << "expected index type to be a scalar tile, got " << type;
  }
  for (auto [i, type] : llvm::enumerate(indexTypes))
    if (type != indexTypes.front())
      // rule: access_index_same
      return emitError() << "expected index type " << i << " to be the same as other index types ("
                         << indexTypes.front() << "), got " << type;
  return success();
}

static Type tileTypeOf(DenseI32ArrayAttr tileShape, TensorViewType tensorView) {
  SmallVector<int64_t> wide(tileShape.asArrayRef().begin(), tileShape.asArrayRef().end());
  return TileType::get(wide, tensorView.getElementType());
}

//===-- partition view ------------------------------------------------------------------------===//

LogicalResult PartitionViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                                        DenseI32ArrayAttr tileShape, TensorViewType tensorView,
                                        ArrayRef<int32_t> dimMap, PaddingValueAttr padding) {
  return verifyGridView(emitError, tileShape.asArrayRef(), tensorView, dimMap, padding);
}

size_t PartitionViewType::getViewIndexRank() const {
  return getTileShape().size();
}
Type PartitionViewType::getViewTileType() const {
  return tileTypeOf(getTileShape(), getTensorView());
}
LogicalResult PartitionViewType::verifyIndices(function_ref<InFlightDiagnostic()> emitError,
                                               TypeRange indexTypes) const {
  return verifyGridIndices(emitError, indexTypes);
}

//===-- strided view --------------------------------------------------------------------------===//

LogicalResult StridedViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                                      DenseI32ArrayAttr tileShape,
                                      DenseI32ArrayAttr traversalStrides, TensorViewType tensorView,
                                      ArrayRef<int32_t> dimMap, PaddingValueAttr padding) {
  if (failed(verifyGridView(emitError, tileShape.asArrayRef(), tensorView, dimMap, padding)))
    return failure();
  if (tileShape.size() != traversalStrides.size())
    // rule: strided_view_strides_count
    return emitError() << "expected " << tileShape.size() << " traversal strides, got "
                       << traversalStrides.size();
  if (llvm::any_of(traversalStrides.asArrayRef(), [](int32_t stride) { return stride <= 0; }))
    // rule: strided_view_strides_positive
    return emitError() << "traversal strides must be strictly positive but got ["
                       << traversalStrides.asArrayRef() << "]";
  return success();
}

size_t StridedViewType::getViewIndexRank() const {
  return getTileShape().size();
}
Type StridedViewType::getViewTileType() const {
  return tileTypeOf(getTileShape(), getTensorView());
}
LogicalResult StridedViewType::verifyIndices(function_ref<InFlightDiagnostic()> emitError,
                                             TypeRange indexTypes) const {
  return verifyGridIndices(emitError, indexTypes);
}

//===-- gather/scatter view -------------------------------------------------------------------===//

LogicalResult GatherScatterViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                                            DenseI32ArrayAttr tileShape, TensorViewType tensorView,
                                            uint32_t sparseDim, PaddingValueAttr padding) {
  ArrayRef<int32_t> shape = tileShape.asArrayRef();
  if (failed(verifyTileRank(emitError, shape, tensorView)) ||
      failed(verifyTileExtents(emitError, shape)))
    return failure();
  if (sparseDim >= tensorView.getShape().size())
    // rule: gather_scatter_sparse_dim
    return emitError()
           << "gather dimension is outside of tensor view dimensions, expected strictly less than "
           << tensorView.getShape().size() << ", got " << sparseDim;
  return verifyTileAndPadding(emitError, shape, tensorView, padding);
}

size_t GatherScatterViewType::getViewIndexRank() const {
  return getTileShape().size();
}
Type GatherScatterViewType::getViewTileType() const {
  return tileTypeOf(getTileShape(), getTensorView());
}

// The index at sparse_dim is a vector with one coordinate per tile row; the others are scalars of
// one type.
LogicalResult GatherScatterViewType::verifyIndices(function_ref<InFlightDiagnostic()> emitError,
                                                   TypeRange indexTypes) const {
  if (indexTypes.empty())
    return success();
  uint32_t sparseDim = getSparseDim();
  if (sparseDim >= indexTypes.size())
    // rule: gather_size
    return emitError() << "gather/scatter dimension " << sparseDim
                       << " is out of range for index count " << indexTypes.size();
  auto vector = dyn_cast<TileType>(indexTypes[sparseDim]);
  if (!vector)
    // rule: gather_rank
    return emitError() << "expected index at sparse_dim position " << sparseDim
                       << " to be a tile type for GatherScatterView";
  if (vector.getRank() != 1)
    // rule: gather_rank
    return emitError() << "expected index at sparse_dim position " << sparseDim
                       << " to be a 1D tensor for GatherScatterView, got rank " << vector.getRank();
  if (vector.getDimSize(0) != getTileShape()[sparseDim])
    // rule: gather_size
    return emitError() << "expected gather/scatter index size (" << vector.getDimSize(0)
                       << ") to match tile shape at gather/scatter dimension " << sparseDim << " ("
                       << getTileShape()[sparseDim] << ")";
  Type scalarType;
  for (auto [i, type] : llvm::enumerate(indexTypes)) {
    if (i == sparseDim)
      continue;
    auto tile = dyn_cast<TileType>(type);
    if (!tile || tile.getRank() != 0)
      // rule: gather_scalar
      return emitError() << "expected index " << i << " to be a scalar tile for GatherScatterView";
    if (scalarType && scalarType != type)
      // rule: gather_scatter_scalar_types
      return emitError() << "expected scalar index " << i
                         << " to have the same type as other scalar indices (" << scalarType
                         << "), got " << type;
    scalarType = type;
  }
  return success();
}

} // namespace tilesmith::cuda_tile
