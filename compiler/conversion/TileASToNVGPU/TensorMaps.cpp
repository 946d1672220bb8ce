//===- TensorMaps.cpp - tensor maps that a kernel makes, or has from the host -----------------===//
#include "compiler/conversion/TileASToNVGPU/TensorMaps.h"

#include "compiler/conversion/TileASToNVGPU/Mbarriers.h"
#include "compiler/conversion/TileASToNVGPU/MemoryAccess.h"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"
#include "compiler/dialect/TileAS/IR/TensorBox.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::TensorBox;

/// As many blocks as run at the same time on the largest devices, as far as they have pipelines.
static constexpr int64_t kSlots = 2048;
static constexpr int64_t kProbes = 16, kProbeStep = 257;
static constexpr int64_t kMapBytes = 128;
/// Tiles that start further out are copied by the threads: coordinates have 32 bits.
static constexpr int64_t kFarOrigin = int64_t(1) << 30;
/// In elements.
static constexpr int64_t kLargestStride = int64_t(1) << 36;

namespace {

/// Copies between a view and shared memory that one tensor map serves.
struct TensorCopy {
  Value view;
  RankedTensorType buffer; ///< the tile as it lies in shared memory
  int64_t multicast = 1;

  std::pair<Value, Attribute> key() const {
    Builder b(view.getContext());
    Attribute arrangement[] = {TypeAttr::get(buffer), b.getI64IntegerAttr(multicast)};
    return {view, ArrayAttr::get(view.getContext(), arrangement)};
  }
  tileaa::TiledViewType viewType() const { return cast<tileaa::TiledViewType>(view.getType()); }
  /// The buffer holds tf32, the tensor f32.
  bool rounds() const { return buffer.getElementType() != viewType().getMemref().getElementType(); }
  /// What one copy moves.
  TensorBox box(Emitter &e) const {
    TensorBox whole = *tileas::recogniseTensorBox(
        tileas::getSharedLayout(buffer), e.elementBytes(e.elementType(buffer.getElementType())));
    return *tileas::boxOfPart(whole, buffer.getShape(), multicast);
  }
};

/// Those of a load, or of a store; nothing for other operations.
std::optional<TensorCopy> tensorCopyOf(Operation *op) {
  if (auto load = dyn_cast<tileas::AsyncTiledLoadOp>(op);
      load && load.getAtom() == tileas::kTensorLoadAtom)
    return TensorCopy{load.getView(), cast<RankedTensorType>(load.getSlot().getType()),
                      static_cast<int64_t>(load.getMulticast())};
  if (tileas::SharedLayoutAttr staging = tileas::getStaging(op)) {
    auto store = cast<tileas::TiledStoreOp>(op);
    auto tile = cast<RankedTensorType>(store.getValue().getType());
    return TensorCopy{store.getView(),
                      RankedTensorType::get(tile.getShape(), tile.getElementType(), staging)};
  }
  return std::nullopt;
}

} // namespace

/// The type that says box, swizzle and fill. Elements are bits: nothing is converted, unless the copy
/// rounds to tf32. The box has one element along `outer` dimensions more.
static nvgpu::TensorMapDescriptorType mapType(Emitter &e, const TensorBox &box, bool rounds,
                                              unsigned outer) {
  using namespace nvgpu;
  SmallVector<int64_t> shape(outer, 1);
  llvm::append_range(shape, llvm::reverse(box.extents));
  if (int64_t &rows = shape[outer]; TILESMITH_PLANT("tensor-map-box-short") && rows > 1)
    rows /= 2;
  Type element = rounds && !TILESMITH_PLANT("tensor-map-tf32-as-bits")
                     ? Type(e.builder.getTF32Type())
                     : e.builder.getIntegerType(8 * box.elementBytes);
  auto memory =
      MemRefType::get(shape, element, MemRefLayoutAttrInterface(), e.builder.getI64IntegerAttr(3));
  auto swizzle = box.width == 128  ? TensorMapSwizzleKind::SWIZZLE_128B
                 : box.width == 64 ? TensorMapSwizzleKind::SWIZZLE_64B
                 : box.width == 32 ? TensorMapSwizzleKind::SWIZZLE_32B
                                   : TensorMapSwizzleKind::SWIZZLE_NONE;
  if (TILESMITH_PLANT("tensor-map-swizzle-narrow") && box.width == 128)
    swizzle = TensorMapSwizzleKind::SWIZZLE_64B;
  return TensorMapDescriptorType::get(
      e.builder.getContext(), memory, swizzle, TensorMapL2PromoKind::L2PROMO_NONE,
      TensorMapOOBKind::OOB_ZERO, TensorMapInterleaveKind::INTERLEAVE_NONE);
}

