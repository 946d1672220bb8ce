//===- Tcgen05Columns.cpp - the columns of tensor memory that a kernel has --------------------===//
//
// The first warp allocates the columns of all products when the kernel starts, and gives them back at
// its end. Two words of shared memory belong to the kernel: a barrier on which somebody waits for all
// products so far, and the address of the columns.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/Tcgen05.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace {
enum : int64_t { kDoneWord, kAddressWord, kWords };
} // namespace

static Value word(Emitter &e, int64_t index) {
  return e.barrierWord(e.tensorMemory.owner, e.i32(index));
}

Value tileas_to_nvgpu::doneBarrier(Emitter &e) {
  return word(e, kDoneWord);
}

static Value firstWarp(Emitter &e) {
  return arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, e.warpIndex(), e.i32(0));
}

void Emitter::reserveTensorMemory(Operation *root) {
  int64_t columns = 0;
  root->walk([&](tileas::TensorMemoryStoreOp store) {
    auto type = cast<RankedTensorType>(store.getInit().getType());
    for (int64_t first : store.getFirstColumns())
      columns = std::max<int64_t>(columns, first + tileas::tensorMemoryColumns(type));
    if (int64_t barriers = trackingBarriers(store) + releaseBarriers(store)) {
      barrierWords[store] = scratchStart;
      scratchStart += 8 * barriers;
    }
  });
  root->walk([&](tileas::TensorMemoryDotOp dot) {
    columns = std::max<int64_t>(columns, dot.getScaleColumn() + dot.getScaleColumns());
  });
  root->walk([&](tileas::TensorMemoryIssueOp issue) {
    if (tileas_to_nvgpu::arrivalsAt(issue)) {
      barrierWords[issue] = scratchStart;
      scratchStart += 8 * issue.getRowBlocks();
    }
  });
  if (!columns)
    return;
  tensorMemory.owner = root;
  tensorMemory.columns = std::max<int64_t>(32, llvm::PowerOf2Ceil(columns));
  barrierWords[root] = scratchStart;
  scratchStart += 8 * kWords;
}

void tileas_to_nvgpu::claimTensorMemory(Emitter &e) {
  if (!e.tensorMemory.owner)
    return;
  e.tensorMemory.rounds = e.makeCounter();
  e.when(firstWarp(e), [&] {
    callTcgen05(e, "alloc.shared.cg1", {}, {word(e, kAddressWord), e.i32(e.tensorMemory.columns)});
    callTcgen05(e, "relinq.alloc.permit.cg1", {}, {});
  });
  e.when(firstThread(e), [&] {
    initMbarrier(e, word(e, kDoneWord), 1);
    e.tensorMemory.owner->walk([&](tileas::TensorMemoryStoreOp store) {
      const int64_t announced = trackingBarriers(store), released = releaseBarriers(store);
      for (int64_t at = 0; at < announced + released; ++at)
        initMbarrier(e, e.barrierWord(store, e.i32(int32_t(at))),
                     at < announced ? 1 : warpsOfSums(e, store));
    });
    e.tensorMemory.owner->walk([&](tileas::TensorMemoryIssueOp issue) {
      if (int64_t arrivals = arrivalsAt(issue))
        for (int64_t at = 0; at < issue.getRowBlocks(); ++at)
          initMbarrier(e, e.barrierWord(issue, e.i32(int32_t(at))), arrivals);
    });
    NVVM::FenceMbarrierInitOp::create(e.builder, e.loc);
  });
  e.barrier();
  fenceAfterThreadSync(e);
  e.tensorMemory.base = e.load(word(e, kAddressWord), e.builder.getI32Type());
}

void tileas_to_nvgpu::releaseTensorMemory(Emitter &e) {
  if (!e.tensorMemory.owner || TILESMITH_PLANT("tcgen05-columns-kept"))
    return;
  e.barrier();
  e.when(firstWarp(e), [&] {
    fenceAfterThreadSync(e);
    callTcgen05(e, "dealloc.cg1", {},
                {tensorPointer(e, e.tensorMemory.base), e.i32(e.tensorMemory.columns)});
  });
}
