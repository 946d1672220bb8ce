//===- Race.h - data races, found with vector clocks ------------------------------------------===//
//
// Every resident GPU thread has a clock; so has every "agent", the hardware that performs a
// thread's asynchronous copies or that fills the buffers of one mbarrier. An access races when an
// earlier conflicting one is not covered by what the accessing thread has seen.
//
// What orders: block and warp barriers, cluster barriers, mbarriers (per phase), release/acquire
// and fences on atomics (a block-scope release orders only within its block), waits for
// asynchronous groups. Shuffles, votes and matrix operations order nothing, as PTX says.
//
// Three views per thread. `seen` is what the generic proxy knows; `async` is the part of it that has
// passed a proxy fence, `asyncShared` that has passed one of any kind, and holds for shared memory.
// Copies by the async proxy (bulk copies, TMA, wgmma) check earlier generic writes against these.
//
// Invariants: no false alarm on code that PTX calls race free (except where a block-scope fence
// is meant for a cluster); memory is owned by the detector, so that a report may abandon the stack
// it runs on. Thread numbers are reused by later blocks; epochs are not.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_EMULATOR_RACE_H
#define ORACLES_DEVICES_EMULATOR_RACE_H

#include "oracles/devices/emulator/Runtime.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace tilesmith::emulator {

using Epoch = uint32_t;

/// What somebody knows of everybody: immutable once shared, counted.
struct Snapshot {
  uint32_t references;
  Epoch epoch[1]; // one per thread and agent
};

/// The views (see the file comment).
struct View {
  Snapshot *seen = nullptr, *async = nullptr, *asyncShared = nullptr;
};

/// What some agents did up to epochs.
using AgentEpochs = std::vector<std::pair<uint32_t, Epoch>>;

class RaceDetector {
public:
  /// `threads`: resident threads in all; `threadsPerBlock` of them share a block.
  RaceDetector(uint32_t threads, uint32_t threadsPerBlock, bool usesAsync);
  ~RaceDetector();

  enum Kind : uint8_t { Plain, Atomic, AtomicBlock };

  // ---- memory; fatal when it races ----
  /// `id` is a thread or an agent; `thread` the one whose knowledge counts.
  void access(uint32_t id, uint32_t thread, uint64_t address, uint32_t size, bool isWrite,
              Kind kind, bool asyncProxy, uint32_t site);
  /// An agent that works for the thread itself, and what the thread has waited for in any case.
  struct OwnAgent {
    uint32_t id;
    Epoch waited;
  };
  /// Of tensor memory: what the thread has acquired counts from its last fence on, except for its
  /// own agents.
  void accessTensor(uint32_t id, uint32_t thread, llvm::ArrayRef<OwnAgent> own, uint64_t address,
                    uint32_t size, bool isWrite, uint32_t site);
  void forget(uint64_t address, uint64_t size);

  // ---- threads ----
  void startThread(uint32_t thread);
  /// A barrier among threads; `arrived` only give, `waiting` also take.
  void barrier(llvm::ArrayRef<uint32_t> arrived, llvm::ArrayRef<uint32_t> waiting);
  void atomic(uint32_t thread, uint64_t address, uint8_t order, uint8_t scope, bool reads,
              bool writes);
  void fence(uint32_t thread, uint8_t scope);
  /// `sharedOnly`: of shared memory alone.
  void proxyFence(uint32_t thread, bool sharedOnly);
  /// tcgen05.fence::after_thread_sync
  void fenceTensor(uint32_t thread);

  // ---- named points of synchronisation: split barriers ----
  struct Point {
    View pending, complete;
  };
  void give(uint32_t thread, uint64_t point);
  void giveAgent(uint32_t agent, Epoch epoch, uint64_t point);
  void giveAgents(const AgentEpochs &agents, uint64_t point);
  void completePoint(uint64_t point);
  void take(uint32_t thread, uint64_t point);
  void dropPoint(uint64_t point);

