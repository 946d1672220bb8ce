//===- Memory.cpp - loads and stores through pointers and views per thread --------------------===//
//
// A tile access is a loop over registers: address, mask or bounds, one access. Loads happen in
// every holder of an element; stores only in the owner (free layout bits zero), so each element is
// written once. A scalar is loaded by every thread and stored by thread 0.
//
// Ordering: weak and relaxed accesses need nothing here (barriers between token-ordered accesses
// are explicit in the input). A release store is preceded, an acquire load followed by a barrier,
// because the block as a whole releases and acquires. Non-weak loads happen once per element and
// are handed to the other holders through scratch, so that all threads agree on the value.
//
// A weak access with `nv_tileas.vector` moves a group of registers at once when none of them is
// masked or out of bounds, and one by one otherwise.
//
// Here are views, and what tiles of pointers (PointerAccess.cpp) and atomics share with them.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/conversion/TileASToNVGPU/TensorMaps.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::LayoutAttr;

//===- shared by Memory.cpp and Atomic.cpp ----------------------------------------------------===//

std::optional<StringRef> tileas_to_nvgpu::scopeOf(Operation *access,
                                                  std::optional<tileaa::MemScope> scope) {
  if (!scope)
    return std::nullopt;
  bool isDivided = *scope == tileaa::MemScope::tl_blk &&
                   tileas::clusterBlocks(access->getParentOfType<tileaa::FuncOp>()) > 1;
  return tileaa::stringifyMemScope(isDivided ? tileaa::MemScope::cluster : *scope);
}

LLVM::AtomicOrdering tileas_to_nvgpu::atomicOrdering(StringRef semantic) {
  return llvm::StringSwitch<LLVM::AtomicOrdering>(semantic)
      .Case("weak", LLVM::AtomicOrdering::not_atomic)
      .Case("relaxed", LLVM::AtomicOrdering::monotonic)
      .Case("acquire", LLVM::AtomicOrdering::acquire)
      .Case("release", LLVM::AtomicOrdering::release)
      .Default(LLVM::AtomicOrdering::acq_rel);
}

StringRef tileas_to_nvgpu::syncScope(std::optional<StringRef> scope) {
  return llvm::StringSwitch<StringRef>(scope.value_or("sys"))
      .Case("tl_blk", "block")
      .Case("cluster", "cluster")
      .Cases({"gpu", "device"}, "device")
      .Default("");
}

Value tileas_to_nvgpu::firstThread(Emitter &e) {
  if (e.oneThread)
    return {};
  return arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::eq, e.threadIndex(),
                               e.i32(0));
}

Value tileas_to_nvgpu::broadcastScalar(Emitter &e, Value value) {
  Type type = value.getType();
  int64_t place = e.nextPlace(16);
  auto slot = [&] { return e.scratch(place, place + 16); };
  e.barrier();
  e.when(firstThread(e), [&] { e.store(value, slot()); });
  if (!TILESMITH_PLANT("scalar-broadcast-barrier-dropped"))
    e.barrier();
  Value result = e.load(slot(), type);
  return result;
}

LogicalResult tileas_to_nvgpu::broadcastTile(Emitter &e, Operation *op, const Tile &tile) {
  LinearLayout layout = tile.layout.toLinear();
  if (!layout.freeMask(InDim::Lane) &&
      (!layout.freeMask(InDim::Warp) || TILESMITH_PLANT("tile-result-shared-among-lanes-alone")))
    return success();
  int64_t total = tile.layout.getNumElements() * e.elementBytes(tile.element);
  if (total > kMaxSharedBytes)
    return op->emitOpError("needs ")
           << total << " bytes of shared memory, the limit is " << kMaxSharedBytes;
  int64_t place = e.nextPlace(total);
  auto slot = [&](Value index) {
    return e.elementPointer(e.scratch(place, place + total), tile.element,
                            e.position(tile.layout, index));
  };
  e.barrier();
  e.when(e.ownerThread(tile.layout), [&] {
    e.forLoop(tile.layout.getNumRegisters(),
              [&](Value index) { e.store(e.loadRegister(tile, index), slot(index)); });
  });
  if (!TILESMITH_PLANT("tile-broadcast-barrier-dropped"))
    e.barrier();
  e.forLoop(tile.layout.getNumRegisters(),
            [&](Value index) { e.storeRegister(tile, index, e.load(slot(index), tile.element)); });
  return success();
}