/// That of another view whose map is the same; null: there is none.
static BlockArgument sharedParameter(Emitter &e, const HostTensor &tensor,
                                     nvgpu::TensorMapDescriptorType type,
                                     const HostMapLayout &layout) {
  for (auto &[key, made] : e.tensorMaps.hostMade)
    if (made.type == type && made.layout == layout &&
        (made.tensor.hasMapOf(tensor) || TILESMITH_PLANT("host-map-shared-by-form")))
      return made.parameter;
  return {};
}

void Emitter::reserveTensorMaps(Operation *root) {
  std::optional<HostFunction> host;
  root->walk([&](Operation *op) {
    std::optional<TensorCopy> copy = tensorCopyOf(op);
    if (!copy || tensorMaps.numbers.count(copy->key()) || tensorMaps.hostMade.count(copy->key()))
      return;
    auto key = copy->key();
    TensorBox box = copy->box(*this);
    std::optional<HostTensor> tensor;
    if (tensorMaps.parameterBank)
      tensor = tileas::findHostTensor(copy->view, box.elementBytes);
    if (tensor && box.dims.size() + tensor->steps.size() > tileas::kMostMapDimensions)
      tensor.reset();
    if (tensor) {
      HostMapLayout layout{{}, box.elementBytes, box.grain};
      for (unsigned dim : box.dims)
        layout.dims.push_back(copy->viewType().getDimMap()[dim]);
      auto type = mapType(*this, box, copy->rounds(), tensor->steps.size());
      BlockArgument parameter = sharedParameter(*this, *tensor, type, layout);
      if (!parameter && tensorMaps.parameters < kMaxHostMaps) {
        if (!host)
          host.emplace(function, tensorMaps.parameterBank);
        parameter = host->addMap(*tensor, type, layout);
        ++tensorMaps.parameters;
      }
      if (parameter) {
        tensorMaps.hostMade[key] = {std::move(*tensor), type, layout, parameter};
        return;
      }
    }
    // The block makes a map where it makes a view, but not in each turn of a loop anew: copies may be under way.
    if (isa<tileaa::FuncOp, tileas::AgentSwitchOp>(copy->view.getDefiningOp()->getParentOp()))
      tensorMaps.numbers[key] = tensorMaps.numbers.size();
  });
  if (host)
    host->finish();
  tensorMaps.blocks = multicastBlocks(root);
  if (tensorMaps.numbers.empty())
    return;
  // The drafts, then the number of the slot.
  scratchStart = llvm::alignTo(scratchStart, kMapBytes);
  tensorMaps.sharedOffset = scratchStart;
  scratchStart += kMapBytes * tensorMaps.numbers.size() + 16;
}

