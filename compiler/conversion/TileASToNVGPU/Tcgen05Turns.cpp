//===- Tcgen05Turns.cpp - products that are waited for turn by turn ---------------------------===//
//
// Tracked sums have a barrier of their own for each set of columns. The product of a turn is committed
// to it right behind its last instruction, and nobody waits for it but tensor_memory.wait. Sums that are
// apart have one for each block of rows, where tensor_memory.announce commits to them.
//
// Columns that threads release have a barrier for each set behind those, at which a lane of each of their warps arrives.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/Tcgen05.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

Value tileas_to_nvgpu::isOddTurn(Emitter &e, Value turn) {
  return arith::TruncIOp::create(e.builder, e.loc, e.builder.getI1Type(), turn);
}

/// Sums that are apart have blocks of rows with a barrier each; 0 where nothing announces them.
static int64_t announcedBlocks(tileas::TensorMemoryStoreOp store) {
  return store.getApart() && llvm::any_of(store.getAcc().getUsers(),
                                          llvm::IsaPred<tileas::TensorMemoryAnnounceOp>)
             ? cast<RankedTensorType>(store.getInit().getType()).getDimSize(0) /
                   tileas::kTensorMemoryLanes
             : 0;
}

int64_t tileas_to_nvgpu::trackingBarriers(tileas::TensorMemoryStoreOp store) {
  if (!store.getTracked())
    return 0;
  return store.getApart() ? announcedBlocks(store) : int64_t(store.getFirstColumns().size());
}

int64_t tileas_to_nvgpu::releaseBarriers(tileas::TensorMemoryStoreOp store) {
  return llvm::any_of(store.getAcc().getUsers(), llvm::IsaPred<tileas::TensorMemoryReleaseOp>)
             ? int64_t(store.getFirstColumns().size())
             : 0;
}

Value tileas_to_nvgpu::blockOfWarp(Emitter &e, int64_t blocks) {
  Value group = arith::ShRUIOp::create(e.builder, e.loc, e.warpIndex(), e.i32(2));
  return arith::AndIOp::create(e.builder, e.loc, group, e.i32(int32_t(blocks - 1)));
}

/// The barrier of a turn of tracked sums.
static Value trackingBarrier(Emitter &e, tileas::TensorMemoryStoreOp store, Value turn) {
  Value index = e.i32(0);
  if (store.getApart() && !TILESMITH_PLANT("tcgen05-apart-waits-for-first-rows"))
    index = blockOfWarp(e, announcedBlocks(store));
  else if (store.getSecond())
    index = arith::AndIOp::create(e.builder, e.loc, turn, e.i32(1));
  return e.barrierWord(store, index);
}

void tileas_to_nvgpu::announceProducts(Emitter &e, tileas::TensorMemoryStoreOp store, Value turn) {
  if (!TILESMITH_PLANT("tcgen05-ahead-commit-dropped"))
    commitProducts(e, trackingBarrier(e, store, turn));
}

LogicalResult tileas_to_nvgpu::emitTurnWait(Emitter &e, Operation *op) {
  auto wait = cast<tileas::TensorMemoryWaitOp>(op);
  auto store = wait.getAcc().getDefiningOp<tileas::TensorMemoryStoreOp>();
  Value turn = e.scalar(wait.getTurn()), phase;
  if (store.getSecond())
    phase = arith::ShRUIOp::create(e.builder, e.loc, turn, e.i32(1));
  else // of the turn before: a new barrier lets the first one pass
    phase = e.add(turn, e.i32(-1));
  if (TILESMITH_PLANT("tcgen05-ahead-wait-dropped") && store.getSecond())
    return success();
  if (TILESMITH_PLANT("tcgen05-ahead-sums-wait-dropped") && !store.getSecond())
    return success();
  waitParity(e, trackingBarrier(e, store, turn), isOddTurn(e, phase));
  return success();
}

LogicalResult tileas_to_nvgpu::emitAnnounce(Emitter &e, Operation *op) {
  auto announce = cast<tileas::TensorMemoryAnnounceOp>(op);
  auto store = announce.getAcc().getDefiningOp<tileas::TensorMemoryStoreOp>();
  e.when(firstThread(e), [&] {
    if (store.getSecond()) {
      auto issue = announce->getParentOfType<tileas::TensorMemoryIssueOp>();
      return announceProducts(e, store, e.scalar(issue.getTurn()));
    }
    commitProducts(e, e.barrierWord(store, e.i32(int32_t(announce.getRowBlock()))));
  });
  return success();
}

/// Where threads say that they have loaded the sums of a turn.
static Value releaseBarrier(Emitter &e, tileas::TensorMemoryStoreOp store, Value turn) {
  Value set = arith::AndIOp::create(e.builder, e.loc, turn, e.i32(1));
  return e.barrierWord(store, e.add(set, e.i32(int32_t(trackingBarriers(store)))));
}

LogicalResult tileas_to_nvgpu::emitRelease(Emitter &e, Operation *op) {
  auto release = cast<tileas::TensorMemoryReleaseOp>(op);
  auto store = release.getAcc().getDefiningOp<tileas::TensorMemoryStoreOp>();
  Value barrier = releaseBarrier(e, store, e.scalar(release.getTurn()));
  NVVM::SyncWarpOp::create(e.builder, e.loc, e.i32(-1));
  Value first =
      arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, e.laneIndex(), e.i32(0));
  e.when(first, [&] { arriveAt(e, barrier); });
  return success();
}

LogicalResult tileas_to_nvgpu::emitAcquire(Emitter &e, Operation *op) {
  auto acquire = cast<tileas::TensorMemoryAcquireOp>(op);
  if (TILESMITH_PLANT("tcgen05-columns-unawaited"))
    return success();
  auto store = acquire.getAcc().getDefiningOp<tileas::TensorMemoryStoreOp>();
  Value turn = e.scalar(acquire->getParentOfType<tileas::TensorMemoryIssueOp>().getTurn());
  // Of the turn before in these columns: new barriers let the first ones pass.
  Value before = e.add(arith::ShRUIOp::create(e.builder, e.loc, turn, e.i32(1)), e.i32(-1));
  waitParity(e, releaseBarrier(e, store, turn), isOddTurn(e, before));
  return success();
}
