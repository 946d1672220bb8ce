//===- Wgmma.cpp - warpgroup matrix operations ------------------------------------------------===//
//
// A warp of the group owns 16 rows of D, and computes them when its lanes have arrived. Results
// are delivered at once; what makes them "poison until waited" is a check that the host lowering
// puts before every use (rt.wgmma.use): a use before the group was committed and waited for is a
// fault. Reads of shared memory belong to the warp's agent until then, so overwriting a tile too
// early is a race.
//
// Descriptors: start address, leading and stride byte offsets in units of 16 bytes, swizzle mode in
// the top two bits; swizzles act on absolute addresses.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Matrix.h"
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/emulator/Tma.h"

#include <cmath>

namespace tilesmith::emulator {

using namespace matrix;

namespace {

// variant: N, D type, A type, B type, A is in registers, flags (1 negate A, 2 negate B, 4 A is
// transposed, 8 B is transposed, 16 saturate, 32 half of A is stored)
struct Shape {
  int n, d, a, b, flags;
  bool aInRegisters;
  explicit Shape(const std::array<int, 8> &v)
      : n(v[0]), d(v[1]), a(v[2]), b(v[3]), flags(v[5]), aInRegisters(v[4]) {}
  bool sparse() const { return flags & 32; }
  int elementBytes() const { return a == TF32 ? 4 : a == F16 || a == BF16 ? 2 : 1; }
  int bRowBytes() const { return sparse() ? 64 : 32; }
  int k() const { return bRowBytes() * 8 / widthOf(a); }
  int dRegisters() const { return d == F16 ? n / 4 : n / 2; }
};

struct Descriptor {
  uint64_t start, leading, stride;
  unsigned width; // of the swizzle in bytes, 0 for none

  Descriptor(uint64_t bits, uint64_t window) {
    start = window + ((bits & 0x3fff) << 4);
    leading = (bits >> 16 & 0x3fff) << 4;
    stride = (bits >> 32 & 0x3fff) << 4;
    const unsigned mode = bits >> 62;
    width = mode == 1 ? 128 : mode == 2 ? 64 : mode == 3 ? 32 : 0;
  }
  uint64_t swizzled(uint64_t address) const {
    return width ? address ^ ((address >> 7 & (width / 16 - 1)) << 4) : address;
  }
  /// Where 16 bytes along K of row `row` lie (K-major).
  uint64_t alongK(unsigned row, unsigned piece) const {
    return swizzled(width ? start + row / 8 * stride + row % 8 * width +
                                piece * 16 / width * leading + piece * 16 % width
                          : start + row / 8 * stride + row % 8 * 16 + piece * leading);
  }
  /// Where 8 elements of two bytes along M or N lie at depth k (transposed).
  uint64_t alongRows(unsigned piece, unsigned k) const {
    return swizzled(width ? start + piece * 16 / width * leading + piece * 16 % width +
                                k % 8 * width + k / 8 * stride
                          : start + piece * stride + k % 8 * 16 + k / 8 * leading);
  }
};

inline const uint8_t *fetch(Device &device, uint64_t address, const WarpCall &call) {
  const uint64_t offset = address - device.current->regs.sharedBase;
  if (offset >= device.sharedBytes || device.sharedBytes - offset < 16)
    fatal(Report::Fault,
          llvm::formatv("shared memory access out of bounds: matrix descriptor reaches {0:x}",
                        address),
          call.siteId);
  if (device.tracksShared)
    trackShared(address, 16, Site::Load, call.siteId);
  if (device.races) {
    const uint32_t leader = device.current->warp->lanes[0]->id;
    device.races->access(device.races->threadAgent(leader), leader, address, 16, false,
                         RaceDetector::Plain, true, call.siteId);
  }
  return reinterpret_cast<const uint8_t *>(address);
}

using RawRow = uint8_t[64];

// Rows first .. first+count-1 of an operand, one after the other.
void readTile(const Descriptor &from, int first, int count, bool transposed, int rowBytes,
              RawRow *rows, const WarpCall &call) {
  Device &device = *Device::running();
  if (!transposed && !device.races && !device.tracksShared && device.sharedBytes >= 16) {
    const uint64_t base = device.current->regs.sharedBase;
    const uint64_t last = device.sharedBytes - 16; // only bounds to check
    const int pieces = rowBytes / 16;
    for (int row = 0; row < count; ++row)
      for (int piece = 0; piece < pieces; ++piece) {
        const uint64_t address = from.alongK(first + row, piece);
        if (address - base > last)
          fetch(device, address, call); // says what is wrong
        std::memcpy(rows[row] + 16 * piece, reinterpret_cast<const void *>(address), 16);
      }
    return;
  }
  if (!transposed) {
    for (int row = 0; row < count; ++row)
      for (int piece = 0; piece < rowBytes / 16; ++piece)
        std::memcpy(rows[row] + 16 * piece, fetch(device, from.alongK(first + row, piece), call),
                    16);
    return;
  }
  for (int k = 0; k < rowBytes / 2; ++k)
    for (int piece = 0; piece < count / 8; ++piece) {
      const uint8_t *source = fetch(device, from.alongRows(first / 8 + piece, k), call);
      for (int i = 0; i < 8; ++i)
        std::memcpy(rows[8 * piece + i] + 2 * k, source + 2 * i, 2);
    }
}

/// B of the last wgmma as numbers: the four warps of a group, and often the next one, need the
/// same.
struct DecodedB {
  int type = -1, n = 0, k = 0;
  bool negated = false;
  RawRow raw[256];
  alignas(32) double values[256 * 64]; // [tiles][k][8]

