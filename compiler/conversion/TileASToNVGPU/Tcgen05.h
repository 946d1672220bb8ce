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

/// The kernel's barrier for all products so far (Tcgen05Columns.cpp).
mlir::Value doneBarrier(Emitter &e);

/// Everybody waits until the products that the first thread has issued are complete.
void waitForProducts(Emitter &e);

/// The products that the operation issues: itself, of what it reads, or inside of it.
llvm::SmallVector<tileas::TensorMemoryDotOp> productsOf(mlir::Operation *op);

/// Whether products into `acc` may be under way where they are loaded.
bool areAsynchronous(mlir::Value acc);

/// Nobody reads what the store puts into its columns: a product overwrites it, or threads do, before.
bool putsNothing(tileas::TensorMemoryStoreOp store);

/// The operation wants all products in front of it complete, those of the turn before included.
bool wantsProducts(mlir::Operation *op);

/// The operation of a product in the block of its loop.
mlir::Operation *anchorOf(tileas::TensorMemoryDotOp dot);

/// The first column (i32) of what a store put into tensor memory, in `turn` where it has two sets of
/// columns.
mlir::Value columnsOf(Emitter &e, mlir::Value acc, mlir::Value turn);

/// The last bit of a number of a turn (i1).
mlir::Value isOddTurn(Emitter &e, mlir::Value turn);
/// Barriers of tracked sums; 0 where nothing is announced at them (Tcgen05Turns.cpp).
int64_t trackingBarriers(tileas::TensorMemoryStoreOp store);
/// Barriers behind them at which threads release columns, one for each set of these; 0 where nobody does.
int64_t releaseBarriers(tileas::TensorMemoryStoreOp store);
/// What stands for turns (Tcgen05Turns.cpp): tensor_memory.wait, .announce, .acquire, .release.
mlir::LogicalResult emitTurnWait(Emitter &e, mlir::Operation *op);
mlir::LogicalResult emitAnnounce(Emitter &e, mlir::Operation *op);
mlir::LogicalResult emitAcquire(Emitter &e, mlir::Operation *op);
mlir::LogicalResult emitRelease(Emitter &e, mlir::Operation *op);

/// Tells who waits for the turn of tracked sums when all products so far are complete. One thread runs it.
void announceProducts(Emitter &e, tileas::TensorMemoryStoreOp store, mlir::Value turn);

/// The turn of the products that one thread issues together, where that is said.
mlir::Value turnOf(Emitter &e, tileas::TensorMemoryDotOp dot);

/// All threads meet before the product is issued (Tcgen05Products.cpp).
bool meetsBefore(tileas::TensorMemoryDotOp dot);

/// All threads have met since they waited for products, at `anchor` in the turn before at the latest: they all
/// wait at one barrier, and who is still in one wait would pass by the end of the next.
bool hasMetSinceWait(mlir::Operation *anchor);

/// Warps that hold the sums of products of this operation's agent: the layouts in tensor memory count them,
/// whoever issues.
int64_t warpsOfSums(Emitter &e, mlir::Operation *op);

/// Threads are done with what the products of the issue read and overwrite: all meet in front of it, or
/// the agent that runs it waits for them.
bool meetsBefore(tileas::TensorMemoryIssueOp issue);

/// The issues that an agent runs for others (IssuingWarps.cpp); nothing where there are none.
mlir::LogicalResult emitIssuesOf(Emitter &e, tileas::AgentSwitchOp agents, unsigned agent);
/// The threads that the agent of an issue waits for come to it.
void arriveAtIssue(Emitter &e, tileas::TensorMemoryIssueOp issue);
/// Warps that arrive at a barrier of an issue in each phase; 0 where there is none. Blocks of rows whose warps
/// are waited for one after the other have a barrier each.
int64_t arrivalsAt(tileas::TensorMemoryIssueOp issue);
/// A tensor_memory.issue, and tensor_memory.arrived in it (IssuingWarps.cpp).
mlir::LogicalResult emitIssue(Emitter &e, mlir::Operation *op);
mlir::LogicalResult emitArrived(Emitter &e, mlir::Operation *op);
/// Which of `blocks` blocks of 128 rows this warp holds (i32).
mlir::Value blockOfWarp(Emitter &e, int64_t blocks);

/// A tensor_memory.dot (Tcgen05Products.cpp).
mlir::LogicalResult emitTensorMemoryDot(Emitter &e, mlir::Operation *op);

} // namespace tilesmith::tileas_to_nvgpu

#endif // COMPILER_CONVERSION_TILEASTONVGPU_TCGEN05_H
