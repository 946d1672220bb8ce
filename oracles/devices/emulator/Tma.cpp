//===- Tma.cpp - tensor copies, tensor maps, proxy fences -------------------------------------===//
//
// Tiled mode of rank 1 to 5, with element strides, swizzle of pieces of 16 and 32 bytes, out-of-bounds
// fill, multicast and reductions; gather and scatter of four rows. Image-to-column modes and
// interleaved layouts are not executed.
//
// Maps of tf32 round f32 to nearest even on the way to shared memory; infinities and NaNs stay as
// they are (triton-lang/triton pull request 11751, seen on sm_120).
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Tma.h"

#include "oracles/devices/emulator/Numeric.h"

namespace tilesmith::emulator {

unsigned TensorMap::elementBytes() const {
  switch (element) {
  case U8:
    return 1;
  case U16:
  case F16:
  case BF16:
    return 2;
  case U64:
  case S64:
  case F64:
    return 8;
  default:
    return 4;
  }
}

uint32_t TensorCopy::bytes() const {
  uint64_t count = rows ? 4 : 1;
  for (unsigned d = 0; d < (rows ? 1 : map.rank()); ++d)
    count *= map.extent(d);
  return static_cast<uint32_t>(count * map.elementBytes());
}

static uint64_t swizzled(uint64_t address, const TensorMap &map) {
  if (map.atomicity == TensorMap::Pieces32)
    return address ^ ((address >> 7 & 3) << 5);
  const uint64_t mask = map.swizzle == TensorMap::Bytes128  ? 7
                        : map.swizzle == TensorMap::Bytes64 ? 3
                        : map.swizzle == TensorMap::Bytes32 ? 1
                                                            : 0;
  return address ^ ((address >> 7 & mask) << 4);
}

template <typename F> void TensorCopy::forEach(F &&f) const {
  const unsigned rank = rows ? 2 : map.rank(), size = map.elementBytes();
  std::array<uint32_t, 5> index{}, extent;
  extent.fill(1);
  for (unsigned d = 0; d < rank; ++d)
    extent[d] = rows && d == 1 ? 4 : map.extent(d);
  for (uint64_t linear = 0;; ++linear) {
    bool inside = true;
    uint64_t global = map.address;
    for (unsigned d = 0; d < rank; ++d) {
      const uint32_t step = map.elementStride[d] ? map.elementStride[d] : 1;
      const int64_t at = rows && d == 1 ? int64_t{coordinates[1 + index[1]]}
                                        : int64_t{coordinates[d]} + int64_t{index[d]} * step;
      inside &= at >= 0 && at < int64_t{map.size[d]};
      global += at * (d == 0 ? size : map.stride[d - 1]);
    }
    f(swizzled(shared + linear * size, map), global, inside);
    unsigned d = 0;
    while (d < rank && ++index[d] == extent[d])
      index[d++] = 0;
    if (d == rank)
      return;
  }
}

namespace {

template <typename T> T reduced(T a, T b, int op) {
  switch (op) {
  case ReduceAdd:
    return static_cast<T>(a + b);
  case ReduceMin:
    return std::min(a, b);
  case ReduceMax:
    return std::max(a, b);
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (op) {
    case ReduceInc:
      return a >= b ? 0 : a + 1;
    case ReduceDec:
      return a == 0 || a > b ? b : a - 1;
    case ReduceAnd:
      return a & b;
    case ReduceOr:
      return a | b;
    case ReduceXor:
      return a ^ b;
    default:
      break;
    }
  }
  return a;
}

template <typename T> void reduceRange(char *target, const char *source, uint32_t bytes, int op) {
  for (uint32_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
    T a, b;
    std::memcpy(&a, target + i, sizeof(T));
    std::memcpy(&b, source + i, sizeof(T));
    a = reduced(a, b, op);
    std::memcpy(target + i, &a, sizeof(T));
  }
}

template <const Format &Fmt>
void reduceNarrow(char *target, const char *source, uint32_t bytes, int op) {
  for (uint32_t i = 0; i + 2 <= bytes; i += 2) {
    uint16_t a, b;
    std::memcpy(&a, target + i, 2);
    std::memcpy(&b, source + i, 2);
    a = static_cast<uint16_t>(encode(reduced(decode(a, Fmt), decode(b, Fmt), op), Fmt));
    std::memcpy(target + i, &a, 2);
  }
}

} // namespace

void reduceElements(char *target, const char *source, uint32_t bytes, int op, int element) {
  switch (element) {
  case TensorMap::U8:
    return reduceRange<uint8_t>(target, source, bytes, op);
  case TensorMap::U16:
    return reduceRange<uint16_t>(target, source, bytes, op);
  case TensorMap::U32:
    return reduceRange<uint32_t>(target, source, bytes, op);
  case TensorMap::S32:
    return reduceRange<int32_t>(target, source, bytes, op);
  case TensorMap::U64:
    return reduceRange<uint64_t>(target, source, bytes, op);
  case TensorMap::S64:
    return reduceRange<int64_t>(target, source, bytes, op);
  case TensorMap::F64:
    return reduceRange<double>(target, source, bytes, op);
  case TensorMap::F16:
    return reduceNarrow<kF16>(target, source, bytes, op);
  case TensorMap::BF16:
    return reduceNarrow<kBF16>(target, source, bytes, op);
  default:
    return reduceRange<float>(target, source, bytes, op);
  }
}

/// To nearest even; infinities and NaNs as they are.
static uint32_t nearestTF32(uint32_t bits) {
  return (bits & 0x7f800000) == 0x7f800000 ? bits : (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu;
}

void TensorCopy::run(const char *source) const {
  const unsigned size = map.elementBytes();
  const bool isFloat = map.element >= TensorMap::F16;
  forEach([&](uint64_t inShared, uint64_t inGlobal, bool inside) {
    auto *s = reinterpret_cast<char *>(inShared), *g = reinterpret_cast<char *>(inGlobal);
    const char *from = source ? source + (inShared - shared) : s;
    if (!toGlobal) {
      trackWritten(inShared, size, Site::Store, kNoSite);
      if (inside)
        std::memcpy(s, g, size);
      if (inside && map.roundsToTF32()) {
        uint32_t bits;
        std::memcpy(&bits, s, size);
        bits = nearestTF32(
            map.element == TensorMap::TF32Ftz && !(bits & 0x7f800000) ? bits & 0x80000000 : bits);
        std::memcpy(s, &bits, size);
      }
      if (!inside)
        std::memset(s, map.fillNan && isFloat ? 0xff : 0, size);
    } else if (inside) {
      if (reduction >= 0)
        reduceElements(g, from, size, reduction, map.element);
      else
        std::memcpy(g, from, size);
    }
  });
}

// ---- issue ----

namespace {

// What is wrong with a map; null when nothing is.
const char *judge(const TensorMap &map, unsigned rank, bool rows) {
  if (map.rank() != rank && !(rows && map.rank() == 2))
    return "tensor map has another rank than the copy";
  if (map.interleave)
    return "tensor map is interleaved, which is not executed";
  if (map.atomicity > TensorMap::Pieces32)
    return "tensor map: pieces of the swizzle of other sizes than 16 and 32 bytes are not executed";
  if (map.atomicity && map.swizzle != TensorMap::Bytes128)
    return "tensor map: pieces of 32 bytes without a swizzle of 128 bytes";
  if (map.element > TensorMap::TF32Ftz)
    return "tensor map has an unknown element type";
  if (map.address % 16)
    return "tensor map: the global address is not aligned to 16 bytes";
  for (unsigned d = 0; d < map.rank(); ++d) {
    if (!map.box[d] || map.box[d] > 256)
      return "tensor map: a box dimension is not between 1 and 256";
    if (!map.size[d])
      return "tensor map: a dimension is zero";
    if (d && map.stride[d - 1] % 16)
      return "tensor map: a stride is not a multiple of 16 bytes";
  }
  const uint32_t inner = map.extent(0) * map.elementBytes();
  if (inner % 16)
    return "tensor map: the inner box dimension is not a multiple of 16 bytes";
  const uint32_t span = map.swizzle ? 16u << map.swizzle : 0;
  if (span && inner > span)
    return "tensor map: the inner box dimension is larger than the swizzle";
  return nullptr;
}

void start(TensorCopy &copy, uint64_t barrier, uint32_t site) {
  const uint32_t bytes = copy.bytes();
  if (copy.shared % 128)
    fatal(Report::Fault, "misaligned access: tensor copies need 128 bytes alignment", site);
  checkAccess(copy.shared, bytes, 16, Site::None, copy.toGlobal ? 3 : 7, site);
  if (barrier)
    requireMbarrier(barrier, site);
  const unsigned size = copy.map.elementBytes();
  copy.forEach([&](uint64_t inShared, uint64_t inGlobal, bool inside) {
    if (inside)
      checkAccess(inGlobal, size, size,
                  !copy.toGlobal       ? Site::Load
                  : copy.reduction < 0 ? Site::Store
                                       : Site::Atomic,
                  1, site);
    if (copy.toGlobal)
      trackWritten(inShared, size, Site::Load, site);
    if (!Device::running()->races)
      return;
    raceAsync(inShared, size, !copy.toGlobal, barrier, true, site);
    // Reductions are atomic; ordering them is left to the elements' users.
    if (inside && copy.reduction < 0 && copy.toGlobal)
      raceBulkStore(inGlobal, size, site);
    else if (inside && copy.reduction < 0)
      raceAsync(inGlobal, size, false, barrier, true, site);
  });
  Thread::AsyncOp op{Thread::AsyncOp::Tensor};
  op.bytes = op.sourceBytes = bytes;
  op.barrier = barrier;
  op.site = site;
  op.tensor = copy;
  op.toGlobal = copy.toGlobal;
  issueAsync(op, 1);
}

// variant: rank, kind (0 load to the cluster, 1 load to the block, 2 store, 3 reduce), reduction,
// rows
void rtTensorCopy(Frame *frame, uint32_t site) {
  const auto &variant = siteIntrinsic(site).variant;
  const unsigned rank = variant[0];
  const bool isLoad = variant[1] < 2, rows = variant[3];
  TensorCopy copy;
  copy.shared = frame->get<uint64_t>(0);
  const uint64_t barrier = isLoad ? frame->get<uint64_t>(1) : 0;
  const unsigned mapSlot = isLoad ? 2 : 1;
  const unsigned count = rows ? 5 : rank;
  const auto mapAddress = frame->get<uint64_t>(mapSlot);
  if (auto change = Device::running()->mapChanges.find(mapAddress);
      change != Device::running()->mapChanges.end()) {
    if (!change->second.acquired)
      fatal(Report::Fault,
            change->second.released
                ? "tensor map was changed and not acquired (fence.proxy.tensormap)"
                : "tensor map was changed and not released (fence.proxy.tensormap)",
            site);
    raceRead(mapAddress, 128, site);
  }
  std::memcpy(&copy.map, reinterpret_cast<const void *>(mapAddress), 128);
  if (const char *wrong = judge(copy.map, rank, rows))
    fatal(Report::Fault, wrong, site);
  for (unsigned i = 0; i < count; ++i)
    copy.coordinates[i] = frame->get<int32_t>(mapSlot + 1 + i);
  copy.toGlobal = !isLoad;
  copy.rows = rows;
  copy.reduction = variant[1] == 3 ? variant[2] : -1;
  const unsigned maskSlot = mapSlot + 1 + count;
  if (variant[1] == 0 && frame->flag(maskSlot + 2)) {
    forEachCastTarget(frame->get<uint16_t>(maskSlot), site, [&](int64_t shift) {
      TensorCopy one = copy;
      one.shared += shift;
      start(one, barrier + shift, site);
    });
    return;
  }
  start(copy, barrier, site);
}

enum Field {
  Address,
  Rank,
  Box,
  Size,
  Stride,
  ElementStride,
  ElementType,
  Interleave,
  SwizzleMode,
  Atomicity,
  Fill
};

// (map, value) or (map, ordinal, value)
void rtReplace(Frame *frame, uint32_t site) {
  const auto target = frame->get<uint64_t>(0);
  const int field = siteIntrinsic(site).variant[0];
  checkAccess(target, 128, 64, Site::Store, 0, site);
  raceWrite(target, 128, site);
  TensorMap map;
  std::memcpy(&map, reinterpret_cast<const void *>(target), 128);
  const auto ordinal = frame->get<uint32_t>(1);
  const auto value = frame->get<uint32_t>(1);
  if ((field == Box || field == Size || field == ElementStride) && ordinal > 4)
    fatal(Report::Fault, llvm::formatv("tensor map dimension {0} is not below 5", ordinal), site);
  switch (field) {
  case Address:
    map.address = frame->get<uint64_t>(1);
    break;
  case Rank:
    map.lastDimension = std::min<uint32_t>(value, 4);
    break;
  case Box:
    map.box[ordinal] = frame->get<uint32_t>(2);
    break;
  case Size:
    map.size[ordinal] = frame->get<uint32_t>(2);
    break;
  case ElementStride:
    map.elementStride[ordinal] = frame->get<uint32_t>(2);
    break;
  case Stride:
    if (ordinal > 3)
      fatal(Report::Fault, llvm::formatv("tensor map stride {0} is not below 4", ordinal), site);
    map.stride[ordinal] = frame->get<uint64_t>(2);
    break;
  case ElementType:
    map.element = value;
    break;
  case Interleave:
    map.interleave = value;
    break;
  case SwizzleMode:
    map.swizzle = value;
    break;
  case Atomicity:
    map.atomicity = value;
    break;
  case Fill:
    map.fillNan = value;
    break;
  }
  std::memcpy(reinterpret_cast<void *>(target), &map, 128);
  Device &device = *Device::running();
  device.mapChanges[target] = {device.current, false, false};
}

// The running thread's changes are ready for whoever acquires them.
void rtReleaseMaps(Frame *, uint32_t) {
  Device &device = *Device::running();
  for (auto &[address, change] : device.mapChanges)
    change.released |= change.writer == device.current;
}

void rtAcquireMap(Frame *frame, uint32_t) {
  auto &changes = Device::running()->mapChanges;
  if (auto change = changes.find(frame->get<uint64_t>(0)); change != changes.end())
    change->second.acquired = change->second.released;
}

// tensormap.cp_fenceproxy: a warp together; its first lane stands for it.
void rtPublishMap(Frame *frame, uint32_t site) {
  Device &device = *Device::running();
  if (device.current->regs[SReg::LaneId])
    return;
  const auto target = frame->get<uint64_t>(0), source = frame->get<uint64_t>(1);
  checkAccess(source, 128, 128, Site::Load, 3, site);
  checkAccess(target, 128, 128, Site::Store, 1, site);
  raceRead(source, 128, site);
  raceWrite(target, 128, site);
  std::memcpy(reinterpret_cast<void *>(target), reinterpret_cast<const void *>(source), 128);
  device.mapChanges[target] = {device.current, true, false};
}

template <bool SharedOnly> void rtProxyFence(Frame *, uint32_t) {
  Device &device = *Device::running();
  if (device.races)
    device.races->proxyFence(device.current->id, SharedOnly);
}

void rtNothing(Frame *, uint32_t) {}

} // namespace

void registerTma(IntrinsicTable &t) {
  const std::string p = "llvm.nvvm.cp.async.bulk.tensor.";
  auto add = [&](const std::string &name, FrameFn fn, std::array<int, 8> variant) {
    Intrinsic &entry = t.frame(name, fn);
    entry.variant = variant;
    entry.suspends = true;
  };
  const char *reductions[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
  for (int rank = 1; rank <= 5; ++rank) {
    const std::string tail = "tile." + std::to_string(rank) + "d";
    add(p + "g2s." + tail, rtTensorCopy, {rank, 0});
    add(p + "g2s.cta." + tail, rtTensorCopy, {rank, 1});
    add(p + "s2g." + tail, rtTensorCopy, {rank, 2});
    for (int op = 0; op < 8; ++op)
      add(p + "reduce." + reductions[op] + "." + tail, rtTensorCopy, {rank, 3, op});
    add(p + "prefetch." + tail, rtNothing, {});
  }
  add(p + "g2s.tile.gather4.2d", rtTensorCopy, {2, 0, 0, 1});
  add(p + "g2s.cta.tile.gather4.2d", rtTensorCopy, {2, 1, 0, 1});
  add(p + "s2g.tile.scatter4.2d", rtTensorCopy, {2, 2, 0, 1});
  add(p + "prefetch.tile.gather4.2d", rtNothing, {});
  const std::pair<const char *, Field> fields[] = {{"global.address", Address},
                                                   {"rank", Rank},
                                                   {"box.dim", Box},
                                                   {"global.dim", Size},
                                                   {"global.stride", Stride},
                                                   {"element.stride", ElementStride},
                                                   {"elemtype", ElementType},
                                                   {"interleave.layout", Interleave},
                                                   {"swizzle.mode", SwizzleMode},
                                                   {"swizzle.atomicity", Atomicity},
                                                   {"fill.mode", Fill}};
  for (auto [name, field] : fields)
    t.frame("llvm.nvvm.tensormap.replace." + std::string(name), rtReplace).variant = {field};
  for (const char *scope : {"cta", "cluster", "gpu", "sys"}) {
    const std::string fence = "llvm.nvvm.fence.proxy.tensormap_generic.";
    t.frame(fence + "release." + scope, rtReleaseMaps);
    t.frame(fence + "acquire." + scope, rtAcquireMap);
    const std::string publish =
        std::string("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.") +
        scope + ".sync.aligned";
    t.frame("asm." + publish, rtPublishMap);
    t.addAssembly(publish + " [$0], [$1], 128;", "asm." + publish);
  }
  const std::string proxy = "llvm.nvvm.fence.proxy.";
  for (const char *name : {"async", "async.global", "alias"})
    t.frame(proxy + name, rtProxyFence<false>);
  for (const char *name : {"async.shared_cta", "async.shared_cluster",
                           "async_generic.acquire.sync_restrict.space.cluster.scope.cluster",
                           "async_generic.release.sync_restrict.space.cta.scope.cluster"})
    t.frame(proxy + name, rtProxyFence<true>);
}

} // namespace tilesmith::emulator