Value tileas_to_nvgpu::fromMemory(Emitter &e, Value value, Type logical) {
  if (!isa<FloatTF32Type>(logical))
    return value;
  Type i32 = e.builder.getI32Type();
  Value bits = arith::BitcastOp::create(e.builder, e.loc, i32, value);
  Value kept = arith::AndIOp::create(e.builder, e.loc, bits, e.i32(~0x1fff));
  return arith::BitcastOp::create(e.builder, e.loc, value.getType(), kept);
}

Value tileas_to_nvgpu::typedLoad(Emitter &e, Value pointer, Type logical, const Access &access) {
  Type element = e.elementType(logical);
  // A bool is one byte in memory, and any nonzero byte is true.
  bool isBool = element.isInteger(1);
  Type inMemory = isBool ? Type(e.builder.getI8Type()) : element;
  unsigned bytes = e.elementBytes(inMemory);
  auto load = LLVM::LoadOp::create(e.builder, e.loc, inMemory, pointer, bytes, access.isVolatile);
  if (access.semantic != "weak") {
    load.setOrdering(atomicOrdering(access.semantic));
    load.setSyncscope(syncScope(access.scope));
  }
  if (!isBool)
    return fromMemory(e, load, logical);
  if (TILESMITH_PLANT("bool-of-low-bit"))
    return arith::TruncIOp::create(e.builder, e.loc, element, load);
  Value zero = arith::ConstantIntOp::create(e.builder, e.loc, inMemory, 0);
  return arith::CmpIOp::create(e.builder, e.loc, arith::CmpIPredicate::ne, load, zero);
}

void tileas_to_nvgpu::typedStore(Emitter &e, Value value, Value pointer, const Access &access) {
  if (value.getType().isInteger(1))
    value = arith::ExtUIOp::create(e.builder, e.loc, e.builder.getI8Type(), value);
  unsigned bytes = e.elementBytes(value.getType());
  auto store = LLVM::StoreOp::create(e.builder, e.loc, value, pointer, bytes, access.isVolatile);
  if (access.semantic != "weak") {
    store.setOrdering(atomicOrdering(access.semantic));
    store.setSyncscope(syncScope(access.scope));
  }
}

Value tileas_to_nvgpu::paddingConstant(Emitter &e, Type logical, StringRef padding) {
  Type held = e.elementType(logical);
  OpBuilder &b = e.builder;
  auto real = dyn_cast<FloatType>(logical);
  if (!real || padding == "zero" || TILESMITH_PLANT("padding-always-zero")) {
    if (isa<LLVM::LLVMPointerType>(held))
      return LLVM::ZeroOp::create(b, e.loc, held);
    return arith::ConstantOp::create(b, e.loc, b.getZeroAttr(held));
  }
  const llvm::fltSemantics &semantics = real.getFloatSemantics();
  APFloat value =
      llvm::StringSwitch<std::function<APFloat()>>(padding)
          .Case("neg_zero",
                [&] {
                  return APFloat::getZero(semantics,
                                          !TILESMITH_PLANT("padding-negative-zero-as-zero"));
                })
          .Case("nan", [&] { return APFloat::getNaN(semantics); })
          .Case("pos_inf",
                [&] {
                  return APFloat::getInf(semantics, TILESMITH_PLANT("padding-infinities-swapped"));
                })
          .Default([&] { return APFloat::getInf(semantics, true); })();
  if (isa<FloatType>(held) && held == logical)
    return arith::ConstantOp::create(b, e.loc, FloatAttr::get(real, value));
  if (held.isF32()) {
    bool lossy;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lossy);
    return arith::ConstantOp::create(b, e.loc, FloatAttr::get(held, value));
  }
  return arith::ConstantOp::create(b, e.loc,
                                   IntegerAttr::get(held, value.bitcastToAPInt().zextOrTrunc(8)));
}

