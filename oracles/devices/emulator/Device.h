// Internal: one launch in progress. Blocks, warps, threads, the ready list and everything threads
// wait for.
#pragma once

#include <array>
#include <chrono>
#include <deque>
#include <list>
#include <optional>

#include "oracles/devices/emulator/Fibers.h"
#include "oracles/devices/emulator/HostLowering.h"
#include "oracles/devices/emulator/Intrinsics.h"
#include "oracles/devices/emulator/Memory.h"
#include "oracles/devices/emulator/Race.h"
#include "oracles/devices/emulator/Runtime.h"
#include "oracles/devices/emulator/Tcgen05.h"
#include "oracles/devices/emulator/TensorMap.h"

#include "llvm/ADT/SmallVector.h"

namespace tilesmith::emulator {

class Device;

struct Block;
struct Warp;

struct Thread {
  ThreadRegs regs; // first: compiled code reads it through __ts_current
  Flow flow;
  Stack *stack = nullptr;
  Block *block = nullptr;
  Warp *warp = nullptr;
  unsigned lane = 0;
  uint32_t id = 0; // among all resident threads
  enum State : uint8_t { Ready, Running, Waiting, Done } state = Done;
  // what a waiting thread waits for
  Frame *frame = nullptr;
  uint32_t site = kNoSite;
  uint64_t waitAddress = 0; // mbarrier, 0 for others
  uint32_t waitPhase = 0;
  uint32_t clusterPhase = 0; // phase of the last cluster-barrier arrival
  // asynchronous copies that have not landed (AsyncCompletion::Lazy)
  struct AsyncOp {
    enum Kind : uint8_t { Copy, Tensor, CommitGroup, MbarrierArrive, TensorCore } kind;
    uint64_t target = 0, source = 0; // MbarrierArrive: target is the barrier
    uint32_t bytes = 0, sourceBytes = 0;
    uint64_t barrier = 0; // whose transaction bytes it completes, 0 for none
    uint32_t site = kNoSite;
    int reduction = -1;          // Copy: combines instead of storing (Tma.cpp)
    int element = 0;             // of the reduction
    Epoch epoch = 0;             // MbarrierArrive: of the thread's agent
    AgentEpochs before = {};     // TensorCore: what others had done when a commit was issued
    TensorCopy tensor = {};      // Tensor
    TensorOp tensorOp = {};      // TensorCore
    bool toGlobal = false;       // a bulk store: reads shared memory, and writes later
    std::vector<char> read = {}; // what it has read, once somebody waited for that
  };
  /// Copies by cp.async, bulk copies, tcgen05: queues of their own. Lists, because an empty one costs
  /// nothing: most threads of most kernels never copy.
  std::list<AsyncOp> pending[3];
  std::list<Epoch> groups[3]; // committed and not yet waited for: cp.async, bulk, wgmma
  bool groupOpen[3] = {false, false, false};
  /// Bulk groups whose stores are not known to be complete; of the last ones (groups[1]) not even that
  /// they have read.
  struct BulkGroup {
    Epoch epoch = 0; // of what its stores write
    uint32_t stores = 0;
  };
  std::list<BulkGroup> bulkGroups;
  uint32_t openStores = 0; // in no group yet
  // wgmma: issue numbers by site, and what has been waited for
  std::vector<std::pair<uint32_t, uint32_t>> wgmmaIssued; // (site, group number)
  uint32_t wgmmaGroup = 1, wgmmaDone = 0;
  Epoch wgmmaEpoch = 0;
  bool wgmmaFenced = false;
  TensorState tensor; // tcgen05
};

/// Lanes that have arrived at one collective and wait for the others.
struct WarpGroup {
  const Intrinsic *op;
  uint32_t site, mask, arrived;
};

struct Warp {
  std::array<Thread *, 32> lanes{};
  uint32_t live = 0;              // lanes that have not exited
  uint32_t alignedSite = kNoSite; // aligned barrier at which lanes of this warp wait
  llvm::SmallVector<WarpGroup, 4> groups;
};

struct NamedBarrier {
  uint32_t arrived = 0;  // threads, waiting or not
  uint32_t expected = 0; // 0: all live threads of the block
  int action = -1;
  uint32_t site = kNoSite; // of the last arrival
  llvm::SmallVector<Thread *, 0> waiting;
  std::vector<uint32_t> members; // with races: everybody who arrived
};

struct Block {
  std::array<uint32_t, 3> id{};
  bool active = false;
  SharedWindow shared;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  uint32_t live = 0;
  std::array<NamedBarrier, 16> barriers;
  uint32_t slot = 0;
  std::shared_ptr<TensorMemory> tensor; // null until somebody allocates columns
  std::vector<bool> written; // bytes of shared memory, only when uninitialised reads are reported
};

/// Blocks that share their memories, in consecutive slots.
struct Cluster {
  uint32_t arrived = 0, phase = 0;
};

/// Threads that can run: a ring buffer, pushed and popped at both ends.
class ReadyList {
public:
  bool empty() const { return head == tail; }
  size_t size() const { return tail - head; }
  void pushBack(Thread *thread) {
    if (size() == ring.size())
      grow();
    ring[tail++ & mask()] = thread;
  }
  void pushFront(Thread *thread) {
    if (size() == ring.size())
      grow();
    ring[--head & mask()] = thread;
  }
  Thread *popFront() { return ring[head++ & mask()]; }
  Thread *popBack() { return ring[--tail & mask()]; }
  Thread *&operator[](size_t i) { return ring[(head + i) & mask()]; }

private:
  size_t mask() const { return ring.size() - 1; }
  void grow() {
    std::vector<Thread *> larger(std::max<size_t>(64, 2 * ring.size()));
    const size_t count = size();
    for (size_t i = 0; i < count; ++i)
      larger[i] = (*this)[i];
    ring = std::move(larger);
    head = 0, tail = count;
  }

