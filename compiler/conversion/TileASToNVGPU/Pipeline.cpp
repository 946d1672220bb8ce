//===- Pipeline.cpp - asynchronous pipelines per thread ---------------------------------------===//
//
// Without mbarriers all warps produce and consume, so a stage is filled by cp.async of the very
// threads that read it (with them, see Mbarriers.h):
//   create_pipeline     barrier: nobody reads what lay in the buffers before
//   producer_acquire    nothing: the barrier of the wait before it came after the last reads
//   async.(tiled_)load  one cp.async per group of elements
//   producer_commit     one group per stage, empty or not
//   consumer_wait       all groups but the N-2 latest (N-3 with late release) have landed; barrier
//   consumer_release    nothing
// An iterator is the number of its stage; a slot is an address in shared memory. The copies themselves:
// AsyncCopies.h.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/AsyncCopies.h"
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/conversion/TileASToNVGPU/Exchange.h"
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/TensorMaps.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/dialect/TileAS/IR/IssueSlice.h"
#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::LayoutAttr;

namespace {

tileas::CreatePipelineOp creatorOf(Value pipeline) {
  return pipeline.getDefiningOp<tileas::CreatePipelineOp>();
}

LogicalResult emitNothing(Emitter &, Operation *) {
  return success();
}

LogicalResult emitCreatePipeline(Emitter &e, Operation *op) {
  auto create = cast<tileas::CreatePipelineOp>(op);
  if (create.getMbarriers())
    initMbarriers(e, create);
  else
    e.barrier();
  return success();
}

/// Of a pipeline: nothing. A buffer that threads write themselves: nobody reads what lay there.
LogicalResult emitAlloc(Emitter &e, Operation *op) {
  if (llvm::any_of(op->getUsers(), llvm::IsaPred<tileas::TensorMemoryStageOp>))
    e.barrier();
  return success();
}

LogicalResult emitCreateIterator(Emitter &e, Operation *op) {
  auto create = creatorOf(op->getOperand(0));
  e.setScalar(op->getResult(0), create.getMbarriers()
                                    ? firstIterator(e, create.getPipeline().getType().getStages())
                                    : e.i32(0));
  return success();
}

LogicalResult emitIncIter(Emitter &e, Operation *op) {
  auto increment = cast<tileas::IncIterOp>(op);
  if (increment.getMbarriers()) {
    e.setScalar(increment.getNext(), nextIterator(e, e.scalar(increment.getIterator()),
                                                  increment.getNext().getType().getStages()));
    return success();
  }
  Value next = e.add(e.scalar(increment.getIterator()), e.i32(1));
  bool early = TILESMITH_PLANT("pipeline-wraps-early");
  Value wraps = arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, next,
                                      e.i32(increment.getNext().getType().getStages() - early));
  e.setScalar(increment.getNext(),
              arith::SelectOp::create(e.builder, e.loc, wraps, e.i32(0), next));
  return success();
}

LogicalResult emitAcquire(Emitter &e, Operation *op) {
  auto acquire = cast<tileas::ProducerAcquireOp>(op);
  e.setScalar(acquire.getStage(), e.scalar(acquire.getIterator()));
  if (auto create = creatorOf(acquire.getPipeline()); create.getMbarriers() && !e.mapsHold)
    waitEmpty(e, create, e.scalar(acquire.getIterator()));
  return success();
}

LogicalResult emitCommit(Emitter &e, Operation *op) {
  auto commit = cast<tileas::ProducerCommitOp>(op);
  if (e.mapsHold)
    return success();
  if (auto create = creatorOf(commit.getPipeline()); create.getMbarriers()) {
    arriveFull(e, create, e.scalar(commit.getStage()));
    return success();
  }
  if (TILESMITH_PLANT("pipeline-commit-dropped"))
    return success();
  closeGroup(e);
  return success();
}