//===- views --------------------------------------------------------------------------------------===//

Value tileas_to_nvgpu::toI64(Emitter &e, Value value) {
  if (value.getType().isInteger(64))
    return value;
  return arith::ExtUIOp::create(e.builder, e.loc, e.builder.getI64Type(), value);
}

namespace {

LogicalResult emitMakeMemref(Emitter &e, Operation *op) {
  auto make = cast<tileaa::MakeMemRefOp>(op);
  auto type = cast<tileaa::MemRefType>(make.getResult().getType());
  MemoryRegion region{e.scalar(make.getBase()), type.getElementType(), {}, {}};
  if (make.getOffset() && isHalfByte(region.element))
    return op->emitOpError("with an offset is not supported for 4-bit elements");
  if (make.getOffset()) {
    Value bytes =
        e.mul(toI64(e, e.scalar(make.getOffset())), e.i64(e.elementBytes(region.element)));
    region.base = e.elementPointer(region.base, e.builder.getI8Type(), bytes);
  }
  auto expand = [&](ArrayRef<int64_t> statics, ValueRange dynamics, SmallVectorImpl<Value> &out) {
    auto next = dynamics.begin();
    for (int64_t value : statics)
      out.push_back(ShapedType::isDynamic(value) ? toI64(e, e.scalar(*next++)) : e.i64(value));
  };
  expand(type.getShape(), make.getSizes(), region.sizes);
  expand(type.getStrides(), make.getStrides(), region.strides);
  e.regions[make.getResult()] = region;
  return success();
}

/// Memory of the tile block in shared memory, the same at every execution.
LogicalResult emitAlloca(Emitter &e, Operation *op) {
  Type shared = LLVM::LLVMPointerType::get(op->getContext(), 3);
  Value base = LLVM::AddressOfOp::create(e.builder, e.loc, shared, "global_smem");
  base = e.elementPointer(base, e.builder.getI8Type(), e.i32(e.allocations.lookup(op)));
  e.setScalar(op->getResult(0), e.adaptPointer(base));
  return success();
}

/// A tiled view adds only static facts to its memref.
LogicalResult emitBlockTile(Emitter &e, Operation *op) {
  e.regions[op->getResult(0)] = e.regions.lookup(op->getOperand(0));
  makeTensorMaps(e, op->getResult(0));
  return success();
}

LogicalResult emitDimSize(Emitter &e, Operation *op) {
  auto size = cast<tileaa::GetDimSizeOp>(op);
  Value value = e.regions.lookup(op->getOperand(0)).sizes[size.getDim()];
  Type type = op->getResult(0).getType();
  if (type.isIndex())
    value = arith::IndexCastOp::create(e.builder, e.loc, type, value);
  else if (type != value.getType())
    value = arith::TruncIOp::create(e.builder, e.loc, type, value);
  e.setScalar(op->getResult(0), value);
  return success();
}

} // namespace

SmallVector<Value> tileas_to_nvgpu::tileOrigin(Emitter &e, tileaa::TiledViewType view,
                                               ValueRange indices) {
  SmallVector<Value> origin;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (isa<RankedTensorType>(index.getType())) {
      origin.push_back(e.i64(0)); // sparse dimension: the table holds whole coordinates
      continue;
    }
    if (matchPattern(index, m_Zero())) {
      origin.push_back(e.i64(0));
      continue;
    }
    Value start = toI64(e, e.scalar(index));
    if (view.isGather()) { // coordinates, not tiles
      if (TILESMITH_PLANT("gather-index-counts-tiles"))
        start = e.mul(start, e.i64(view.getTileShape()[dim]));
      origin.push_back(start);
      continue;
    }
    origin.push_back(
        e.mul(start, e.i64(TILESMITH_PLANT("view-step-ignored") ? view.getTileShape()[dim]
                                                                : view.getStep(dim))));
  }
  return origin;
}