  std::vector<Thread *> ring; // a power of two long
  size_t head = 0,
         tail = 0; // they only grow (or shrink at the head); the ring index is the low part
};

/// Counts sectors and wavefronts (Counters.cpp): the n-th executions of a place by the lanes of a
/// warp are one access.
class AccessCounter {
public:
  AccessCounter(size_t sites) : sites(sites) {}
  void add(const Thread &thread, uint64_t address, const Site &site, uint32_t siteId,
           Counters &counters);
  void finish(Counters &counters);

private:
  struct Group {
    uint32_t lanes = 0, size = 0;
    bool shared = false;
    std::array<uint64_t, 32> address;
  };
  struct Place {
    uint32_t first = 0; // number of groups.front()
    std::array<uint32_t, 32> executed{};
    std::deque<Group> groups;
  };
  void close(const Group &group, Counters &counters);
  size_t sites;
  llvm::DenseMap<uint64_t, std::unique_ptr<Place>> places; // warp * sites + site
};

/// The launch that this host thread is running.
extern constinit thread_local Device *runningDevice;

class Device {
public:
  Device(ProgramImpl &program, const KernelInfo &kernel, const LaunchConfig &config, void **args);
  Report run();
  static Device *running() { return runningDevice; }

  // ---- called by running threads ----
  /// report.message is set; adds the thread and ends the launch.
  [[noreturn]] void stop(Report::Status status);
  /// Ends the launch from outside of its threads.
  void endWithoutMemory(const char *doing);
  void collective(Frame *frame, uint32_t site);
  void barrier(Frame *frame, uint32_t site);
  void clusterBarrier(Frame *frame, uint32_t site);
  void tick();
  void yield();
  void waitForMbarrier(uint64_t address, uint32_t phase, Frame *frame, uint32_t site);
  void wakeMbarrier(uint64_t address);
  [[noreturn]] void exitThread();
  void checkSlow(uint64_t address, const Site &site);
  /// Tells the race detector about an access of the running thread.
  void raceAccess(uint64_t address, const Site &site, uint32_t siteId);
  void countAccess(uint64_t address, const Site &site, uint32_t siteId);
  /// "block (x,y,z) thread (x,y,z)"
  std::string describeThread(uint32_t id) const;
  /// The block of the running block's cluster whose shared memory holds the bytes, null for none.
  Block *peerWith(uint64_t address, uint64_t size);
  uint32_t clusterSize() const { return config.cluster[0] * config.cluster[1] * config.cluster[2]; }
  Block &peer(uint32_t rank) {
    return *blocks[current->block->slot / clusterSize() * clusterSize() + rank];
  }
  uint64_t steps() const;
  bool runAsync(Thread &thread, int kind, size_t keepGroups, bool everything);
  /// Bulk stores of all but the last groups read what they will write.
  void readBulkSources(Thread &thread, size_t keepGroups);
  [[noreturn]] void faultSignal(int signal, uint64_t address);

  ProgramImpl &program;
  const KernelInfo &kernel;
  void (*const entry)(void **); ///< of the kernel: every thread calls it
  const LaunchConfig &config;
  Report report;
  Thread *current = nullptr;
  uint32_t sharedBytes = 0;
  bool useFibers = true;
  bool tracksShared = false;
  bool tracksGlobal = false; // some memory of the launch was never written
  std::unique_ptr<RaceDetector> races;
  std::unique_ptr<AccessCounter> accesses;

  /// Tensor maps that threads have changed, by address: who sees the change.
  struct MapChange {
    const Thread *writer = nullptr;
    bool released = false, acquired = false;
  };
  llvm::DenseMap<uint64_t, MapChange> mapChanges;

