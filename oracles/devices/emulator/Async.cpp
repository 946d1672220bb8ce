// Asynchronous copies and mbarriers.
//
// AsyncCompletion::Eager moves data when a copy is issued. Lazy keeps copies pending per thread
// until a wait needs them, the thread exits, or nothing else can run; so a missing wait reads old
// data. Copies, groups, mbarriers and launch control stay in one file, because each completes the
// others' transactions.
//
// An mbarrier is one 64-bit word of shared memory. Its layout is ours (PTX keeps it opaque):
// pending arrivals (20 bits), expected arrivals (20), transaction bytes (21, signed), phase (1),
// and a mark that it was initialised (2).
#include "oracles/devices/emulator/Device.h"
#include "oracles/devices/emulator/Intrinsics.h"
#include "oracles/devices/emulator/Tma.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace tilesmith::emulator {

namespace {

struct Mbarrier {
  uint32_t pending = 0, expected = 0;
  int32_t transactions = 0;
  uint32_t phase = 0;
  bool valid = false;

  static Mbarrier unpack(uint64_t word) {
    Mbarrier m;
    m.pending = word & 0xfffff;
    m.expected = (word >> 20) & 0xfffff;
    m.transactions = static_cast<int32_t>(static_cast<uint32_t>(word >> 40 & 0x1fffff) << 11) >> 11;
    m.phase = (word >> 61) & 1;
    m.valid = (word >> 62) == 2;
    return m;
  }
  uint64_t pack() const {
    return uint64_t{pending} | uint64_t{expected} << 20 |
           (uint64_t{static_cast<uint32_t>(transactions)} & 0x1fffff) << 40 |
           uint64_t{phase} << 61 | uint64_t{2} << 62;
  }
};

Mbarrier readMbarrier(uint64_t address, uint32_t site) {
  if (site != kNoSite) {
    checkAccess(address, 8, 8, Site::Atomic, 7, site);
    Device &device = *Device::running();
    if (device.races)
      device.races->access(device.current->id, device.current->id, address, 8, true,
                           RaceDetector::Atomic, false, site);
  }
  uint64_t word;
  std::memcpy(&word, reinterpret_cast<const void *>(address), 8);
  const Mbarrier m = Mbarrier::unpack(word);
  if (!m.valid)
    fatal(Report::Fault, llvm::formatv("mbarrier at {0:x} is not initialised", address), site);
  return m;
}

// Stores the barrier, completing its phase when nothing is outstanding.
void writeMbarrier(uint64_t address, Mbarrier m) {
  const bool completes = m.pending == 0 && m.transactions == 0;
  if (completes)
    m.phase ^= 1, m.pending = m.expected;
  const uint64_t word = m.pack();
  std::memcpy(reinterpret_cast<void *>(address), &word, 8);
  if (!completes)
    return;
  Device &device = *Device::running();
  if (device.races)
    device.races->completePoint(address);
  device.wakeMbarrier(address);
}

// The calling thread's work so far is part of the phase.
void giveTo(uint64_t address) {
  Device &device = *Device::running();
  if (device.races)
    device.races->give(device.current->id, address);
}
void takeFrom(uint64_t address) {
  Device &device = *Device::running();
  if (device.races)
    device.races->take(device.current->id, address);
}

uint64_t arrive(uint64_t address, uint32_t count, uint32_t site) {
  Mbarrier m = readMbarrier(address, site);
  const uint64_t token = m.pack();
  if (m.pending < count)
    fatal(Report::Fault,
          llvm::formatv("{0} arrivals at an mbarrier that waits for {1}", count, m.pending), site);
  m.pending -= count;
  writeMbarrier(address, m);
  return token;
}

void addTransactions(uint64_t address, int64_t bytes, uint32_t site) {
  Mbarrier m = readMbarrier(address, site);
  const int64_t total = m.transactions + bytes;
  if (total < -(1 << 20) + 1 || total > (1 << 20) - 1)
    fatal(Report::Fault, llvm::formatv("mbarrier transaction count {0} is out of range", total),
          site);
  m.transactions = static_cast<int32_t>(total);
  writeMbarrier(address, m);
}

} // namespace

void requireMbarrier(uint64_t address, uint32_t site) {
  readMbarrier(address, site);
}

