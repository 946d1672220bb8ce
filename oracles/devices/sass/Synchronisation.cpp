//===- Synchronisation.cpp - barriers of a block, asynchronous copies, barriers in memory -----===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>
#include <utility>

using namespace tilesmith::sass;

namespace {

enum Reduction : uint8_t { Count, All, Any };

/// All lanes of the block that wait at a barrier go on, with the result of its reduction.
void open(Block &block, unsigned number) {
  const NamedBarrier barrier = std::exchange(block.barriers[number], {});
  const uint32_t result = barrier.operation == Count ? barrier.holding
                          : barrier.operation == All ? barrier.holding == barrier.arrived
                                                     : barrier.holding != 0;
  for (auto &warp : block.warps)
    for (Split &split : warp->splits)
      if (split.wait == Split::BlockBarrier && split.object == number) {
        split.wait = Split::Ready;
        for (unsigned l = 0; l < kLanes; ++l)
          if (split.mask >> l & 1)
            warp->reduced[l] = result;
      }
}

void openIfComplete(Block &block, unsigned number) {
  const NamedBarrier &barrier = block.barriers[number];
  if (barrier.any && barrier.arrived >= (barrier.expected ? barrier.expected : block.liveLanes))
    open(block, number);
}

/// `holding`: lanes whose predicate is true.
void arrive(Warp &w, uint32_t number, uint32_t count, bool waits, Reduction operation = Count,
            uint32_t holding = 0) {
  if (number >= 16 || count % kLanes)
    return w.fault(Report::Fault,
                   llvm::formatv("expected barrier 0 to 15 and a multiple of 32 threads, found "
                                 "barrier {0} and {1} threads",
                                 number, count)
                       .str());
  NamedBarrier &barrier = w.block->barriers[number];
  barrier.any = true;
  barrier.expected = count;
  barrier.arrived += static_cast<uint32_t>(llvm::popcount(w.active));
  barrier.holding += static_cast<uint32_t>(llvm::popcount(w.active & holding));
  barrier.operation = operation;
  if (waits)
    w.wait(w.active, Split::BlockBarrier, number);
  openIfComplete(*w.block, number);
}

/// Number and count: two operands, or one register with them in bits 0-3 and 16-27.
std::pair<uint32_t, uint32_t> barrierOf(const Warp &w, const Instruction &i) {
  auto valueOf = [&](const Operand &op) {
    return op.kind == Operand::Immediate ? static_cast<uint32_t>(op.value)
                                         : w.get(op).v[llvm::countr_zero(w.active)];
  };
  const uint32_t number = valueOf(i.ops[0]);
  const Operand::Kind kind = i.ops[1].kind;
  if (kind == Operand::Immediate || kind == Operand::Register)
    return {number, valueOf(i.ops[1])};
  return {number & 15, number >> 16 & 0xfff};
}

} // namespace

namespace tilesmith::sass {

void releaseBlockBarriers(Block &block) {
  for (unsigned number = 0; number < 16; ++number)
    openIfComplete(block, number);
}

void releaseClusterBarrier(Cluster &cluster) {
  for (auto &block : cluster.blocks)
    for (auto &warp : block->warps)
      if (warp->live & ~warp->arrivedAtCluster)
        return;
  for (auto &block : cluster.blocks)
    for (auto &warp : block->warps) {
      warp->arrivedAtCluster = 0;
      for (Split &split : warp->splits)
        if (split.wait == Split::ClusterBarrier)
          split.wait = Split::Ready;
    }
}

#define OPERATION(name) void name(Warp &w, const Instruction &i)

OPERATION(executeBar) {
  ++w.machine->report.counters.barriers;
  const auto [number, count] = barrierOf(w, i);
  arrive(w, number, count, i.mods[0] == 0);
}
OPERATION(executeBarReduce) {
  const auto [number, count] = barrierOf(w, i);
  arrive(w, number, count, true, static_cast<Reduction>(i.mods[1]),
         w.getMask(i.ops[i.numOps - 1u]));
}
OPERATION(executeB2r) {
  Lanes value;
  uint32_t set = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    value.v[l] = w.reduced[l];
    set |= uint32_t{w.reduced[l] != 0} << l;
  }
  w.put(i.ops[0], value);
  w.putMask(i.ops[1], set);
}

// ---- the barrier of a cluster: lanes that have arrived are let go when nobody else is missing ----

OPERATION(executeClusterArrive) {
  (void)i;
  if (w.active & w.arrivedAtCluster)
    return w.fault(Report::Fault, "a second arrival at the barrier of the cluster without a wait");
  w.arrivedAtCluster |= w.active;
  releaseClusterBarrier(*w.block->cluster);
}
OPERATION(executeClusterWait) {
  (void)i;
  w.wait(w.active & w.arrivedAtCluster, Split::ClusterBarrier, 0);
}

// ---- copies ----

OPERATION(executeLdgdepbar) {
  (void)i;
  w.groups.push_back(std::move(w.openGroup));
  w.openGroup.clear();
}

OPERATION(executeDepbar) {
  w.landGroups(static_cast<size_t>(i.ops[1].value));
}