LogicalResult emitWait(Emitter &e, Operation *op) {
  auto wait = cast<tileas::ConsumerWaitOp>(op);
  e.setScalar(wait.getStage(), e.scalar(wait.getIterator()));
  if (wait.getWaited())
    return success();
  if (tileas::looksTooEarly(wait) && !tileas::isDoneByOtherAgent(wait) &&
      !TILESMITH_PLANT("mbarrier-looks-too-early"))
    return success();
  if (auto create = creatorOf(wait.getPipeline()); create.getMbarriers()) {
    waitFull(e, create, e.scalar(wait.getIterator()));
    if (readByProducts(wait.getPipeline()) && !filledByTensorCopies(create))
      fenceAsyncProxy(e);
    return success();
  }
  int64_t pending = int64_t(wait.getPipeline().getType().getStages()) - 2 -
                    creatorOf(wait.getPipeline()).getLateRelease();
  if (TILESMITH_PLANT("pipeline-waits-one-less"))
    ++pending;
  waitForGroups(e, pending);
  // Warpgroup products read through the async proxy what each thread copied.
  if (readByProducts(wait.getPipeline()))
    fenceAsyncProxy(e);
  if (!TILESMITH_PLANT("pipeline-barrier-dropped"))
    e.barrier();
  return success();
}

LogicalResult emitRelease(Emitter &e, Operation *op) {
  auto release = cast<tileas::ConsumerReleaseOp>(op);
  auto create = creatorOf(release.getPipeline());
  if (create.getMbarriers())
    arriveEmpty(e, release, e.scalar(release.getStage()));
  return success();
}

/// Binds the arguments of a region to the slots of a stage.
void bindSlots(Emitter &e, Value pipeline, Value stage, Block &body) {
  if (auto create = creatorOf(pipeline); create.getMbarriers()) {
    Value full = fullBarrier(e, create, stage);
    for (Value slot : body.getArguments())
      e.slotBarriers[slot] = full;
    stage = stageOf(e, stage);
  }
  for (auto [slot, buffer] :
       llvm::zip_equal(body.getArguments(), creatorOf(pipeline).getBuffers())) {
    e.slotPlaces[slot] = {buffer.getDefiningOp(), stage};
    e.setScalar(slot, e.slotAddress(buffer.getDefiningOp(), stage));
  }
}

/// Acquire, copies and commit, where no other thread has a part in them: the stage's first arrival says
/// what all copies bring. A turn without copies does none of it: its stage is read by nobody.
LogicalResult emitWriteByFirstThread(Emitter &e, tileas::ProducerWriteOp write) {
  tileas::CreatePipelineOp create = creatorOf(write.getPipeline());
  Block *copies = &write.getBody().front();
  Value condition;
  if (auto branch = dyn_cast<scf::IfOp>(copies->front());
      branch && branch->getNextNode() == copies->getTerminator() && !branch.elseBlock()) {
    condition = e.scalar(branch.getCondition());
    copies = branch.thenBlock();
  }
  int64_t bytes = 0;
  write.getBody().walk([&](tileas::AsyncTiledLoadOp load) { bytes += bytesOfTensorLoad(e, load); });
  LogicalResult status = success();
  e.when(condition, [&] {
    Value stage = e.scalar(write.getStage());
    // All wait: a loop that one thread runs would be all that ptxas still sees in what is around it.
    waitEmpty(e, create, stage);
    bindSlots(e, write.getPipeline(), stage, write.getBody().front());
    e.when(firstThread(e), [&] {
      arriveExpectingBytes(e, fullBarrier(e, create, stage), bytes);
      for (Operation &copy : copies->without_terminator())
        if (succeeded(status))
          status = e.emitOperation(&copy);
      if (succeeded(status))
        status = e.flush();
    });
  });
  return status;
}

LogicalResult emitWrite(Emitter &e, Operation *op) {
  auto write = cast<tileas::ProducerWriteOp>(op);
  if (e.mapsHold)
    return emitWriteByFirstThread(e, write);
  Block &body = write.getBody().front();
  bindSlots(e, write.getPipeline(), e.scalar(write.getStage()), body);
  return e.emitBlock(body);
}

