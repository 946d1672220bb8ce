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
// An iterator is the number of its stage; a slot is an address in shared memory. Copies with the
// atom tma_load are bulk copies of rows where the whole tile lies inside of the tensor, else as all
// others; those with tma_tensor_load are tensor copies where the block has a map (TensorMaps.h).
//
// Parts of a group that lie outside of the tensor: with padding zero the copy fills the rest with
// zeros; other paddings, and masks that split a group, are written element by element.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/conversion/TileASToNVGPU/Exchange.h"
#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/TensorMaps.h"
#include "compiler/dialect/TileAS/IR/CoordinateLayout.h"
#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
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

/// Copies of this thread since the last group become one.
void closeGroup(Emitter &e) {
  nvgpu::DeviceAsyncCreateGroupOp::create(
      e.builder, e.loc, nvgpu::DeviceAsyncTokenType::get(e.builder.getContext()), ValueRange());
}

/// Until at most so many groups are under way. Groups are counted; the token says nothing.
void waitForGroups(Emitter &e, int64_t pending) {
  Value none =
      UnrealizedConversionCastOp::create(
          e.builder, e.loc, nvgpu::DeviceAsyncTokenType::get(e.builder.getContext()), e.i32(0))
          .getResult(0);
  nvgpu::DeviceAsyncWaitOp::create(e.builder, e.loc, none, e.builder.getI32IntegerAttr(pending));
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

/// Some product takes operands from the pipeline's buffers itself.
bool readByProducts(Value pipeline) {
  for (Operation *user : pipeline.getUsers())
    if (auto read = dyn_cast<tileas::ConsumerReadOp>(user))
      if (llvm::any_of(read.getBody().getArguments(), tileas::isReadByProduct))
        return true;
  return false;
}

LogicalResult emitWait(Emitter &e, Operation *op) {
  auto wait = cast<tileas::ConsumerWaitOp>(op);
  e.setScalar(wait.getStage(), e.scalar(wait.getIterator()));
  if (wait.getWaited())
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
    arriveEmpty(e, create, e.scalar(release.getStage()));
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

//===- copies into a slot -------------------------------------------------------------------------//

/// The number, which nothing derived from it can leave the loop for.
Value computedHere(Emitter &e, Value number) {
  return e.opaque(number, /*anew=*/true);
}

/// Address of the element at the origin, from which nothing that is derived can leave the loop:
/// LLVM would keep the rows of a thread, each times the stride, in registers around it.
Value addressComputedHere(Emitter &e, const MemoryRegion &region, tileaa::TiledViewType view,
                          ArrayRef<Value> origin) {
  Value first = e.i64(0);
  for (auto [dim, start] : llvm::enumerate(origin))
    first = e.add(first, e.mul(toI64(e, start), region.strides[view.getDimMap()[dim]]));
  first = e.mul(first, e.i64(e.elementBytes(region.element)));
  return e.elementPointer(region.base, e.builder.getI8Type(), computedHere(e, first));
}

/// Starts the copy of `count` elements, of which the first `valid` come from `source` and the rest
/// becomes zero; a null `valid` means all.
void startCopy(Emitter &e, Value target, Value source, Type element, int64_t count, Value valid) {
  OpBuilder &b = e.builder;
  element = b.getIntegerType(8 * e.elementBytes(element)); // nvgpu knows neither pointers nor bits
  Value zero = arith::ConstantIndexOp::create(b, e.loc, 0);
  if (valid)
    valid = arith::IndexCastOp::create(b, e.loc, b.getIndexType(), valid);
  nvgpu::DeviceAsyncCopyOp::create(
      b, e.loc, nvgpu::DeviceAsyncTokenType::get(b.getContext()),
      bufferAt(e, target, element, gpu::AddressSpace::Workgroup), zero,
      bufferAt(e, source, element, gpu::AddressSpace::Global), zero, b.getIndexAttr(count), valid,
      count * e.elementBytes(element) == 16 ? b.getUnitAttr() : UnitAttr());
}

/// One bulk copy per row of the tile, all of whose elements lie inside of the tensor. Rows are
/// distributed over the threads; the first thread announces the bytes.
void emitBulkRows(Emitter &e, tileas::AsyncTiledLoadOp load, const MemoryRegion &region,
                  ArrayRef<Value> origin, unsigned rowDim) {
  auto view = cast<tileaa::TiledViewType>(load.getView().getType());
  tileas::SharedLayoutAttr layout = tileas::getSharedLayout(load.getSlot().getType());
  ArrayRef<int64_t> shape = layout.getShape();
  Value slot = e.scalar(load.getSlot()), barrier = e.slotBarriers.lookup(load.getSlot());
  Type element = e.elementType(region.element);
  int64_t threads = 32 * e.numWarps, rows = 1;
  SmallVector<int64_t> rowShape(shape), strides(shape.size(), 1);
  rowShape[rowDim] = 1;
  for (int64_t extent : rowShape)
    rows *= extent;
  int64_t rowBytes = shape[rowDim] * e.elementBytes(element);
  for (int64_t dim = int64_t(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  e.when(firstThread(e), [&] {
    int64_t bytes = rows * rowBytes;
    if (TILESMITH_PLANT("mbarrier-expects-too-few-bytes"))
      bytes -= rowBytes;
    NVVM::MBarrierExpectTxOp::create(e.builder, e.loc, barrier, e.i32(bytes));
  });
  auto copyRow = [&](Value row) {
    SmallVector<Value> at = e.coordinates(row, rowShape);
    ViewElement start = viewElement(e, region, view, origin, at);
    Value position = e.i32(0);
    for (auto [coordinate, stride] : llvm::zip_equal(at, strides))
      position = e.add(position, e.mul(coordinate, e.i32(stride)));
    Value target = e.elementPointer(slot, element, e.linear(position, layout.getElementOffsets()));
    NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
        e.builder, e.loc,
        LLVM::AddrSpaceCastOp::create(
            e.builder, e.loc, LLVM::LLVMPointerType::get(e.builder.getContext(), 7), target),
        start.pointer, barrier, e.i32(rowBytes), Value(), Value());
  };
  if (rows < threads) {
    e.when(arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::ult, e.threadIndex(),
                                 e.i32(rows)),
           [&] { copyRow(e.threadIndex()); });
    return;
  }
  e.forLoop(rows / threads,
            [&](Value index) { copyRow(e.add(e.threadIndex(), e.mul(index, e.i32(threads)))); });
}

/// Whether the whole tile lies inside of the tensor; the same in all threads.
Value tileInside(Emitter &e, const MemoryRegion &region, tileaa::TiledViewType view,
                 ArrayRef<Value> origin) {
  Value inside;
  for (auto [dim, start] : llvm::enumerate(origin)) {
    Value size = region.sizes[view.getDimMap()[dim]];
    Value extent = e.i64(view.getTileShape()[dim]);
    Value starts = arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::ult, start, size);
    Value left = arith::SubIOp::create(e.builder, e.loc, size, start);
    Value fits = arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::uge, left, extent);
    inside = e.both(inside, e.both(starts, fits));
  }
  return inside;
}