namespace {

enum MbarrierOp {
  Init,
  Invalidate,
  Arrive,
  ArriveNoComplete,
  ArriveDrop,
  ArriveDropNoComplete,
  ArriveCount,
  ArriveExpect,
  ArriveDropCount,
  ArriveDropExpect,
  ExpectTx,
  CompleteTx,
  TestWait,
  TryWait,
  TestParity,
  TryParity,
  PendingCount
};

} // namespace

// variant: operation, has a time limit, is relaxed
void rtMbarrier(Frame *frame, uint32_t site) {
  const auto &variant = siteIntrinsic(site).variant;
  const auto address = frame->get<uint64_t>(0);
  switch (variant[0]) {
  case Init: {
    checkAccess(address, 8, 8, Site::Store, 3, site);
    raceWrite(address, 8, site);
    if (Device &device = *Device::running(); device.races)
      device.races->dropPoint(address);
    const auto count = frame->get<uint32_t>(1);
    if (count == 0 || count >= 1 << 20)
      fatal(Report::Fault, llvm::formatv("mbarrier count {0} is out of range", count), site);
    Mbarrier m;
    m.pending = m.expected = count;
    const uint64_t word = m.pack();
    std::memcpy(reinterpret_cast<void *>(address), &word, 8);
    return;
  }
  case Invalidate: {
    readMbarrier(address, site);
    std::memset(reinterpret_cast<void *>(address), 0xff, 8);
    return;
  }
  case Arrive:
    giveTo(address);
    return frame->put(0, arrive(address, 1, site));
  case ArriveCount:
    if (!variant[2])
      giveTo(address);
    return frame->put(0, arrive(address, frame->get<uint32_t>(1), site));
  case ArriveNoComplete:
  case ArriveDropNoComplete: {
    const auto count = frame->get<uint32_t>(1);
    giveTo(address);
    Mbarrier m = readMbarrier(address, site);
    if (m.pending <= count)
      fatal(Report::Fault, "mbarrier arrive.noComplete would complete the phase", site);
    if (variant[0] == ArriveDropNoComplete)
      m.expected -= count;
    const uint64_t token = m.pack();
    m.pending -= count;
    writeMbarrier(address, m);
    return frame->put(0, token);
  }
  case ArriveDrop:
  case ArriveDropCount: {
    const uint32_t count = variant[0] == ArriveDropCount ? frame->get<uint32_t>(1) : 1;
    if (!variant[2])
      giveTo(address);
    Mbarrier m = readMbarrier(address, site);
    if (m.expected < count)
      fatal(Report::Fault, "mbarrier arrive_drop below zero", site);
    const uint64_t token = m.pack();
    m.expected -= count;
    const uint64_t word = m.pack();
    std::memcpy(reinterpret_cast<void *>(address), &word, 8);
    arrive(address, count, site);
    return frame->put(0, token);
  }
  case ArriveExpect:
  case ArriveDropExpect: {
    if (!variant[2])
      giveTo(address);
    Mbarrier m = readMbarrier(address, site);
    m.transactions += static_cast<int32_t>(frame->get<uint32_t>(1));
    if (variant[0] == ArriveDropExpect)
      --m.expected;
    const uint64_t word = m.pack();
    std::memcpy(reinterpret_cast<void *>(address), &word, 8);
    return frame->put(0, arrive(address, 1, site));
  }
  case ExpectTx:
    return addTransactions(address, frame->get<uint32_t>(1), site);
  case CompleteTx:
    return addTransactions(address, -static_cast<int64_t>(frame->get<uint32_t>(1)), site);
  case PendingCount:
    return frame->put<uint32_t>(0, Mbarrier::unpack(frame->get<uint64_t>(0)).pending);
  default:
    break;
  }
  // Waits: for the phase of a token, or for the phase with the given parity.
  const bool byParity = variant[0] == TestParity || variant[0] == TryParity;
  const bool blocks = variant[0] == TryWait || variant[0] == TryParity;
  const uint32_t phase =
      byParity ? frame->get<uint32_t>(1) & 1 : Mbarrier::unpack(frame->get<uint64_t>(1)).phase;
  bool done = readMbarrier(address, site).phase != phase;
  if (!done) {
    if (blocks && !variant[1])
      Device::running()->waitForMbarrier(address, phase, frame, site);
    else
      deviceYield();
    done = Mbarrier::unpack(*reinterpret_cast<const uint64_t *>(address)).phase != phase;
  }
  if (done && !variant[2])
    takeFrom(address);
  frame->putFlag(0, done);
}