namespace {

/// The barrier counts up to 2^31 in bits 0-30 of its high word; bit 31 is the phase. The low word holds bits 0-29 of what
/// the count starts with, whose bit 30 is set, as there are 2^20 arrivals at most. Returns what was there.
uint64_t arriveAtCount(Warp &w, uint32_t address) {
  uint8_t *at = w.machine->shared(w, address, 8, "barrier at");
  if (!at)
    return 0;
  uint64_t old;
  std::memcpy(&old, at, 8);
  const auto start = (static_cast<uint32_t>(old) & 0x3fffffff) | 0x40000000;
  uint32_t high = static_cast<uint32_t>(old >> 32);
  const uint32_t phase = high & 0x80000000, count = (high & 0x7fffffff) + 1;
  high = count >> 31 ? (phase ^ 0x80000000) | start : phase | count;
  std::memcpy(at + 4, &high, 4);
  return old;
}

} // namespace

OPERATION(executeArrivesLdgsts) {
  w.landAll();
  for (unsigned l = 0; l < kLanes && !w.machine->stopped; ++l)
    if (w.active >> l & 1)
      arriveAtCount(w, w.address32(i.ops[0], l));
}

OPERATION(executeAtomArrive) {
  Lanes64 old{};
  for (unsigned l = 0; l < kLanes && !w.machine->stopped; ++l)
    if (w.active >> l & 1)
      old.v[l] = arriveAtCount(w, w.address32(i.ops[1], l));
  w.put64(i.ops[0], old);
}

// ---- barriers with transactions: (2^20 - n) << 1 in the low word, pending in bits 11-30 of the
// high one, its bit 31 the phase; transactions are signed, in the 22 bits between ----

namespace {

namespace field {
constexpr unsigned kPending = 43, kTransactions = 21;
constexpr uint64_t kCountMask = (uint64_t{1} << 20) - 1, kTransactionMask = (uint64_t{1} << 22) - 1;
} // namespace field

} // namespace

// The code that allocates columns for a pair hands their number from the even block to the odd one:
// a barrier for one arrival, and the parity that its next wait is for.
void startPairBook(Block &block, uint32_t book) {
  constexpr uint64_t kOne = field::kCountMask;
  const uint64_t barrier = kOne << 1 | kOne << field::kPending;
  const uint32_t parity = ~block.rank & 1;
  std::memcpy(&block.shared[book + 8], &barrier, 8);
  std::memcpy(&block.shared[book + 16], &parity, 4);
}

/// Arrivals and bytes at a barrier in shared memory. The lowest bit of the word is ours: all have
/// arrived and bytes are missing.
void arriveTransaction(Warp &w, uint32_t address, uint32_t arrivals, int64_t transactions) {
  uint8_t *at = w.machine->shared(w, address, 8, "barrier at");
  if (!at)
    return;
  uint64_t bits;
  std::memcpy(&bits, at, 8);
  constexpr uint64_t kFull = 1;
  uint64_t pending =
      (bits & kFull) ? uint64_t{1} << 20 : bits >> field::kPending & field::kCountMask;
  uint64_t open = bits >> field::kTransactions & field::kTransactionMask;
  const uint64_t start = bits >> 1 & field::kCountMask;
  uint64_t phase = bits >> 63;
  pending += arrivals;
  if (pending > uint64_t{1} << 20)
    return w.fault(Report::Fault, llvm::formatv("more arrivals than expected at the barrier at "
                                                "shared address {0:x}",
                                                address)
                                      .str());
  open = (open + static_cast<uint64_t>(transactions)) & field::kTransactionMask;
  if (pending == uint64_t{1} << 20 && open == 0)
    phase ^= 1, pending = start;
  const bool full = pending == uint64_t{1} << 20;
  bits = start << 1 | open << field::kTransactions | (full ? 0 : pending) << field::kPending |
         phase << 63 | (full ? kFull : 0);
  std::memcpy(at, &bits, 8);
}

// The bytes count at the barrier as transactions.
OPERATION(executeStoreAsync) {
  const unsigned words = i.mods[0] == 4 ? 1 : i.mods[0] == 5 ? 2 : 4;
  for (unsigned l = 0; l < kLanes && !w.machine->stopped; ++l) {
    if (!(w.active >> l & 1))
      continue;
    const uint32_t barrier = w.r[(i.ops[0].index + 1) & 255][l];
    uint8_t *to = w.machine->shared(w, w.address32(i.ops[0], l), 4 * words, "store of");
    for (unsigned n = 0; to && n < words; ++n)
      std::memcpy(to + 4 * n, &w.lane(i.ops[1].index, n, l), 4);
    if (to)
      arriveTransaction(w, barrier, 0, -int64_t{4 * words});
  }
}

OPERATION(executeArrivesLdgsts90) {
  const bool arrives = i.mods[0] == 1; // or what one A0T1 expects has come
  w.landAll();
  for (unsigned l = 0; l < kLanes && !w.machine->stopped; ++l)
    if (w.active >> l & 1)
      arriveTransaction(w, w.address32(i.ops[0], l), arrives, arrives ? 0 : -1);
}