/// Copies by the threads. `seldom`: in place of copies of another kind, so short code matters more.
void emitElementCopies(Emitter &e, tileas::AsyncTiledLoadOp load, const MemoryRegion &region,
                       ArrayRef<Value> origin, bool seldom);

LogicalResult emitAsyncTiledLoad(Emitter &e, Operation *op) {
  auto load = cast<tileas::AsyncTiledLoadOp>(op);
  auto view = cast<tileaa::TiledViewType>(load.getView().getType());
  MemoryRegion region = e.regions.lookup(load.getView());
  SmallVector<Value> origin = tileOrigin(e, view, load.getIndices());
  if (!load.getAtom()) {
    emitElementCopies(e, load, region, origin, /*seldom=*/false);
    return success();
  }
  if (!e.slotBarriers.count(load.getSlot()))
    return op->emitOpError("failed to get MBarrier object");
  tileas::CreatePipelineOp create =
      creatorOf(op->getParentOfType<tileas::ProducerWriteOp>().getPipeline());
  auto byThreads = [&] {
    emitElementCopies(e, load, region, origin, /*seldom=*/true);
    const bool alone = fedByFirstThread(create),
               ordered = readByProducts(create.getPipeline()) && filledByTensorCopies(create) &&
                         !TILESMITH_PLANT("tensor-copy-stand-in-unfenced");
    if (!alone && !ordered)
      return;
    closeGroup(e); // a wait knows closed ones only
    waitForGroups(e, 0);
    if (ordered)
      fenceAsyncProxy(e);
    if (alone && !TILESMITH_PLANT("tensor-copy-stand-in-unmet"))
      e.barrier(); // the first thread arrives for all
  };
  if (load.getAtom() == tileas::kTensorLoadAtom) {
    emitTensorLoad(e, load, origin, tileInside(e, region, view, origin), byThreads);
    return success();
  }
  e.when(
      tileInside(e, region, view, origin),
      [&] { emitBulkRows(e, load, region, origin, contiguousDim(load.getLayout())); }, byThreads);
  return success();
}

