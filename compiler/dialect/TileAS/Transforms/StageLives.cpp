//===- StageLives.cpp - stages that are waited for and given back next to their reads ---------===//
//
// Invariants
//  * A wait passes no read of its stage, and nothing that stands behind its token; a release passes no read.
//  * Reads hand out what threads hold, or are complete: products under way would need stages that are
//    given back a turn later, and of those there are two at least.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/StageLives.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

/// Brings what only the end of the loop needs of a token to that end.
static void sinkJoins(Value token, Operation *end) {
  llvm::SetVector<Operation *> joins;
  SmallVector<Value> work{token};
  while (!work.empty())
    for (Operation *user : work.pop_back_val().getUsers()) {
      if (user == end)
        continue;
      if (!isa<tileaa::JoinMemTokenOp>(user) || user->getBlock() != end->getBlock())
        return;
      if (joins.insert(user))
        work.push_back(user->getResult(0));
    }
  SmallVector<Operation *> ordered(joins.begin(), joins.end());
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *join : ordered)
    join->moveBefore(end);
}

/// The first (or last) operation of the block that has one of the users in it, or is one.
static Operation *outermost(Block *block, ArrayRef<Operation *> users, bool last) {
  Operation *found = nullptr;
  for (Operation *user : users)
    if (Operation *here = block->findAncestorOpInBlock(*user))
      if (!found || (last ? found->isBeforeInBlock(here) : here->isBeforeInBlock(found)))
        found = here;
  return found;
}

void tileas::narrowStageLives(scf::ForOp loop) {
  Block *body = loop.getBody();
  SmallVector<ConsumerWaitOp> waits;
  for (auto wait : body->getOps<ConsumerWaitOp>())
    if (wait.getPipeline().getType().getStages() == 1)
      waits.push_back(wait);
  for (ConsumerWaitOp wait : waits) {
    sinkJoins(wait.getResultToken(), body->getTerminator());
    SmallVector<Operation *> reads, users(wait.getResultToken().getUsers());
    ConsumerReleaseOp release;
    for (Operation *user : wait.getStage().getUsers()) {
      if (isa<ConsumerReadOp>(user))
        reads.push_back(user);
      else
        release = dyn_cast<ConsumerReleaseOp>(user);
    }
    if (reads.empty() || !release || release->getBlock() != body)
      continue;
    const bool isEarly = TILESMITH_PLANT("single-stage-released-behind-first-read");
    release->moveAfter(outermost(body, reads, /*last=*/!isEarly));
    users.append(reads);
    wait->moveBefore(outermost(body, users, /*last=*/false));
  }
}