ViewElement tileas_to_nvgpu::viewElement(Emitter &e, const MemoryRegion &region,
                                         tileaa::TiledViewType view, ArrayRef<Value> origin,
                                         ArrayRef<Value> at, const GatherIndex &gather,
                                         ElementRun run, ArrayRef<bool> inBounds) {
  // The origin's part first: it is the same for all registers, the rest is constants and strides.
  Value first = e.i64(0), offset = e.i64(0), inside;
  for (auto [dim, start] : llvm::enumerate(origin)) {
    unsigned tensorDim =
        TILESMITH_PLANT("dim-map-ignored") ? static_cast<unsigned>(dim) : view.getDimMap()[dim];
    // In 32 bits where the tile begins at zero.
    Value coordinate;
    if (gather.table && dim == gather.dim)
      coordinate =
          toI64(e, e.load(e.elementPointer(gather.table, gather.element, at[dim]), gather.element));
    else
      coordinate = e.add(start, start.getType().isInteger(32) ? at[dim] : toI64(e, at[dim]));
    // A run starts at a multiple of its length, so its last coordinate does not wrap.
    Value last = coordinate;
    if (run.elements > 1 && dim == run.dim) {
      const int64_t behind = run.elements - (TILESMITH_PLANT("vector-bound-short") ? 2 : 1);
      last = e.add(last, last.getType().isInteger(32) ? e.i32(behind) : e.i64(behind));
    }
    bool promised = TILESMITH_PLANT("in-bounds-of-any-dimension")
                        ? llvm::is_contained(inBounds, true)
                        : dim < inBounds.size() && inBounds[dim];
    if (!promised)
      inside = e.both(inside, arith::CmpIOp::create(e.builder, e.loc,
                                                    TILESMITH_PLANT("view-bound-off-by-one")
                                                        ? arith::CmpIPredicate::ule
                                                        : arith::CmpIPredicate::ult,
                                                    toI64(e, last), region.sizes[tensorDim]));
    Value own = toI64(e, coordinate);
    if (!gather.table || dim != gather.dim) {
      first = e.add(first, e.mul(toI64(e, start), region.strides[tensorDim]));
      own = toI64(e, at[dim]);
    }
    offset = e.add(offset, e.mul(own, region.strides[tensorDim]));
  }
  if (isHalfByte(region.element))
    return halfByteElement(e, region.base, e.add(first, offset), inside);
  Value bytes = e.i64(e.elementBytes(region.element));
  Value pointer = e.elementPointer(region.base, e.builder.getI8Type(), e.mul(first, bytes));
  return {e.elementPointer(pointer, e.builder.getI8Type(), e.mul(offset, bytes)), inside};
}

/// What the thread adds to the places of its registers, computed here: nothing of it is a value in front
/// of a loop, which would lie in a register around it.
static Value threadOffsetAnew(Emitter &e, LayoutAttr layout) {
  Value thread = e.opaque(e.threadIndex(), /*anew=*/true);
  Value lane = arith::AndIOp::create(e.builder, e.loc, thread, e.i32(31));
  Value warp = arith::ShRUIOp::create(e.builder, e.loc, thread, e.i32(5));
  if (TILESMITH_PLANT("stores-behind-loops-of-first-warp"))
    warp = e.i32(0);
  return arith::XOrIOp::create(e.builder, e.loc, e.linear(lane, layout.getLanes()),
                               e.linear(warp, layout.getWarps()));
}