void emitElementCopies(Emitter &e, tileas::AsyncTiledLoadOp load, const MemoryRegion &region,
                       ArrayRef<Value> origin, bool seldom) {
  Operation *op = load;
  auto view = cast<tileaa::TiledViewType>(load.getView().getType());
  LayoutAttr layout = load.getLayout();
  Value slot = e.scalar(load.getSlot());
  LayoutAttr offsets = tileas::getSharedLayout(load.getSlot().getType()).offsetsOf(layout);
  if (TILESMITH_PLANT("swizzle-bit-flipped")) {
    SmallVector<int64_t> lanes(offsets.getLanes());
    lanes.back() ^= 16 / e.elementBytes(region.element);
    offsets = LayoutAttr::get(op->getContext(), offsets.getShape(), offsets.getRegisters(), lanes,
                              offsets.getWarps());
  }
  Type logical = region.element, element = e.elementType(logical);
  Type held = cast<RankedTensorType>(load.getSlot().getType()).getElementType();
  const bool rounds = held != logical; // to tf32: no copy of these threads does it
  int64_t vector = load.getVector();
  StringRef padding =
      view.getPadding() ? tileaa::stringifyPaddingValue(view.getPadding().getValue()) : "zero";
  bool zeroFill = padding == "zero" || !isa<FloatType>(logical);
  unsigned runDim = contiguousDim(layout);
  // Of a view that gathers, the thread holds the indices of its rows.
  GatherIndex gather;
  SmallVector<int64_t> rows;
  if (view.isGather()) {
    gather.dim = *view.getSparseDim();
    const Tile &indices = e.tile(load.getIndices()[gather.dim]);
    gather.table = indices.storage;
    gather.element = indices.element;
    rows = tileas::coordinateRegisters(layout, gather.dim);
    if (TILESMITH_PLANT("gathered-copy-of-first-row"))
      llvm::fill(rows, 0);
  }
  /// Where the element of register `index` is in the tile; of its row, which register has the index.
  auto placeOf = [&](Value index) {
    SmallVector<Value> at = e.coordinates(e.position(layout, index), layout.getShape());
    if (gather.table)
      at[gather.dim] = e.linear(index, rows);
    return at;
  };
  auto slotOf = [&](Value index) {
    return e.elementPointer(slot, element, e.position(offsets, index));
  };
  auto one = [&](Value index) {
    ViewElement at1 = viewElement(e, region, view, origin, placeOf(index), gather);
    Value value = e.choose(
        at1.inside, element, [&] { return typedLoad(e, at1.pointer, logical, {"weak", {}}); },
        [&] { return paddingConstant(e, logical, padding); });
    if (rounds && !TILESMITH_PLANT("tf32-stand-in-unrounded"))
      value = e.convertFloat(value, logical, held, "nearest_even");
    e.store(value, slotOf(index));
  };
  auto copyGroup = [&](Value group) {
    Value first = e.mul(group, e.i32(vector));
    if (rounds)
      return e.forLoop(vector, [&](Value i) { one(e.add(first, i)); });
    SmallVector<Value> at = placeOf(first);
    ViewElement whole = viewElement(e, region, view, origin, at, gather, {runDim, vector});
    auto all = [&] { startCopy(e, slotOf(first), whole.pointer, element, vector, {}); };
    if (!zeroFill)
      return e.when(whole.inside, all,
                    [&] { e.forLoop(vector, [&](Value i) { one(e.add(first, i)); }); });
    // Bytes of the group inside the tensor.
    ViewElement start = viewElement(e, region, view, origin, at, gather);
    unsigned tensorDim = view.getDimMap()[runDim];
    Value coordinate =
        e.add(TILESMITH_PLANT("pipeline-rest-counted-from-tile") ? e.i64(0) : origin[runDim],
              arith::ExtUIOp::create(e.builder, e.loc, e.builder.getI64Type(), at[runDim]));
    Value left = arith::SubIOp::create(e.builder, e.loc, region.sizes[tensorDim], coordinate);
    left = arith::MinUIOp::create(e.builder, e.loc, left, e.i64(vector));
    Value valid = arith::TruncIOp::create(e.builder, e.loc, e.builder.getI32Type(), left);
    if (start.inside)
      valid = arith::SelectOp::create(e.builder, e.loc, start.inside, valid, e.i32(0));
    // Nothing is read through the address of an empty group, but it should be a sound one.
    Value source = start.inside ? Value(LLVM::SelectOp::create(e.builder, e.loc, start.inside,
                                                               start.pointer, region.base))
                                : start.pointer;
    startCopy(e, slotOf(first), source, element, vector, valid);
  };
  // All bytes of a group or none. Registers differ by constants, so each test is one of 32 bits; two
  // sizes are a predicate to ptxas, and nothing is read through the address of an empty group.
  SmallVector<Value> own(origin), left;
  bool isWhole = zeroFill && !seldom && !rounds && groupsAreWhole(load.getView(), runDim, vector) &&
                 splitThreadPart(e, layout, view, own);
  if (isWhole)
    left = extentsLeft(e, region, view, own);
  // Threads that hold sums, too, compute addresses of rows from that of the first, and keep none around
  // the loop. Of f32, whose readers often round it, that cost more than it saved (1,189 to 1,245
  // instructions of a product of tf32).
  MemoryRegion stepped(region);
  if (isWhole && e.elementBytes(element) <= 2 && !e.slotBarriers.count(load.getSlot())) {
    stepped.base = addressComputedHere(e, region, view, own);
    if (!TILESMITH_PLANT("copied-rows-from-origin-twice"))
      own.assign(own.size(), e.i64(0));
  }
  auto copyWhole = [&](Value group) {
    Value first = e.mul(group, e.i32(vector));
    SmallVector<Value> at =
        e.coordinates(e.linear(first, layout.getRegisters()), layout.getShape());
    Value inside;
    for (auto [coordinate, extent] : llvm::zip_equal(at, left))
      inside = e.both(inside, arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::ult,
                                                    coordinate, extent));
    Value valid = arith::SelectOp::create(e.builder, e.loc, inside, e.i32(vector), e.i32(0));
    ViewElement start =
        viewElement(e, stepped, view, own, at, {}, {}, SmallVector<bool>(at.size(), true));
    startCopy(e, slotOf(first), start.pointer, element, vector, valid);
  };
  const bool gathersWhole = view.isGather() && zeroFill && !seldom && !rounds &&
                            groupsAreWhole(load.getView(), runDim, vector);
  auto copyGathered = [&](Value group) {
    Value first = e.mul(group, e.i32(vector));
    ViewElement start = viewElement(e, region, view, origin, placeOf(first), gather);
    Value valid = arith::SelectOp::create(e.builder, e.loc, start.inside, e.i32(vector), e.i32(0));
    startCopy(e, slotOf(first), start.pointer, element, vector, valid);
  };
  auto copy = [&](Value group) {
    gathersWhole ? copyGathered(group) : isWhole ? copyWhole(group) : copyGroup(group);
  };
  int64_t groups = layout.getNumRegisters() / vector;
  e.when(e.ownerThread(layout),
         [&] { seldom || rounds ? e.rolledLoop(groups, copy) : e.forLoop(groups, copy); });
}

