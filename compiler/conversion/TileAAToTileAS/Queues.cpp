//===- Queues.cpp - queues between agents become pipelines ------------------------------------===//
//
//   create_queue   per consuming agent a pipeline of `depth` stages with mbarriers; an item of
//                  several values has one buffer each
//   queue.put      acquire a stage, write the values, commit; once for each consuming agent
//   queue.get      wait for a stage, read the values, release it; its token is that of the wait
//
// Scalars travel as tiles of one element. A token in an item needs no buffer: what the producer did
// before it committed is seen by whoever has waited. The iterator of a pipeline is carried through
// the loops and branches around the queue ops of one agent. The layouts that plugins of an agent ask
// for (tileaa-map-queues) are those in which it writes and reads the stages.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileAAToTileAS/Agents.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/Transforms/Schedule.h"
#include "compiler/support/Plants.h"
#include "compiler/target/Targets.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileaa_to_tileas;

namespace {

/// Kept free for exchanges between the threads of agents.
constexpr int64_t kScratchReserve = 49 * 1024;
/// What an iterator can count.
constexpr int64_t kMaxStages = 1 << 15;

bool isToken(Value value) {
  return isa<tileaa::MemTokenType>(value.getType());
}

/// The tile type in which a value travels; null when it cannot.
RankedTensorType itemType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getElementType().isIntOrFloat() ? tensor : RankedTensorType();
  return type.isIntOrFloat() ? RankedTensorType::get({1}, type) : RankedTensorType();
}

class QueueLowering {
public:
  QueueLowering(tileaa::FuncOp function, tileaa::ExecuteOp execute, ArrayRef<int32_t> warps,
                int64_t &usedBytes)
      : function(function), execute(execute), warps(warps), usedBytes(usedBytes),
        gpu(tileaa::getTarget(function->getParentOfType<ModuleOp>())),
        rewriter(function.getContext()) {}

  LogicalResult run() {
    llvm::SetVector<Operation *> used;
    WalkResult found = execute->walk([&](Operation *op) {
      if (!isa<tileaa::QueueGetOp, tileaa::QueuePutOp>(op))
        return WalkResult::advance();
      auto queue = op->getOperand(0).getDefiningOp<tileaa::CreateQueueOp>();
      if (!queue || queue->getParentOp() != function || !op->hasAttr("nv_tileaa.pipeline")) {
        op->emitOpError("expected a queue of this function that tileaa-map-queues has mapped: one "
                        "that nobody consumes would lose its order");
        return WalkResult::interrupt();
      }
      used.insert(queue);
      return WalkResult::advance();
    });
    if (found.wasInterrupted())
      return failure();
    if (!used.empty() && !gpu.has(target::Feature::MbarrierTryWait))
      return execute.emitOpError("hands values on by queues, and the target has no waits for the "
                                 "phase of an mbarrier");
    for (Operation *queue : used) {
      if (failed(createPipelines(cast<tileaa::CreateQueueOp>(queue))))
        return failure();
      queue->erase();
    }
    return success();
  }

private:
  /// The agent around an op; null outside.
  Region *agentAround(Operation *op) {
    Region *region = op->getParentRegion();
    while (region && region->getParentOp() != execute)
      region = region->getParentRegion();
    return region;
  }
  LogicalResult createPipelines(tileaa::CreateQueueOp queue) {
    Location loc = queue.getLoc();
    int64_t depth = queue.getDepth();
    if (depth < 1 || depth > kMaxStages)
      return queue.emitOpError("expected 1 to ") << kMaxStages << " stages, got " << depth;
    SmallVector<RankedTensorType> items;
    for (Type type : cast<tileaa::QueueType>(queue.getType()).getResultTypes()) {
      if (isa<tileaa::MemTokenType>(type))
        continue;
      items.push_back(itemType(type));
      if (!items.back())
        return queue.emitOpError("expected tiles and scalars of numbers, and tokens, got ") << type;
    }
    llvm::SetVector<Region *> producers, consumers;
    for (Operation *user : queue.getResult().getUsers()) {
      Region *agent = agentAround(user);
      if (!agent)
        return user->emitOpError("stands outside of the agents that share its queue");
      (isa<tileaa::QueuePutOp>(user) ? producers : consumers).insert(agent);
    }
    if (producers.size() != 1 || consumers.empty() || consumers.contains(producers[0]))
      return queue.emitOpError("expected one agent that fills the queue and others that empty it");
    rewriter.setInsertionPoint(execute);
    SmallVector<std::pair<Value, Region *>> pipelines;
    SmallVector<Region *> ordered = consumers.takeVector();
    llvm::sort(ordered,
               [](Region *a, Region *b) { return a->getRegionNumber() < b->getRegionNumber(); });
    for (Region *consumer : ordered) {
      SmallVector<Value> buffers;
      usedBytes += llvm::alignTo(16 * depth, 16);
      for (RankedTensorType item : items) {
        auto layout =
            tileas::plainSharedLayout(rewriter.getContext(), item.getShape(), item.getRank() - 1);
        auto type = RankedTensorType::get(item.getShape(), item.getElementType(), layout);
        buffers.push_back(tileas::AllocTensorOp::create(rewriter, loc, type, depth));
        usedBytes += depth * llvm::alignTo(item.getNumElements() *
                                               tileas::bufferElementBytes(item.getElementType()),
                                           1024);
      }
      if (int64_t available = gpu.maxSharedBytes - kScratchReserve; usedBytes > available)
        return queue.emitOpError("expected at most ")
               << available << " bytes of shared memory for queues, got " << usedBytes;
      auto pipeline = tileas::CreatePipelineOp::create(
          rewriter, loc, tileas::PipelineType::get(rewriter.getContext(), depth), buffers);
      pipeline.setMbarriers(true);
      pipeline.setProducerGroupId(producers[0]->getRegionNumber());
      pipeline.setConsumerGroupId(consumer->getRegionNumber());
      pipelines.push_back({pipeline, consumer});
    }
    for (auto [pipeline, consumer] : pipelines)
      if (failed(fill(queue, pipeline, *producers[0])) || failed(empty(queue, pipeline, *consumer)))
        return failure();
    for (Operation *user : llvm::make_early_inc_range(queue.getResult().getUsers()))
      user->erase();
    return success();
  }

