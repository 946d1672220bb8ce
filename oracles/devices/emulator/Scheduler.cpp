// The scheduler of the emulated GPU: runs blocks, picks threads, and knows when nothing can run any
// more.
//
// Every GPU thread is a fiber; blocking hands over directly to the next ready fiber. Control
// returns to the host flow when a block ends, when a launch stops, and when no thread is ready.
// Then, in this order: finished blocks are replaced by the next ones, operations on "the active
// lanes" resolve, pending asynchronous copies land; if none of that helps, the launch is
// deadlocked.
#include "oracles/devices/emulator/Device.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilesmith::emulator {

constinit thread_local Device *runningDevice = nullptr;

namespace {

constexpr int64_t kQuantum = 20'000;    // steps between yields of a thread that does not wait
constexpr uint8_t kSharedPoison = 0xff; // what uninitialised shared memory holds: NaN, -1

std::array<uint32_t, 3> unflatten(uint64_t linear, const std::array<uint32_t, 3> &extent) {
  return {static_cast<uint32_t>(linear % extent[0]),
          static_cast<uint32_t>(linear / extent[0] % extent[1]),
          static_cast<uint32_t>(linear / extent[0] / extent[1])};
}

constexpr const char *kMappingStacks = "mapping stacks of the emulated GPU",
                     *kMappingShared = "mapping shared memory of the emulated GPU";

} // namespace

Device::Device(ProgramImpl &program, const KernelInfo &kernel, const LaunchConfig &config,
               void **args)
    : program(program), kernel(kernel), entry(program.entries.lookup(kernel.name)), config(config),
      args(args) {
  sharedBytes = program.lowered.staticSharedBytes + config.dynamicSharedBytes;
  randomState = config.seed * 0x9e3779b97f4a7c15 + 0x1234567;
  useFibers = kernel.needsFibers || config.detectRaces || clusterSize() > 1;
  tracksShared = config.reportUninitialised;
  tracksGlobal = config.reportUninitialised && !program.unwritten.empty();
}

