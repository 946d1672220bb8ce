//===- TensorMaps.cpp - tensor maps that a kernel makes for itself ----------------------------===//
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

static std::pair<Value, Attribute> keyOf(tileas::AsyncTiledLoadOp load) {
  return {load.getView(), TypeAttr::get(load.getSlot().getType())};
}

static bool usesTensorMap(Operation *op) {
  auto load = dyn_cast<tileas::AsyncTiledLoadOp>(op);
  return load && load.getAtom() == tileas::kTensorLoadAtom;
}

void Emitter::reserveTensorMaps(Operation *root) {
  root->walk([&](tileas::AsyncTiledLoadOp load) {
    if (usesTensorMap(load))
      tensorMaps.numbers.try_emplace(keyOf(load), tensorMaps.numbers.size());
  });
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
         tileaa::stringifyPaddingValue(view.getPadding().getValue()) == "zero";
}

/// Whether a map of this box can describe the tensor; the same in all threads.
Value describable(Emitter &e, const MemoryRegion &region, tileaa::TiledViewType view,
                  const TensorBox &box) {
  auto isMultiple = [&](Value value, int64_t of) {
    Value rest = arith::AndIOp::create(e.builder, e.loc, value, e.i64(of - 1));
    return compare(e, arith::CmpIPredicate::eq, rest, e.i64(0));
  };
  // 1 to limit.
  auto isWithin = [&](Value value, int64_t limit) {
    return compare(e, arith::CmpIPredicate::ult,
                   arith::SubIOp::create(e.builder, e.loc, value, e.i64(1)), e.i64(limit));
  };
  Value address = LLVM::PtrToIntOp::create(e.builder, e.loc, e.builder.getI64Type(), region.base);
  Value good = isMultiple(address, 16);
  for (auto [index, dim] : llvm::enumerate(box.dims)) {
    unsigned tensorDim = view.getDimMap()[dim];
    Value stride = region.strides[tensorDim];
    good = e.both(good, isWithin(region.sizes[tensorDim], std::numeric_limits<int32_t>::max()));
    if (index == 0) {
      good = e.both(good, compare(e, arith::CmpIPredicate::eq, stride, e.i64(1)));
      continue;
    }
    good = e.both(good, isWithin(stride, kLargestStride));
    if (box.elementBytes < 16)
      good = e.both(good, isMultiple(stride, 16 / box.elementBytes));
  }
  return good;
}

/// The type that says box, swizzle and fill. Elements are bits: nothing is converted, unless the copy
/// rounds to tf32.
nvgpu::TensorMapDescriptorType mapType(Emitter &e, const TensorBox &box, bool rounds) {
  using namespace nvgpu;
  SmallVector<int64_t> shape(llvm::reverse(box.extents));
  if (TILESMITH_PLANT("tensor-map-box-short") && shape.front() > 1)
    shape.front() /= 2;
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

} // namespace

void tileas_to_nvgpu::claimTensorMaps(Emitter &e) {
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
    e.store(slot, slotWord(e));
  });
  e.barrier();
  e.tensorMaps.slot = e.load(slotWord(e), i32);
}

void tileas_to_nvgpu::releaseTensorMaps(Emitter &e) {
  if (e.tensorMaps.numbers.empty() || TILESMITH_PLANT("tensor-map-slot-kept"))
    return;
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
    if (!usesTensorMap(user))
      continue;
    auto key = keyOf(cast<tileas::AsyncTiledLoadOp>(user));
    if (e.tensorMaps.made.count(key))
      continue;
    int64_t number = e.tensorMaps.numbers.lookup(key);
    Type slot = cast<TypeAttr>(key.second).getValue();
    TensorBox box = *tileas::recogniseTensorBox(tileas::getSharedLayout(slot),
                                                e.elementBytes(e.elementType(region.element)));
    bool rounds = cast<RankedTensorType>(slot).getElementType() != region.element;
    OpBuilder &b = e.builder;
    Value claimed = compare(e, arith::CmpIPredicate::sge, e.tensorMaps.slot, e.i32(0));
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
        nvgpu_ext::TensorMapCreateOp::create(b, e.loc, mapType(e, box, rounds), draft, region.base,
                                             extents, strides, nvgpu_ext::Scope::gpu, grain);
      });
      NVVM::SyncWarpOp::create(b, e.loc, e.i32(-1));
      nvgpu_ext::TensorMapPublishOp::create(b, e.loc, draft, storage);
    });
    Value map = LLVM::AddrSpaceCastOp::create(b, e.loc, LLVM::LLVMPointerType::get(b.getContext()),
                                              storage);
    e.tensorMaps.made[key] = {map, usable};
  }
}

void tileas_to_nvgpu::emitTensorLoad(Emitter &e, tileas::AsyncTiledLoadOp load,
                                     ArrayRef<Value> origin, Value condition,
                                     llvm::function_ref<void()> otherwise) {
  auto layout = tileas::getSharedLayout(load.getSlot().getType());
  Type logical = cast<RankedTensorType>(load.getSlot().getType()).getElementType();
  Type element = e.elementType(logical);
  TensorBox box = *tileas::recogniseTensorBox(layout, e.elementBytes(element));
  TensorMap map = e.tensorMaps.made.lookup(keyOf(load));
  auto view = cast<tileaa::TiledViewType>(load.getView().getType());
  Value usable = map.usable;
  for (Value start : origin)
    usable = e.both(usable, compare(e, arith::CmpIPredicate::ult, start, e.i64(kFarOrigin)));
  if (!isZeroFill(view, logical))
    usable = e.both(usable, condition);
  auto copy = [&] {
    OpBuilder &b = e.builder;
    Value slot = e.scalar(load.getSlot()), barrier = e.slotBarriers.lookup(load.getSlot());
    SmallVector<TensorBox::Piece> pieces = box.pieces(layout.getShape());
    NVVM::MBarrierExpectTxOp::create(b, e.loc, barrier, e.i32(box.bytes() * pieces.size()));
    nvgpu::TensorMapDescriptorType type = mapType(e, box, /*rounds=*/false);
    Value descriptor = UnrealizedConversionCastOp::create(b, e.loc, type, map.storage).getResult(0);
    Value group = groupAt(e, barrier), first = arith::ConstantIndexOp::create(b, e.loc, 0);
    for (const TensorBox::Piece &piece : pieces) {
      SmallVector<Value> coordinates;
      for (unsigned dim : box.dims) {
        Value at = e.add(origin[dim], e.i64(piece.start[dim]));
        if (TILESMITH_PLANT("tensor-copy-panel-shifted") && piece.offset && coordinates.empty())
          at = e.add(at, e.i64(1));
        coordinates.push_back(arith::IndexCastOp::create(b, e.loc, b.getIndexType(), at));
      }
      Value target = bufferAt(e, e.elementPointer(slot, b.getI8Type(), e.i32(piece.offset)),
                              type.getTensor().getElementType(), gpu::AddressSpace::Workgroup);
      nvgpu_ext::TmaAsyncLoadOp::create(b, e.loc, target, group, descriptor, coordinates, first,
                                        Value(), Value(), Value());
    }
  };
  e.when(usable, [&] { e.when(firstThread(e), copy); }, otherwise);
}