bool tileas_to_nvgpu::splitThreadPart(Emitter &e, tileas::LayoutAttr layout,
                                      tileaa::TiledViewType view, SmallVectorImpl<Value> &origin,
                                      bool anew) {
  int64_t own = 0, others = 0;
  for (int64_t basis : layout.getRegisters())
    own |= basis;
  for (ArrayRef<int64_t> bases : {layout.getLanes(), layout.getWarps()})
    for (int64_t basis : bases)
      others |= basis;
  if ((own & others) || view.isGather())
    return false;
  SmallVector<Value> thread =
      e.coordinates(anew ? threadOffsetAnew(e, layout) : e.threadOffset(layout), layout.getShape());
  for (auto [start, part] : llvm::zip_equal(origin, thread))
    start = matchPattern(start, m_Zero()) || TILESMITH_PLANT("thread-part-without-origin")
                ? part
                : e.add(start, toI64(e, part));
  return true;
}

SmallVector<Value> tileas_to_nvgpu::extentsLeft(Emitter &e, const MemoryRegion &region,
                                                tileaa::TiledViewType view,
                                                ArrayRef<Value> origin) {
  OpBuilder &b = e.builder;
  SmallVector<Value> left;
  for (auto [dim, start] : llvm::enumerate(origin)) {
    Value size = region.sizes[view.getDimMap()[dim]], wide = toI64(e, start);
    Value starts = arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::ult, wide, size);
    Value rest = arith::MinUIOp::create(b, e.loc, arith::SubIOp::create(b, e.loc, size, wide),
                                        e.i64(view.getTileShape()[dim]));
    rest = arith::TruncIOp::create(b, e.loc, b.getI32Type(), rest);
    if (!TILESMITH_PLANT("extent-left-past-the-end"))
      rest = arith::SelectOp::create(b, e.loc, starts, rest, e.i32(0));
    left.push_back(rest);
  }
  return left;
}

bool tileas_to_nvgpu::groupsAreWhole(Value view, unsigned dim, int64_t vector) {
  if (TILESMITH_PLANT("groups-always-whole"))
    return true;
  unsigned tensorDim = TILESMITH_PLANT("groups-whole-by-tile-dimension")
                           ? dim
                           : cast<tileaa::TiledViewType>(view.getType()).getDimMap()[dim];
  while (auto tile = view.getDefiningOp<tileaa::BlockTileOp>())
    view = tile->getOperand(0);
  auto make = view.getDefiningOp<tileaa::MakeMemRefOp>();
  if (!make)
    return false;
  ArrayRef<int64_t> shape = cast<tileaa::MemRefType>(view.getType()).getShape();
  if (!ShapedType::isDynamic(shape[tensorDim]))
    return shape[tensorDim] % vector == 0;
  size_t operand = llvm::count_if(shape.take_front(tensorDim), ShapedType::isDynamic);
  return tileaa::getFacts(make.getSizes()[operand]).divisor % vector == 0;
}

bool tileas_to_nvgpu::isMaskWhole(Value mask, int64_t vector) {
  const int64_t least = TILESMITH_PLANT("mask-whole-in-pairs") ? 2 : vector;
  return mask && tileaa::getFacts(tileas::throughConversions(mask)).constancy >= least;
}

