// What threads wait for: warp collectives, block barriers, cluster barriers; and the report when
// nobody arrives.
//
// The last thread to arrive does the work for all. Collectives are matched on (mask, operation,
// place); threads that have exited are not waited for.
#include "oracles/devices/emulator/Device.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilesmith::emulator {

// ---- warp collectives ----

[[noreturn]] static void faultMask(unsigned lane, uint32_t mask, uint32_t site) {
  fatal(Report::Fault, llvm::formatv("lane {0} is not in its own mask {1:x}", lane, mask), site);
}

[[gnu::always_inline]] inline void Device::collective(Frame *frame, uint32_t siteId) {
  const Site &site = program.lowered.sites[siteId];
  const Intrinsic &op = *site.op;
  Thread &thread = *current;
  Warp &warp = *thread.warp;
  uint32_t mask = 0;
  switch (op.lanes) {
  case Intrinsic::MaskOperand:
    mask = frame->get<uint32_t>(op.maskSlot);
    if (!((mask >> thread.lane) & 1))
      faultMask(thread.lane, mask, siteId);
    break;
  case Intrinsic::WholeWarp:
    mask = ~0u;
    break;
  case Intrinsic::ActiveLanes:
    mask = 0;
    break;
  }
  thread.frame = frame;
  thread.site = siteId;
  thread.state = Thread::Waiting;
  size_t index = 0;
  for (; index < warp.groups.size(); ++index) {
    const WarpGroup &group = warp.groups[index];
    if (group.op == &op && group.mask == mask &&
        (op.match == Intrinsic::AnySite || group.site == siteId))
      break;
  }
  if (index == warp.groups.size())
    warp.groups.push_back({&op, siteId, mask, 0});
  warp.groups[index].arrived |= 1u << thread.lane;
  if (op.lanes == Intrinsic::ActiveLanes) {
    if (warp.live == warp.groups[index].arrived)
      completeGroup(warp, index);
  } else if ((mask & warp.live) == warp.groups[index].arrived) {
    completeGroup(warp, index);
  }
  resume(pick());
}

void Device::completeGroup(Warp &warp, size_t index) {
  const WarpGroup group = warp.groups[index];
  warp.groups.erase(warp.groups.begin() + index);
  Frame *frames[32]; // valid for the lanes that arrived
  for (uint32_t rest = group.arrived; rest; rest &= rest - 1) {
    const unsigned lane = __builtin_ctz(rest);
    frames[lane] = warp.lanes[lane]->frame;
  }
  ++report.counters.collectives;
  if (races && group.op->match == Intrinsic::AnySite) { // bar.warp.sync: the only one that orders
    static thread_local std::vector<uint32_t> ids;
    ids.clear();
    for (uint32_t rest = group.arrived; rest; rest &= rest - 1)
      ids.push_back(warp.lanes[__builtin_ctz(rest)]->id);
    races->barrier(ids, ids);
  }
  group.op->compute(
      WarpCall{program.lowered.sites[group.site], group.site, group.mask, group.arrived, frames});
  for (uint32_t rest = group.arrived; rest; rest &= rest - 1) {
    Thread &thread = *warp.lanes[__builtin_ctz(rest)];
    thread.site = kNoSite;
    makeReady(thread);
  }
}

void rtWarpCollective(Frame *frame, uint32_t site) {
  Device::running()->collective(frame, site);
}

void Device::recheckWarp(Warp &warp) {
  for (size_t i = 0; i < warp.groups.size();) {
    const WarpGroup &group = warp.groups[i];
    const uint32_t wanted =
        group.op->lanes == Intrinsic::ActiveLanes ? warp.live : group.mask & warp.live;
    if (wanted && wanted == group.arrived)
      completeGroup(warp, i);
    else
      ++i;
  }
}

// Nothing else can run: the lanes that wait at one site are the active ones.
bool Device::resolveActiveLanes() {
  bool any = false;
  for (auto &block : blocks)
    for (Warp &warp : block->warps)
      for (size_t i = 0; i < warp.groups.size();)
        if (warp.groups[i].op->lanes == Intrinsic::ActiveLanes)
          completeGroup(warp, i), any = true;
        else
          ++i;
  return any;
}