void rtMbarrierWaitLoop(Frame *frame, uint32_t site) {
  const auto address = frame->get<uint64_t>(0);
  const uint32_t phase = frame->get<uint32_t>(1) & 1;
  while (readMbarrier(address, site).phase == phase)
    Device::running()->waitForMbarrier(address, phase, frame, site);
  takeFrom(address);
}

void Device::waitForMbarrier(uint64_t address, uint32_t phase, Frame *frame, uint32_t site) {
  current->waitAddress = address;
  current->waitPhase = phase;
  current->frame = frame;
  current->site = site;
  block();
}

void Device::wakeMbarrier(uint64_t address) {
  for (auto &block : blocks)
    for (Thread &thread : block->threads)
      if (thread.state == Thread::Waiting && thread.waitAddress == address) {
        thread.waitAddress = 0;
        thread.site = kNoSite;
        makeReady(thread);
      }
}

// ---- asynchronous copies ----

namespace {

void copyNow(const Thread::AsyncOp &op) {
  // Counts as written only now: who reads before the copy has landed reads nothing.
  trackWritten(op.target, op.bytes, Site::Store, kNoSite);
  auto *target = reinterpret_cast<char *>(op.target);
  const char *source = op.read.empty() ? reinterpret_cast<const char *>(op.source) : op.read.data();
  Device::running()->report.counters.asyncBytes += op.bytes;
  if (op.reduction >= 0)
    return reduceElements(target, source, op.bytes, op.reduction, op.element);
  std::memcpy(target, source, op.sourceBytes);
  std::memset(target + op.sourceBytes, 0, op.bytes - op.sourceBytes);
}

void perform(const Thread::AsyncOp &op) {
  Device &device = *Device::running();
  switch (op.kind) {
  case Thread::AsyncOp::Copy:
    copyNow(op);
    break;
  case Thread::AsyncOp::Tensor:
    device.report.counters.asyncBytes += op.bytes;
    op.tensor.run(op.read.empty() ? nullptr : op.read.data());
    break;
  case Thread::AsyncOp::MbarrierArrive:
    if (device.races)
      device.races->giveAgent(device.races->threadAgent(device.current->id), op.epoch, op.target);
    arrive(op.target, 1, kNoSite);
    return;
  case Thread::AsyncOp::TensorCore:
    if (op.tensorOp.kind != TensorOp::Arrive)
      return performTensor(op.tensorOp, op.site);
    completeTensorGroup();
    for (uint64_t barrier : op.tensorOp.barriers) {
      checkAccess(barrier, 8, 8, Site::None, 7, op.site); // its block may have gone
      if (device.races) {
        device.races->giveAgent(op.tensorOp.agent, op.epoch, barrier);
        device.races->giveAgents(op.before, barrier);
      }
      arrive(barrier, 1, kNoSite);
    }
    return;
  case Thread::AsyncOp::CommitGroup:
    return;
  }
  if (!op.barrier)
    return;
  checkAccess(op.barrier, 8, 8, Site::None, 7, op.site); // its block may have gone
  if (device.races) {
    const uint32_t agent = device.races->pointAgent(op.barrier);
    device.races->giveAgent(agent, device.races->agentEpoch(agent), op.barrier);
  }
  addTransactions(op.barrier, -static_cast<int64_t>(op.bytes), kNoSite);
}

} // namespace

void issueAsync(Thread::AsyncOp op, int kind) {
  Device &device = *Device::running();
  device.current->groupOpen[kind] = true;
  device.current->openStores += op.toGlobal;
  if (device.config.async == AsyncCompletion::Eager)
    perform(op);
  else
    device.current->pending[kind].push_back(std::move(op));
}

void raceAsync(uint64_t address, uint32_t size, bool isWrite, uint64_t barrier, bool asyncProxy,
               uint32_t site) {
  Device &device = *Device::running();
  if (!device.races)
    return;
  const uint32_t agent =
      barrier ? device.races->pointAgent(barrier) : device.races->threadAgent(device.current->id);
  device.races->access(agent, device.current->id, address, size, isWrite, RaceDetector::Plain,
                       asyncProxy, site);
}

