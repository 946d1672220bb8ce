//===- IssuingWarps.cpp - an agent that issues the products of another one's loops ----------------===//
//
// The first thread of the agent runs a slice of the other's region (IssueSlice.h): loops and scalars once
// more, and each tensor_memory.issue in its place. Where threads write for a product, or are to be done with
// something before it, the issue has an mbarrier, which counts the warps of those threads:
//
//   at the issue, the threads   one lane of each warp arrives
//   the agent                   waits for the phase, issues
//
// Blocks of rows that are products of their own (tensor_memory.arrived) have a barrier each: the agent issues
// for those whose warps have come, while the others still work.
//
// Phases of an issue are counted by the agent alone. Threads come to an issue again only behind a wait for
// products that were issued behind it, or by it (a lone product, which stands behind the wait of its turn), so no
// phase passes by unseen; the first issue of a loop without turns, which has no such product, is left out by both. An
// issue that announces all products of a loop comes once each time that the loop is gone through, behind the wait for
// what the one before announced.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/Tcgen05.h"
#include "compiler/dialect/TileAS/IR/IssueSlice.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

int64_t tileas_to_nvgpu::arrivalsAt(tileas::TensorMemoryIssueOp issue) {
  if (!issue.getAgent() || !meetsBefore(issue))
    return 0;
  if (TILESMITH_PLANT("issuing-warp-counts-one-warp"))
    return 1;
  auto agents = issue->getParentOfType<tileas::AgentSwitchOp>();
  for (auto [region, warps] : llvm::zip_equal(agents.getAgents(), agents.getNumWarps()))
    if (region.isAncestor(issue->getParentRegion()))
      return warps / issue.getRowBlocks();
  llvm_unreachable("an issue with an agent stands in the region of another one");
}

static Value conditionOf(Emitter &e, tileas::TensorMemoryIssueOp issue) {
  Value condition = issue.getCondition();
  return condition ? e.scalar(condition) : Value();
}

void tileas_to_nvgpu::arriveAtIssue(Emitter &e, tileas::TensorMemoryIssueOp issue) {
  e.when(conditionOf(e, issue), [&] {
    NVVM::SyncWarpOp::create(e.builder, e.loc, e.i32(-1));
    Value first =
        arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, e.laneIndex(), e.i32(0));
    Value barrier = e.i32(0);
    if (int64_t blocks = issue.getRowBlocks(); blocks > 1)
      barrier = blockOfWarp(e, blocks);
    e.when(first, [&] { arriveAt(e, e.barrierWord(issue, barrier)); });
  });
}

LogicalResult tileas_to_nvgpu::emitIssue(Emitter &e, Operation *op) {
  auto issue = cast<tileas::TensorMemoryIssueOp>(op);
  bool meets = meetsBefore(issue);
  if (issue.getAgent()) {
    if (meets)
      arriveAtIssue(e, issue);
    return success();
  }
  if (meets && !TILESMITH_PLANT("tcgen05-meeting-dropped"))
    e.barrier();
  LogicalResult status = success();
  e.when(firstThread(e), [&] {
    e.oneThread = true;
    status = e.emitBlock(issue.getBody().front());
    e.oneThread = false;
  });
  return status;
}

/// The agent waits for the next phase of a barrier of the issue.
static void waitForArrivals(Emitter &e, tileas::TensorMemoryIssueOp issue, int64_t barrier) {
  Value rounds = e.makeCounter(), round = e.load(rounds, e.builder.getI32Type());
  if (!TILESMITH_PLANT("issuing-warp-phase-kept"))
    e.store(e.add(round, e.i32(1)), rounds);
  waitParity(e, e.barrierWord(issue, e.i32(int32_t(barrier))),
             arith::TruncIOp::create(e.builder, e.loc, e.builder.getI1Type(), round));
}

LogicalResult tileas_to_nvgpu::emitArrived(Emitter &e, Operation *op) {
  auto arrived = cast<tileas::TensorMemoryArrivedOp>(op);
  auto issue = cast<tileas::TensorMemoryIssueOp>(op->getParentOp());
  bool dropped = arrived.getRowBlock() ? TILESMITH_PLANT("issuing-warp-second-rows-unawaited")
                                       : TILESMITH_PLANT("issuing-warp-wait-dropped");
  if (issue.getAgent() && !dropped)
    waitForArrivals(e, issue, arrived.getRowBlock());
  return success();
}

