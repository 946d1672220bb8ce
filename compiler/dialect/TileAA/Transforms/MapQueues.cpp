//===- MapQueues.cpp - tileaa-map-queues: resources and pipelines of agents -------------------===//
//
// Checks that agents and plugins get what they need, and gives every queue a pipeline. Queue ops
// become its producer and consumer regions: `nv_tileaa.pipeline` (number), `_role`, `_stages`, and
// the layouts of the plugins in the same agent. A queue that cannot be mapped is an error: it would
// otherwise degrade to memory traffic that nothing orders.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/target/Targets.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilesmith::tileaa {
#define GEN_PASS_DEF_MAPQUEUESPASS
#include "compiler/dialect/TileAA/Transforms/Passes.h.inc"

namespace {

struct MapQueues : impl::MapQueuesPassBase<MapQueues> {
  using MapQueuesPassBase::MapQueuesPassBase;

  void runOnOperation() override {
    LogicalResult result = success();
    getOperation()->walk([&](FuncOp function) {
      if (failed(checkAgents(function)) || failed(checkPlugins(function)))
        result = failure();
      unsigned pipelines = 0;
      function->walk([&](CreateQueueOp queue) {
        if (failed(mapQueue(queue, pipelines++)))
          result = failure();
      });
    });
    if (failed(result))
      signalPassFailure();
  }

private:
  static LogicalResult limit(Operation *op, int64_t needed, int64_t available, StringRef what) {
    if (needed <= available)
      return success();
    return op->emitError("expected at most ") << available << " " << what << ", found " << needed;
  }

  /// All agents of an execute live at the same time.
  LogicalResult checkAgents(FuncOp function) {
    WalkResult result = function->walk([&](ExecuteOp execute) {
      auto perThread = execute.getMaxRegisters(), warps = execute.getNumWarps();
      int64_t total = 0;
      for (unsigned i = 0; perThread && i < perThread->size(); ++i) {
        if (failed(limit(execute, (*perThread)[i], target::kMaxRegistersPerThread,
                         "registers per thread")))
          return WalkResult::interrupt();
        total += int64_t((*perThread)[i]) * 32 * (warps ? (*warps)[i] : 1);
      }
      return failed(limit(execute, total, registers, "registers")) ? WalkResult::interrupt()
                                                                   : WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Plugins of one function may run at the same time, so their needs add up.
  LogicalResult checkPlugins(FuncOp function) {
    int64_t barriers = 0, shared = 0, tensor = 0;
    WalkResult result = function->walk([&](PluginOp plugin) {
      barriers += plugin.getNamedBarriers();
      shared += plugin.getSharedMemory();
      tensor += plugin.getTensorMemory();
      bool fits = succeeded(limit(plugin, plugin.getRegisters(), target::kMaxRegistersPerThread,
                                  "registers per thread")) &&
                  succeeded(limit(plugin, barriers, namedBarriers, "named barriers")) &&
                  succeeded(limit(plugin, shared, sharedMemory, "bytes of shared memory")) &&
                  succeeded(limit(plugin, tensor, tensorMemory, "bytes of tensor memory"));
      return fits ? WalkResult::advance() : WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// The agent region around an op; null outside of agents.
  static Region *agentOf(Operation *op) {
    Region *region = op->getParentRegion();
    while (region && !llvm::isa_and_nonnull<ExecuteOp>(region->getParentOp()))
      region = region->getParentRegion();
    return region;
  }

  /// One queue op has one list of layouts: plugins of an agent that ask for different ones conflict.
  static LogicalResult attachLayouts(Operation *queueOp, Region &agent, bool isProducer) {
    StringRef name = isProducer ? "nv_tileaa.output_layouts" : "nv_tileaa.input_layouts";
    PluginOp first;
    WalkResult result = agent.walk([&](PluginOp plugin) {
      ArrayAttr layouts = isProducer ? plugin.getOutputLayoutsAttr() : plugin.getInputLayoutsAttr();
      if (!layouts)
        return WalkResult::advance();
      if (first && queueOp->getAttr(name) != layouts) {
        plugin.emitError("expected the plugins of one agent to agree on ")
            << (isProducer ? "output_layouts " : "input_layouts ") << queueOp->getAttr(name)
            << ", found " << layouts;
        return WalkResult::interrupt();
      }
      first = plugin;
      queueOp->setAttr(name, layouts);
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult mapQueue(CreateQueueOp queue, unsigned pipeline) {
    auto type = llvm::cast<QueueType>(queue.getType());
    if (int64_t depth = queue.getDepthAttr().getInt(); depth < 1)
      return queue.emitError("expected a queue of at least one stage, found ") << depth;
    llvm::SmallSetVector<Region *, 2> producers, consumers;
    for (Operation *user : queue.getResult().getUsers()) {
      bool isProducer = llvm::isa<QueuePutOp>(user);
      if (!isProducer && !llvm::isa<QueueGetOp>(user))
        return user->emitError("expected a queue to be used by queue.put and queue.get only");
      Region *agent = agentOf(user);
      if (!agent)
        return user->emitError("expected a queue op inside an agent of 'nv_tileaa.execute'");
      if (auto put = llvm::dyn_cast<QueuePutOp>(user);
          put && put.getBody().empty() &&
          TypeRange(put.getValues()) != TypeRange(type.getResultTypes()))
        return put.emitError("expected values of the queue's ")
               << type.getResultTypes().size() << " types";
      (isProducer ? producers : consumers).insert(agent);
    }
    if (producers.size() != 1)
      return queue.emitError("expected one agent that produces for the pipeline, found ")
             << producers.size();
    if (consumers.empty())
      return queue.emitError("expected an agent that consumes from the pipeline, found none");
    if (consumers.contains(producers.front()))
      return queue.emitError("expected producer and consumer to be different agents");
    Builder builder(queue.getContext());
    for (Operation *user : queue.getResult().getUsers()) {
      bool isProducer = llvm::isa<QueuePutOp>(user);
      user->setAttr("nv_tileaa.pipeline", builder.getI32IntegerAttr(pipeline));
      user->setAttr("nv_tileaa.pipeline_role",
                    builder.getStringAttr(isProducer ? "producer" : "consumer"));
      user->setAttr("nv_tileaa.pipeline_stages", builder.getI32IntegerAttr(queue.getDepth()));
      if (failed(attachLayouts(user, *agentOf(user), isProducer)))
        return failure();
    }
    return success();
  }
};

} // namespace
} // namespace tilesmith::tileaa