/// Names the agent that writes for the bulk stores of a thread: no mbarrier lies there.
static uint64_t bulkWriter(const Thread &thread) {
  return uint64_t{1} << 63 | thread.id;
}

void raceBulkStore(uint64_t address, uint32_t size, uint32_t site) {
  Device &device = *Device::running();
  if (device.races)
    device.races->access(device.races->pointAgent(bulkWriter(*device.current)), device.current->id,
                         address, size, /*isWrite=*/true, RaceDetector::Plain, /*asyncProxy=*/true,
                         site);
}

// The groups of a thread: their epochs, so that a wait orders what they did.
void commitGroup(int kind) {
  Device &device = *Device::running();
  Thread &thread = *device.current;
  thread.groupOpen[kind] = false;
  Epoch epoch = 0;
  if (device.races) {
    const uint32_t agent = device.races->threadAgent(thread.id);
    epoch = device.races->agentEpoch(agent);
    device.races->advanceAgent(agent);
  }
  thread.groups[kind].push_back(epoch);
  if (kind != 1)
    return;
  Thread::BulkGroup group{0, thread.openStores};
  if (device.races && group.stores) {
    const uint32_t writer = device.races->pointAgent(bulkWriter(thread));
    group.epoch = device.races->agentEpoch(writer);
    device.races->advanceAgent(writer);
  }
  thread.bulkGroups.push_back(group);
  thread.openStores = 0;
}

void waitGroups(int kind, size_t keep, bool readsOnly) {
  Device &device = *Device::running();
  Thread &thread = *device.current;
  auto &groups = thread.groups[kind];
  while (groups.size() > keep) {
    if (device.races)
      device.races->takeAgent(thread.id, device.races->threadAgent(thread.id), groups.front());
    groups.pop_front();
  }
  while (kind == 1 && !readsOnly && thread.bulkGroups.size() > keep) {
    if (const auto &group = thread.bulkGroups.front(); device.races && group.stores)
      device.races->takeAgent(thread.id, device.races->pointAgent(bulkWriter(thread)), group.epoch);
    thread.bulkGroups.pop_front();
  }
}

void Device::readBulkSources(Thread &thread, size_t keepGroups) {
  size_t groups = llvm::count_if(thread.pending[1], [](const Thread::AsyncOp &op) {
    return op.kind == Thread::AsyncOp::CommitGroup;
  });
  for (Thread::AsyncOp &op : thread.pending[1]) {
    if (groups <= keepGroups)
      return;
    groups -= op.kind == Thread::AsyncOp::CommitGroup;
    if (!op.toGlobal || !op.read.empty())
      continue;
    // A swizzle stays inside of 128 bytes.
    const bool isTensor = op.kind == Thread::AsyncOp::Tensor;
    const auto *source = reinterpret_cast<const char *>(isTensor ? op.tensor.shared : op.source);
    op.read.assign(source, source + (isTensor ? llvm::alignTo(op.bytes, 128) : op.bytes));
  }
}

bool Device::runAsync(Thread &thread, int kind, size_t keepGroups, bool everything) {
  std::list<Thread::AsyncOp> &pending = thread.pending[kind];
  size_t groups = 0;
  for (const auto &op : pending)
    groups += op.kind == Thread::AsyncOp::CommitGroup;
  bool any = false;
  while (!pending.empty() && (everything || groups > keepGroups)) {
    const Thread::AsyncOp op = std::move(pending.front());
    pending.pop_front();
    groups -= op.kind == Thread::AsyncOp::CommitGroup;
    perform(op);
    any = true;
  }
  return any;
}