namespace {

Value sharedAt(Emitter &e, int64_t offset) {
  Type pointer = LLVM::LLVMPointerType::get(e.builder.getContext(), 3);
  Value base = LLVM::AddressOfOp::create(e.builder, e.loc, pointer, "global_smem");
  return e.elementPointer(base, e.builder.getI8Type(), e.i32(e.tensorMaps.sharedOffset + offset));
}

Value slotWord(Emitter &e) {
  return sharedAt(e, kMapBytes * e.tensorMaps.numbers.size());
}

/// Address of a zeroed global of this kernel; declared at its first use.
Value workspace(Emitter &e, StringRef prefix, Type element, int64_t count, unsigned alignment) {
  auto module = e.function->getParentOfType<gpu::GPUModuleOp>();
  std::string name = (prefix + e.function.getName()).str();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(e.builder);
    e.builder.setInsertionPointToStart(&module.getBodyRegion().front());
    auto type = LLVM::LLVMArrayType::get(element, count);
    auto global = LLVM::GlobalOp::create(e.builder, e.loc, type, /*isConstant=*/false,
                                         LLVM::Linkage::Internal, name, Attribute(), alignment,
                                         /*addrSpace=*/1);
    Block *block = e.builder.createBlock(&global.getInitializerRegion());
    e.builder.setInsertionPointToStart(block);
    LLVM::ReturnOp::create(e.builder, e.loc, Value(LLVM::ZeroOp::create(e.builder, e.loc, type)));
  }
  return LLVM::AddressOfOp::create(e.builder, e.loc,
                                   LLVM::LLVMPointerType::get(e.builder.getContext(), 1), name);
}

Value takenWord(Emitter &e, Value slot) {
  Type i32 = e.builder.getI32Type();
  Value words = workspace(e, "tensor_map_slots_", i32, kSlots, 4);
  return e.elementPointer(words, i32, slot);
}

Value compare(Emitter &e, arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(e.builder, e.loc, predicate, a, b);
}

/// The block's number in its grid, modulo 2^32.
Value blockNumber(Emitter &e) {
  Value number = e.i32(0);
  for (gpu::Dimension dim : {gpu::Dimension::z, gpu::Dimension::y, gpu::Dimension::x}) {
    auto narrow = [&](Value index) {
      return arith::IndexCastOp::create(e.builder, e.loc, e.builder.getI32Type(), index);
    };
    Type index = e.builder.getIndexType();
    Value count = narrow(gpu::GridDimOp::create(e.builder, e.loc, index, dim));
    Value own = narrow(gpu::BlockIdOp::create(e.builder, e.loc, index, dim));
    number = e.add(e.mul(number, count), own);
  }
  return number;
}

bool isZeroFill(tileaa::TiledViewType view, Type element) {
  return !view.getPadding() || !isa<FloatType>(element) ||
         TILESMITH_PLANT("tensor-map-fills-zero") ||
         tileaa::stringifyPaddingValue(view.getPadding().getValue()) == "zero";
}

Value isMultiple(Emitter &e, Value value, int64_t of) {
  Value rest = arith::AndIOp::create(e.builder, e.loc, value, e.i64(of - 1));
  return compare(e, arith::CmpIPredicate::eq, rest, e.i64(0));
}

/// From 1 to the limit.
Value isWithin(Emitter &e, Value value, int64_t limit) {
  return compare(e, arith::CmpIPredicate::ult,
                 arith::SubIOp::create(e.builder, e.loc, value, e.i64(1)), e.i64(limit));
}

/// Whether a map can hold a stride, which is in elements.
Value isStride(Emitter &e, Value stride, int64_t elementBytes) {
  Value good = isWithin(e, stride, kLargestStride);
  return elementBytes < 16 ? e.both(good, isMultiple(e, stride, 16 / elementBytes)) : good;
}

/// Whether a map of this box can describe the tensor; the same in all threads.
Value describable(Emitter &e, const MemoryRegion &region, tileaa::TiledViewType view,
                  const TensorBox &box) {
  Value address = LLVM::PtrToIntOp::create(e.builder, e.loc, e.builder.getI64Type(), region.base);
  Value good = isMultiple(e, address, TILESMITH_PLANT("tensor-map-base-any") ? 1 : 16);
  for (auto [index, dim] : llvm::enumerate(box.dims)) {
    unsigned tensorDim = view.getDimMap()[dim];
    Value stride = region.strides[tensorDim];
    good = e.both(good, isWithin(e, region.sizes[tensorDim], std::numeric_limits<int32_t>::max()));
    if (index == 0) {
      good = e.both(good, compare(e, arith::CmpIPredicate::eq, stride, e.i64(1)));
      continue;
    }
    good = e.both(good, isStride(e, stride, box.elementBytes));
  }
  return good;
}