namespace {

class SliceEmitter {
public:
  SliceEmitter(Emitter &e, unsigned agent, const tileas::IssueSlice &slice)
      : e(e), agent(agent), slice(slice) {}

  LogicalResult emit(Block &block) {
    for (Operation &op : block.without_terminator())
      if (failed(emit(&op)))
        return failure();
    return e.flush();
  }

private:
  LogicalResult emit(Operation *op) {
    if (auto issue = dyn_cast<tileas::TensorMemoryIssueOp>(op))
      return issue.getAgent() == agent ? emitIssue(issue) : success();
    if (!slice.operations.contains(op))
      return success();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return emitLoop(loop);
    if (auto store = dyn_cast<tileas::TensorMemoryStoreOp>(op)) {
      e.setScalar(store.getAcc(), e.add(e.tensorMemory.base, e.i32(store.getColumn())));
      return success();
    }
    if (auto stage = dyn_cast<tileas::TensorMemoryStageOp>(op)) {
      e.slotPlaces[stage.getResult()] = {stage.getBuffer().getDefiningOp(), e.i32(0)};
      return success();
    }
    return e.emitOperation(op);
  }

  LogicalResult emitIssue(tileas::TensorMemoryIssueOp issue) {
    if (failed(e.flush()))
      return failure();
    e.loc = issue.getLoc();
    bool waits = arrivalsAt(issue) && issue.getRowBlocks() == 1 &&
                 !(issue.getFirst() ? TILESMITH_PLANT("issuing-warp-starts-early")
                                    : TILESMITH_PLANT("issuing-warp-wait-dropped"));
    if (waits)
      e.when(conditionOf(e, issue), [&] { waitForArrivals(e, issue, 0); });
    return e.emitBlock(issue.getBody().front());
  }

  LogicalResult emitLoop(scf::ForOp loop) {
    if (failed(e.flush()))
      return failure();
    e.loc = loop.getLoc();
    SmallVector<unsigned> carried;
    SmallVector<Value> inits;
    for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      if (slice.values.contains(argument)) {
        carried.push_back(index);
        inits.push_back(e.scalar(loop.getInitArgs()[index]));
      }
    auto emitted =
        scf::ForOp::create(e.builder, e.loc, e.scalar(loop.getLowerBound()),
                           e.scalar(loop.getUpperBound()), e.scalar(loop.getStep()), inits, nullptr,
                           loop.getUnsignedCmp() && !TILESMITH_PLANT("issuing-warp-counts-signed"));
    Emitter::keepRolled(emitted);
    OpBuilder::InsertionGuard guard(e.builder);
    Block *body = emitted.getBody();
    if (!body->empty())
      body->back().erase(); // implicit yield of a loop that carries nothing
    e.builder.setInsertionPointToEnd(body);
    e.setScalar(loop.getInductionVar(), emitted.getInductionVar());
    for (auto [at, index] : llvm::enumerate(carried))
      e.setScalar(loop.getRegionIterArg(index), emitted.getRegionIterArg(at));
    if (failed(emit(*loop.getBody())))
      return failure();
    SmallVector<Value> next;
    for (unsigned index : carried)
      next.push_back(e.scalar(loop.getYieldedValues()[index]));
    scf::YieldOp::create(e.builder, e.loc, next);
    for (auto [at, index] : llvm::enumerate(carried))
      e.setScalar(loop.getResult(index), emitted.getResult(at));
    return success();
  }

  Emitter &e;
  unsigned agent;
  const tileas::IssueSlice &slice;
};

} // namespace

LogicalResult tileas_to_nvgpu::emitIssuesOf(Emitter &e, tileas::AgentSwitchOp agents,
                                            unsigned agent) {
  for (Region &region : agents.getAgents()) {
    SmallVector<tileas::TensorMemoryIssueOp> issues = tileas::issuesOf(region, agent);
    if (issues.empty())
      continue;
    std::optional<tileas::IssueSlice> slice = tileas::issueSlice(region, issues);
    if (!slice)
      return issues.front().emitOpError("expected products that one thread knows");
    LogicalResult status = success();
    e.when(firstThread(e), [&] {
      e.oneThread = true;
      fenceAfterThreadSync(e); // keeps the branch apart from those of the loops (ControlFlow.cpp)
      status = SliceEmitter(e, agent, *slice).emit(region.front());
      e.oneThread = false;
    });
    if (failed(status))
      return failure();
    // The other lanes of its warp rest until it is done.
    NVVM::SyncWarpOp::create(e.builder, e.loc, e.i32(-1));
  }
  return success();
}