namespace {

// variant: bytes, has source size
void rtCopy(Frame *frame, uint32_t site) {
  const auto &variant = siteIntrinsic(site).variant;
  Thread::AsyncOp op{Thread::AsyncOp::Copy};
  op.target = frame->get<uint64_t>(0);
  op.source = frame->get<uint64_t>(1);
  op.bytes = op.sourceBytes = variant[0];
  op.site = site;
  if (variant[1])
    op.sourceBytes = std::min(frame->get<uint32_t>(2), op.bytes);
  checkAccess(op.target, op.bytes, op.bytes, Site::None, 3, site);
  if (op.sourceBytes)
    checkAccess(op.source, op.sourceBytes, 1, Site::Load, 1, site);
  if (op.source % op.bytes != 0)
    fatal(Report::Fault,
          llvm::formatv("misaligned source {0:x} of an asynchronous copy of {1} bytes", op.source,
                        op.bytes),
          site);
  raceAsync(op.source, op.sourceBytes, false, 0, false, site);
  raceAsync(op.target, op.bytes, true, 0, false, site);
  issueAsync(op, 0);
}

// variant: kind of group
void rtCommit(Frame *, uint32_t site) {
  const int kind = siteIntrinsic(site).variant[0];
  issueAsync({Thread::AsyncOp::CommitGroup}, kind);
  commitGroup(kind);
}
// variant: kind of group, only what the copies read
void rtWaitGroup(Frame *frame, uint32_t site) {
  const auto &variant = siteIntrinsic(site).variant;
  const int kind = variant[0];
  const auto keep = frame->get<uint32_t>(0);
  Device &device = *Device::running();
  if (variant[1])
    device.readBulkSources(*device.current, keep);
  else
    device.runAsync(*device.current, kind, keep, false);
  waitGroups(kind, keep, variant[1]);
}
void rtWaitAll(Frame *, uint32_t) {
  Device::running()->runAsync(*Device::running()->current, 0, 0, true);
  commitGroup(0);
  waitGroups(0, 0);
}

// variant: no increment
void rtCopyArrive(Frame *frame, uint32_t site) {
  const auto address = frame->get<uint64_t>(0);
  Mbarrier m = readMbarrier(address, site);
  if (!siteIntrinsic(site).variant[0]) { // arrives itself later: one more arrival is expected
    ++m.pending;
    const uint64_t word = m.pack();
    std::memcpy(reinterpret_cast<void *>(address), &word, 8);
  }
  Thread::AsyncOp op{Thread::AsyncOp::MbarrierArrive};
  op.target = address;
  if (Device &device = *Device::running(); device.races) {
    const uint32_t agent = device.races->threadAgent(device.current->id);
    op.epoch = device.races->agentEpoch(agent);
    device.races->advanceAgent(agent);
  }
  issueAsync(op, 0);
}

// One bulk copy, with everything that can be wrong about it.
void startBulk(Thread::AsyncOp op, uint8_t targetSpace, uint8_t sourceSpace, uint32_t site) {
  if (op.bytes % 16 != 0)
    fatal(Report::Fault, llvm::formatv("bulk copy of {0} bytes, not a multiple of 16", op.bytes),
          site);
  if (op.bytes == 0)
    return;
  op.site = site;
  checkAccess(op.target, op.bytes, 16, Site::None, targetSpace, site);
  checkAccess(op.source, op.bytes, 16, Site::Load, sourceSpace, site);
  if (op.barrier)
    readMbarrier(op.barrier, site);
  op.toGlobal = targetSpace == 1;
  raceAsync(op.source, op.bytes, false, op.barrier, true, site);
  if (op.toGlobal)
    raceBulkStore(op.target, op.bytes, site);
  else
    raceAsync(op.target, op.bytes, true, op.barrier, true, site);
  issueAsync(op, 1);
}

// variant: slots of target, source, size, mbarrier (-1 for none), target is shared, source is
// shared, slot of the multicast mask (-1 for none) and of its flag
void rtBulkCopy(Frame *frame, uint32_t site) {
  const auto &variant = siteIntrinsic(site).variant;
  Thread::AsyncOp op{Thread::AsyncOp::Copy};
  op.target = frame->get<uint64_t>(variant[0]);
  op.source = frame->get<uint64_t>(variant[1]);
  op.bytes = op.sourceBytes = frame->get<uint32_t>(variant[2]);
  if (variant[3] >= 0)
    op.barrier = frame->get<uint64_t>(variant[3]);
  const uint8_t targetSpace = variant[4] ? 7 : 1, sourceSpace = variant[5] ? 3 : 1;
  if (variant[6] > 0 && frame->flag(variant[7])) {
    forEachCastTarget(frame->get<uint16_t>(variant[6]), site, [&](int64_t shift) {
      Thread::AsyncOp copy = op;
      copy.target += shift, copy.barrier += shift;
      startBulk(copy, targetSpace, sourceSpace, site);
    });
    return;
  }
  startBulk(op, targetSpace, sourceSpace, site);
}

// A bulk copy with one byte-mask bit per byte of every 16.
void rtBulkMasked(Frame *frame, uint32_t site) {
  const auto target = frame->get<uint64_t>(0), source = frame->get<uint64_t>(1);
  const auto bytes = frame->get<uint32_t>(2);
  const auto mask = frame->get<uint16_t>(5);
  if (bytes % 16 != 0)
    fatal(Report::Fault, llvm::formatv("bulk copy of {0} bytes, not a multiple of 16", bytes),
          site);
  checkAccess(target, bytes, 16, Site::None, 1, site);
  checkAccess(source, bytes, 16, Site::Load, 3, site);
  raceAsync(source, bytes, false, 0, true, site);
  for (uint32_t i = 0; i < bytes; ++i) {
    if (!((mask >> (i % 16)) & 1))
      continue;
    raceBulkStore(target + i, 1, site);
    Thread::AsyncOp op{Thread::AsyncOp::Copy};
    op.target = target + i, op.source = source + i, op.bytes = op.sourceBytes = 1, op.site = site;
    op.toGlobal = true;
    issueAsync(op, 1);
  }
}

// (shared address, bytes, value): stores the value, which must be zero, to all bytes.
void rtBulkStore(Frame *frame, uint32_t site) {
  const auto address = frame->get<uint64_t>(0), size = frame->get<uint64_t>(1);
  checkAccess(address, size, 8, Site::Store, 0, site);
  raceWrite(address, size, site);
  std::memset(reinterpret_cast<void *>(address), 0, size);
}

// ---- work of blocks that have not started ----

// What a cancelled block was: its place in the grid, and whether there was one.
struct CancelAnswer {
  uint32_t block[3];
  uint32_t canceled;
};

// (address of the answer, mbarrier). Clusters have one block where this is executed.
void rtTryCancel(Frame *frame, uint32_t site) {
  Device &device = *Device::running();
  if (device.clusterSize() > 1)
    fatal(Report::Fault, "clusterlaunchcontrol.try_cancel in a cluster is not executed", site);
  Thread::AsyncOp op{Thread::AsyncOp::Copy};
  op.target = frame->get<uint64_t>(0);
  op.barrier = frame->get<uint64_t>(1);
  op.bytes = op.sourceBytes = sizeof(CancelAnswer);
  op.site = site;
  checkAccess(op.target, op.bytes, 16, Site::None, 3, site);
  requireMbarrier(op.barrier, site);
  CancelAnswer answer = {{0, 0, 0}, 0};
  answer.canceled = device.takeBlock(answer.block);
  std::array<uint8_t, sizeof(CancelAnswer)> bytes;
  std::memcpy(bytes.data(), &answer, sizeof(answer));
  op.source = reinterpret_cast<uint64_t>(device.cancelAnswers.emplace_back(bytes).data());
  raceAsync(op.target, op.bytes, true, op.barrier, true, site);
  issueAsync(op, 1);
}

// variant: -1 whether there was one, 0 to 2 a coordinate
void rtQueryCancel(Frame *frame, uint32_t site) {
  const auto answer = frame->get<CancelAnswer>(0);
  const int axis = siteIntrinsic(site).variant[0];
  if (axis < 0)
    return frame->putFlag(0, answer.canceled == 1);
  // Undefined without one; compilers may ask in advance, so it is no fault.
  frame->put<uint32_t>(0, answer.canceled == 1 ? answer.block[axis] : ~0u);
}

void registerLaunchControl(IntrinsicTable &t) {
  const std::string p = "llvm.nvvm.clusterlaunchcontrol.";
  t.frame(p + "try_cancel.async.shared", rtTryCancel).suspends = true;
  t.frame(p + "query_cancel.is_canceled", rtQueryCancel).variant = {-1};
  for (int axis = 0; axis < 3; ++axis)
    t.frame(p + "query_cancel.get_first_ctaid." + std::string(1, "xyz"[axis]), rtQueryCancel)
        .variant = {axis};
}

void registerMbarriers(IntrinsicTable &t) {
  const std::string p = "llvm.nvvm.mbarrier.";
  auto add = [&](const std::string &name, MbarrierOp op, bool timeLimit = false) {
    Intrinsic &entry = t.frame(p + name, rtMbarrier);
    entry.variant = {op, timeLimit, name.find("relaxed") != std::string::npos};
    entry.suspends = true; // even arrivals: the barrier is for other threads
  };
  for (const char *shared : {"", ".shared"}) {
    const std::string s = shared;
    add("init" + s, Init), add("inval" + s, Invalidate), add("arrive" + s, Arrive);
    add("arrive.noComplete" + s, ArriveNoComplete), add("arrive.drop" + s, ArriveDrop);
    add("arrive.drop.noComplete" + s, ArriveDropNoComplete), add("test.wait" + s, TestWait);
  }
  add("pending.count", PendingCount);
  for (const char *scope : {".scope.cta", ".scope.cluster"}) {
    for (const char *space : {".space.cta", ".space.cluster"}) {
      const std::string tail = std::string(scope) + space;
      add("expect.tx" + tail, ExpectTx), add("complete.tx" + tail, CompleteTx);
      for (const std::string relaxed : {"", ".relaxed"}) {
        add("arrive" + relaxed + tail, ArriveCount),
            add("arrive.expect.tx" + relaxed + tail, ArriveExpect);
        add("arrive.drop" + relaxed + tail, ArriveDropCount);
        add("arrive.drop.expect.tx" + relaxed + tail, ArriveDropExpect);
      }
    }
    for (const std::string relaxed : {"", ".relaxed"}) {
      const std::string tail = relaxed + scope + ".space.cta";
      add("test.wait" + tail, TestWait), add("test.wait.parity" + tail, TestParity);
      add("try.wait" + tail, TryWait), add("try.wait.parity" + tail, TryParity);
      add("try.wait.tl" + tail, TryWait, true), add("try.wait.parity.tl" + tail, TryParity, true);
    }
  }
}

} // namespace