/// Those that the host has made are read early.
void prefetchTensorMaps(Emitter &e) {
  if (e.tensorMaps.hostMade.empty())
    return;
  e.when(firstThread(e), [&] {
    auto first = e.function.getNumArguments() - e.tensorMaps.parameters;
    for (BlockArgument parameter : e.function.getArguments().drop_front(first))
      LLVM::CallIntrinsicOp::create(e.builder, e.loc,
                                    e.builder.getStringAttr("llvm.nvvm.prefetch.tensormap"),
                                    ValueRange{parameter});
  });
}

/// A map that the host has made: what the kernel adds to it.
TensorMap adoptTensorMap(Emitter &e, const HostMadeMap &made, Value describable,
                         int64_t elementBytes) {
  TensorMap map{made.parameter, describable, {}};
  for (const HostTensor::Step &step : made.tensor.steps) {
    Value index = e.scalar(step.index), stride = e.scalar(step.stride);
    map.usable = e.both(map.usable, isStride(e, stride, elementBytes));
    map.usable =
        e.both(map.usable, compare(e, arith::CmpIPredicate::ult, index, e.i64(kFarOrigin)));
    map.outer.push_back(TILESMITH_PLANT("host-map-step-forgotten") ? e.i64(0) : index);
  }
  return map;
}

} // namespace

void tileas_to_nvgpu::claimTensorMaps(Emitter &e) {
  prefetchTensorMaps(e);
  if (e.tensorMaps.numbers.empty())
    return;
  Type i32 = e.builder.getI32Type();
  Value none = e.i32(-1);
  e.when(firstThread(e), [&] {
    Value start = blockNumber(e);
    auto probe = [&](Value index, ValueRange carried) -> SmallVector<Value> {
      Value isFree = compare(e, arith::CmpIPredicate::eq, carried[0], none);
      auto take = [&]() -> Value {
        Value slot = e.add(start, e.mul(index, e.i32(kProbeStep)));
        slot = arith::AndIOp::create(e.builder, e.loc, slot, e.i32(kSlots - 1));
        Value pair = LLVM::AtomicCmpXchgOp::create(e.builder, e.loc, takenWord(e, slot), e.i32(0),
                                                   e.i32(1), LLVM::AtomicOrdering::acquire,
                                                   LLVM::AtomicOrdering::monotonic, "device");
        Value old = LLVM::ExtractValueOp::create(e.builder, e.loc, pair, ArrayRef<int64_t>{0});
        Value taken = compare(e, arith::CmpIPredicate::ne, old, e.i32(0));
        return arith::SelectOp::create(e.builder, e.loc, taken, none, slot);
      };
      return {e.choose(isFree, i32, take, [&] { return carried[0]; })};
    };
    Value slot = e.forLoop(e.i32(0), e.i32(kProbes), e.i32(1), none, probe)[0];
    // Hardly ever more than one turn, each of a dozen instructions.
    Emitter::keepRolled(slot.getDefiningOp<scf::ForOp>());
    e.store(slot, slotWord(e));
  });
  if (e.tensorMaps.blocks == 1) {
    e.barrier();
    e.tensorMaps.slot = e.load(slotWord(e), i32);
    return;
  }
  // Blocks copy for each other where all have a slot, or none does.
  meetCluster(e);
  e.tensorMaps.slot = e.load(slotWord(e), i32);
  Value block =
      arith::AndIOp::create(e.builder, e.loc, e.laneIndex(), e.i32(e.tensorMaps.blocks - 1));
  Value other = e.load(inBlock(e, slotWord(e), block), i32);
  Value has = compare(e, arith::CmpIPredicate::sge, other, e.i32(0));
  e.tensorMaps.allHaveSlots = NVVM::VoteSyncOp::create(e.builder, e.loc, e.builder.getI1Type(),
                                                       e.i32(-1), has, NVVM::VoteSyncKind::all);
}