  using Step = llvm::function_ref<LogicalResult(Operation *, Value)>;

  LogicalResult fill(tileaa::CreateQueueOp queue, Value pipeline, Region &agent) {
    return carry(queue, pipeline, agent, [&](Operation *op, Value iterator) {
      auto put = dyn_cast<tileaa::QueuePutOp>(op);
      return put ? produce(put, pipeline, iterator) : success();
    });
  }
  LogicalResult empty(tileaa::CreateQueueOp queue, Value pipeline, Region &agent) {
    return carry(queue, pipeline, agent, [&](Operation *op, Value iterator) {
      auto get = dyn_cast<tileaa::QueueGetOp>(op);
      return get ? consume(get, pipeline, iterator) : success();
    });
  }

  LogicalResult carry(tileaa::CreateQueueOp queue, Value pipeline, Region &agent, Step step) {
    rewriter.setInsertionPointToStart(&agent.front());
    auto type = cast<tileas::PipelineType>(pipeline.getType());
    Value first = tileas::CreateIteratorOp::create(
        rewriter, queue.getLoc(),
        tileas::PipelineIteratorType::get(rewriter.getContext(), type.getStages()), pipeline);
    return failure(failed(carryThrough(agent.front(), queue, first, step)));
  }

  static bool uses(Operation *op, tileaa::CreateQueueOp queue) {
    return llvm::any_of(queue.getResult().getUsers(),
                        [&](Operation *user) { return op->isAncestor(user); });
  }