void registerAsync(IntrinsicTable &t) {
  registerMbarriers(t);
  registerLaunchControl(t);
  const std::string p = "llvm.nvvm.cp.async.";
  // Copies are for other threads too, and pending ones belong to a thread: these kernels need
  // fibers.
  auto add = [&](const std::string &name, FrameFn fn, std::array<int, 8> variant = {}) {
    Intrinsic &entry = t.frame(name, fn);
    entry.variant = variant;
    entry.suspends = true;
  };
  for (int bytes : {4, 8, 16})
    for (const char *cache : {"ca", "cg"}) {
      if (std::string(cache) == "cg" && bytes != 16)
        continue;
      const std::string name = p + cache + ".shared.global." + std::to_string(bytes);
      add(name, rtCopy, {bytes, 0});
      add(name + ".s", rtCopy, {bytes, 1});
    }
  add(p + "commit.group", rtCommit, {0});
  add(p + "wait.group", rtWaitGroup, {0});
  add(p + "wait.all", rtWaitAll);
  for (const char *shared : {"", ".shared"}) {
    add(p + "mbarrier.arrive" + shared, rtCopyArrive, {0});
    add(p + "mbarrier.arrive.noinc" + shared, rtCopyArrive, {1});
  }
  add(p + "bulk.commit.group", rtCommit, {1});
  add(p + "bulk.wait.group", rtWaitGroup, {1});
  add(p + "bulk.wait.group.read", rtWaitGroup, {1, 1});
  // (dst, mbar, src, size, ...), (dst, src, size, ...)
  add(p + "bulk.global.to.shared.cluster", rtBulkCopy, {0, 2, 3, 1, 1, 0, 4, 6});
  add(p + "bulk.global.to.shared.cta", rtBulkCopy, {0, 2, 3, 1, 1, 0, -1});
  add(p + "bulk.shared.cta.to.cluster", rtBulkCopy, {0, 2, 3, 1, 1, 1, -1});
  add(p + "bulk.shared.cta.to.global", rtBulkCopy, {0, 1, 2, -1, 0, 1, -1});
  add(p + "bulk.shared.cta.to.global.bytemask", rtBulkMasked);
  add("llvm.nvvm.st.bulk", rtBulkStore);
  add("llvm.nvvm.st.bulk.shared.cta", rtBulkStore);
}

} // namespace tilesmith::emulator