void tileas_to_nvgpu::releaseTensorMaps(Emitter &e) {
  if (e.tensorMaps.numbers.empty() || TILESMITH_PLANT("tensor-map-slot-kept"))
    return;
  if (e.tensorMaps.blocks == 1) // else the blocks have met
    e.barrier();
  Value taken = compare(e, arith::CmpIPredicate::sge, e.tensorMaps.slot, e.i32(0));
  e.when(e.both(firstThread(e), taken), [&] {
    auto store =
        LLVM::StoreOp::create(e.builder, e.loc, e.i32(0), takenWord(e, e.tensorMaps.slot), 4);
    store.setOrdering(LLVM::AtomicOrdering::release);
    store.setSyncscope("device");
  });
}

void tileas_to_nvgpu::makeTensorMaps(Emitter &e, Value view) {
  auto type = cast<tileaa::TiledViewType>(view.getType());
  MemoryRegion region = e.regions.lookup(view);
  int64_t maps = e.tensorMaps.numbers.size();
  for (Operation *user : view.getUsers()) {
    std::optional<TensorCopy> copy = tensorCopyOf(user);
    if (!copy || e.tensorMaps.made.count(copy->key()))
      continue;
    auto key = copy->key();
    TensorBox box = copy->box(e);
    if (auto host = e.tensorMaps.hostMade.find(key); host != e.tensorMaps.hostMade.end()) {
      e.tensorMaps.made[key] =
          adoptTensorMap(e, host->second, describable(e, region, type, box), box.elementBytes);
      continue;
    }
    if (!e.tensorMaps.numbers.count(key))
      continue; // without a map
    int64_t number = e.tensorMaps.numbers.lookup(key);
    OpBuilder &b = e.builder;
    Value claimed = copy->multicast > 1
                        ? e.tensorMaps.allHaveSlots
                        : compare(e, arith::CmpIPredicate::sge, e.tensorMaps.slot, e.i32(0));
    Value usable = e.both(claimed, describable(e, region, type, box));
    Value index = e.add(e.mul(e.tensorMaps.slot, e.i32(maps)), e.i32(number));
    Value bytes = workspace(e, "tensor_maps_", b.getI8Type(), kSlots * maps * kMapBytes, kMapBytes);
    Value storage = e.elementPointer(bytes, b.getI8Type(), e.mul(index, e.i32(kMapBytes)));
    Value firstWarp = compare(e, arith::CmpIPredicate::eq, e.warpIndex(), e.i32(0));
    e.when(e.both(usable, firstWarp), [&] {
      Value draft = sharedAt(e, kMapBytes * number);
      e.when(compare(e, arith::CmpIPredicate::eq, e.laneIndex(), e.i32(0)), [&] {
        SmallVector<Value> extents, strides;
        for (unsigned dim : box.dims) {
          unsigned tensorDim = type.getDimMap()[dim];
          Value extent = region.sizes[tensorDim];
          if (TILESMITH_PLANT("tensor-map-extent-rounded")) {
            int64_t tile = type.getTileShape()[dim];
            extent = arith::AndIOp::create(b, e.loc, e.add(extent, e.i64(tile - 1)), e.i64(-tile));
          }
          extents.push_back(arith::TruncIOp::create(b, e.loc, b.getI32Type(), extent));
          if (dim != box.dims.front())
            strides.push_back(e.mul(region.strides[tensorDim], e.i64(box.elementBytes)));
        }
        if (TILESMITH_PLANT("tensor-map-stride-too-long") && !strides.empty())
          strides.front() = e.add(strides.front(), e.i64(16));
        int64_t grain = TILESMITH_PLANT("tensor-map-grain-kept") ? 16 : box.grain;
        nvgpu_ext::TensorMapCreateOp::create(b, e.loc, mapType(e, box, copy->rounds(), 0), draft,
                                             region.base, extents, strides, nvgpu_ext::Scope::gpu,
                                             grain);
      });
      NVVM::SyncWarpOp::create(b, e.loc, e.i32(-1));
      nvgpu_ext::TensorMapPublishOp::create(b, e.loc, draft, storage);
    });
    Value map = LLVM::AddrSpaceCastOp::create(b, e.loc, LLVM::LLVMPointerType::get(b.getContext()),
                                              storage);
    e.tensorMaps.made[key] = {map, usable, {}};
  }
}

