//===- RaceClocks.cpp - clocks and what orders them (see Race.h) ------------------------------===//
#include "oracles/devices/emulator/Race.h"

namespace tilesmith::emulator {

// ---- snapshots ----

Snapshot *RaceDetector::allocate() {
  if (freeSnapshots.empty()) {
    constexpr size_t kBatch = 16;
    const size_t bytes = (sizeof(Snapshot) + width * sizeof(Epoch) + 15) / 16 * 16;
    memory.push_back(std::make_unique<char[]>(bytes * kBatch));
    for (size_t i = 0; i < kBatch; ++i)
      freeSnapshots.push_back(reinterpret_cast<Snapshot *>(memory.back().get() + i * bytes));
  }
  Snapshot *s = freeSnapshots.back();
  freeSnapshots.pop_back();
  s->references = 1;
  std::memset(s->epoch, 0, width * sizeof(Epoch));
  return s;
}

void RaceDetector::release(Snapshot *s) {
  if (s && --s->references == 0)
    freeSnapshots.push_back(s);
}

void RaceDetector::assign(Snapshot *&into, Snapshot *value) {
  retain(value);
  release(into);
  into = value;
}
void RaceDetector::assign(View &into, const View &value) {
  assign(into.seen, value.seen);
  assign(into.async, value.async);
  assign(into.asyncShared, value.asyncShared);
}
void RaceDetector::clear(View &view) {
  assign(view, View());
}

Snapshot *RaceDetector::mine(Snapshot *&slot) {
  if (slot && slot->references == 1)
    return slot;
  Snapshot *copy = allocate();
  if (slot)
    std::memcpy(copy->epoch, slot->epoch, width * sizeof(Epoch));
  release(slot);
  return slot = copy;
}

void RaceDetector::join(Snapshot *&into, const Snapshot *other) {
  if (!other || into == other)
    return;
  Epoch *__restrict own = mine(into)->epoch;
  const Epoch *__restrict theirs = other->epoch;
  for (uint32_t i = 0; i < width; ++i)
    own[i] = std::max(own[i], theirs[i]);
}
void RaceDetector::join(View &into, const View &other) {
  join(into.seen, other.seen);
  join(into.async, other.async);
  join(into.asyncShared, other.asyncShared);
}

// What the thread knows, itself included. Later work of the thread is not part of it.
View RaceDetector::publish(uint32_t thread) {
  ThreadState &state = threads[thread];
  View view;
  assign(view, state.view);
  mine(view.seen)->epoch[thread] = state.own;
  ++state.own;
  return view;
}

// ---- threads ----

void RaceDetector::startThread(uint32_t thread) {
  ThreadState &state = threads[thread];
  state.start = ++state.own;
  clear(state.view);
  assign(state.tensor, nullptr);
  for (View &view : state.released)
    clear(view);
  clear(state.toAcquire);
  clear(state.toAcquireBlock);
}

void RaceDetector::barrier(llvm::ArrayRef<uint32_t> arrived, llvm::ArrayRef<uint32_t> waiting) {
  View all;
  mine(all.seen);
  const Snapshot *lastSeen = nullptr, *lastAsync = nullptr, *lastShared = nullptr;
  for (uint32_t thread : arrived) {
    const View &view = threads[thread].view;
    if (view.seen != lastSeen)
      join(all.seen, lastSeen = view.seen);
    if (view.async != lastAsync)
      join(all.async, lastAsync = view.async);
    if (view.asyncShared != lastShared)
      join(all.asyncShared, lastShared = view.asyncShared);
  }
  Epoch *epochs = mine(all.seen)->epoch;
  for (uint32_t thread : arrived)
    epochs[thread] = std::max(epochs[thread], threads[thread].own++);
  for (uint32_t thread : waiting)
    assign(threads[thread].view, all);
  clear(all);
}

void RaceDetector::fence(uint32_t thread, uint8_t scope) {
  ThreadState &state = threads[thread];
  join(state.view, state.toAcquire);
  clear(state.toAcquire);
  join(state.view, state.toAcquireBlock);
  clear(state.toAcquireBlock);
  View view = publish(thread);
  assign(state.released[0], view);
  if (scope > 0)
    assign(state.released[1], view);
  clear(view);
}

void RaceDetector::proxyFence(uint32_t thread, bool sharedOnly) {
  if (!tracksProxy)
    return;
  ThreadState &state = threads[thread];
  View view = publish(thread);
  assign(state.view.asyncShared, view.seen);
  if (!sharedOnly)
    assign(state.view.async, view.seen);
  clear(view);
}

void RaceDetector::fenceTensor(uint32_t thread) {
  assign(threads[thread].tensor, threads[thread].view.seen);
}

// order: 1 relaxed, 2 acquire, 3 release, 4 both
void RaceDetector::atomic(uint32_t thread, uint64_t address, uint8_t order, uint8_t scope,
                          bool reads, bool writes) {
  ThreadState &state = threads[thread];
  Location &location = locations[address];
  const uint32_t block = blockOf(thread);
  if (reads) {
    const bool acquires = order == 2 || order == 4;
    const bool sameBlock = location.owner == block;
    if (acquires) {
      if (scope > 0 || sameBlock)
        join(state.view, location.wide);
      if (sameBlock)
        join(state.view, location.block);
    } else {
      join(state.toAcquire, location.wide);
      if (sameBlock)
        join(state.toAcquireBlock, location.block);
    }
  }
  if (!writes)
    return;
  const bool releases = order >= 3;
  View wide, narrow;
  if (releases) {
    View view = publish(thread);
    assign(scope > 0 ? wide : narrow, view);
    assign(narrow, view);
    clear(view);
  } else {
    assign(narrow, state.released[0]);
    if (scope > 0)
      assign(wide, state.released[1]);
  }
  if (!reads) { // a store hides what was published before
    clear(location.wide);
    clear(location.block);
  } else if (location.owner != block) {
    clear(location.block);
  }
  location.owner = block;
  join(location.wide, wide);
  join(location.block, narrow);
  clear(wide);
  clear(narrow);
}

// ---- points ----

void RaceDetector::give(uint32_t thread, uint64_t point) {
  View view = publish(thread);
  join(points[point].pending, view);
  clear(view);
}

void RaceDetector::giveAgent(uint32_t agent, Epoch epoch, uint64_t point) {
  View &view = points[point].pending;
  Epoch &known = mine(view.seen)->epoch[agent];
  known = std::max(known, epoch);
}

void RaceDetector::giveAgents(const AgentEpochs &agents, uint64_t point) {
  for (auto [agent, epoch] : agents)
    giveAgent(agent, epoch, point);
}

AgentEpochs RaceDetector::agentsKnownTo(uint32_t thread) const {
  AgentEpochs known;
  if (const Snapshot *seen = threads[thread].view.seen)
    for (uint32_t agent = threadCount; agent < width; ++agent)
      if (seen->epoch[agent])
        known.emplace_back(agent, seen->epoch[agent]);
  return known;
}

void RaceDetector::completePoint(uint64_t point) {
  Point &p = points[point];
  assign(p.complete, p.pending);
  clear(p.pending);
  if (auto it = pointAgents.find(point); it != pointAgents.end())
    advanceAgent(it->second);
}

void RaceDetector::take(uint32_t thread, uint64_t point) {
  if (auto it = points.find(point); it != points.end())
    join(threads[thread].view, it->second.complete);
}

void RaceDetector::dropPoint(uint64_t point) {
  if (auto it = points.find(point); it != points.end()) {
    clear(it->second.pending);
    clear(it->second.complete);
  }
}

uint32_t RaceDetector::pointAgent(uint64_t point) {
  auto [it, isNew] = pointAgents.try_emplace(point, 0);
  if (isNew)
    it->second = 2 * threadCount + nextPointAgent++ % kPointAgents;
  return it->second;
}

std::optional<uint32_t> RaceDetector::knownPointAgent(uint64_t point) const {
  auto it = pointAgents.find(point);
  return it == pointAgents.end() ? std::nullopt : std::optional(it->second);
}

void RaceDetector::takeAgent(uint32_t thread, uint32_t agent, Epoch epoch) {
  View &view = threads[thread].view;
  if (view.seen && view.seen->epoch[agent] >= epoch)
    return;
  mine(view.seen)->epoch[agent] = epoch;
}

} // namespace tilesmith::emulator
