//===- SinkReads.cpp - tileas-sink-reads ------------------------------------------------------------===//
//
// A read of a stage whose results different operations use becomes one read for each result, in front of
// the first user: threads hold the operands of a product while it runs, not those of the products before.
// In attention, the values are read behind the softmax, and a bias, which may be widened, behind the scores.
//
// Invariants
//  * Results are copies of slots; nothing else in the read is moved, so a read with anything else stays.
//  * A read of few words stays whole: its operands fit beside each other, and what is read together is waited
//    for once.
//  * A read stays in its block, between the wait and the release of its stage: users that are not in the
//    block are what they are in there, and what gives the stage back, or may fill it anew, is passed by
//    nobody.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/LayoutPatterns.h"
#include "compiler/dialect/TileAS/Transforms/Passes.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace tilesmith::tileas {
#define GEN_PASS_DEF_SINKREADSPASS
#include "compiler/dialect/TileAS/Transforms/Passes.h.inc"
} // namespace tilesmith::tileas

namespace {

/// A thread holds so many words beside its sums.
constexpr int64_t kMostWordsTogether = 128;

int64_t wordsOf(ConsumerReadOp read) {
  int64_t bytes = 0;
  for (Type type : read.getResultTypes())
    if (LayoutAttr layout = getLayout(type))
      bytes += layout.getNumRegisters() *
               bufferElementBytes(cast<RankedTensorType>(type).getElementType());
  return bytes / 4;
}

/// The first operation of the read's block that needs the value, or hands its stage on.
Operation *endOf(ConsumerReadOp read, Value value) {
  llvm::SmallPtrSet<Operation *, 4> users;
  for (Operation *user : value.getUsers())
    if (Operation *here = read->getBlock()->findAncestorOpInBlock(*user))
      users.insert(here);
  for (Operation *op = read->getNextNode(); op; op = op->getNextNode()) {
    if (users.contains(op) || isa<ConsumerReleaseOp, ProducerAcquireOp, ProducerWriteOp>(op) ||
        op->hasTrait<OpTrait::IsTerminator>())
      return op;
  }
  return nullptr;
}

/// What one operation computes of a result alone, step by step, stands in front of who needs it. What has become
/// narrower waits as it is.
void sinkSteps(Value value, Block *block) {
  SmallVector<Operation *> steps;
  while (value.hasOneUse()) {
    Operation *user = *value.getUsers().begin();
    if (user->getBlock() != block)
      return;
    if (!isMemoryEffectFree(user) || user->getNumRegions() || user->getNumOperands() != 1 ||
        user->getNumResults() != 1 || bitsOfElement(user->getResult(0)) < bitsOfElement(value)) {
      for (Operation *step : steps)
        step->moveBefore(user);
      return;
    }
    steps.push_back(user);
    value = user->getResult(0);
  }
}

bool copiesOnly(ConsumerReadOp read) {
  return llvm::all_of(read.getBody().front(), llvm::IsaPred<CopyOp, PipelineYieldOp>);
}

/// A read of the same stage that has one of the results.
Value readAlone(ConsumerReadOp read, unsigned result, Operation *before) {
  if (read.getResult(0).getType() == read.getResult(result).getType() &&
      TILESMITH_PLANT("sunk-read-of-first-slot"))
    result = 0;
  OpBuilder builder(before);
  Block &body = read.getBody().front();
  auto alone = ConsumerReadOp::create(builder, read.getLoc(), read.getResult(result).getType(),
                                      read.getPipeline(), read.getStage());
  SmallVector<Location> locations(body.getNumArguments(), read.getLoc());
  builder.createBlock(&alone.getBody(), {}, body.getArgumentTypes(), locations);
  IRMapping mapping;
  mapping.map(body.getArguments(), alone.getBody().getArguments());
  Value value = body.getTerminator()->getOperand(result);
  Operation *copy = builder.clone(*value.getDefiningOp(), mapping);
  PipelineYieldOp::create(builder, read.getLoc(), copy->getResults());
  return alone.getResult(0);
}

struct SinkReads : tilesmith::tileas::impl::SinkReadsPassBase<SinkReads> {
  void runOnOperation() override {
    SmallVector<ConsumerReadOp> reads;
    getOperation()->walk([&](ConsumerReadOp read) {
      if (read.getNumResults() > 1 && copiesOnly(read) && wordsOf(read) > kMostWordsTogether)
        reads.push_back(read);
    });
    for (ConsumerReadOp read : reads) {
      SmallVector<Operation *> ends;
      for (Value result : read.getResults()) {
        sinkSteps(result, read->getBlock());
        ends.push_back(endOf(read, result));
      }
      if (llvm::all_equal(ends) || llvm::is_contained(ends, nullptr))
        continue;
      for (auto [number, end] : llvm::enumerate(ends))
        read.getResult(number).replaceAllUsesWith(readAlone(read, number, end));
      read.erase();
    }
  }
};

} // namespace