/// Number `first` + `number` of the pieces of a buffer: its offset (bytes) and its coordinates in the
/// tile (i64), by tile dimension. A null `first` is zero.
static std::pair<Value, SmallVector<Value>>
pieceAt(Emitter &e, const TensorBox &box, ArrayRef<int64_t> shape, Value first, int64_t number) {
  OpBuilder &b = e.builder;
  SmallVector<Value> start(shape.size());
  if (!first) {
    TensorBox::Piece piece = box.pieces(shape)[number];
    for (auto [dim, at] : llvm::enumerate(piece.start))
      start[dim] = e.i64(at);
    return {e.i32(piece.offset), start};
  }
  Value rest = e.add(first, e.i32(number)), offset = e.mul(rest, e.i32(box.bytes()));
  // As TensorBox::pieces counts.
  for (size_t index = 1; index <= box.dims.size(); ++index) {
    size_t at = index % box.dims.size();
    unsigned dim = box.dims[at];
    int64_t count = llvm::divideCeil(shape[dim], box.extents[at]);
    Value own = arith::RemUIOp::create(b, e.loc, rest, e.i32(count));
    start[dim] =
        e.mul(arith::ExtUIOp::create(b, e.loc, b.getI64Type(), own), e.i64(box.extents[at]));
    rest = arith::DivUIOp::create(b, e.loc, rest, e.i32(count));
  }
  return {offset, start};
}

/// Whether the copies of a tile that begins there may use the map.
static Value usableAt(Emitter &e, const TensorMap &map, ArrayRef<Value> origin) {
  Value usable = map.usable;
  for (Value start : origin)
    usable = e.both(usable, compare(e, arith::CmpIPredicate::ult, start, e.i64(kFarOrigin)));
  return usable;
}

/// Where in the tensor a box begins, as instructions name it: innermost first.
static SmallVector<Value> coordinatesAt(Emitter &e, const TensorBox &box, const TensorMap &map,
                                        ArrayRef<Value> origin, ArrayRef<Value> start) {
  SmallVector<Value> coordinates;
  auto push = [&](Value at) {
    coordinates.push_back(
        arith::IndexCastOp::create(e.builder, e.loc, e.builder.getIndexType(), at));
  };
  for (unsigned dim : box.dims)
    push(e.add(origin[dim], start[dim]));
  llvm::for_each(map.outer, push);
  return coordinates;
}

int64_t tileas_to_nvgpu::bytesOfTensorLoad(Emitter &e, tileas::AsyncTiledLoadOp load) {
  TensorBox box = tensorCopyOf(load)->box(e);
  // "Full" of a block expects what all blocks bring.
  int64_t pieces = box.countPieces(tileas::getSharedLayout(load.getSlot().getType()).getShape());
  if (TILESMITH_PLANT("multicast-expects-own-part"))
    pieces /= load.getMulticast();
  return box.bytes() * pieces;
}

