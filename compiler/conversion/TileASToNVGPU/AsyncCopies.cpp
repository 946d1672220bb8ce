//===- AsyncCopies.cpp - copies into the slots of pipelines ---------------------------------------===//
//
// One cp.async per group of elements. Copies with the atom tma_load are bulk copies of rows where the whole
// tile lies inside of the tensor, else as all others; those with tma_tensor_load are tensor copies where the
// block has a map (TensorMaps.h).
//
// Parts of a group that lie outside of the tensor: with padding zero the copy fills the rest with
// zeros; other paddings, and masks that split a group, are written element by element.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/AsyncCopies.h"

#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/TensorMaps.h"
#include "compiler/dialect/TileAA/Transforms/Canonicalizers.h"
#include "compiler/dialect/TileAS/IR/CoordinateLayout.h"
#include "compiler/dialect/TileAS/IR/SharedAccess.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::LayoutAttr;

void tileas_to_nvgpu::closeGroup(Emitter &e) {
  nvgpu::DeviceAsyncCreateGroupOp::create(
      e.builder, e.loc, nvgpu::DeviceAsyncTokenType::get(e.builder.getContext()), ValueRange());
}

void tileas_to_nvgpu::waitForGroups(Emitter &e, int64_t pending) {
  Value none =
      UnrealizedConversionCastOp::create(
          e.builder, e.loc, nvgpu::DeviceAsyncTokenType::get(e.builder.getContext()), e.i32(0))
          .getResult(0);
  nvgpu::DeviceAsyncWaitOp::create(e.builder, e.loc, none, e.builder.getI32IntegerAttr(pending));
}

bool tileas_to_nvgpu::readByProducts(Value pipeline) {
  for (Operation *user : pipeline.getUsers())
    if (auto read = dyn_cast<tileas::ConsumerReadOp>(user))
      if (llvm::any_of(read.getBody().getArguments(), tileas::isReadByProduct))
        return true;
  return false;
}

namespace {

/// Address of the element at the origin, from which nothing that is derived can leave the loop:
/// LLVM would keep the rows of a thread, each times the stride, in registers around it.
Value addressComputedHere(Emitter &e, const MemoryRegion &region, tileaa::TiledViewType view,
                          ArrayRef<Value> origin) {
  Value first = e.i64(0);
  for (auto [dim, start] : llvm::enumerate(origin))
    first = e.add(first, e.mul(toI64(e, start), region.strides[view.getDimMap()[dim]]));
  first = e.mul(first, e.i64(e.elementBytes(region.element)));
  return e.elementPointer(region.base, e.builder.getI8Type(), e.opaque(first, /*anew=*/true));
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
    if (start.inside && !TILESMITH_PLANT("pipeline-groups-outside-copied"))
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
  const bool gathersWhole = view.isGather() &&
                            (zeroFill || TILESMITH_PLANT("gathered-copies-fill-zero")) && !seldom &&
                            !rounds && groupsAreWhole(load.getView(), runDim, vector);
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
  if (!value)
    return true;
  auto elements =
      dyn_cast_or_null<DenseElementsAttr>(tileaa::getConstant(tileas::throughConversions(value)));
  return elements && elements.isSplat() &&
         llvm::all_of(elements.getRawData(), [](char byte) { return !byte; });
}

} // namespace

LogicalResult tileas_to_nvgpu::emitAsyncTiledLoad(Emitter &e, Operation *op) {
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
  auto create = op->getParentOfType<tileas::ProducerWriteOp>()
                    .getPipeline()
                    .getDefiningOp<tileas::CreatePipelineOp>();
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

LogicalResult tileas_to_nvgpu::emitAsyncLoad(Emitter &e, Operation *op) {
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
          allOfGroup(e, first, TILESMITH_PLANT("copied-group-of-first-mask") ? 1 : vector,
                     conditionOf),
          [&] {
            startCopy(e, slotOf(first), e.loadRegister(pointers, first), element, vector, {});
          },
          [&] { forGroup(e, first, vector, one); });
    });
  });
  return success();
}