/// Nothing, or a constant whose bits are all zero.
bool isZero(Value value) {
  DenseElementsAttr elements;
  if (!value || !matchPattern(value, m_Constant(&elements)))
    return !value;
  return elements.isSplat() && llvm::all_of(elements.getRawData(), [](char byte) { return !byte; });
}

LogicalResult emitAsyncLoad(Emitter &e, Operation *op) {
  auto load = cast<tileas::AsyncLoadOp>(op);
  const Tile pointers = e.tile(load.getPointers());
  LayoutAttr layout = pointers.layout;
  Value slot = e.scalar(load.getSlot());
  LayoutAttr offsets = tileas::getSharedLayout(load.getSlot().getType()).offsetsOf(layout);
  Type logical = cast<RankedTensorType>(load.getSlot().getType()).getElementType();
  Type element = e.elementType(logical);
  int64_t vector = load.getVector();
  auto slotOf = [&](Value index) {
    return e.elementPointer(slot, element, e.position(offsets, index));
  };
  auto conditionOf = [&](Value index) {
    return load.getMask() ? e.loadRegister(e.tile(load.getMask()), index) : Value();
  };
  auto one = [&](Value index) {
    Value value = e.choose(
        conditionOf(index), element,
        [&] { return typedLoad(e, e.loadRegister(pointers, index), logical, {"weak", {}}); },
        [&] {
          return load.getOther() ? e.loadRegister(e.tile(load.getOther()), index)
                                 : paddingConstant(e, logical, "zero");
        });
    e.store(value, slotOf(index));
  };
  bool whole = isMaskWhole(load.getMask(), vector);
  e.when(e.ownerThread(layout), [&] {
    forGroups(e, pointers, vector, [&](Value first) {
      if (whole && isZero(load.getOther())) {
        Value valid =
            arith::SelectOp::create(e.builder, e.loc, conditionOf(first), e.i32(vector), e.i32(0));
        return startCopy(e, slotOf(first), e.loadRegister(pointers, first), element, vector, valid);
      }
      e.when(
          allOfGroup(e, first, vector, conditionOf),
          [&] {
            startCopy(e, slotOf(first), e.loadRegister(pointers, first), element, vector, {});
          },
          [&] { forGroup(e, first, vector, one); });
    });
  });
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
    thread = computedHere(e, thread);
  e.forLoop(instructions, [&](Value group) {
    Value first = e.mul(group, e.i32(plan.registersPerInstruction));
    Value offset = arith::XOrIOp::create(b, e.loc, thread, e.linear(first, mixed));
    Value pointer = e.elementPointer(e.elementPointer(slot, tile.element, offset), tile.element,
                                     e.linear(first, apart));
    Value loaded = nvgpu::LdMatrixOp::create(
        b, e.loc, words, bufferAt(e, pointer, held, gpu::AddressSpace::Workgroup), zero,
        plan.transposed, plan.matrices);
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
