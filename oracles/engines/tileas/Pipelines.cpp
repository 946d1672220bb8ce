//===- Pipelines.cpp - asynchronous pipelines on the registers of all threads -----------------===//
//
// A buffer is a row of elements in the order of its offsets; which element lies where is read from
// the bases of the slot's layout. A copy reads memory when it is issued and lands when somebody
// waits for its stage, so a read before the wait, or of another stage, finds what was there before.
// An iterator is the number of its stage.
//
// Agents take turns: one runs until it waits for a stage that another one has not filled or given
// back yet. Barriers of an agent count as those of the block.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileas/Ops.h"

#include "compiler/dialect/TileAS/IR/IssueSlice.h"
#include "oracles/engines/tileas/Distributed.h"

using namespace tilesmith;
using namespace tilesmith::oracles;
using namespace tilesmith::oracles::tileas_engine;
using reference::ElementType;
using tileaa_engine::Machine;
using tileaa_engine::OpTable;

namespace {

Tile stageNumber(uint64_t stage) {
  return Tile::scalar(ElementType::I32, stage);
}

/// Elements for which a slot has a place; some may stay empty.
int64_t placesOf(mlir::Type slot) {
  return int64_t(1) << tileas::getSharedLayout(slot).getOffsets().size();
}

/// Offset of every element in a slot: the first place that is its own.
std::vector<size_t> offsetsOf(mlir::Type slot) {
  tileas::SharedLayoutAttr layout = tileas::getSharedLayout(slot);
  std::vector<size_t> offsets(mlir::cast<mlir::RankedTensorType>(slot).getNumElements());
  for (size_t offset = placesOf(slot); offset-- > 0;) {
    size_t element = 0;
    for (auto [bit, basis] : llvm::enumerate(layout.getOffsets()))
      if (offset >> bit & 1)
        element ^= static_cast<size_t>(basis);
    offsets[element] = offset;
  }
  return offsets;
}

/// Buffer behind a block argument of a pipeline region, maybe with its dimensions in another order, and
/// where its stage begins there.
std::pair<mlir::Value, uint64_t> bufferOf(Machine &machine, mlir::Value slot) {
  while (auto permute = slot.getDefiningOp<tileas::PermuteOp>())
    slot = permute.getSource();
  auto argument = mlir::cast<mlir::BlockArgument>(slot);
  mlir::Value pipeline = argument.getOwner()->getParentOp()->getOperand(0);
  auto create = pipeline.getDefiningOp<tileas::CreatePipelineOp>();
  return {create.getBuffers()[argument.getArgNumber()],
          machine.tile(slot).bits()[0] * placesOf(slot.getType())};
}

/// Threads of an agent run together, so one arrival stands for all.
Status evalArriveToken(Machine &machine, tileas::ArriveMemTokenOp op) {
  machine.arrivedTokens.insert(op.getHandle().getAsOpaquePointer());
  machine.idleTurns = 0;
  return Status::success();
}

Status evalInitTokens(Machine &machine, tileas::InitMemTokensOp op) {
  if (machine.observer)
    machine.observer->barrier();
  for (mlir::Value handle : op.getHandles())
    machine.set(handle, stageNumber(0));
  return Status::success();
}

Status evalAlloc(Machine &machine, tileas::AllocTensorOp op) {
  auto type = mlir::cast<mlir::RankedTensorType>(op.getResult().getType());
  Tile buffer(*tileaa_engine::elementTypeOf(type), {int64_t(op.getStages()) * placesOf(type)});
  for (size_t i = 0; i < buffer.size(); ++i)
    buffer.set(i, reference::unknownElement());
  machine.set(op.getResult(), std::move(buffer));
  return Status::success();
}

Status evalCreate(Machine &machine, tileas::CreatePipelineOp op) {
  if (machine.observer)
    machine.observer->barrier();
  machine.set(op.getPipeline(), Machine::Value());
  return Status::success();
}

Status evalIterator(Machine &machine, tileas::CreateIteratorOp op) {
  machine.set(op.getIterator(), stageNumber(0));
  return Status::success();
}

Status evalNext(Machine &machine, tileas::IncIterOp op) {
  uint64_t stage = machine.tile(op.getIterator()).bits()[0] + 1;
  machine.set(op.getNext(), stageNumber(stage % op.getNext().getType().getStages()));
  return Status::success();
}

Machine::StageUse &stageUse(Machine &machine, mlir::Value pipeline, uint64_t stage) {
  return machine.stageUses[{pipeline.getAsOpaquePointer(), stage}];
}

/// Pipelines between agents count what happens to a stage.
bool betweenAgents(mlir::Value pipeline) {
  auto create = pipeline.getDefiningOp<tileas::CreatePipelineOp>();
  return create.getProducerGroupId() != create.getConsumerGroupId();
}

Status evalAgents(Machine &machine, tileas::AgentSwitchOp op) {
  machine.startAgents(op, op.getAgents(), {});
  return Status::success();
}

Status evalAcquire(Machine &machine, tileas::ProducerAcquireOp op) {
  if (betweenAgents(op.getPipeline())) {
    auto &use = stageUse(machine, op.getPipeline(), machine.tile(op.getIterator()).bits()[0]);
    uint64_t &acquired = use.acquired[tileas::agentAround(op)];
    if (acquired != use.released)
      return machine.giveTurn();
    ++acquired;
    machine.idleTurns = 0;
  }
  machine.set(op.getStage(), machine.get(op.getIterator()));
  return Status::success();
}

template <typename Op> Status evalRegion(Machine &machine, Op op) {
  mlir::Block &body = op.getBody().front();
  llvm::SmallVector<Machine::Value> slots(body.getNumArguments(), machine.get(op.getStage()));
  machine.push(op, body, slots);
  return Status::success();
}

Status evalYield(Machine &machine, tileas::PipelineYieldOp op) {
  llvm::SmallVector<Machine::Value> values = machine.values(op.getValues());
  mlir::Operation *owner = machine.stack().back().owner;
  machine.stack().pop_back();
  if (mlir::isa<tileas::AgentSwitchOp>(owner)) {
    machine.endAgent();
    return Status::success();
  }
  machine.setAll(owner->getResults(), values);
  return Status::success();
}

Status evalWaitToken(Machine &machine, tileas::WaitMemTokenOp op) {
  if (!machine.arrivedTokens.count(op.getHandle().getAsOpaquePointer()))
    return machine.giveTurn();
  machine.idleTurns = 0;
  if (machine.observer)
    machine.observer->barrier();
  machine.set(op.getToken(), Machine::Value());
  return Status::success();
}

Status evalWrite(Machine &machine, tileas::WriteOp op) {
  Tile tile(ElementType::I1, {});
  TILESMITH_TRY(
      gather(machine.tile(op.getSource()), tileas::getLayout(op.getSource().getType()), tile));
  auto [buffer, first] = bufferOf(machine, op.getSlot());
  Tile all = machine.tile(buffer);
  std::vector<size_t> offsets = offsetsOf(op.getSlot().getType());
  for (size_t element = 0; element < offsets.size(); ++element)
    all.set(first + offsets[element], tile.element(element));
  machine.set(buffer, std::move(all));
  return Status::success();
}

Status evalCommit(Machine &machine, tileas::ProducerCommitOp op) {
  if (betweenAgents(op.getPipeline()))
    ++stageUse(machine, op.getPipeline(), machine.tile(op.getStage()).bits()[0]).committed;
  return Status::success();
}

/// Products of an issue are done where it stands, behind what threads read of a stage that both give back.
Status evalRelease(Machine &machine, tileas::ConsumerReleaseOp op) {
  const bool isEarlier =
      tileas::isSharedRelease(op) && !op->getParentOfType<tileas::TensorMemoryIssueOp>();
  if (betweenAgents(op.getPipeline()) && !isEarlier)
    ++stageUse(machine, op.getPipeline(), machine.tile(op.getStage()).bits()[0]).released;
  return Status::success();
}

Status evalWait(Machine &machine, tileas::ConsumerWaitOp op) {
  uint64_t stage = machine.tile(op.getIterator()).bits()[0];
  if (op.getWaited()) {
    machine.set(op.getStage(), stageNumber(stage));
    machine.set(op.getResultToken(), Machine::Value());
    return Status::success();
  }
  if (betweenAgents(op.getPipeline())) {
    auto &use = stageUse(machine, op.getPipeline(), stage);
    const bool looks = tileas::onlyLooks(op);
    auto create = op.getPipeline().getDefiningOp<tileas::CreatePipelineOp>();
    const uint64_t filled = use.committed / tileas::fillingAgents(create).size();
    if ((looks ? use.released : use.waited) == filled && !tileas::looksTooEarly(op))
      return machine.giveTurn();
    use.waited += !looks;
    machine.idleTurns = 0;
  }
  auto found = machine.copies.find({op.getPipeline().getAsOpaquePointer(), stage});
  if (found != machine.copies.end()) {
    for (Machine::Copy &copy : found->second) {
      Tile buffer = machine.tile(copy.buffer);
      for (size_t i = 0; i < copy.data.size(); ++i)
        buffer.set(copy.first + i, copy.data.element(i));
      machine.set(copy.buffer, std::move(buffer));
    }
    machine.copies.erase(found);
  }
  if (machine.observer)
    machine.observer->barrier();
  machine.set(op.getStage(), stageNumber(stage));
  machine.set(op.getResultToken(), Machine::Value());
  return Status::success();
}

/// Operands with layouts are gathered for the read; the data waits in the order of the offsets.
template <typename Op> Status evalAsyncLoad(Machine &machine, Op op) {
  std::vector<std::pair<mlir::Value, Machine::Value>> saved;
  for (mlir::Value operand : op->getOperands()) {
    tileas::LayoutAttr layout = tileas::getLayout(operand.getType());
    if (!layout || llvm::any_of(saved, [&](auto &other) { return other.first == operand; }))
      continue;
    Tile tile(ElementType::I1, {});
    TILESMITH_TRY(gather(machine.tile(operand), layout, tile));
    saved.push_back({operand, machine.get(operand)});
    machine.set(operand, std::move(tile));
  }
  Tile tile(ElementType::I1, {});
  TILESMITH_TRY(tileaa_engine::loadForCopy(machine, op, tile));
  for (auto &[value, before] : saved)
    machine.set(value, std::move(before));

  mlir::Value slot = op.getSlot();
  auto [buffer, first] = bufferOf(machine, slot);
  Tile data(tile.type(), {placesOf(slot.getType())});
  for (size_t place = 0; place < data.size(); ++place)
    data.set(place, reference::unknownElement());
  std::vector<size_t> offsets = offsetsOf(slot.getType());
  for (size_t element = 0; element < offsets.size(); ++element)
    data.set(offsets[element], tile.element(element));
  auto argument = mlir::cast<mlir::BlockArgument>(slot);
  mlir::Value pipeline = argument.getOwner()->getParentOp()->getOperand(0);
  machine.copies[{pipeline.getAsOpaquePointer(), machine.tile(slot).bits()[0]}].push_back(
      {buffer, first, std::move(data)});
  return Status::success();
}

Status evalCopy(Machine &machine, tileas::CopyOp op) {
  const bool isStaged = op.getSource().getDefiningOp<tileas::TensorMemoryStageOp>() != nullptr;
  Tile tile = isStaged ? machine.tile(op.getSource()) : readSlot(machine, op.getSource());
  machine.set(op.getResult(), distribute(tile, tileas::getLayout(op.getResult().getType())));
  return Status::success();
}

/// Every block is started here, so there is none to take over.
Status evalCancel(Machine &machine, tileas::CancelNextProgramIdOp op) {
  machine.set(op.getResult(), Machine::Value());
  return Status::success();
}

Status evalIsValid(Machine &machine, tileaa::IsValidProgramIdOp op) {
  machine.set(op.getResult(), Tile::scalar(ElementType::I1, 0));
  return Status::success();
}

Status evalAxis(Machine &, tileas::ProgramIdAxisOp) {
  return reference::undefined("program-id", "a coordinate is asked for where no block was taken");
}

} // namespace