OPERATION(executeSyncsExch) {
  const auto l = static_cast<unsigned>(llvm::countr_zero(w.active));
  uint8_t *at = w.machine->shared(w, w.address32(i.ops[1], l), 8, "barrier at");
  if (!at)
    return;
  uint64_t old;
  std::memcpy(&old, at, 8);
  const uint64_t value = w.uniform64(i.ops[2].index);
  std::memcpy(at, &value, 8);
  w.putUniform(i.ops[0].index, static_cast<uint32_t>(old));
}

namespace {

/// What arrives. A: arrivals, 1, 0, as many as the register says, or (AC) as there are lanes; T: bytes
/// that are expected, or (TX) come.
enum Arrival { A1TR, A1T0, A0T1, A0TR, A0TX, ART0, ACT0 };

void arriveOnce(Warp &w, uint32_t address, unsigned kind, uint32_t value) {
  const auto bytes = static_cast<int32_t>(value);
  const uint32_t arrivals = kind == ART0   ? value
                            : kind == ACT0 ? static_cast<uint32_t>(llvm::popcount(w.active))
                                           : kind <= A1T0;
  arriveTransaction(w, address, arrivals,
                    kind == A1TR || kind == A0TR ? bytes
                    : kind == A0T1               ? 1
                    : kind == A0TX               ? -int64_t{bytes}
                                                 : 0);
}

/// The barrier, zero where there is none.
uint64_t barrierAt(Warp &w, uint32_t address) {
  uint64_t bits = 0;
  if (uint8_t *at = w.machine->shared(w, address, 8, "barrier at"))
    std::memcpy(&bits, at, 8);
  return bits;
}

} // namespace

OPERATION(executeSyncsArrive) {
  const Lanes values = w.get(i.ops[2]);
  Lanes64 old{};
  for (unsigned l = 0; l < kLanes && !w.machine->stopped; ++l) {
    if (!(w.active >> l & 1))
      continue;
    const uint32_t address = w.address32(i.ops[1], l);
    old.v[l] = barrierAt(w, address);
    arriveOnce(w, address, i.mods[0], values.v[l]);
  }
  if (i.ops[0].index != kRZ)
    w.put64(i.ops[0], old);
}

// sm_107: once for the warp, with uniform registers.
OPERATION(executeSyncsArriveOfWarp) {
  const uint32_t address = w.address32(i.ops[1], 0);
  Lanes64 old{};
  old.v[0] = barrierAt(w, address);
  arriveOnce(w, address, i.mods[0], w.uniform(i.ops[2]));
  w.put64(i.ops[0], old);
}

// sm_107: the same at that place of every block of the cluster that a mask names.
OPERATION(executeSyncsArriveOfWarpInBlocks) {
  const uint32_t address = w.address32(i.ops[0], 0) & 0xffffff, blocks = w.uniform(i.ops[2]);
  for (uint32_t rank = 0; rank < 32 && !w.machine->stopped; ++rank)
    if (blocks >> rank & 1)
      arriveOnce(w, address | rank << 24, i.mods[0], w.uniform(i.ops[1]));
}

// sm_107: of every lane, at a uniform address. There is one result for all of them.
OPERATION(executeSyncsArriveOfLanes) {
  const uint32_t address = w.address32(i.ops[1], 0);
  Lanes64 old{};
  old.v[0] = barrierAt(w, address);
  for (unsigned l = 0; l < kLanes && !w.machine->stopped; ++l) {
    if (!(w.active >> l & 1))
      continue;
    if (i.ops[0].index != kURZ && (barrierAt(w, address) ^ old.v[0]) >> 63)
      return w.fault(Report::Unsupported,
                     "unsupported: SYNCSU.ARRIVE with a result whose lanes arrive in two phases");
    arriveOnce(w, address, i.mods[0], 0);
  }
  w.put64(i.ops[0], old);
}

OPERATION(executeSyncsPhase) {
  const Lanes parity = w.get(i.ops[2]);
  uint32_t done = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    if (!(w.active >> l & 1))
      continue;
    const uint32_t address = w.address32(i.ops[1], l);
    finishTensorWork(w, address);
    uint8_t *at = w.machine->shared(w, address, 8, "barrier at");
    if (!at)
      return;
    uint64_t bits;
    std::memcpy(&bits, at, 8);
    if (bits >> 63 != parity.v[l] >> 31)
      done |= 1u << l;
  }
  w.putMask(i.ops[0], done);
  if (done != w.active)
    w.yielded = true, ++w.spins;
}

// sm_107: once for the warp.
OPERATION(executeSyncsPhaseOfWarp) {
  const uint32_t address = w.address32(i.ops[1], 0);
  finishTensorWork(w, address);
  const bool done = barrierAt(w, address) >> 63 != w.uniform(i.ops[2]) >> 31;
  w.putMask(i.ops[0], done ? kAllLanes : 0);
  if (!done)
    w.yielded = true, ++w.spins;
}

#undef OPERATION

} // namespace tilesmith::sass