// ---- block barriers ----

// Everything that can be wrong about an arrival at a barrier.
void Device::checkBarrierUse(const NamedBarrier &barrier, uint32_t id, int action,
                             uint32_t expected, uint32_t site) {
  const bool hasCount = program.lowered.sites[site].op->variant[1];
  if (hasCount && (expected == 0 || expected % 32 != 0))
    fatal(Report::Fault,
          llvm::formatv("barrier count {0} is not a positive multiple of the warp size", expected),
          site);
  if (barrier.arrived && barrier.expected != expected)
    fatal(Report::Fault,
          llvm::formatv("barrier {0} is used with counts {1} and {2} at the same time", id,
                        barrier.expected, expected),
          site);
  if (barrier.arrived && action != barrier.action && action != 1 && barrier.action != 1)
    fatal(Report::Fault,
          llvm::formatv("barrier {0} is used for different operations at the same time", id), site);
  const Warp &warp = *current->warp;
  if (action != 1 && program.lowered.sites[site].op->variant[2] && warp.alignedSite != kNoSite &&
      warp.alignedSite != site)
    fatal(Report::Fault, "divergent aligned barrier: lanes of one warp are at two places", site,
          warp.alignedSite);
}

[[gnu::always_inline]] inline void Device::barrier(Frame *frame, uint32_t siteId) {
  const auto &variant = program.lowered.sites[siteId].op->variant;
  const int action = variant[0];
  const bool hasCount = variant[1], aligned = variant[2];
  Thread &thread = *current;
  Block &owner = *thread.block;
  const auto id = frame->get<uint32_t>(0);
  if (id >= owner.barriers.size())
    fatal(Report::Fault, llvm::formatv("barrier number {0} is not below 16", id), siteId);
  const uint32_t expected = hasCount ? frame->get<uint32_t>(1) : 0;
  NamedBarrier &barrier = owner.barriers[id];
  // The same place as the arrival before, with the same count: nothing new to check.
  const bool same = barrier.arrived && barrier.site == siteId && barrier.expected == expected &&
                    (thread.warp->alignedSite == kNoSite || thread.warp->alignedSite == siteId);
  if (!same && (hasCount || barrier.arrived || thread.warp->alignedSite != kNoSite))
    checkBarrierUse(barrier, id, action, expected, siteId);
  barrier.site = siteId;
  barrier.expected = expected;
  if (!barrier.arrived || action != 1)
    barrier.action = action;
  ++barrier.arrived;
  if (races)
    barrier.members.push_back(thread.id);
  if (action == 1) {
    recheckBarrier(owner, barrier);
    return;
  }
  if (aligned)
    thread.warp->alignedSite = siteId;
  thread.frame = frame;
  thread.site = siteId;
  thread.state = Thread::Waiting;
  barrier.waiting.push_back(&thread);
  recheckBarrier(owner, barrier);
  resume(pick());
}

void rtBarrier(Frame *frame, uint32_t site) {
  Device::running()->barrier(frame, site);
}

void Device::recheckBarrier(Block &owner, NamedBarrier &barrier) {
  const uint32_t wanted = barrier.expected ? barrier.expected : owner.live;
  if (barrier.arrived >= wanted && wanted)
    completeBarrier(owner, barrier);
}

void Device::completeBarrier(Block &, NamedBarrier &barrier) {
  uint32_t count = 0;
  bool all = true;
  const int action = barrier.action;
  if (action >= 2) {
    for (Thread *thread : barrier.waiting) {
      const bool hasCount = program.lowered.sites[thread->site].op->variant[1];
      const bool predicate = thread->frame->flag(hasCount ? 2 : 1);
      count += predicate;
      all &= predicate;
    }
    for (Thread *thread : barrier.waiting) {
      if (action == 2)
        thread->frame->put<uint32_t>(0, count);
      else
        thread->frame->putFlag(0, action == 3 ? all : count != 0);
    }
  }
  ++report.counters.barriers;
  if (races) {
    static thread_local std::vector<uint32_t> ids;
    ids.clear();
    for (Thread *thread : barrier.waiting)
      ids.push_back(thread->id);
    races->barrier(barrier.members, ids);
    barrier.members.clear();
  }
  for (Thread *thread : barrier.waiting) {
    thread->site = kNoSite;
    thread->warp->alignedSite = kNoSite;
    makeReady(*thread);
  }
  barrier.waiting.clear();
  barrier.arrived = 0;
  barrier.expected = 0;
  barrier.action = -1;
}