  const double *get(const RawRow *rows, int newType, int newN, int newK, int rowBytes,
                    bool negate) {
    bool same = type == newType && n == newN && k == newK && negated == negate;
    for (int column = 0; same && column < n; ++column)
      same = std::memcmp(raw[column], rows[column], rowBytes) == 0;
    if (same)
      return values;
    type = newType, n = newN, k = newK, negated = negate;
    double row[64];
    for (int column = 0; column < n; ++column) {
      std::memcpy(raw[column], rows[column], rowBytes);
      convertRow(raw[column], type, k, row);
      for (int p = 0; negate && p < k; ++p)
        row[p] = -row[p];
      dealB(values + column / 8 * 8 * k, column % 8, row, k);
    }
    return values;
  }
};

void countBits(double *acc, const RawRow *a, const RawRow *b, int n) {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < n / 2; ++i)
      for (int byte = 0; byte < 32; ++byte)
        acc[i / 4 * 128 + 4 * lane + i % 4] += __builtin_popcount(
            a[lane / 4 + 8 * (i / 2 % 2)][byte] & b[8 * (i / 4) + 2 * (lane % 4) + i % 2][byte]);
}

// Slots: D registers, A registers or descriptor, B descriptor, metadata and its selector (when
// sparse), scale of D.
void wgmma(const WarpCall &call) {
  if (call.lanes != ~0u)
    fatal(Report::Fault, llvm::formatv("wgmma with lanes {0:x} only", call.lanes), call.siteId);
  Device &device = *Device::running();
  Warp &warp = *device.current->warp;
  const Shape s(call.site.op->variant);
  const int n = s.n, k = s.k(), dRegs = s.dRegisters();
  const int aSlot = dRegs, bSlot = aSlot + (s.aInRegisters ? 4 : 1),
            scaleSlot = bSlot + (s.sparse() ? 3 : 1);
  const unsigned inGroup = device.current->regs[SReg::WarpId] % 4;
  const uint64_t window = device.current->regs.sharedBase;
  alignas(32) static thread_local double acc[256 * 16];
  static thread_local RawRow rawA[16], rawB[256];
  static thread_local DecodedB decoded;
  alignas(32) double a[64 * 32];

  if (s.aInRegisters) {
    for (int lane = 0; lane < 32; ++lane)
      for (int r = 0; r < 4; ++r) {
        const auto value = call.frames[lane]->get<uint32_t>(aSlot + r);
        std::memcpy(&rawA[lane / 4 + 8 * (r & 1)][16 * (r >> 1) + 4 * (lane % 4)], &value, 4);
      }
  } else {
    readTile(Descriptor(call.frames[0]->get<uint64_t>(aSlot), window), 16 * inGroup, 16,
             s.flags & 4, 32, rawA, call);
  }
  readTile(Descriptor(call.frames[0]->get<uint64_t>(bSlot), window), 0, n, s.flags & 8,
           s.bRowBytes(), rawB, call);

  const bool accumulate = call.frames[0]->flag(scaleSlot);
  if (!accumulate) {
    std::fill_n(acc, 16 * n, 0.0);
  } else if (s.d == F32) {
    loadFloats(call, 0, n / 8, acc);
  } else {
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < n / 2; ++i)
        acc[i / 4 * 128 + 4 * lane + i % 4] = loadElement(*call.frames[lane], 0, i, s.d);
  }
  if (s.a == B1) {
    countBits(acc, rawA, rawB, n);
  } else {
    double stored[64], row[64];
    const int slot = bSlot + 1;
    const Sparsity sparsity{
        call, slot, s.a, k, s.sparse() ? call.frames[0]->get<int32_t>(slot + 1) : 0, false};
    if (s.sparse())
      sparsity.check();
    for (int i = 0; i < 16; ++i) {
      convertRow(rawA[i], s.a, s.sparse() ? k / 2 : k, s.sparse() ? stored : row);
      if (s.sparse())
        sparsity.expand(i, stored, row);
      for (int p = 0; s.flags & 1 && p < k; ++p)
        row[p] = -row[p];
      dealA(a, i, row, k);
    }
    multiplyTiles(acc, a, decoded.get(rawB, s.b, n, k, s.bRowBytes(), s.flags & 2), n / 8, k);
  }
  if (s.d == F32) {
    storeFloats(call, n / 8, acc);
  } else {
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < n / 2; ++i)
        storeElement(*call.frames[lane], i, s.d, acc[i / 4 * 128 + 4 * lane + i % 4], s.flags & 16);
  }

  ++device.report.counters.mmas;
  const uint32_t leader = warp.lanes[0]->id;
  for (Thread *thread : warp.lanes) {
    if (!thread->wgmmaFenced)
      fatal(Report::Fault, "wgmma without a wgmma.fence before it", call.siteId);
    const uint32_t ordinal = call.site.op->ordinal;
    auto it = llvm::find_if(thread->wgmmaIssued, [&](auto &p) { return p.first == ordinal; });
    if (it == thread->wgmmaIssued.end())
      thread->wgmmaIssued.emplace_back(ordinal, thread->wgmmaGroup);
    else
      it->second = thread->wgmmaGroup;
    if (device.races)
      thread->wgmmaEpoch = device.races->agentEpoch(device.races->threadAgent(leader));
  }
}