void tileas_to_nvgpu::emitTensorLoad(Emitter &e, tileas::AsyncTiledLoadOp load,
                                     ArrayRef<Value> origin, Value condition,
                                     llvm::function_ref<void()> otherwise) {
  ArrayRef<int64_t> shape = tileas::getSharedLayout(load.getSlot().getType()).getShape();
  Type logical = cast<RankedTensorType>(load.getSlot().getType()).getElementType();
  TensorCopy tensorCopy = *tensorCopyOf(load);
  TensorBox box = tensorCopy.box(e);
  TensorMap map = e.tensorMaps.made.lookup(tensorCopy.key());
  auto view = cast<tileaa::TiledViewType>(load.getView().getType());
  auto copy = [&] {
    OpBuilder &b = e.builder;
    Value slot = e.scalar(load.getSlot()), barrier = e.slotBarriers.lookup(load.getSlot());
    const int64_t blocks = load.getMulticast(), own = box.countPieces(shape) / blocks;
    Value mask, first;
    if (blocks > 1) {
      int64_t reached = blocks;
      if (TILESMITH_PLANT("multicast-misses-last-block"))
        --reached;
      mask = blockMask(e, reached);
      Value rank = arith::IndexCastOp::create(
          b, e.loc, b.getI32Type(),
          gpu::ClusterBlockIdOp::create(b, e.loc, b.getIndexType(), gpu::Dimension::x));
      first = e.mul(rank, e.i32(TILESMITH_PLANT("multicast-first-part-by-all") ? 0 : own));
    }
    if (!e.mapsHold) // else the arrival has said it
      NVVM::MBarrierExpectTxOp::create(b, e.loc, barrier, e.i32(bytesOfTensorLoad(e, load)));
    nvgpu::TensorMapDescriptorType type = mapType(e, box, /*rounds=*/false, map.outer.size());
    Value descriptor = UnrealizedConversionCastOp::create(b, e.loc, type, map.storage).getResult(0);
    Value group = groupAt(e, barrier), none = arith::ConstantIndexOp::create(b, e.loc, 0);
    for (int64_t number = 0; number < own; ++number) {
      auto [offset, start] = pieceAt(e, box, shape, first, number);
      if (TILESMITH_PLANT("tensor-copy-panel-shifted") && number)
        start[box.dims.front()] = e.add(start[box.dims.front()], e.i64(1));
      SmallVector<Value> coordinates = coordinatesAt(e, box, map, origin, start);
      Value target = bufferAt(e, e.elementPointer(slot, b.getI8Type(), offset),
                              type.getTensor().getElementType(), gpu::AddressSpace::Workgroup);
      nvgpu_ext::TmaAsyncLoadOp::create(b, e.loc, target, group, descriptor, coordinates, none,
                                        mask, Value(), Value());
    }
  };
  if (e.mapsHold)
    return copy();
  if (!map.storage)
    return otherwise();
  Value usable = usableAt(e, map, origin);
  if (!isZeroFill(view, logical))
    usable = e.both(usable, condition);
  e.when(usable, [&] { e.when(firstThread(e), copy); }, otherwise);
}

//===- loops whose copies all use their maps ------------------------------------------------------//

namespace {

/// What an index of a copy is never above in any turn of the loop (i64), as far as `holds` does, which
/// takes a test of each part: small ones neither wrap nor are negative. Null: nobody knows in front of the loop.
Value boundInLoop(Emitter &e, scf::ForOp loop, Value index, Value &holds) {
  auto tested = [&](Value bound) {
    holds = e.both(holds, compare(e, arith::CmpIPredicate::ult, bound, e.i64(kFarOrigin)));
    return bound;
  };
  if (loop.isDefinedOutsideOfLoop(index))
    return tested(toI64(e, e.scalar(index)));
  if (index == loop.getInductionVar()) {
    Value first = e.scalar(loop.getLowerBound());
    if (!loop.getUnsignedCmp())
      holds = e.both(holds, compare(e, arith::CmpIPredicate::sge, first,
                                    arith::ConstantOp::create(
                                        e.builder, e.loc, e.builder.getZeroAttr(first.getType()))));
    return tested(toI64(e, e.scalar(loop.getUpperBound())));
  }
  Operation *op = index.getDefiningOp();
  if (auto wider = dyn_cast_or_null<arith::ExtUIOp>(op))
    return boundInLoop(e, loop, wider.getIn(), holds);
  if (!isa_and_nonnull<arith::AddIOp, arith::MulIOp>(op))
    return {};
  Value left = boundInLoop(e, loop, op->getOperand(0), holds);
  Value right = left ? boundInLoop(e, loop, op->getOperand(1), holds) : Value();
  if (!right)
    return {};
  // Of numbers below 2^30 neither wraps in 64 bits, nor, as the test says, in those of the index.
  return tested(isa<arith::AddIOp>(op) ? e.add(left, right) : e.mul(left, right));
}

/// The load's part of `mapsHoldIn`; false: nobody knows in front of the loop.
bool addLoad(Emitter &e, scf::ForOp loop, tileas::AsyncTiledLoadOp load, Value &holds) {
  std::optional<TensorCopy> tensorCopy = tensorCopyOf(load);
  Type logical = cast<RankedTensorType>(load.getSlot().getType()).getElementType();
  if (!tensorCopy || !loop.isDefinedOutsideOfLoop(load.getView()) ||
      (!isZeroFill(tensorCopy->viewType(), logical) &&
       !TILESMITH_PLANT("maps-hold-whatever-padding")))
    return false;
  TensorMap map = e.tensorMaps.made.lookup(tensorCopy->key());
  if (!map.storage)
    return false;
  holds = e.both(holds, map.usable);
  for (auto [dim, index] : llvm::enumerate(load.getIndices())) {
    Value bound = boundInLoop(e, loop, index, holds);
    if (!bound)
      return false;
    Value start = e.mul(bound, e.i64(tensorCopy->viewType().getStep(dim)));
    holds = e.both(holds, compare(e, arith::CmpIPredicate::ult, start, e.i64(kFarOrigin)));
  }
  return true;
}

} // namespace

