//===- Race.cpp - shadow memory and checks (see Race.h) ---------------------------------------===//
#include "oracles/devices/emulator/Race.h"

#include "oracles/devices/emulator/Device.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilesmith::emulator {

RaceDetector::RaceDetector(uint32_t threadCount, uint32_t blockThreads, bool usesAsync)
    : threadCount(threadCount), blockThreads(blockThreads),
      width(usesAsync ? 2 * threadCount + kPointAgents : threadCount), tracksProxy(usesAsync),
      threads(threadCount), agents(threadCount + kPointAgents, 1), sets(1) {}

RaceDetector::~RaceDetector() = default;

// ---- what is known ----

bool RaceDetector::knows(uint32_t thread, const Snapshot *seen, uint32_t id, Epoch epoch) const {
  return seen && id < width && seen->epoch[id] >= epoch;
}

/// Shared memory lies below, the memory of the host above (Memory.h).
static constexpr uint64_t kSharedEnd = uint64_t(1) << 31;

bool RaceDetector::ordered(uint32_t thread, Snapshot *View::*async, uint32_t id, Epoch epoch,
                           bool wasAsync) const {
  const ThreadState &state = threads[thread];
  // What the generic proxy wrote must have passed a fence before the async proxy sees it.
  if (async && !wasAsync)
    return knows(thread, state.view.*async, id, epoch);
  if (id == thread && epoch >= state.start)
    return true;
  if (inTensor) {
    auto own = llvm::find_if(ownAgents, [&](const OwnAgent &agent) { return agent.id == id; });
    if (own == ownAgents.end())
      return knows(thread, state.tensor, id, epoch);
    if (epoch <= own->waited)
      return true;
  }
  return knows(thread, state.view.seen, id, epoch);
}

/// Two atomic accesses do not race, unless one has block scope and they are in different blocks.
bool RaceDetector::compatible(uint32_t id, uint8_t kind, uint32_t otherId,
                              uint8_t otherKind) const {
  if (kind == Plain || otherKind == Plain)
    return false;
  return (kind == Atomic && otherKind == Atomic) || blockOf(id) == blockOf(otherId);
}

// ---- shadow memory ----

RaceDetector::Page &RaceDetector::page(uint64_t number) {
  if (number == lastNumber)
    return *lastPage;
  auto &slot = pages[number];
  if (!slot) {
    slot = std::make_unique<Page>();
    slot->cells.resize(kPageBytes >> slot->shift);
  }
  lastNumber = number;
  return *(lastPage = slot.get());
}

// Smaller accesses came: every cell is replaced by several that remember the same.
void RaceDetector::refine(Page &page, uint8_t shift) {
  const unsigned copies = 1u << (page.shift - shift);
  std::vector<Cell> cells;
  cells.reserve(page.cells.size() * copies);
  for (Cell &cell : page.cells)
    for (unsigned i = 0; i < copies; ++i) {
      cells.push_back(cell);
      if (i && cell.set) {
        Cell &copy = cells.back();
        sets.push_back(sets[cell.set]);
        copy.set = sets.size() - 1;
      }
    }
  page.cells = std::move(cells);
  page.shift = shift;
}

void RaceDetector::freeSet(Cell &cell) {
  if (cell.set) {
    sets[cell.set].clear();
    freeSets.push_back(cell.set);
    cell.set = 0;
  }
  cell.updated = false;
}

void RaceDetector::forget(uint64_t address, uint64_t size) {
  for (uint64_t number = address / kPageBytes; size && number <= (address + size - 1) / kPageBytes;
       ++number)
    if (auto it = pages.find(number); it != pages.end())
      for (Cell &cell : it->second->cells) {
        freeSet(cell);
        cell = {};
      }
  for (auto it = points.begin(); it != points.end(); ++it)
    if (it->first - address < size) {
      clear(it->second.pending);
      clear(it->second.complete);
    }
}

void RaceDetector::access(uint32_t id, uint32_t thread, uint64_t address, uint32_t size,
                          bool isWrite, Kind kind, bool asyncProxy, uint32_t site) {
  const uint64_t end = address + size;
  while (address < end) {
    Page &p = page(address / kPageBytes);
    const uint32_t offset = address % kPageBytes;
    const uint32_t here = std::min<uint64_t>(end - address, kPageBytes - offset);
    if (const unsigned low = (offset | here) & ((1u << p.shift) - 1))
      refine(p, std::min<unsigned>(p.shift, __builtin_ctz(low)));
    for (uint32_t cell = offset >> p.shift; cell < (offset + here) >> p.shift; ++cell)
      check(id, thread, p.cells[cell], address - offset + (uint64_t{cell} << p.shift), isWrite,
            kind, asyncProxy, site);
    address += here;
  }
}

void RaceDetector::accessTensor(uint32_t id, uint32_t thread, llvm::ArrayRef<OwnAgent> own,
                                uint64_t address, uint32_t size, bool isWrite, uint32_t site) {
  inTensor = true;
  ownAgents = own;
  access(id, thread, address, size, isWrite, Plain, false, site);
  inTensor = false;
}