namespace {

/// Condition of register `index` under the mask of a gather or scatter; null without one.
template <typename Op> Value maskAt(Emitter &e, Op op, Value index) {
  if constexpr (requires { op.getMask(); })
    if (op.getMask() && !TILESMITH_PLANT("gather-ignores-mask"))
      return isa<RankedTensorType>(op.getMask().getType())
                 ? e.loadRegister(e.tile(op.getMask()), index)
                 : e.scalar(op.getMask());
  return {};
}

StringRef paddingName(tileaa::TiledViewType view) {
  return view.getPadding() ? tileaa::stringifyPaddingValue(view.getPadding().getValue()) : "zero";
}

/// How the elements of a tile of `view` find their coordinates: gather views take the sparse one
/// from an index tile, which is first laid out row-major in scratch so that every thread can read
/// any of it.
FailureOr<GatherIndex> gatherIndex(Emitter &e, Operation *op, tileaa::TiledViewType view,
                                   ValueRange indices) {
  GatherIndex result;
  if (!view.isGather())
    return result;
  Value index = indices[*view.getSparseDim()];
  result.dim = *view.getSparseDim();
  if (!isa<RankedTensorType>(index.getType()))
    return op->emitOpError("expected a tile as index of the sparse dimension, got ")
           << index.getType();
  const Tile &tile = e.tile(index);
  result.element = tile.element;
  int64_t total = tile.layout.getNumElements() * e.elementBytes(tile.element);
  if (total > kMaxSharedBytes)
    return op->emitOpError("needs ")
           << total << " bytes of shared memory, the limit is " << kMaxSharedBytes;
  result.table = e.scratch(0, total);
  e.barrier();
  e.forLoop(tile.layout.getNumRegisters(), [&](Value at) {
    e.when(e.both(e.ownerThread(tile.layout), e.ownerRegister(tile.layout, at)), [&] {
      e.store(e.loadRegister(tile, at),
              e.elementPointer(result.table, tile.element, e.position(tile.layout, at)));
    });
  });
  if (!TILESMITH_PLANT("gather-barrier-dropped"))
    e.barrier();
  return result;
}

template <typename LoadOp> LogicalResult emitTiledLoad(Emitter &e, Operation *op) {
  auto load = cast<LoadOp>(op);
  auto view = cast<tileaa::TiledViewType>(load.getView().getType());
  MemoryRegion region = e.regions.lookup(load.getView());
  Access access = accessOf(load);
  Tile tile = e.makeTile(load.getResult());
  e.setTile(load.getResult(), tile);
  SmallVector<Value> origin = tileOrigin(e, view, load.getIndices());
  FailureOr<GatherIndex> gather = gatherIndex(e, op, view, load.getIndices());
  if (failed(gather))
    return failure();
  StringRef padding = paddingName(view);
  bool split = splitThreadPart(e, tile.layout, view, origin);
  auto elementOf = [&](Value index, ElementRun run = {}) {
    SmallVector<Value> at = e.coordinates(split ? e.linear(index, tile.layout.getRegisters())
                                                : e.position(tile.layout, index),
                                          tile.layout.getShape());
    return viewElement(e, region, view, origin, at, *gather, run,
                       load.getInBounds().value_or(ArrayRef<bool>()));
  };
  /// An element inside of the tensor whose mask is false.
  auto otherAt = [&](Value index) -> Value {
    if constexpr (requires { load.getOther(); })
      if (load.getOther() && !TILESMITH_PLANT("gather-ignores-other"))
        return isa<RankedTensorType>(load.getOther().getType())
                   ? e.loadRegister(e.tile(load.getOther()), index)
                   : e.scalar(load.getOther());
    return paddingConstant(e, region.element, "zero");
  };
  auto loadOne = [&](Value index) {
    ViewElement element = elementOf(index);
    Value mask = maskAt(e, load, index);
    Value value = e.choose(
        element.inside, tile.element,
        [&] {
          return e.choose(
              mask, tile.element,
              [&] {
                return element.shift ? loadHalfByte(e, element, region.element, access)
                                     : typedLoad(e, element.pointer, region.element, access);
              },
              [&] { return otherAt(index); });
        },
        [&] { return paddingConstant(e, region.element, padding); });
    e.storeRegister(tile, index, value);
  };
  if (int64_t vector = tileas::getVectorElements(op); vector > 1) {
    unsigned dim = contiguousDim(tile.layout);
    bool whole = groupsAreWhole(load.getView(), dim, vector);
    auto padOne = [&](Value index) {
      e.storeRegister(tile, index,
                      paddingConstant(e, region.element,
                                      TILESMITH_PLANT("vector-padding-zero") ? "zero" : padding));
    };
    forGroups(e, tile, vector, [&](Value first) {
      ViewElement group = elementOf(first, {dim, vector});
      e.when(
          group.inside, [&] { loadVector(e, tile, first, vector, group.pointer, region.element); },
          [&] {
            whole ? forGroup(e, first, vector, padOne) : forGroup(e, first, vector, loadOne);
          });
    });
    return success();
  }
  e.when(access.semantic == "weak" ? Value() : e.ownerThread(tile.layout),
         [&] { e.forLoop(tile.layout.getNumRegisters(), loadOne); });
  if (access.semantic == "weak")
    return success();
  if (access.semantic == "acquire")
    e.barrier();
  return broadcastTile(e, op, tile);
}

/// Whether a loop lies in front of the operation in its block.
bool isBehindLoop(Operation *op) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
    if (isa<LoopLikeOpInterface>(before))
      return true;
  return false;
}