Value tileas_to_nvgpu::mapsHoldIn(Emitter &e, scf::ForOp loop) {
  Value holds;
  bool known = false;
  for (Value result : loop.getResults())
    if (isa<tileas::PipelineIteratorType>(result.getType()) && !result.use_empty())
      return {};
  for (auto write : loop.getOps<tileas::ProducerWriteOp>()) {
    known = fedByFirstThread(write.getPipeline().getDefiningOp<tileas::CreatePipelineOp>());
    write.getBody().walk(
        [&](tileas::AsyncTiledLoadOp load) { known = known && addLoad(e, loop, load, holds); });
    if (!known)
      return {};
  }
  return known ? holds : Value();
}

void tileas_to_nvgpu::emitTensorStore(Emitter &e, tileas::TiledStoreOp store, Value staged,
                                      ArrayRef<Value> origin,
                                      llvm::function_ref<void()> otherwise) {
  TensorCopy tensorCopy = *tensorCopyOf(store);
  TensorBox box = tensorCopy.box(e);
  TensorMap map = e.tensorMaps.made.lookup(tensorCopy.key());
  ArrayRef<int64_t> shape = tensorCopy.buffer.getShape();
  // The slot of a map that the block has made is given back with the map's last use.
  const bool complete = tileas::annotations(store).getAwaitedAttrHelper().isAttrPresent(store) ||
                        e.tensorMaps.numbers.count(tensorCopy.key());
  auto copy = [&] {
    OpBuilder &b = e.builder;
    nvgpu::TensorMapDescriptorType type = mapType(e, box, /*rounds=*/false, map.outer.size());
    Value descriptor = UnrealizedConversionCastOp::create(b, e.loc, type, map.storage).getResult(0);
    for (int64_t number = 0; number < box.countPieces(shape); ++number) {
      auto [offset, start] = pieceAt(e, box, shape, {}, number);
      if (TILESMITH_PLANT("tensor-store-panels-on-each-other"))
        start[box.dims.front()] = e.i64(0);
      Value source = bufferAt(e, e.elementPointer(staged, b.getI8Type(), offset),
                              type.getTensor().getElementType(), gpu::AddressSpace::Workgroup);
      nvgpu_ext::TmaAsyncStoreOp::create(b, e.loc, source, descriptor,
                                         coordinatesAt(e, box, map, origin, start), Value(),
                                         Value());
    }
    NVVM::CpAsyncBulkCommitGroupOp::create(b, e.loc);
    if (!TILESMITH_PLANT("tensor-store-not-waited-for"))
      NVVM::CpAsyncBulkWaitGroupOp::create(b, e.loc, b.getI32IntegerAttr(0),
                                           complete ? UnitAttr() : b.getUnitAttr());
  };
  if (!map.storage)
    return otherwise();
  e.when(usableAt(e, map, origin), [&] { e.when(firstThread(e), copy); }, otherwise);
}