void RaceDetector::check(uint32_t id, uint32_t thread, Cell &cell, uint64_t address, bool isWrite,
                         Kind kind, bool asyncProxy, uint32_t site) {
  const bool isAgent = id >= threadCount;
  const Epoch now = isAgent ? agents[id - threadCount] : threads[id].own;
  // The same again.
  if (!isWrite && kind == Plain && !cell.updated && cell.read.epoch == now && cell.read.id == id &&
      cell.read.isAsync == asyncProxy)
    return;
  Snapshot *View::*async = !asyncProxy            ? nullptr
                           : address < kSharedEnd ? &View::asyncShared
                                                  : &View::async;
  auto isOrdered = [&](const Access &before) {
    if (before.id == id && isAgent)
      return true;
    return ordered(thread, async, before.id, before.epoch, before.isAsync);
  };
  if (cell.write.epoch && !compatible(id, kind, cell.write.id, cell.write.kind) &&
      !isOrdered(cell.write))
    report(cell.write, true, thread, isWrite, address, site,
           asyncProxy && !cell.write.isAsync &&
               ordered(thread, nullptr, cell.write.id, cell.write.epoch, false));
  // An earlier read needs no proxy fence.
  auto readOrdered = [&](const Access &before) {
    return (before.id == id && isAgent) ||
           ordered(thread, nullptr, before.id, before.epoch, before.isAsync);
  };
  if (isWrite && cell.read.epoch && !compatible(id, kind, cell.read.id, cell.read.kind) &&
      !readOrdered(cell.read))
    report(cell.read, false, thread, isWrite, address, site, false);
  if (cell.set && (isWrite || cell.updated))
    for (const WarpReads &reads : sets[cell.set]) {
      if (!isWrite && !reads.isWrite)
        continue;
      for (uint32_t lane = 0; lane < 32; ++lane) {
        if (!reads.epoch[lane])
          continue;
        Access before;
        before.epoch = reads.epoch[lane], before.id = reads.warp * 32 + lane;
        before.kind = reads.kind, before.isAsync = reads.isAsync, before.site = reads.site;
        if (!compatible(id, kind, before.id, before.kind) &&
            !(reads.isWrite ? isOrdered(before) : readOrdered(before)))
          report(before, reads.isWrite, thread, isWrite, address, site, false);
      }
    }
  Access record;
  record.epoch = now, record.id = id, record.kind = kind, record.isAsync = asyncProxy,
  record.site = site;
  if (isWrite && kind == Plain) {
    cell.write = record;
    cell.read = {};
    freeSet(cell);
  } else if (isWrite) {
    addToSet(cell, id, now, true, kind, asyncProxy, site);
    cell.updated = true;
  } else if (!cell.read.epoch || cell.read.id == id ||
             (!cell.set && kind == Plain && cell.read.kind == Plain && readOrdered(cell.read))) {
    cell.read = record;
  } else {
    addToSet(cell, id, now, false, kind, asyncProxy, site);
  }
}

void RaceDetector::addToSet(Cell &cell, uint32_t id, Epoch epoch, bool isWrite, Kind kind,
                            bool asyncProxy, uint32_t site) {
  if (!cell.set) {
    if (freeSets.empty()) {
      cell.set = sets.size();
      sets.emplace_back();
    } else {
      cell.set = freeSets.back();
      freeSets.pop_back();
    }
  }
  std::vector<WarpReads> &set = sets[cell.set];
  for (WarpReads &reads : set)
    if (reads.warp == id / 32 && reads.kind == kind && reads.isWrite == isWrite &&
        reads.isAsync == asyncProxy) {
      reads.epoch[id % 32] = epoch;
      reads.site = site;
      return;
    }
  WarpReads &reads = set.emplace_back();
  reads.warp = id / 32, reads.site = site, reads.kind = kind;
  reads.isWrite = isWrite, reads.isAsync = asyncProxy;
  reads.epoch[id % 32] = epoch;
}

void RaceDetector::report(const Access &before, bool beforeWrites, uint32_t thread, bool isWrite,
                          uint64_t address, uint32_t site, bool needsProxyFence) {
  Device &device = *Device::running();
  auto describe = [&](uint32_t id) -> std::string {
    if (id >= 2 * threadCount)
      return "an asynchronous operation that completes on an mbarrier";
    const bool isAgent = id >= threadCount;
    const uint32_t who = isAgent ? id - threadCount : id;
    const char *prefix = isAgent ? "an asynchronous operation of " : "";
    if (before.id == id && !isAgent && before.epoch < threads[who].start)
      return std::string(prefix) + "a thread of an earlier block";
    const std::string text = device.describeThread(who);
    return prefix + text;
  };
  {
    const auto &sites = device.program.lowered.sites;
    std::string &text = device.report.message;
    text = needsProxyFence ? "data race: missing proxy fence between generic and async access"
                           : "data race";
    if (inTensor)
      text += llvm::formatv(" in tensor memory, column {0} of lane {1}: {2}", address / 4 % 512,
                            address / 2048 % 8 * 16, isWrite ? "write" : "read");
    else
      text += llvm::formatv(" at {0:x}: {1}", address, isWrite ? "write" : "read");
    if (site != kNoSite)
      text += " (" + describeSite(sites[site]) + ")";
    text += llvm::formatv(" not ordered after {0}", beforeWrites ? "write" : "read");
    if (before.site != kNoSite)
      text += " (" + describeSite(sites[before.site]) + ")";
    text += " by " + describe(before.id);
  }
  device.stop(Report::Fault);
}

} // namespace tilesmith::emulator
