//===- DistributeLoop.cpp - a loop of independent sums as one loop for each -------------------===//
#include "compiler/dialect/TileAS/Transforms/DistributeLoop.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

static bool isWeakLoad(Operation *op) {
  auto load = dyn_cast<tileaa::TiledLoadOp>(op);
  return load && load.getMemSemantic() == tileaa::MemSemantic::weak;
}

static bool isWeakStore(Operation *op) {
  auto store = dyn_cast<tileaa::TiledStoreOp>(op);
  return store && store.getMemSemantic() == tileaa::MemSemantic::weak;
}

bool tileas::isDistributable(scf::ForOp loop) {
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isMemoryEffectFree(&op) && !isWeakLoad(&op))
      return false;
  return llvm::none_of(loop.getResults(), [](Value result) {
    return tileaa::isToken(result.getType()) && !result.use_empty();
  });
}

namespace {

/// What the loop computes for one of its results.
struct Part {
  llvm::SmallBitVector carried; ///< numbers of the carried values that it needs
  llvm::SetVector<Operation *> ops;

  Part(scf::ForOp loop, unsigned result) : carried(loop.getNumResults()) {
    SmallVector<unsigned> work{result};
    carried.set(result);
    while (!work.empty())
      add(loop, loop.getYieldedValues()[work.pop_back_val()], work);
  }

private:
  void add(scf::ForOp loop, Value value, SmallVectorImpl<unsigned> &work) {
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == loop.getBody() && argument != loop.getInductionVar()) {
      unsigned number = argument.getArgNumber() - loop.getNumInductionVars();
      if (!carried.test(number)) {
        carried.set(number);
        work.push_back(number);
      }
      return;
    }
    Operation *op = value.getDefiningOp();
    Operation *here = op ? loop.getBody()->findAncestorOpInBlock(*op) : nullptr;
    if (!here || !ops.insert(here))
      return;
    here->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        add(loop, operand, work);
    });
  }
};

/// The loop with this part alone, in front of it.
scf::ForOp makeLoop(scf::ForOp loop, const Part &part) {
  OpBuilder builder(loop);
  SmallVector<Value> inits;
  for (unsigned number : part.carried.set_bits())
    inits.push_back(loop.getInitArgs()[number]);
  auto made = scf::ForOp::create(
      builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), inits,
      nullptr, loop.getUnsignedCmp() && !TILESMITH_PLANT("distribute-counts-signed"));
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), made.getInductionVar());
  for (auto [position, number] : llvm::enumerate(part.carried.set_bits()))
    mapping.map(loop.getRegionIterArgs()[number], made.getRegionIterArgs()[position]);
  builder.setInsertionPointToStart(made.getBody());
  for (Operation &op : loop.getBody()->without_terminator())
    if (part.ops.contains(&op))
      builder.clone(op, mapping);
  SmallVector<Value> yielded;
  for (unsigned number : part.carried.set_bits())
    yielded.push_back(mapping.lookupOrDefault(loop.getYieldedValues()[number]));
  scf::YieldOp::create(builder, loop.getLoc(), yielded);
  return made;
}

/// What does not depend on the loop, and is nothing but computation and weak accesses, comes in front of it.
void computeBefore(scf::ForOp loop) {
  llvm::SmallPtrSet<Operation *, 16> dependent{loop};
  auto depends = [&](Operation *op) {
    return op
        ->walk([&](Operation *inner) {
          for (Value operand : inner->getOperands())
            if (Operation *from = operand.getDefiningOp(); from && dependent.contains(from))
              return WalkResult::interrupt();
          return WalkResult::advance();
        })
        .wasInterrupted();
  };
  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(std::next(loop->getIterator()), loop->getBlock()->end()))) {
    const bool isMovable = isMemoryEffectFree(&op) || isWeakLoad(&op) || isWeakStore(&op);
    if (op.hasTrait<OpTrait::IsTerminator>())
      return;
    if (!isMovable || depends(&op))
      dependent.insert(&op);
    else
      op.moveBefore(loop);
  }
}

} // namespace

void tileas::distributeLoop(scf::ForOp loop) {
  SmallVector<Part> parts;
  auto isCovered = [&](unsigned result) {
    return llvm::any_of(parts, [&](const Part &part) { return part.carried.test(result); });
  };
  for (OpResult result : loop.getResults())
    if (!result.use_empty() && !isCovered(result.getResultNumber()))
      parts.emplace_back(loop, result.getResultNumber());
  if (parts.size() < 2)
    return;
  SmallVector<scf::ForOp> made;
  for (const Part &part : parts) {
    made.push_back(makeLoop(loop, part));
    scf::ForOp from = TILESMITH_PLANT("distribute-first-sum-for-all") &&
                              made.front().getResultTypes() == made.back().getResultTypes()
                          ? made.front()
                          : made.back();
    for (auto [position, number] : llvm::enumerate(part.carried.set_bits()))
      loop.getResult(number).replaceAllUsesWith(from.getResult(position));
  }
  loop.erase();
  for (scf::ForOp later : llvm::drop_begin(made))
    computeBefore(later);
}