void rtFenceRegisters(Frame *, uint32_t) {
  Device::running()->current->wgmmaFenced = true;
}

void rtCommitWgmma(Frame *, uint32_t) {
  Device &device = *Device::running();
  Thread &thread = *device.current;
  ++thread.wgmmaGroup;
  thread.groups[2].push_back(thread.wgmmaEpoch);
  if (device.races && thread.lane == 0)
    device.races->advanceAgent(device.races->threadAgent(thread.id));
}

void rtWaitWgmma(Frame *frame, uint32_t) {
  Device &device = *Device::running();
  Thread &thread = *device.current;
  const auto keep = frame->get<uint64_t>(0);
  while (thread.groups[2].size() > keep) {
    if (device.races)
      device.races->takeAgent(thread.id, device.races->threadAgent(thread.warp->lanes[0]->id),
                              thread.groups[2].front());
    thread.groups[2].pop_front();
    ++thread.wgmmaDone;
  }
}

} // namespace

void rtWgmmaUse(uint32_t site) {
  Device &device = *Device::running();
  Thread &thread = *device.current;
  const uint32_t ordinal = device.program.lowered.sites[site].op->ordinal;
  for (auto [issued, group] : thread.wgmmaIssued)
    if (issued == ordinal && group > thread.wgmmaDone)
      fatal(Report::Fault, "result of wgmma is used before it was waited for", site);
  thread.wgmmaFenced = false; // ordinary code goes on with the registers
}

void registerWgmma(IntrinsicTable &t) {
  t.warp("wgmma", wgmma, Intrinsic::WholeWarp);
  const std::string p = "llvm.nvvm.wgmma.";
  auto add = [&](const char *name, FrameFn fn) { t.frame(p + name, fn).suspends = true; };
  add("fence.sync.aligned", rtFenceRegisters);
  add("commit_group.sync.aligned", rtCommitWgmma);
  add("wait_group.sync.aligned", rtWaitWgmma);
}

} // namespace tilesmith::emulator