template <typename StoreOp> LogicalResult emitTiledStore(Emitter &e, Operation *op) {
  auto store = cast<StoreOp>(op);
  if constexpr (std::is_same_v<StoreOp, tileas::TiledStoreOp>)
    if (tileas::getStaging(op))
      return emitStagedStore(e, store);
  auto view = cast<tileaa::TiledViewType>(store.getView().getType());
  MemoryRegion region = e.regions.lookup(store.getView());
  Access access = accessOf(store);
  Tile tile = e.tile(store.getValue());
  SmallVector<Value> origin = tileOrigin(e, view, store.getIndices());
  FailureOr<GatherIndex> gather = gatherIndex(e, op, view, store.getIndices());
  if (failed(gather))
    return failure();
  if (access.semantic == "release")
    e.barrier();
  bool split = splitThreadPart(e, tile.layout, view, origin, /*anew=*/isBehindLoop(op));
  auto elementOf = [&](Value index, ElementRun run = {}) {
    SmallVector<Value> at = e.coordinates(split ? e.linear(index, tile.layout.getRegisters())
                                                : e.position(tile.layout, index),
                                          tile.layout.getShape());
    ViewElement element = viewElement(e, region, view, origin, at, *gather, run,
                                      store.getInBounds().value_or(ArrayRef<bool>()));
    if (TILESMITH_PLANT("store-ignores-mask-tail"))
      element.inside = {};
    return element;
  };
  auto storeOne = [&](Value index) {
    ViewElement element = elementOf(index);
    Value stored = e.both(element.inside, maskAt(e, store, index));
    e.when(e.both(stored, e.ownerRegister(tile.layout, index)), [&] {
      Value value = e.loadRegister(tile, index);
      element.shift ? storeHalfByte(e, value, element, access)
                    : typedStore(e, value, element.pointer, access);
    });
  };
  int64_t vector = tileas::getVectorElements(op);
  e.when(e.ownerThread(tile.layout), [&] {
    if (vector == 1)
      return e.forLoop(tile.layout.getNumRegisters(), storeOne);
    unsigned dim = contiguousDim(tile.layout);
    bool whole = groupsAreWhole(store.getView(), dim, vector);
    forGroups(e, tile, vector, [&](Value first) {
      ViewElement group = elementOf(first, {dim, vector});
      e.when(e.ownerRegister(tile.layout, first), [&] {
        auto storeGroup = [&] { storeVector(e, tile, first, vector, group.pointer); };
        if (whole)
          e.when(group.inside, storeGroup);
        else
          e.when(group.inside, storeGroup, [&] { forGroup(e, first, vector, storeOne); });
      });
    });
  });
  return success();
}

} // namespace

void tileas_to_nvgpu::registerMemory(HandlerTable &table) {
  table.operations.add<tileaa::MakeMemRefOp>(emitMakeMemref);
  table.operations.add<tileaa::AllocaOp>(emitAlloca);
  table.operations.add<tileaa::BlockTileOp>(emitBlockTile);
  table.operations.add<tileaa::GetDimSizeOp>(emitDimSize);
  table.operations.add<tileas::TiledLoadOp>(emitTiledLoad<tileas::TiledLoadOp>);
  table.operations.add<tileas::GatherLoadOp>(emitTiledLoad<tileas::GatherLoadOp>);
  table.operations.add<tileas::TiledStoreOp>(emitTiledStore<tileas::TiledStoreOp>);
  table.operations.add<tileas::ScatterStoreOp>(emitTiledStore<tileas::ScatterStoreOp>);
}
