//===- TensorMemoryPlaces.h - columns and shared memory for products in tensor memory ---------===//
//
// Of tileas-refine-atom-by-resource: what is free while a loop runs, in units of columns of tensor
// memory (of 128 lanes) and bytes of shared memory.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_TENSORMEMORYPLACES_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_TENSORMEMORYPLACES_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

#include <optional>

namespace tilesmith::tileas {

/// The tile that a store puts into tensor memory.
mlir::RankedTensorType storedType(TensorMemoryStoreOp store);

/// Some column holds something of both tiles, at one time or another.
bool shareColumns(TensorMemoryStoreOp a, TensorMemoryStoreOp b);

/// Columns of tensor memory that a block may take: those of a multiprocessor share 512.
int64_t columnLimit(tileaa::FuncOp function);

/// The loops follow each other: what one leaves in tensor memory was loaded before the other begins.
bool followEachOther(mlir::Operation *a, mlir::Operation *b);

/// The loop that a store is for: the first one behind it that uses the columns; null without one.
mlir::Operation *loopOf(TensorMemoryStoreOp store);

/// The first of `count` columns that nothing else of the function takes while `loop` runs, apart
/// from `shared`; nullopt where none are left.
std::optional<int64_t> findColumns(tileaa::FuncOp function, mlir::Operation *loop, int64_t count,
                                   TensorMemoryStoreOp shared = {});

/// A tile in tensor memory, and its first column.
struct PlacedTile {
  mlir::RankedTensorType type;
  int64_t column;
};

/// Where two tiles share a column, one warp reads the one and writes the other there: nobody else
/// has to meet it.
bool isHeldBySameWarps(PlacedTile a, PlacedTile b, unsigned warps);

/// Bytes of shared memory of buffers that are alive in the loop; the rings of agents always are.
int64_t bytesAlive(tileaa::FuncOp function, mlir::Operation *around);

/// Bytes of shared memory that are kept free for barriers, tensor maps and exchanges between threads.
int64_t scratchReserve(tileaa::FuncOp function);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_TENSORMEMORYPLACES_H
