//===- Agents.cpp - agents, and the queues between them ---------------------------------------===//
//
// Agents take turns: one runs until it takes from an empty queue or puts into a full one. Every agent
// that takes from a queue gets each of its items. A plugin is a call of the function that it names.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/Machine.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "llvm/ADT/SetVector.h"

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using namespace mlir;

namespace {

Region *agentOf(Operation *op) {
  Region *region = op->getParentRegion();
  while (region && !isa_and_nonnull<tileaa::ExecuteOp>(region->getParentOp()))
    region = region->getParentRegion();
  return region;
}

Status evalExecute(Machine &machine, tileaa::ExecuteOp op) {
  if (op.getAgents().empty())
    return reference::unsupported("agents of which there are none");
  for (Value result : op.getResults()) {
    if (!isa<tileaa::MemTokenType>(result.getType()))
      return reference::unsupported("agents hand values on by queues");
    machine.set(result, Machine::Value());
  }
  machine.startAgents(op, op.getAgents(), machine.values(op.getOperands()));
  return Status::success();
}

Status evalCreate(Machine &machine, tileaa::CreateQueueOp op) {
  machine.set(op.getResult(), Machine::Value());
  return Status::success();
}

/// What the region of a queue op makes of the values; without one, the values.
Status apply(Machine &machine, Region &body, SmallVector<Machine::Value> &values) {
  if (body.empty() || body.front().empty())
    return Status::success();
  SmallVector<Machine::Value> results, arguments(values);
  arguments.truncate(body.getNumArguments());
  TILESMITH_TRY(machine.runBody(body.front(), arguments, results));
  values = std::move(results);
  return Status::success();
}

Status evalPut(Machine &machine, tileaa::QueuePutOp op) {
  auto queue = op.getQueue().getDefiningOp<tileaa::CreateQueueOp>();
  if (!queue)
    return reference::unsupported("a queue that is handed around");
  llvm::SetVector<Region *> consumers;
  for (Operation *user : queue.getResult().getUsers())
    if (isa<tileaa::QueueGetOp>(user))
      consumers.insert(agentOf(user));
  auto items = [&](Region *consumer) -> auto & {
    return machine.queues[{op.getQueue().getAsOpaquePointer(), consumer}];
  };
  for (Region *consumer : consumers)
    if (items(consumer).size() >= size_t(queue.getDepth()))
      return machine.giveTurn();
  machine.idleTurns = 0;
  SmallVector<Machine::Value> values = machine.values(op.getValues());
  TILESMITH_TRY(apply(machine, op.getBody(), values));
  for (Region *consumer : consumers)
    items(consumer).push_back(values);
  return Status::success();
}

Status evalGet(Machine &machine, tileaa::QueueGetOp op) {
  auto &items = machine.queues[{op.getQueue().getAsOpaquePointer(), agentOf(op)}];
  if (items.empty())
    return machine.giveTurn();
  machine.idleTurns = 0;
  SmallVector<Machine::Value> values = std::move(items.front());
  items.pop_front();
  TILESMITH_TRY(apply(machine, op.getBody(), values));
  machine.setAll(op.getResults(), values);
  return Status::success();
}

Status evalYield(Machine &machine, tileaa::QueueYieldOp) {
  machine.stack().pop_back();
  return Status::success();
}

Status evalPlugin(Machine &machine, tileaa::PluginOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<tileaa::FuncOp>(op, op.getSymbolAttr());
  if (!callee || callee.isExternal())
    return reference::unsupported("a plugin whose code is not in the module");
  machine.push(op, callee.getBody().front(), machine.values(op.getOperands()));
  return Status::success();
}

} // namespace

void tilesmith::oracles::tileaa_engine::registerAgents(OpTable &t) {
  t.add<tileaa::ExecuteOp, evalExecute>();
  t.add<tileaa::CreateQueueOp, evalCreate>();
  t.add<tileaa::QueuePutOp, evalPut>();
  t.add<tileaa::QueueGetOp, evalGet>();
  t.add<tileaa::QueueYieldOp, evalYield>();
  t.add<tileaa::PluginOp, evalPlugin>();
}
