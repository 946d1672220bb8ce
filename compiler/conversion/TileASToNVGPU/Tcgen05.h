//===- Tcgen05.h - what the code for tensor memory shares -------------------------------------===//
//
// Tcgen05.cpp says what becomes of each operation, tcgen05.md what the instructions demand.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_CONVERSION_TILEASTONVGPU_TCGEN05_H
#define COMPILER_CONVERSION_TILEASTONVGPU_TCGEN05_H

#include "compiler/conversion/TileASToNVGPU/Emitter.h"

namespace tilesmith::tileas_to_nvgpu {

/// Calls llvm.nvvm.tcgen05.<name>; a null type has no result.
mlir::Value callTcgen05(Emitter &e, const llvm::Twine &name, mlir::Type result,
                        mlir::ValueRange arguments);

/// A column's address (i32) as a pointer to tensor memory.
mlir::Value tensorPointer(Emitter &e, mlir::Value address);

/// What comes behind is ordered after the barrier in front.
void fenceAfterThreadSync(Emitter &e);

/// Everybody waits until the products that the first thread has issued are complete.
void waitForProducts(Emitter &e);

/// Whether products into `acc` may be under way where they are loaded.
bool areAsynchronous(mlir::Value acc);

/// The operation of a product in the block of its loop.
mlir::Operation *anchorOf(tileas::TensorMemoryDotOp dot);

/// A tensor_memory.dot (Tcgen05Products.cpp).
mlir::LogicalResult emitTensorMemoryDot(Emitter &e, mlir::Operation *op);

} // namespace tilesmith::tileas_to_nvgpu

#endif // COMPILER_CONVERSION_TILEASTONVGPU_TCGEN05_H