LogicalResult emitRead(Emitter &e, Operation *op) {
  auto read = cast<tileas::ConsumerReadOp>(op);
  Block &body = read.getBody().front();
  bindSlots(e, read.getPipeline(), e.scalar(read.getStage()), body);
  if (failed(e.emitBlock(body)))
    return failure();
  for (auto [result, value] :
       llvm::zip_equal(read.getResults(), body.getTerminator()->getOperands())) {
    if (auto sums = e.inFlight.find(value); sums != e.inFlight.end()) {
      SmallVector<Value> handedOn = sums->second;
      e.inFlight[result] = handedOn;
    } else if (isa<RankedTensorType>(value.getType()))
      e.setTile(result, e.tile(value));
    else
      e.setScalar(result, e.scalar(value));
  }
  return success();
}

//===- copies out of a slot -----------------------------------------------------------------------//

/// So many addresses that differ by constants would be kept in registers around the loop.
constexpr int64_t kManyAddresses = 8;

} // namespace

void tileas_to_nvgpu::emitLdMatrix(Emitter &e, const Tile &tile, Value slot, LayoutAttr offsets,
                                   Type logical, const tileas::LdMatrixPlan &plan) {
  OpBuilder &b = e.builder;
  int64_t packed = 4 / e.elementBytes(tile.element);
  // Matrices of bytes are transposed pair by pair.
  const bool inPairs = plan.transposed && packed == 4;
  Type held = inPairs ? Type(b.getI16Type()) : tile.element;
  auto words = VectorType::get({int64_t(plan.matrices), inPairs ? 2 : packed}, held);
  SmallVector<int64_t> warps(offsets.getWarps());
  Value thread = arith::XOrIOp::create(b, e.loc, e.linear(e.laneIndex(), plan.addressBases),
                                       e.linear(e.warpIndex(), warps));
  // What registers add in bits that no thread has is an immediate of the instruction.
  int64_t ofThreads = 0;
  for (int64_t basis : llvm::concat<const int64_t>(plan.addressBases, warps))
    ofThreads |= basis;
  SmallVector<int64_t> mixed(offsets.getRegisters()), apart(offsets.getRegisters());
  for (auto [in, beside] : llvm::zip_equal(mixed, apart)) {
    in &= ofThreads;
    beside &= ~ofThreads;
  }
  if (TILESMITH_PLANT("ldmatrix-last-step-dropped") && !apart.empty())
    apart.back() = 0;
  Value zero = arith::ConstantIndexOp::create(b, e.loc, 0);
  int64_t instructions = tile.layout.getNumRegisters() / plan.registersPerInstruction;
  ArrayRef<int64_t> steps = ArrayRef(mixed).drop_front(llvm::Log2_64(plan.registersPerInstruction));
  const auto varying = llvm::count_if(steps, [](int64_t basis) { return basis != 0; });
  if (int64_t(1) << varying >= kManyAddresses)
    thread = e.opaque(thread, /*anew=*/true); // nothing derived from it leaves the loop
  e.forLoop(instructions, [&](Value group) {
    Value first = e.mul(group, e.i32(plan.registersPerInstruction));
    Value offset = arith::XOrIOp::create(b, e.loc, thread, e.linear(first, mixed));
    Value pointer = e.elementPointer(e.elementPointer(slot, tile.element, offset), tile.element,
                                     e.linear(first, apart));
    auto loaded = nvgpu::LdMatrixOp::create(
        b, e.loc, words, bufferAt(e, pointer, held, gpu::AddressSpace::Workgroup), zero,
        plan.transposed, plan.matrices);
    nvgpu_ext::setReach(loaded, nvgpu_ext::getReachFrom(slot));
    for (int64_t i = 0; i < plan.matrices; ++i) {
      Value word = vector::ExtractOp::create(b, e.loc, loaded, ArrayRef<int64_t>{i});
      if (inPairs)
        word = LLVM::BitcastOp::create(b, e.loc, VectorType::get({packed}, tile.element), word);
      for (int64_t j = 0; j < packed; ++j) {
        int64_t from = inPairs && TILESMITH_PLANT("ldmatrix-bytes-of-pair-swapped") ? j ^ 1 : j;
        Value element = vector::ExtractOp::create(b, e.loc, word, ArrayRef<int64_t>{from});
        e.storeRegister(tile, e.add(first, e.i32(i * packed + j)), fromMemory(e, element, logical));
      }
    }
  });
}