// A split barrier of all threads of a cluster.
void Device::clusterBarrier(Frame *frame, uint32_t siteId) {
  const auto &variant = program.lowered.sites[siteId].op->variant;
  const bool isWait = variant[0], relaxed = variant[1];
  Thread &thread = *current;
  const uint32_t index = thread.block->slot / clusterSize();
  Cluster &cluster = clusters[index];
  const auto point = reinterpret_cast<uint64_t>(&cluster);
  if (!isWait) {
    if (thread.clusterPhase > cluster.phase)
      fatal(Report::Fault, "second cluster barrier arrival without a wait", siteId);
    thread.clusterPhase = cluster.phase + 1;
    if (races && !relaxed)
      races->give(thread.id, point);
    ++cluster.arrived;
    recheckCluster(cluster, index * clusterSize());
    return;
  }
  if (thread.clusterPhase == 0)
    fatal(Report::Fault, "cluster barrier wait without an arrival", siteId);
  if (thread.clusterPhase > cluster.phase) {
    thread.frame = frame;
    thread.site = siteId;
    thread.waitAddress = ~uint64_t{0};
    block();
  }
  if (races)
    races->take(thread.id, point);
}

// Completes the cluster's barrier when every thread that has not exited has arrived.
void Device::recheckCluster(Cluster &cluster, uint32_t first) {
  uint32_t live = 0;
  for (uint32_t i = 0; i < clusterSize(); ++i)
    live += blocks[first + i]->live;
  if (!cluster.arrived || cluster.arrived < live)
    return;
  cluster.arrived = 0;
  ++cluster.phase;
  ++report.counters.barriers;
  if (races)
    races->completePoint(reinterpret_cast<uint64_t>(&cluster));
  for (uint32_t i = 0; i < clusterSize(); ++i)
    for (Thread &other : blocks[first + i]->threads)
      if (other.state == Thread::Waiting && other.site != kNoSite &&
          other.waitAddress == ~uint64_t{0} && other.clusterPhase <= cluster.phase) {
        other.site = kNoSite;
        other.waitAddress = 0;
        makeReady(other);
      }
}

// ---- deadlock report ----

std::string Device::describeDeadlock() const {
  std::string text = "deadlock: no thread can run";
  unsigned groups = 0;
  for (const auto &block : blocks) {
    if (!block->active)
      continue;
    std::map<std::pair<uint32_t, uint64_t>, std::vector<uint32_t>>
        waiting; // (site, address) -> threads
    for (uint32_t i = 0; i < block->threads.size(); ++i)
      if (block->threads[i].state == Thread::Waiting)
        waiting[{block->threads[i].site, block->threads[i].waitAddress}].push_back(i);
    for (const auto &[key, threads] : waiting) {
      if (++groups > 8)
        return text + "; ...";
      text += llvm::formatv("; block ({0},{1},{2}): {3} of {4} threads (", block->id[0],
                            block->id[1], block->id[2], threads.size(), block->threads.size());
      for (size_t i = 0, listed = 0; i < threads.size() && listed < 6; ++listed) {
        size_t end = i;
        while (end + 1 < threads.size() && threads[end + 1] == threads[end] + 1)
          ++end;
        text += (listed ? "," : "") + std::to_string(threads[i]) +
                (end > i ? "-" + std::to_string(threads[end]) : std::string());
        i = end + 1;
        if (listed == 5 && i < threads.size())
          text += ",...";
      }
      text += ") wait at ";
      text += key.first == kNoSite ? std::string("an unknown place")
                                   : describeSite(program.lowered.sites[key.first]);
    }
    uint32_t exited = 0;
    for (const Thread &thread : block->threads)
      exited += thread.state == Thread::Done;
    if (exited)
      text += llvm::formatv("; {0} threads have exited", exited);
  }
  return text;
}

} // namespace tilesmith::emulator
