//===- Wgmma.cpp - warpgroup matrix operations ------------------------------------------------===//
//
// A warp of the group owns 16 rows of D, and computes them when its lanes have arrived. Results
// are delivered at once; what makes them "poison until waited" is a check that the host lowering
// puts before every use (rt.wgmma.use): a use before the group was committed and waited for is a
// fault. Reads of shared memory belong to the warp's agent until then, so overwriting a tile too
// early is a race.
//
// Descriptors: start address, leading and stride byte offsets in units of 16 bytes, swizzle mode in
// the top two bits; SharedMatrix.h reads what they describe.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Matrix.h"
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/emulator/SharedMatrix.h"
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

SharedMatrix operandOf(uint64_t bits, const WarpCall &call) {
  Device &device = *Device::running();
  SharedMatrix matrix;
  matrix.start = device.current->regs.sharedBase + ((bits & 0x3fff) << 4);
  matrix.leading = (bits >> 16 & 0x3fff) << 4;
  matrix.stride = (bits >> 32 & 0x3fff) << 4;
  const unsigned mode = bits >> 62;
  matrix.width = mode == 1 ? 128 : mode == 2 ? 64 : mode == 3 ? 32 : 0;
  matrix.site = call.siteId;
  matrix.thread = device.current->warp->lanes[0]->id;
  matrix.agent = device.races ? device.races->threadAgent(matrix.thread) : 0;
  return matrix;
}

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
  alignas(32) static thread_local double acc[256 * 16];
  static thread_local RawRow rawA[16], rawB[256];
  static thread_local DecodedColumns decoded;
  alignas(32) double a[64 * 32];

  if (s.aInRegisters) {
    for (int lane = 0; lane < 32; ++lane)
      for (int r = 0; r < 4; ++r) {
        const auto value = call.frames[lane]->get<uint32_t>(aSlot + r);
        std::memcpy(&rawA[lane / 4 + 8 * (r & 1)][16 * (r >> 1) + 4 * (lane % 4)], &value, 4);
      }
  } else {
    operandOf(call.frames[0]->get<uint64_t>(aSlot), call)
        .read(16 * inGroup, 16, s.flags & 4 ? 2 : 0, 32, rawA);
  }
  operandOf(call.frames[0]->get<uint64_t>(bSlot), call)
      .read(0, n, s.flags & 8 ? 2 : 0, s.bRowBytes(), rawB);

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
