//===- Allocations.cpp - memory of a tile block for its allocations ---------------------------===//
//
// Every allocation has a place of its own in shared memory, ahead of the scratch area. In a loop it has
// the same one in every turn, though each is fresh memory that lives as long as the block: so its
// address must not outlive the turn, which is refused otherwise. [spec: mem-alloca]
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

namespace {

bool isAddress(Value value) {
  return isa<tileaa::PtrType>(getElementTypeOrSelf(value.getType()));
}

/// What the addresses of an allocation become, inside of one turn of `loop`.
class Addresses {
public:
  Addresses(Value allocation, Operation *loop) : loop(loop) { values.insert(allocation); }

  bool outliveTheTurn() {
    for (size_t i = 0; i < values.size(); ++i)
      for (OpOperand &use : values[i].getUses())
        if (leavesBy(use))
          return true;
    return false;
  }

private:
  void follow(ValueRange results) {
    for (Value result : results)
      if (isAddress(result) || isa<tileaa::MemRefType, tileaa::TiledViewType>(result.getType()))
        values.insert(result);
  }

  void followArguments(Operation *op) {
    for (Region &region : op->getRegions())
      if (!region.empty())
        follow(region.front().getArguments());
  }

  bool leavesBy(OpOperand &use) {
    Operation *user = use.getOwner();
    // As a number it may go anywhere, unless it becomes an address again at once.
    if (isa<tileaa::PtrToIntOp>(user)) {
      for (Operation *reader : user->getUsers()) {
        if (!isa<tileaa::IntToPtrOp>(reader))
          return true;
        follow(reader->getResults());
      }
      return false;
    }
    if (isa<scf::YieldOp, scf::ConditionOp>(user)) {
      Operation *parent = user->getParentOp();
      if (parent == loop)
        return true;
      // Of a loop inside, or of a branch: all that it carries or results in.
      follow(parent->getResults());
      followArguments(parent);
      return false;
    }
    if (isa<LoopLikeOpInterface>(user))
      followArguments(user);
    follow(user->getResults()); // memory holds numbers, no addresses
    return false;
  }

  Operation *loop;
  llvm::SetVector<Value> values;
};

} // namespace

LogicalResult Emitter::reserveAllocations(Operation *root) {
  WalkResult result = root->walk([&](tileaa::AllocaOp op) {
    if (op.getGlobal()) {
      op.emitOpError("with the flag 'global' is not supported: the memory must be visible to other "
                     "tile blocks");
      return WalkResult::interrupt();
    }
    if (Operation *loop = op->getParentOfType<LoopLikeOpInterface>();
        loop && Addresses(op.getResult(), loop).outliveTheTurn()) {
      op.emitOpError(
          "is not supported in a loop that keeps its address: each turn has memory of its "
          "own");
      return WalkResult::interrupt();
    }
    int64_t bytes = op.getNumElem();
    if (!TILESMITH_PLANT("allocations-counted-in-elements"))
      bytes *= elementBytes(cast<tileaa::PtrType>(op.getResult().getType()).getPointee());
    scratchStart = llvm::alignTo(scratchStart, std::max<int64_t>(op.getAlignment(), 1));
    allocations[op] = scratchStart;
    scratchStart += bytes;
    if (scratchStart > kMaxSharedBytes) {
      op.emitOpError("needs ") << scratchStart << " bytes of shared memory, the limit is "
                               << kMaxSharedBytes;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (!allocations.empty())
    pointerSpace = 0;
  scratchStart = llvm::alignTo(scratchStart, 128);
  sharedBytes = scratchStart;
  return failure(result.wasInterrupted());
}
