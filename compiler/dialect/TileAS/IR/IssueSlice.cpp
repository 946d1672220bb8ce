//===- IssueSlice.cpp - what a warp needs to issue the products of another agent's loops --------===//
#include "compiler/dialect/TileAS/IR/IssueSlice.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

namespace {

class Slicer {
public:
  explicit Slicer(Region &region) : region(region) {}

  bool addIssue(TensorMemoryIssueOp issue) {
    if (!addAround(issue) || !add(issue.getTurn()))
      return false;
    WalkResult walked = issue.getBody().walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (!issue.getBody().isAncestor(operand.getParentRegion()) && !add(operand))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return !walked.wasInterrupted();
  }

  IssueSlice slice;

private:
  /// Everything around the operation is a loop.
  bool addAround(Operation *op) {
    for (Operation *around = op->getParentOp(); around != region.getParentOp();
         around = around->getParentOp()) {
      auto loop = dyn_cast<scf::ForOp>(around);
      if (!loop)
        return false;
      if (slice.operations.insert(loop) &&
          !(add(loop.getLowerBound()) && add(loop.getUpperBound()) && add(loop.getStep())))
        return false;
    }
    return true;
  }

  bool add(Value value) {
    // What is known outside every agent knows; tokens have no value.
    if (!region.isAncestor(value.getParentRegion()) || isa<tileaa::MemTokenType>(value.getType()) ||
        !slice.values.insert(value).second)
      return true;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || isa<RankedTensorType>(value.getType()) || !addAround(&loop.getBody()->front()))
        return false;
      if (argument == loop.getInductionVar())
        return true;
      slice.values.insert(loop.getTiedLoopResult(argument));
      return add(loop.getTiedLoopInit(argument)->get()) &&
             add(loop.getTiedLoopYieldedValue(argument)->get());
    }
    Operation *op = value.getDefiningOp();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return add(loop.getTiedLoopRegionIterArg(cast<OpResult>(value)));
    if (!addAround(op))
      return false;
    slice.operations.insert(op);
    if (isa<TensorMemoryStoreOp, TensorMemoryStageOp>(op))
      return true;
    bool isLoad = isa<LoadOp, TiledLoadOp>(op);
    if (op->getNumRegions() || (!isLoad && !isMemoryEffectFree(op)) ||
        (isa<TileASDialect>(op->getDialect()) && !isLoad &&
         !isa<CreateIteratorOp, IncIterOp, ExtractSliceOp>(op)) ||
        llvm::any_of(op->getResultTypes(), isDivided) ||
        llvm::any_of(op->getOperandTypes(), isDivided))
      return false;
    return llvm::all_of(op->getOperands(), [&](Value operand) { return add(operand); });
  }

  Region &region;
};

} // namespace

std::optional<IssueSlice> tileas::issueSlice(Region &region, ArrayRef<TensorMemoryIssueOp> issues) {
  Slicer slicer(region);
  for (TensorMemoryIssueOp issue : issues)
    if (!slicer.addIssue(issue))
      return std::nullopt;
  return std::move(slicer.slice);
}

unsigned tileas::agentAround(Operation *op) {
  auto agents = op->getParentOfType<AgentSwitchOp>();
  for (Region *region = op->getParentRegion(); agents; region = region->getParentRegion())
    if (region->getParentOp() == agents)
      return region->getRegionNumber();
  return 0;
}

SmallVector<unsigned> tileas::fillingAgents(CreatePipelineOp ring) {
  llvm::SmallSetVector<unsigned, 2> filling;
  for (Operation *user : ring.getPipeline().getUsers())
    if (isa<ProducerCommitOp>(user) && user->getParentOfType<AgentSwitchOp>())
      filling.insert(agentAround(user));
  if (filling.empty())
    filling.insert(ring.getProducerGroupId());
  return filling.takeVector();
}

bool tileas::isDoneByOtherAgent(Operation *op) {
  auto issue = op->getParentOfType<TensorMemoryIssueOp>();
  return issue && issue.getAgent();
}

SmallVector<TensorMemoryIssueOp> tileas::issuesOf(Region &region, unsigned agent) {
  SmallVector<TensorMemoryIssueOp> issues;
  region.walk([&](TensorMemoryIssueOp issue) {
    if (issue.getAgent() == agent)
      issues.push_back(issue);
  });
  return issues;
}

/// The same operation on the ring stands in the same loop a second time: one is that of threads, one an issue's.
template <typename Op> static bool hasPartner(Op op) {
  auto isIssued = [](Operation *each) {
    return bool(each->getParentOfType<TensorMemoryIssueOp>());
  };
  auto loop = op->template getParentOfType<scf::ForOp>();
  return llvm::any_of(op.getPipeline().getUsers(), [&](Operation *user) {
    return isa<Op>(user) && user->getParentOfType<scf::ForOp>() == loop &&
           isIssued(user) != isIssued(op);
  });
}

bool tileas::isSharedRelease(ConsumerReleaseOp release) {
  return hasPartner(release);
}

bool tileas::onlyLooks(ConsumerWaitOp wait) {
  auto issue = wait->getParentOfType<TensorMemoryIssueOp>();
  if (!issue)
    return false;
  bool reads = false;
  issue.getBody().walk(
      [&](ConsumerReadOp read) { reads |= read.getPipeline() == wait.getPipeline(); });
  return !reads || hasPartner(wait);
}

bool tileas::looksTooEarly(ConsumerWaitOp wait) {
  return onlyLooks(wait) &&
         llvm::is_contained(fillingAgents(wait.getPipeline().getDefiningOp<CreatePipelineOp>()),
                            agentAround(wait));
}