  /// Takes the next block that has not started and says which it was; false: all have.
  bool takeBlock(uint32_t (&id)[3]);
  /// Answers of cancelled launches on their way to shared memory.
  std::deque<std::array<uint8_t, 16>> cancelAnswers;

private:
  static void threadBody(boost::context::detail::transfer_t transfer);
  static void loopBody(boost::context::detail::transfer_t transfer);
  static void asyncBody(boost::context::detail::transfer_t transfer);
  void initialiseRegisters(ThreadRegs &regs, const Block &block, uint32_t linear);
  void resetShared(Block &block);
  void startBlock(Block &block);
  void runBlocksAsFibers();
  void runBlocksAsLoop();
  void makeReady(Thread &thread, bool yielded = false);
  Thread *pick();
  void resume(Thread *next);
  void block();
  [[noreturn]] void leave(Thread *next);
  void completeGroup(Warp &warp, size_t index);
  void recheckWarp(Warp &warp);
  void recheckBarrier(Block &block, NamedBarrier &barrier);
  void completeBarrier(Block &block, NamedBarrier &barrier);
  void checkBarrierUse(const NamedBarrier &barrier, uint32_t id, int action, uint32_t expected,
                       uint32_t site);
  bool resolveActiveLanes();
  void recheckCluster(Cluster &cluster, uint32_t first);
  bool runSomeAsync();
  std::string describeDeadlock() const;
  uint64_t random();
  bool finished(const Block &block) const { return block.active && block.live == 0; }
  uint64_t blockCount() const { return uint64_t{config.grid[0]} * config.grid[1] * config.grid[2]; }
  void refill();

  void **args;
  Flow mainFlow, loopFlow;
  ReadyList ready;
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<Cluster> clusters;
  uint64_t nextBlock = 0;
  uint64_t randomState = 0;
  int64_t grant = 0;     // what __ts_budget was last set to
  uint64_t consumed = 0; // steps before that
  std::chrono::steady_clock::time_point start;
  bool stopped = false;
  Thread asyncThread; // stands in for asyncOwner while its copies land
  Thread *asyncOwner = nullptr;
  std::vector<uint32_t> order; // of the threads in a plain loop
};

/// While one exists, host signals raised by kernels become faults of the running device.
class SignalGuard {
public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard &) = delete;
  /// False when there is no memory for the stack of the handlers: nothing may run then.
  bool ready() const;
};

/// A compiled program (Program.cpp).
struct ProgramImpl {
  HostLoweringResult lowered;
  RangeTable ranges;                                                      // declared by the user
  UnwrittenTable unwritten;                                               // of them
  RangeTable moduleRanges;                                                // device variables
  std::vector<std::pair<uint8_t *, std::vector<uint8_t>>> initialGlobals; // their first contents
  /// Variables that may lie elsewhere: where the program has them, their size, the word that says where.
  struct Placeable {
    uint8_t *own;
    uint64_t size;
    uint8_t **place;
  };
  llvm::StringMap<Placeable> placeable;
  /// Words of our compiler's kernels that are zero while no block runs (TensorMaps.h).
  std::vector<std::pair<const uint32_t *, size_t>> mapSlots;
  ThreadRegs **current = nullptr;
  int64_t *budget = nullptr;
  uint64_t *profile = nullptr; // executions of basic blocks
  llvm::StringMap<void (*)(void **)> entries;
  void *dylib = nullptr; // orc::JITDylib
  ~ProgramImpl();
};

// ---- the way from one thread to the next; inline, because every return after a switch is
// mispredicted ----

[[gnu::always_inline]] inline void Device::makeReady(Thread &thread, bool yielded) {
  thread.state = Thread::Ready;
  // A LIFO schedule must not run a spinning thread for ever.
  if (yielded && config.schedule == Schedule::LIFO)
    ready.pushFront(&thread);
  else
    ready.pushBack(&thread);
}

[[gnu::always_inline]] inline Thread *Device::pick() {
  if (ready.empty())
    return nullptr;
  if (config.schedule == Schedule::FIFO)
    return ready.popFront();
  if (config.schedule == Schedule::Random)
    std::swap(ready[random() % ready.size()], ready[ready.size() - 1]);
  return ready.popBack();
}

// Suspends the running flow (a thread, or the host when `current` is null) in favour of `next`
// (null: the host).
[[gnu::always_inline]] inline void Device::resume(Thread *next) {
  Thread *previous = current;
  if (next == previous) {
    if (next)
      next->state = Thread::Running;
    return;
  }
  ++report.counters.switches;
  current = next;
  if (next) {
    next->state = Thread::Running;
    *program.current = &next->regs;
  }
  switchFlow(previous ? &previous->flow : &mainFlow, next ? next->flow : mainFlow);
}

inline void Device::block() {
  current->state = Thread::Waiting;
  resume(pick());
}

} // namespace tilesmith::emulator