namespace {

LogicalResult emitCopy(Emitter &e, Operation *op) {
  auto copy = cast<tileas::CopyOp>(op);
  Tile tile = e.makeTile(copy.getResult());
  e.setTile(copy.getResult(), tile);
  Value slot = e.scalar(copy.getSource());
  LayoutAttr offsets = tileas::getSharedLayout(copy.getSource().getType()).offsetsOf(tile.layout);
  Type logical = cast<RankedTensorType>(copy.getResult().getType()).getElementType();
  int64_t bytes = e.elementBytes(tile.element);
  if (copy.getAtom() == "ldmatrix") {
    std::optional<tileas::LdMatrixPlan> plan = tileas::planLdMatrix(offsets, bytes);
    if (!plan)
      return op->emitOpError("expected layouts that fit ldmatrix");
    emitLdMatrix(e, tile, slot, offsets, logical, *plan);
    return success();
  }
  int64_t vector = tileas::sharedVector(offsets, bytes);
  forGroups(e, tile, vector, [&](Value first) {
    Value pointer = e.elementPointer(slot, tile.element, e.position(offsets, first));
    if (vector == 1)
      e.storeRegister(tile, first, fromMemory(e, e.load(pointer, tile.element), logical));
    else
      loadVector(e, tile, first, vector, pointer, logical);
  });
  return success();
}

LogicalResult emitWriteTile(Emitter &e, Operation *op) {
  auto write = cast<tileas::WriteOp>(op);
  const Tile tile = e.tile(write.getSource());
  Value slot = e.scalar(write.getSlot());
  LayoutAttr offsets = tileas::getSharedLayout(write.getSlot().getType()).offsetsOf(tile.layout);
  int64_t vector = tileas::sharedVector(offsets, e.elementBytes(tile.element));
  forGroups(e, tile, vector, [&](Value first) {
    Value owner = e.both(e.ownerThread(tile.layout), e.ownerRegister(tile.layout, first));
    e.when(owner, [&] {
      Value pointer = e.elementPointer(slot, tile.element, e.position(offsets, first));
      if (vector == 1)
        e.store(e.loadRegister(tile, first), pointer);
      else
        storeVector(e, tile, first, vector, pointer);
    });
  });
  return success();
}

} // namespace

void tileas_to_nvgpu::registerPipeline(HandlerTable &table) {
  table.operations.add<tileas::CreatePipelineOp>(emitCreatePipeline);
  table.operations.add<tileas::CreateIteratorOp>(emitCreateIterator);
  table.operations.add<tileas::IncIterOp>(emitIncIter);
  table.operations.add<tileas::ProducerAcquireOp>(emitAcquire);
  table.operations.add<tileas::ProducerWriteOp>(emitWrite);
  table.operations.add<tileas::ProducerCommitOp>(emitCommit);
  table.operations.add<tileas::ConsumerWaitOp>(emitWait);
  table.operations.add<tileas::ConsumerReadOp>(emitRead);
  table.operations.add<tileas::ConsumerReleaseOp>(emitRelease);
  table.operations.add<tileas::PipelineYieldOp>(emitNothing);
  table.operations.add<tileas::AllocTensorOp>(emitAlloc);
  table.operations.add<tileas::AsyncTiledLoadOp>(emitAsyncTiledLoad);
  table.operations.add<tileas::AsyncLoadOp>(emitAsyncLoad);
  table.operations.add<tileas::CopyOp>(emitCopy);
  table.operations.add<tileas::WriteOp>(emitWriteTile);
}