Tile tilesmith::oracles::tileas_engine::readSlot(Machine &machine, mlir::Value slot) {
  auto [buffer, first] = bufferOf(machine, slot);
  const Tile &all = machine.tile(buffer);
  auto type = mlir::cast<mlir::RankedTensorType>(slot.getType());
  Tile tile(*tileaa_engine::elementTypeOf(type), type.getShape());
  std::vector<size_t> offsets = offsetsOf(type);
  for (size_t element = 0; element < offsets.size(); ++element)
    tile.set(element, all.element(first + offsets[element]));
  return tile;
}

void tilesmith::oracles::tileas_engine::registerPipelines(OpTable &t) {
  t.add<tileas::AllocTensorOp, evalAlloc>();
  t.add<tileas::CopyOp, evalCopy>();
  t.add<tileas::WriteOp, evalWrite>();
  t.add<tileas::InitMemTokensOp, evalInitTokens>();
  t.add<tileas::ArriveMemTokenOp, evalArriveToken>();
  t.add<tileas::WaitMemTokenOp, evalWaitToken>();
  t.add<tileas::AsyncTiledLoadOp, evalAsyncLoad<tileas::AsyncTiledLoadOp>>();
  t.add<tileas::AsyncLoadOp, evalAsyncLoad<tileas::AsyncLoadOp>>();
  t.add<tileas::CreatePipelineOp, evalCreate>();
  t.add<tileas::CreateIteratorOp, evalIterator>();
  t.add<tileas::IncIterOp, evalNext>();
  t.add<tileas::ProducerAcquireOp, evalAcquire>();
  t.add<tileas::ProducerWriteOp, evalRegion<tileas::ProducerWriteOp>>();
  t.add<tileas::ProducerCommitOp, evalCommit>();
  t.add<tileas::CancelNextProgramIdOp, evalCancel>();
  t.add<tileas::ProgramIdAxisOp, evalAxis>();
  t.add<tileaa::IsValidProgramIdOp, evalIsValid>();
  t.add<tileas::AgentSwitchOp, evalAgents>();
  t.add<tileas::ConsumerWaitOp, evalWait>();
  t.add<tileas::ConsumerReadOp, evalRegion<tileas::ConsumerReadOp>>();
  t.add<tileas::ConsumerReleaseOp, evalRelease>();
  t.add<tileas::PipelineYieldOp, evalYield>();
}
