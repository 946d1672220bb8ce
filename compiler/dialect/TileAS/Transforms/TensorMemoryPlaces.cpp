//===- TensorMemoryPlaces.cpp - columns and shared memory for products in tensor memory -------===//
#include "compiler/dialect/TileAS/Transforms/TensorMemoryPlaces.h"

#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/dialect/TileAS/Transforms/BlocksTogether.h"
#include "compiler/dialect/TileAS/Transforms/PipelineUses.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

/// Kept free for barriers, tensor maps and the exchange of one tile between threads, whose bytes are a
/// power of two below 48 KiB.
static constexpr int64_t kScratchReserve = 34 * 1024;
/// The same where an exchange may hold several tiles at once.
static constexpr int64_t kLargeScratchReserve = target::kStaticSharedBytes;

RankedTensorType tileas::storedType(TensorMemoryStoreOp store) {
  return cast<RankedTensorType>(store.getInit().getType());
}

bool tileas::shareColumns(TensorMemoryStoreOp a, TensorMemoryStoreOp b) {
  auto endOf = [](TensorMemoryStoreOp store) {
    return store.getColumn() + tensorMemoryColumns(storedType(store));
  };
  return a.getColumn() < endOf(b) && b.getColumn() < endOf(a);
}

int64_t tileas::columnLimit(tileaa::FuncOp function) {
  return kTensorMemoryColumns / int64_t(llvm::PowerOf2Ceil(blocksTogether(function)));
}

bool tileas::followEachOther(Operation *a, Operation *b) {
  return a && b && a != b &&
         (a->getBlock() == b->getBlock() || TILESMITH_PLANT("tcgen05-columns-of-loop-around")) &&
         isa<scf::ForOp>(a) && isa<scf::ForOp>(b);
}

Operation *tileas::loopOf(TensorMemoryStoreOp store) {
  for (Operation *user : store.getAcc().getUsers())
    if (Operation *here = store->getBlock()->findAncestorOpInBlock(*user);
        here && isa<scf::ForOp>(here))
      return here;
  return nullptr;
}

std::optional<int64_t> tileas::findColumns(tileaa::FuncOp function, Operation *loop, int64_t count,
                                           TensorMemoryStoreOp shared) {
  SmallVector<std::pair<int64_t, int64_t>> taken;
  function->walk([&](TensorMemoryStoreOp store) {
    if (store != shared && !followEachOther(loopOf(store), loop))
      for (int64_t from : store.getFirstColumns())
        taken.push_back({from, from + tensorMemoryColumns(storedType(store))});
  });
  function->walk([&](TensorMemoryDotOp dot) {
    taken.push_back({dot.getScaleColumn(), dot.getScaleColumn() + dot.getScaleColumns()});
  });
  llvm::sort(taken);
  int64_t first = 0;
  for (auto [from, end] : taken)
    if (from < first + count)
      first = std::max(first, end);
  if (first + count > columnLimit(function))
    return std::nullopt;
  return first;
}

int64_t tileas::bytesAlive(tileaa::FuncOp function, Operation *around) {
  int64_t bytes = 0;
  function->walk([&](AllocTensorOp alloc) {
    auto type = cast<RankedTensorType>(alloc.getResult().getType());
    bool alive = false;
    for (Operation *user : alloc->getUsers()) {
      if (auto create = dyn_cast<CreatePipelineOp>(user))
        for (Operation *use : create.getPipeline().getUsers())
          alive |= around->isAncestor(use) || use->getParentOfType<AgentSwitchOp>();
      else if (auto stage = dyn_cast<TensorMemoryStageOp>(user))
        for (Operation *use : stage.getResult().getUsers())
          alive |= around->isAncestor(use);
    }
    if (alive)
      bytes +=
          llvm::alignTo(type.getNumElements() * bufferElementBytes(type.getElementType()), 1024) *
          alloc.getStages();
  });
  return bytes;
}

int64_t tileas::scratchReserve(tileaa::FuncOp function) {
  bool exchangesSeveral = function
                              ->walk([](Operation *op) {
                                auto dot = dyn_cast<DotOp>(op);
                                bool several = (dot && !dot.getAtom()) || isa<tileaa::PrintOp>(op);
                                if (isa<ReduceOp, ScanOp>(op))
                                  several = op->getNumOperands() > 1;
                                return several ? WalkResult::interrupt() : WalkResult::advance();
                              })
                              .wasInterrupted();
  return exchangesSeveral ? kLargeScratchReserve : kScratchReserve;
}

/// What each column of a tile is to the warps that reach it: the number of their group.
static SmallVector<int64_t> groupsOfColumns(RankedTensorType type, unsigned warps) {
  TensorMemoryShape held = *tensorMemoryShape(type.getDimSize(0), type.getDimSize(1), warps);
  int64_t packed = elementsOfWord(type), width = held.n / packed;
  SmallVector<int64_t> groups;
  for (int64_t at = 0; at < tensorMemoryColumns(type); ++at)
    groups.push_back(at / width % held.groupsM * held.groupsN +
                     at % width / (held.ownColumns() / packed));
  return groups;
}

bool tileas::isHeldBySameWarps(PlacedTile a, PlacedTile b, unsigned warps) {
  if (!tensorMemoryShape(b.type.getDimSize(0), b.type.getDimSize(1), warps) ||
      b.type.getDimSize(0) != a.type.getDimSize(0))
    return false;
  SmallVector<int64_t> ofA = groupsOfColumns(a.type, warps), ofB = groupsOfColumns(b.type, warps);
  for (auto [at, group] : llvm::enumerate(ofA)) {
    int64_t inB = a.column + int64_t(at) - b.column;
    if (inB >= 0 && inB < int64_t(ofB.size()) && ofB[inB] != group)
      return false;
  }
  return true;
}
