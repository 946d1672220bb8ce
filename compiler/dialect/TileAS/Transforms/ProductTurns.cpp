//===- ProductTurns.cpp - rings and turns of loops whose products one thread issues -------------===//
#include "compiler/dialect/TileAS/Transforms/ProductTurns.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

bool tileas::hasIssuers(scf::ForOp loop) {
  auto agents = dyn_cast<AgentSwitchOp>(loop->getParentOp());
  return agents && agents.getAgents().size() > 2 &&
         agents.getAgents().front().isAncestor(loop->getParentRegion());
}

SmallVector<TensorMemoryDotOp> tileas::productsIn(scf::ForOp loop) {
  SmallVector<TensorMemoryDotOp> products;
  loop->walk([&](TensorMemoryDotOp dot) { products.push_back(dot); });
  return products;
}

/// Nothing in the loop is ordered behind the token; behind the loop all that its products read has come.
static bool isHarmless(Value token, scf::ForOp loop) {
  return llvm::all_of(token.getUsers(), [&](Operation *user) {
    if (user->getParentOp() != loop)
      return false;
    return isa<scf::YieldOp>(user) ||
           (isa<tileaa::JoinMemTokenOp>(user) && isHarmless(user->getResult(0), loop));
  });
}

std::optional<std::string> tileas::collectRing(CreatePipelineOp pipeline, scf::ForOp loop,
                                               ProductRing &ring) {
  if (!pipeline.getMbarriers() || pipeline.getLateRelease())
    return "a ring is shared by all warps";
  for (Operation *user : pipeline.getPipeline().getUsers()) {
    if (!loop->isProperAncestor(user))
      continue;
    if (user->getBlock() != loop.getBody())
      return "a ring is used inside of another operation of the loop";
    auto read = dyn_cast<ConsumerReadOp>(user);
    if (auto wait = dyn_cast<ConsumerWaitOp>(user); wait && !ring.wait)
      ring.wait = wait;
    else if (auto release = dyn_cast<ConsumerReleaseOp>(user); release && !ring.release)
      ring.release = release;
    else if (read && !read.getBody().front().getOps<TensorMemoryDotOp>().empty())
      ring.reads.push_back(read);
    else if (read)
      ring.threadReads.push_back(read);
    else if (isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>(user))
      ring.isFilledHere = true;
    else
      return "a ring is waited for twice";
  }
  if (!ring.wait || !ring.release)
    return "a ring is not given back in the loop";
  auto iterator = dyn_cast<BlockArgument>(ring.wait.getIterator());
  if (!iterator || iterator.getOwner() != loop.getBody())
    return "a ring begins anew in each turn";
  auto next = loop.getTiedLoopYieldedValue(iterator)->get().getDefiningOp<IncIterOp>();
  if (!next || next.getIterator() != iterator)
    return "a ring is not gone through stage by stage";
  if (!isHarmless(ring.wait.getResultToken(), loop))
    return "something in the loop stands behind a copy";
  return std::nullopt;
}

void tileas::dropToken(ConsumerWaitOp wait) {
  if (wait.getResultToken().use_empty())
    return;
  OpBuilder builder(wait);
  auto token =
      tileaa::CreateMemTokenOp::create(builder, wait.getLoc(), wait.getResultToken().getType(),
                                       ValueRange(), builder.getI32IntegerAttr(1));
  wait.getResultToken().replaceAllUsesWith(token);
}

void NumberedTurns::goOnFrom(Value number) {
  last = number;
  auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (around && isa<BlockArgument>(first))
    around.getBody()->getTerminator()->setOperand(around.getNumRegionIterArgs() - 1, number);
}

NumberedTurns tileas::numberTurns(scf::ForOp loop) {
  IRRewriter rewriter(loop.getContext());
  auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
  OpBuilder outside(around ? around : loop);
  Location loc = loop.getLoc();
  Value first = arith::ConstantOp::create(outside, loc, outside.getI32IntegerAttr(0)),
        one = arith::ConstantOp::create(outside, loc, outside.getI32IntegerAttr(1));
  if (around && !TILESMITH_PLANT("tcgen05-ahead-turns-begin-anew")) {
    auto replaced = around.replaceWithAdditionalYields(
        rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
        [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) -> SmallVector<Value> {
          return {arguments.back()};
        });
    first = cast<scf::ForOp>(replaced->getOperation()).getRegionIterArgs().back();
  }
  auto replaced = loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &b, Location where, ArrayRef<BlockArgument> arguments) -> SmallVector<Value> {
        return {arith::AddIOp::create(b, where, arguments.back(), one)};
      });
  NumberedTurns turns{cast<scf::ForOp>(replaced->getOperation()), first, {}};
  turns.goOnFrom(turns.loop.getResults().back());
  return turns;
}

Value tileas::hasTurns(OpBuilder &builder, scf::ForOp loop) {
  const bool isUnsigned =
      loop.getUnsignedCmp() && !TILESMITH_PLANT("tcgen05-some-turn-compares-signed");
  auto predicate = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  return builder.createOrFold<arith::CmpIOp>(loop.getLoc(), predicate, loop.getLowerBound(),
                                             loop.getUpperBound());
}