  /// Hands the iterator on from queue op to queue op; the value behind the block.
  FailureOr<Value> carryThrough(Block &block, tileaa::CreateQueueOp queue, Value iterator,
                                Step step) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (!uses(&op, queue))
        continue;
      if (isa<tileaa::QueueGetOp, tileaa::QueuePutOp>(op) && op.getOperand(0) == queue) {
        rewriter.setInsertionPoint(&op);
        if (failed(step(&op, iterator)))
          return failure();
        rewriter.setInsertionPoint(&op);
        auto next = tileas::IncIterOp::create(rewriter, op.getLoc(), iterator.getType(), iterator);
        next.setMbarriers(true);
        iterator = next;
        continue;
      }
      FailureOr<Value> behind = failure();
      if (auto loop = dyn_cast<scf::ForOp>(op))
        behind = carryThroughLoop(loop, queue, iterator, step);
      else if (auto branch = dyn_cast<scf::IfOp>(op))
        behind = carryThroughBranch(branch, queue, iterator, step);
      else
        op.emitOpError("stands around queue ops: expected loops of a known count and branches");
      if (failed(behind))
        return failure();
      iterator = *behind;
    }
    return iterator;
  }

  FailureOr<Value> carryThroughLoop(scf::ForOp loop, tileaa::CreateQueueOp queue, Value iterator,
                                    Step step) {
    rewriter.setInsertionPoint(loop);
    auto replaced = loop.replaceWithAdditionalYields(
        rewriter, ValueRange{iterator}, /*replaceInitOperandUsesInLoop=*/false,
        [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
          return SmallVector<Value>{arguments.back()};
        });
    if (failed(replaced))
      return failure();
    auto created = cast<scf::ForOp>(replaced->getOperation());
    FailureOr<Value> behind =
        carryThrough(*created.getBody(), queue, created.getRegionIterArgs().back(), step);
    if (failed(behind))
      return failure();
    Operation *yield = created.getBody()->getTerminator();
    if (!TILESMITH_PLANT("queue-iterator-not-carried"))
      yield->setOperand(yield->getNumOperands() - 1, *behind);
    return Value(created.getResults().back());
  }

  FailureOr<Value> carryThroughBranch(scf::IfOp branch, tileaa::CreateQueueOp queue, Value iterator,
                                      Step step) {
    rewriter.setInsertionPoint(branch);
    SmallVector<Type> types(branch.getResultTypes());
    types.push_back(iterator.getType());
    auto created = scf::IfOp::create(rewriter, branch.getLoc(), types, branch.getCondition(),
                                     /*addThenBlock=*/false, /*addElseBlock=*/false);
    created.getThenRegion().takeBody(branch.getThenRegion());
    if (branch.getElseRegion().empty()) {
      rewriter.createBlock(&created.getElseRegion());
      scf::YieldOp::create(rewriter, branch.getLoc(), ValueRange());
    } else {
      created.getElseRegion().takeBody(branch.getElseRegion());
    }
    for (auto [old, now] : llvm::zip(branch.getResults(), created.getResults()))
      old.replaceAllUsesWith(now);
    branch.erase();
    for (Region *region : {&created.getThenRegion(), &created.getElseRegion()}) {
      FailureOr<Value> behind = carryThrough(region->front(), queue, iterator, step);
      if (failed(behind))
        return failure();
      Operation *yield = region->front().getTerminator();
      yield->insertOperands(yield->getNumOperands(), *behind);
    }
    return Value(created.getResults().back());
  }

  /// The layout that a plugin of the agent asks for; null without one.
  FailureOr<tileas::LayoutAttr> layoutFor(Operation *op, StringRef name, unsigned item,
                                          RankedTensorType type) {
    auto list = op->getAttrOfType<ArrayAttr>(name);
    if (!list)
      return tileas::LayoutAttr();
    auto layout =
        item < list.size() ? dyn_cast<tileas::LayoutAttr>(list[item]) : tileas::LayoutAttr();
    int32_t agentWarps = warps[agentAround(op)->getRegionNumber()];
    if (!layout || layout.getShape() != type.getShape() ||
        (int64_t(1) << layout.getWarps().size()) != agentWarps)
      return op->emitOpError("fails to assign layout: expected one of ")
                 << type << " over " << agentWarps << " warps for value " << item << " in " << name
                 << ", got " << (item < list.size() ? list[item] : Attribute()),
             failure();
    return layout;
  }

  LogicalResult produce(tileaa::QueuePutOp put, Value pipeline, Value iterator) {
    Location loc = put.getLoc();
    if (!put.getBody().empty() && !put.getBody().front().empty()) {
      // What the region makes of the values is what is put.
      Block &body = put.getBody().front();
      if (body.getNumArguments() != put.getValues().size() ||
          body.getArgumentTypes() != TypeRange(put.getValues()))
        return put.emitOpError("expected a region that takes its values");
      Operation *yield = body.getTerminator();
      SmallVector<Value> yielded(yield->getOperands());
      for (auto [argument, value] : llvm::zip_equal(body.getArguments(), put.getValues())) {
        for (Value &one : yielded)
          if (one == argument)
            one = value;
        argument.replaceAllUsesWith(value);
      }
      put->getBlock()->getOperations().splice(put->getIterator(), body.getOperations(),
                                              body.begin(), yield->getIterator());
      put.getValuesMutable().assign(yielded);
      yield->erase();
      rewriter.setInsertionPoint(put);
    }
    auto queueTypes = cast<tileaa::QueueType>(put.getQueue().getType()).getResultTypes();
    if (TypeRange(put.getValues()) != TypeRange(queueTypes))
      return put.emitOpError("expected values of the queue's ") << queueTypes.size() << " types";
    SmallVector<Value> tiles;
    for (auto [index, value] : llvm::enumerate(put.getValues())) {
      if (isToken(value))
        continue;
      RankedTensorType type = itemType(value.getType());
      Value tile = value;
      if (tile.getType() != type)
        tile = tileaa::SplatOp::create(rewriter, loc, type, value);
      auto layout = layoutFor(put, "nv_tileaa.output_layouts", index, type);
      if (failed(layout))
        return failure();
      if (*layout)
        tile =
            tileas::ConvertLayoutOp::create(rewriter, loc, tileas::withLayout(type, *layout), tile);
      tiles.push_back(tile);
    }
    Value stage = tileas::ProducerAcquireOp::create(
        rewriter, loc, tileas::PipelineProducerTokenType::get(rewriter.getContext()), pipeline,
        iterator);
    auto write = tileas::ProducerWriteOp::create(rewriter, loc, pipeline, stage);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      Block *body = slotBlock(write.getBody(), pipeline, loc);
      for (auto [tile, slot] : llvm::zip_equal(tiles, body->getArguments()))
        tileas::WriteOp::create(rewriter, loc, tile, slot);
      tileas::PipelineYieldOp::create(rewriter, loc, ValueRange());
    }
    tileas::ProducerCommitOp::create(rewriter, loc, pipeline, stage);
    return success();
  }

  LogicalResult consume(tileaa::QueueGetOp get, Value pipeline, Value iterator) {
    Location loc = get.getLoc();
    auto wait = tileas::ConsumerWaitOp::create(
        rewriter, loc, tileas::PipelineConsumerTokenType::get(rewriter.getContext()),
        tileaa::MemTokenType::get(rewriter.getContext()), pipeline, iterator, ValueRange());
    ArrayRef<Type> types = cast<tileaa::QueueType>(get.getQueue().getType()).getResultTypes();
    SmallVector<Type> read;
    for (auto [index, type] : llvm::enumerate(types)) {
      if (isa<tileaa::MemTokenType>(type))
        continue;
      RankedTensorType tile = itemType(type);
      auto layout = layoutFor(get, "nv_tileaa.input_layouts", index, tile);
      if (failed(layout))
        return failure();
      read.push_back(*layout ? Type(tileas::withLayout(tile, *layout)) : tile);
    }
    auto reader = tileas::ConsumerReadOp::create(rewriter, loc, read, pipeline, wait.getStage());
    {
      OpBuilder::InsertionGuard guard(rewriter);
      Block *body = slotBlock(reader.getBody(), pipeline, loc);
      SmallVector<Value> copies;
      for (auto [slot, type] : llvm::zip_equal(body->getArguments(), read))
        copies.push_back(tileas::CopyOp::create(rewriter, loc, type, slot, StringAttr()));
      tileas::PipelineYieldOp::create(rewriter, loc, copies);
    }
    tileas::ConsumerReleaseOp::create(rewriter, loc, pipeline, wait.getStage());
    SmallVector<Value> values;
    unsigned next = 0;
    for (Type type : types) {
      if (isa<tileaa::MemTokenType>(type)) {
        values.push_back(wait.getResultToken());
        continue;
      }
      Value tile = reader.getResults()[next++];
      RankedTensorType plain = itemType(type);
      if (tile.getType() != plain)
        tile = tileas::ConvertLayoutOp::create(rewriter, loc, plain, tile);
      if (type != plain)
        tile = tileaa::ExtractOp::create(rewriter, loc, type, tile, ValueRange());
      values.push_back(tile);
    }
    if (!get.getBody().empty()) {
      Block &body = get.getBody().front();
      if (body.getArgumentTypes() != TypeRange(types) && body.getNumArguments())
        return get.emitOpError("expected a region that takes the queue's ")
               << types.size() << " values";
      Operation *yield = body.getTerminator();
      for (auto [argument, value] : llvm::zip(body.getArguments(), values))
        argument.replaceAllUsesWith(value);
      values.assign(yield->operand_begin(), yield->operand_end());
      get->getBlock()->getOperations().splice(get->getIterator(), body.getOperations(),
                                              body.begin(), yield->getIterator());
      yield->erase();
    }
    for (auto [result, value] : llvm::zip_equal(get.getResults(), values))
      result.replaceAllUsesWith(value);
    return success();
  }

  Block *slotBlock(Region &region, Value pipeline, Location loc) {
    auto create = pipeline.getDefiningOp<tileas::CreatePipelineOp>();
    SmallVector<Location> locations(create.getBuffers().size(), loc);
    return rewriter.createBlock(&region, {}, create.getBuffers().getTypes(), locations);
  }

  tileaa::FuncOp function;
  tileaa::ExecuteOp execute;
  ArrayRef<int32_t> warps;
  int64_t &usedBytes;
  const target::GpuTarget &gpu;
  IRRewriter rewriter;
};

} // namespace

LogicalResult tileaa_to_tileas::lowerQueues(tileaa::FuncOp function, tileaa::ExecuteOp execute,
                                            ArrayRef<int32_t> warps, int64_t &sharedBytes) {
  return QueueLowering(function, execute, warps, sharedBytes).run();
}
