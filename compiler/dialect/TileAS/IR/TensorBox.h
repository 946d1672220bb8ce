//===- TensorBox.h - buffers that tensor copies fill ------------------------------------------===//
//
// A tensor copy (cp.async.bulk.tensor) moves a box of a tensor into shared memory, dimension after
// dimension, the contiguous one first. Under a swizzle the rows of a box have 32, 64 or 128 bytes,
// so a wider tile comes in panels, one box each; warpgroup products read the same arrangement
// (WarpgroupAtom.h):
//
//   panel     `width` bytes of the contiguous dimension times all other dimensions, row after row
//   swizzle   pieces of 16 bytes are permuted: address bits 4.. xor address bits 7..; or, under 128
//             bytes, pieces of 32: bits 5, 6 xor bits 7, 8 (sm_100 and its relatives)
//
// Without a swizzle a tile is one panel. A box has at most 256 elements along each dimension;
// longer outermost dimensions come in several boxes. So do tiles of which each block of a cluster
// copies a part (boxOfPart).
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_IR_TENSORBOX_H
#define COMPILER_DIALECT_TILEAS_IR_TENSORBOX_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

#include <optional>
#include <string>

namespace tilesmith::tileas {

/// The atom of an asynchronous load that comes by tensor copies.
inline constexpr llvm::StringLiteral kTensorLoadAtom{"tma_tensor_load"};

/// Bytes of an element in a buffer.
inline int64_t bufferElementBytes(mlir::Type element) {
  return mlir::isa<mlir::FloatTF32Type>(element) ? 4 : element.getIntOrFloatBitWidth() / 8;
}

struct TensorBox {
  int64_t width = 0;                  ///< bytes of a swizzled row; 0: no swizzle
  int64_t grain = 16;                 ///< bytes that the swizzle keeps together
  llvm::SmallVector<unsigned> dims;   ///< tile dimensions, innermost first
  llvm::SmallVector<int64_t> extents; ///< elements of a box, in the order of `dims`
  int64_t elementBytes = 0;

  int64_t bytes() const;
  /// One copy: where in the buffer (bytes) and which part of the tile (elements, per tile
  /// dimension).
  struct Piece {
    int64_t offset;
    llvm::SmallVector<int64_t> start;
  };
  llvm::SmallVector<Piece> pieces(llvm::ArrayRef<int64_t> shape) const;
  int64_t countPieces(llvm::ArrayRef<int64_t> shape) const;
};

/// The arrangement of a buffer of this shape with rows of `width` bytes (0: no swizzle) along
/// `contiguous`, of which the swizzle keeps `grain` bytes together; null when no box gives it.
SharedLayoutAttr tensorBoxLayout(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                                 unsigned contiguous, int64_t width, int64_t elementBytes,
                                 int64_t grain = 16);

/// The box behind a layout of tensorBoxLayout; nullopt for other layouts.
std::optional<TensorBox> recogniseTensorBox(SharedLayoutAttr layout, int64_t elementBytes);

/// Why no tensor map describes the view's memory for copies of such boxes, as far as static strides tell:
/// rows are contiguous, other strides multiples of 16 bytes.
std::optional<std::string> staticStrideProblem(const TensorBox &box, tileaa::TiledViewType view);

/// The box, cut along its outermost dimension if need be, of which the buffer takes a multiple of
/// `parts` (a power of two): as many pieces for each of so many blocks. Nullopt where boxes would
/// become smaller than what a swizzle repeats, or than what a box begins at.
std::optional<TensorBox> boxOfPart(TensorBox box, llvm::ArrayRef<int64_t> shape, int64_t parts);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_IR_TENSORBOX_H
