//===- Mbarriers.h - stages that change hands at barriers in shared memory --------------------===//
//
// Per stage: "full" completes a phase when the copies of one iteration have landed, "empty" when
// all consumers have read it. The phases alternate, and an iterator knows the parity of its own:
//
//   producer_acquire   wait until "empty" has left the phase before (a new barrier passes at once)
//   producer_commit    each producer, of every agent that fills a part of the stages, arrives at "full" twice:
//                      when its cp.async copies have landed, and for what it has stored itself. Where all warps
//                      of the block fill the stages
//                      by tensor copies, its first thread arrives alone (fedByFirstThread); those that
//                      copy in their place meet it first
//   consumer_wait      wait for "full" of this phase
//   consumer_release   one lane of each consumer warp arrives at "empty", and the tensor core when
//                      products in tensor memory have read the stage; the tensor core alone where
//                      nobody else reads it
//
// Bulk copies are announced (expect_tx) by one producer before it arrives.
//
// Where a copy fills the stages of all blocks of a cluster (multicast), each block's "full" expects the
// bytes of all parts, and consumers arrive at "empty" of every block: then all blocks may write. All
// meet before the first copy, and before a block leaves.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_CONVERSION_TILEASTONVGPU_MBARRIERS_H
#define COMPILER_CONVERSION_TILEASTONVGPU_MBARRIERS_H

#include "compiler/conversion/TileASToNVGPU/Emitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::tileas_to_nvgpu {

/// An iterator is a struct of the stage, the parity of its phase and the stage of the iteration
/// before.
mlir::Type iteratorType(mlir::MLIRContext *context);
mlir::Value firstIterator(Emitter &e, int64_t stages);
/// The iterator at a stage that is known, behind the stage before it.
mlir::Value iteratorAt(Emitter &e, int64_t stage, mlir::Value phase, int64_t stages);
mlir::Value stageOf(Emitter &e, mlir::Value iterator);
mlir::Value nextIterator(Emitter &e, mlir::Value iterator, int64_t stages);

/// The mbarrier at an address as nvgpu takes it.
mlir::Value groupAt(Emitter &e, mlir::Value barrier);

/// Makes the barriers of a pipeline; all threads of the block take part.
void initMbarriers(Emitter &e, tileas::CreatePipelineOp create);
void waitEmpty(Emitter &e, tileas::CreatePipelineOp create, mlir::Value iterator);
void waitFull(Emitter &e, tileas::CreatePipelineOp create, mlir::Value iterator);
void arriveFull(Emitter &e, tileas::CreatePipelineOp create, mlir::Value iterator);
void arriveEmpty(Emitter &e, tileas::ConsumerReleaseOp release, mlir::Value iterator);
/// Words of a pipeline: "full" and "empty" of each stage. Where stages are released an iteration
/// late, the first release of a loop, which has none before it, arrives at one more, that nobody
/// waits for.
int64_t barrierWordsOf(tileas::CreatePipelineOp create);
/// Blocks of the cluster whose copies fill the stages of a pipeline; 1: its own.
int64_t multicastBlocks(tileas::CreatePipelineOp create);
/// The same of any pipeline of the kernel.
int64_t multicastBlocks(mlir::Operation *root);
/// All threads of the cluster meet; what they did before is seen by all.
void meetCluster(Emitter &e);
/// The first `blocks` blocks of the cluster as instructions name them: a bit each (i16).
mlir::Value blockMask(Emitter &e, int64_t blocks);
/// `address` in shared memory, in the block of that rank (i32) of the cluster.
mlir::Value inBlock(Emitter &e, mlir::Value address, mlir::Value rank);

mlir::Value fullBarrier(Emitter &e, tileas::CreatePipelineOp create, mlir::Value iterator);

/// The loop does nothing but products in tensor memory of what a pipeline with mbarriers brings, and so do those that
/// share its ring: the first thread of the consumers runs it.
bool issuesOnly(mlir::scf::ForOp loop);
/// Only tensor copies fill the buffers. Where threads copy in their place, they wait for what they
/// copied and order it themselves, so that consumers need no fence.
bool filledByTensorCopies(tileas::CreatePipelineOp create);

/// The first thread of the block, which starts these copies, arrives alone at "full".
bool fedByFirstThread(tileas::CreatePipelineOp create);

/// Orders what the threads did in shared memory through the generic proxy before what follows through the async one.
void fenceAsyncProxy(Emitter &e);
/// The same in front of bulk copies of the operation, or behind it: of global memory, too, where the block may have
/// written it by then, or have seen what others wrote. That fence waits for the whole device.
void fenceAsyncProxyAt(Emitter &e, mlir::Operation *op);
/// One mbarrier in shared memory, by nvgpu ops that convert-gpu-to-nvvm turns into instructions.
void initMbarrier(Emitter &e, mlir::Value barrier, int64_t arrivals);
/// One arrival of this thread.
void arriveAt(Emitter &e, mlir::Value barrier);
void arriveExpectingBytes(Emitter &e, mlir::Value barrier, int64_t bytes);
/// Waits until the phase with this parity has completed.
void waitParity(Emitter &e, mlir::Value barrier, mlir::Value isOdd);

} // namespace tilesmith::tileas_to_nvgpu

#endif // COMPILER_CONVERSION_TILEASTONVGPU_MBARRIERS_H