uint64_t Device::random() { // splitmix64
  uint64_t z = randomState += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

uint64_t Device::steps() const {
  return consumed + static_cast<uint64_t>(grant - *program.budget);
}

void Device::refill() {
  consumed = steps();
  grant = kQuantum;
  if (config.schedule == Schedule::Random)
    grant = 1 + static_cast<int64_t>(random() % (kQuantum / 4));
  if (!useFibers)
    grant = kQuantum * 50;
  *program.budget = grant;
}

void Device::tick() {
  if (*program.budget < 0) {
    refill();
    if (config.maxSteps && consumed > config.maxSteps)
      fatal(Report::Timeout, llvm::formatv("more than {0} steps", config.maxSteps), kNoSite);
    const auto elapsed = std::chrono::steady_clock::now() - start;
    if (config.maxMillis && elapsed > std::chrono::milliseconds(config.maxMillis))
      fatal(Report::Timeout, llvm::formatv("more than {0} ms", config.maxMillis), kNoSite);
  }
  if (useFibers)
    yield();
}

void Device::leave(Thread *next) {
  current = next;
  if (next) {
    next->state = Thread::Running;
    *program.current = &next->regs;
  }
  ++report.counters.switches;
  switchFlow(nullptr, next ? next->flow : mainFlow);
  __builtin_unreachable();
}

void Device::yield() {
  if (!useFibers || ready.empty())
    return;
  makeReady(*current, true);
  resume(pick());
}

void Device::stop(Report::Status status) {
  stopped = true;
  report.status = status;
  if (current)
    report.message += ", " + ::tilesmith::emulator::describeThread();
  leave(nullptr);
}

void Device::endWithoutMemory(const char *doing) {
  stopped = true;
  report.status = Report::OutOfMemory;
  report.message = outOfMemoryMessage(doing);
}

/// The shared memory of a block goes to the next one: whoever has started bulk stores of it waits until
/// they have read.
static void requireBulkReads(const Thread &thread) {
  uint32_t stores = thread.openStores;
  auto group = thread.bulkGroups.rbegin();
  for (size_t unread = thread.groups[1].size(); unread; --unread)
    stores += (group++)->stores;
  if (stores)
    fatal(Report::Fault, "a thread exits before its bulk stores have read shared memory", kNoSite);
}

void Device::exitThread() {
  Thread &thread = *current;
  requireBulkReads(thread);
  thread.state = Thread::Done;
  Block &block = *thread.block;
  Warp &warp = *thread.warp;
  warp.live &= ~(1u << thread.lane);
  --block.live;
  runAsync(thread, 0, 0, true);
  runAsync(thread, 1, 0, true);
  runAsync(thread, 2, 0, true);
  if (block.live == 0)
    checkTensorAtEnd(block);
  recheckCluster(clusters[block.slot / clusterSize()], block.slot / clusterSize() * clusterSize());
  if (block.live == 0)
    leave(nullptr);
  recheckWarp(warp);
  for (NamedBarrier &barrier : block.barriers)
    if (barrier.arrived)
      recheckBarrier(block, barrier);
  leave(pick());
}

// ---- running blocks ----

void Device::initialiseRegisters(ThreadRegs &regs, const Block &block, uint32_t linear) {
  const auto tid = unflatten(linear, config.block);
  regs[SReg::TidX] = tid[0], regs[SReg::TidY] = tid[1], regs[SReg::TidZ] = tid[2];
  const uint32_t lane = linear % 32;
  regs[SReg::LaneId] = lane;
  regs[SReg::WarpId] = linear / 32;
  regs[SReg::LaneMaskEq] = 1u << lane;
  regs[SReg::LaneMaskLt] = (1u << lane) - 1;
  regs[SReg::LaneMaskLe] = regs[SReg::LaneMaskLt] | 1u << lane;
  regs[SReg::LaneMaskGe] = ~regs[SReg::LaneMaskLt];
  regs[SReg::LaneMaskGt] = ~regs[SReg::LaneMaskLe];
  const uint32_t threads = config.block[0] * config.block[1] * config.block[2];
  for (int i = 0; i < 3; ++i) {
    regs.r[static_cast<unsigned>(SReg::NtidX) + i] = config.block[i];
    regs.r[static_cast<unsigned>(SReg::CtaIdX) + i] = block.id[i];
    regs.r[static_cast<unsigned>(SReg::NCtaIdX) + i] = config.grid[i];
    regs.r[static_cast<unsigned>(SReg::ClusterIdX) + i] = block.id[i] / config.cluster[i];
    regs.r[static_cast<unsigned>(SReg::NClusterIdX) + i] = config.grid[i] / config.cluster[i];
    regs.r[static_cast<unsigned>(SReg::ClusterCtaIdX) + i] = block.id[i] % config.cluster[i];
    regs.r[static_cast<unsigned>(SReg::ClusterNCtaIdX) + i] = config.cluster[i];
  }
  regs[SReg::NWarpId] = (threads + 31) / 32;
  regs[SReg::SmId] = 0, regs[SReg::NSmId] = 1, regs[SReg::GridId] = 0;
  regs[SReg::ClusterCtaRank] = block.slot % clusterSize();
  regs[SReg::ClusterNCtaRank] = clusterSize();
  regs[SReg::DynamicSmemSize] = config.dynamicSharedBytes;
  regs[SReg::TotalSmemSize] = sharedBytes;
  regs[SReg::Zero] = 0, regs[SReg::One] = 1, regs[SReg::WarpSize] = 32;
  regs.sharedBase = block.shared.base();
}

void Device::threadBody(boost::context::detail::transfer_t transfer) {
  enterFlow(transfer);
  Device &device = *runningDevice;
  device.entry(device.args);
  device.exitThread();
}

void Device::resetShared(Block &block) {
  std::memset(block.shared.data(), kSharedPoison, sharedBytes);
  if (tracksShared)
    block.written.assign(sharedBytes, false);
  if (races)
    races->forget(block.shared.base(), sharedBytes);
}

bool Device::takeBlock(uint32_t (&id)[3]) {
  if (nextBlock >= blockCount())
    return false;
  llvm::copy(unflatten(nextBlock++, config.grid), id);
  return true;
}

void Device::startBlock(Block &block) {
  const uint32_t threads = config.block[0] * config.block[1] * config.block[2];
  const auto inCluster = unflatten(nextBlock % clusterSize(), config.cluster);
  std::array<uint32_t, 3> clusterGrid;
  for (int i = 0; i < 3; ++i)
    clusterGrid[i] = config.grid[i] / config.cluster[i];
  block.id = unflatten(nextBlock++ / clusterSize(), clusterGrid);
  for (int i = 0; i < 3; ++i)
    block.id[i] = block.id[i] * config.cluster[i] + inCluster[i];
  block.active = true;
  block.live = threads;
  clusters[block.slot / clusterSize()] = {};
  for (NamedBarrier &barrier : block.barriers)
    barrier = {};
  resetShared(block);
  resetTensor(*this, block);
  report.counters.threads += threads;
  const bool first = block.threads.empty();
  if (first) {
    block.threads.resize(threads);
    block.warps.resize((threads + 31) / 32);
  }
  for (Warp &warp : block.warps)
    warp.alignedSite = kNoSite;
  const size_t slot = block.slot;
  for (uint32_t i = 0; i < threads; ++i) {
    Thread &thread = block.threads[i];
    thread.block = &block;
    thread.warp = &block.warps[i / 32];
    thread.lane = i % 32;
    thread.site = kNoSite;
    thread.waitAddress = 0;
    thread.clusterPhase = 0;
    for (auto &pending : thread.pending)
      pending.clear();
    for (auto &groups : thread.groups)
      groups.clear();
    for (bool &open : thread.groupOpen)
      open = false;
    thread.bulkGroups.clear();
    thread.openStores = 0;
    thread.tensor = {};
    thread.wgmmaIssued.clear();
    thread.wgmmaGroup = 1, thread.wgmmaDone = 0, thread.wgmmaFenced = false;
    thread.id = slot * threads + i;
    if (races)
      races->startThread(thread.id);
    initialiseRegisters(thread.regs, block, i);
    thread.warp->lanes[thread.lane] = &thread;
    thread.warp->live |= 1u << thread.lane;
    thread.stack = StackPool::ofThisThread().get(slot * threads + i);
    if (!thread.stack)
      return endWithoutMemory(kMappingStacks);
    startFlow(thread.flow, *thread.stack, threadBody);
    makeReady(thread);
  }
}

void Device::runBlocksAsFibers() {
  const uint64_t total = blockCount();
  const uint64_t threads = uint64_t{config.block[0]} * config.block[1] * config.block[2];
  uint64_t resident = config.residentBlocks ? config.residentBlocks : kernel.mayRepeat ? 16 : 1;
  resident =
      std::max<uint64_t>(1, std::min({resident, total, std::max<uint64_t>(1, 4096 / threads)}));
  const uint64_t perCluster = clusterSize();
  resident = std::max<uint64_t>(1, resident / perCluster) * perCluster;
  for (uint64_t i = 0; i < resident; ++i) {
    blocks.push_back(std::make_unique<Block>());
    blocks.back()->slot = i;
    if (!blocks.back()->shared.base())
      return endWithoutMemory(kMappingShared);
  }
  clusters.resize(resident / perCluster);
  if (config.detectRaces)
    races = std::make_unique<RaceDetector>(resident * threads, threads, program.lowered.usesAsync);
  for (auto &block : blocks)
    if (!stopped)
      startBlock(*block);
  while (!stopped) {
    bool any = false;
    for (size_t first = 0; first < blocks.size(); first += perCluster) {
      auto members = llvm::ArrayRef(blocks).slice(first, perCluster);
      if (llvm::all_of(members, [&](auto &block) { return finished(*block); }))
        for (auto &block : members) {
          block->active = false;
          if (nextBlock < total && !stopped)
            startBlock(*block);
        }
      any |= llvm::any_of(members, [](auto &block) { return block->active; });
    }
    if (!any || stopped)
      return;
    Thread *next = pick();
    if (!next && (resolveActiveLanes() || runSomeAsync()))
      continue;
    if (next) {
      resume(next);
      continue;
    }
    bool ended = false;
    for (size_t first = 0; first < blocks.size(); first += perCluster)
      ended |= llvm::all_of(llvm::ArrayRef(blocks).slice(first, perCluster),
                            [&](auto &block) { return finished(*block); });
    if (ended)
      continue;
    report.status = Report::Deadlock;
    report.message = describeDeadlock();
    return;
  }
}

// No thread can wait for another one: one flow runs all of them, in the order of the schedule.
void Device::loopBody(boost::context::detail::transfer_t transfer) {
  enterFlow(transfer);
  Device &device = *runningDevice;
  device.runBlocksAsLoop();
  device.leave(nullptr);
}

void Device::runBlocksAsLoop() {
  const uint32_t threads = config.block[0] * config.block[1] * config.block[2];
  Block &block = *blocks.front();
  Thread &thread = block.threads.front();
  order.resize(threads);
  for (uint32_t i = 0; i < threads; ++i)
    order[i] = config.schedule == Schedule::LIFO ? threads - 1 - i : i;
  for (uint64_t total = blockCount(); nextBlock < total;) {
    block.id = unflatten(nextBlock++, config.grid);
    resetShared(block);
    if (config.schedule == Schedule::Random)
      for (uint32_t i = threads; i > 1; --i)
        std::swap(order[i - 1], order[random() % i]);
    report.counters.threads += threads;
    for (uint32_t linear : order) {
      initialiseRegisters(thread.regs, block, linear);
      thread.lane = linear % 32;
      thread.id = linear;
      entry(args);
    }
  }
}

void Device::asyncBody(boost::context::detail::transfer_t transfer) {
  enterFlow(transfer);
  Device &device = *runningDevice;
  for (int kind : {0, 1, 2})
    device.runAsync(*device.asyncOwner, kind, 0, true);
  device.leave(nullptr);
}

// Nothing else can run: the pending copies of one thread land. They run in a flow of their own, as
// that thread, because they may fault.
bool Device::runSomeAsync() {
  for (auto &block : blocks)
    for (Thread &thread : block->threads) {
      if (llvm::all_of(thread.pending, [](const auto &queue) { return queue.empty(); }))
        continue;
      asyncOwner = &thread;
      asyncThread.regs = thread.regs;
      asyncThread.block = thread.block;
      asyncThread.warp = thread.warp;
      asyncThread.lane = thread.lane;
      asyncThread.id = thread.id;
      asyncThread.stack = StackPool::ofThisThread().get(blocks.size() * block->threads.size());
      if (!asyncThread.stack) {
        endWithoutMemory(kMappingStacks);
        return true;
      }
      startFlow(asyncThread.flow, *asyncThread.stack, asyncBody);
      resume(&asyncThread);
      return true;
    }
  return false;
}

Report Device::run() {
  start = std::chrono::steady_clock::now();
  Device *outer = std::exchange(runningDevice, this);
  *program.budget = 0;
  refill();
  if (config.countAccesses)
    accesses = std::make_unique<AccessCounter>(program.lowered.sites.size());
  if (program.profile)
    std::fill_n(program.profile, program.lowered.blockClasses.size(), 0);
  if (useFibers) {
    runBlocksAsFibers();
  } else {
    blocks.push_back(std::make_unique<Block>());
    clusters.resize(1);
    Block &block = *blocks.front();
    block.threads.resize(1);
    block.warps.resize(1);
    block.active = true;
    Thread &thread = block.threads.front();
    thread.block = &block;
    thread.warp = &block.warps.front();
    thread.stack = StackPool::ofThisThread().get(0);
    if (thread.stack && block.shared.base()) {
      thread.state = Thread::Running;
      initialiseRegisters(thread.regs, block, 0);
      startFlow(thread.flow, *thread.stack, loopBody);
      resume(&thread);
    } else {
      endWithoutMemory(thread.stack ? kMappingShared : kMappingStacks);
    }
  }
  current = nullptr;
  report.counters.instructions = steps();
  if (accesses)
    accesses->finish(report.counters);
  for (size_t i = 0; program.profile && i < program.lowered.blockClasses.size(); ++i)
    for (size_t c = 0; c < report.counters.classes.size(); ++c)
      report.counters.classes[c] += program.profile[i] * program.lowered.blockClasses[i][c];
  for (auto [words, count] : program.mapSlots)
    for (size_t i = 0; report.status == Report::Completed && i < count; ++i)
      if (words[i]) {
        report.status = Report::Fault;
        report.message = llvm::formatv("slot {0} of tensor maps is taken after the launch", i);
      }
  // Where the stacks took all there was, the next launch needs it elsewhere.
  if (report.status == Report::OutOfMemory)
    StackPool::ofThisThread().release();
  else
    StackPool::ofThisThread().trim();
  runningDevice = outer;
  return std::move(report);
}

} // namespace tilesmith::emulator
