//===- QueueOps.cpp - agents and queues -------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/dialect/TileAA/IR/QueueOps.cpp.inc"

namespace tilesmith::tileaa {

void TileAADialect::registerQueueOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/TileAA/IR/QueueOps.cpp.inc"
      >();
}

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

namespace {
struct QueueResource : public SideEffects::Resource::Base<QueueResource> {
  StringRef getName() final { return "<nv_tileaa queue>"; }
};
} // namespace

void CreateQueueOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), QueueResource::get());
}

/// Getting advances the queue, so it also writes.
void QueueGetOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), QueueResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), QueueResource::get());
}

void QueuePutOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), QueueResource::get());
}

LogicalResult ExecuteOp::verify() {
  if (getAgents().size() != getNumAgents())
    return emitOpError("expects ")
           << getNumAgents() << " agent regions, but got " << getAgents().size();
  for (Region &region : getAgents())
    if (region.empty() || region.front().empty() || !llvm::isa<YieldOp>(region.front().back()))
      return emitOpError("expects regions to end with 'nv_tileaa.yield'");
  for (std::optional<ArrayRef<int32_t>> list : {getMaxRegisters(), getNumWarps()})
    if (list && list->size() != getAgents().size())
      return emitOpError("expects one entry per agent, but got ") << list->size();
  if (auto registers = getMaxRegisters())
    for (int32_t number : *registers)
      if (number < 0)
        return emitOpError("expects 'maxRegisters' to be at least 0, but got ") << number;
  return success();
}

LogicalResult PluginOp::verify() {
  const std::pair<int64_t, StringRef> needs[] = {
      {getRegistersAttr().getInt(), "registers"},
      {getNamedBarriersAttr().getInt(), "named_barriers"},
      {getSharedMemoryAttr().getInt(), "shared_memory"},
      {getTensorMemoryAttr().getInt(), "tensor_memory"}};
  for (auto [need, name] : needs)
    if (need < 0)
      return emitOpError("expects '") << name << "' to be at least 0, but got " << need;
  return success();
}

LogicalResult QueueGetOp::verify() {
  if (getBody().empty()) {
    ArrayRef<Type> types = llvm::cast<QueueType>(getQueue().getType()).getResultTypes();
    if (types != getResultTypes())
      return emitOpError("expects the queue's ") << types.size() << " result types";
    return success();
  }
  Block &block = getBody().front();
  if (block.empty() || !llvm::isa<QueueYieldOp, YieldOp>(block.back()))
    return emitOpError("expects regions to end with 'nv_tileaa.queue.yield'");
  if (block.back().getOperandTypes() != getResultTypes())
    return emitOpError("expects the yielded types to be the result types");
  return success();
}

LogicalResult QueueYieldOp::verify() {
  if (!llvm::isa_and_nonnull<QueueGetOp, QueuePutOp, FuncOp>((*this)->getParentOp()))
    return emitOpError("expects parent op 'nv_tileaa.func'");
  return success();
}

} // namespace tilesmith::tileaa