  // ---- agents ----
  uint32_t threadAgent(uint32_t thread) const { return threadCount + thread; }
  uint32_t pointAgent(uint64_t point);
  /// The same where one was asked for before; else none, as there are not many.
  std::optional<uint32_t> knownPointAgent(uint64_t point) const;
  Epoch agentEpoch(uint32_t agent) const { return agents[agent - threadCount]; }
  void advanceAgent(uint32_t agent) { ++agents[agent - threadCount]; }
  /// What the thread knows that agents did.
  AgentEpochs agentsKnownTo(uint32_t thread) const;
  /// The thread knows what the agent did up to an epoch.
  void takeAgent(uint32_t thread, uint32_t agent, Epoch epoch);

private:
  static constexpr uint32_t kPointAgents = 128;
  static constexpr uint32_t kPageBytes = 512;

  struct Access {
    Epoch epoch = 0;
    uint32_t id : 24 = 0, kind : 4 = 0, isAsync : 4 = 0;
    uint32_t site = kNoSite;
  };
  /// One warp's reads and atomic updates of a cell since the last plain write.
  struct WarpReads {
    uint32_t warp;
    uint32_t site;
    uint8_t kind, isWrite, isAsync;
    Epoch epoch[32];
  };
  struct Cell {
    Access write, read;
    uint32_t set = 0;     // index of `sets`, 0: none
    bool updated = false; // atomic updates are in the set
  };
  struct Page {
    uint8_t shift = 2; // log2 of bytes per cell
    std::vector<Cell> cells;
  };
  struct ThreadState {
    Epoch own = 0, start = 0;
    View view;
    Snapshot *tensor = nullptr; // what counts for accesses to tensor memory
    View released[2];           // by fences: block scope, wider
    View toAcquire;             // by relaxed loads, for the next fence
    View toAcquireBlock;        // the same from block-scope releases
  };
  /// What an atomic location publishes.
  struct Location {
    View wide, block;
    uint32_t owner = 0; // block of `block`
  };

  bool knows(uint32_t thread, const Snapshot *seen, uint32_t id, Epoch epoch) const;
  /// `async`: null for the generic proxy, else what it knows of the memory in question.
  bool ordered(uint32_t thread, Snapshot *View::*async, uint32_t id, Epoch epoch,
               bool wasAsync) const;
  void check(uint32_t id, uint32_t thread, Cell &cell, uint64_t address, bool isWrite, Kind kind,
             bool asyncProxy, uint32_t site);
  [[noreturn]] void report(const Access &before, bool beforeWrites, uint32_t thread, bool isWrite,
                           uint64_t address, uint32_t site, bool needsProxyFence);
  void addToSet(Cell &cell, uint32_t id, Epoch epoch, bool isWrite, Kind kind, bool asyncProxy,
                uint32_t site);
  Page &page(uint64_t number);
  void refine(Page &page, uint8_t shift);
  void freeSet(Cell &cell);
  bool compatible(uint32_t id, uint8_t kind, uint32_t otherId, uint8_t otherKind) const;

  Snapshot *allocate();
  Snapshot *retain(Snapshot *s) { return s ? (++s->references, s) : nullptr; }
  void release(Snapshot *s);
  void join(Snapshot *&into, const Snapshot *other);
  void join(View &into, const View &other);
  void assign(Snapshot *&into, Snapshot *value);
  void assign(View &into, const View &value);
  void clear(View &view);
  Snapshot *mine(Snapshot *&slot); // a copy nobody else holds
  View publish(uint32_t thread);   // temporary: release with clear()
  uint32_t blockOf(uint32_t id) const {
    return (id < threadCount ? id : (id - threadCount) % threadCount) / blockThreads;
  }

  uint32_t threadCount, blockThreads, width;
  bool tracksProxy;
  bool inTensor = false; // during an access to tensor memory
  llvm::ArrayRef<OwnAgent> ownAgents;
  std::vector<ThreadState> threads;
  std::vector<Epoch> agents;
  uint32_t nextPointAgent = 0;
  llvm::DenseMap<uint64_t, uint32_t> pointAgents;
  llvm::DenseMap<uint64_t, Point> points;
  llvm::DenseMap<uint64_t, Location> locations;
  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> pages;
  uint64_t lastNumber = ~uint64_t{0};
  Page *lastPage = nullptr;
  std::vector<std::vector<WarpReads>> sets;
  std::vector<uint32_t> freeSets;
  std::vector<std::unique_ptr<char[]>> memory;
  std::vector<Snapshot *> freeSnapshots;
};

} // namespace tilesmith::emulator

#endif // ORACLES_DEVICES_EMULATOR_RACE_H
