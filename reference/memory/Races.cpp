//===- Races.cpp - happens-before between memory accesses -------------------------------------===//
#include "reference/memory/Races.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tilesmith::reference;

namespace {

constexpr size_t maxRecords = size_t(1) << 20;
constexpr uint64_t maxCells = uint64_t(1) << 22;
constexpr size_t maxEntries = 128;
constexpr size_t maxClock = 4096;

ClockPtr joinClocks(const ClockPtr &a, const ClockPtr &b) {
  if (!a || a == b)
    return b;
  if (!b)
    return a;
  auto result = std::make_shared<Clock>();
  result->reserve(a->size() + b->size());
  auto i = a->begin(), j = b->begin();
  while (i != a->end() || j != b->end()) {
    if (j == b->end() || (i != a->end() && i->chain < j->chain)) {
      result->push_back(*i++);
    } else if (i == a->end() || j->chain < i->chain) {
      result->push_back(*j++);
    } else {
      result->push_back({i->chain, std::max(i->position, j->position)});
      ++i;
      ++j;
    }
  }
  return result;
}

uint32_t positionOn(const Clock &clock, uint32_t chain) {
  auto it = std::lower_bound(clock.begin(), clock.end(), chain,
                             [](const ChainPosition &p, uint32_t c) { return p.chain < c; });
  return it != clock.end() && it->chain == chain ? it->position : 0;
}

} // namespace

TokenPtr tilesmith::reference::joinTokens(const TokenPtr &a, const TokenPtr &b) {
  if (!a || a == b)
    return b;
  if (!b)
    return a;
  auto result = std::make_shared<TokenClock>();
  result->clock = joinClocks(a->clock, b->clock);
  result->heads = a->heads;
  for (const ChainPosition &h : b->heads)
    if (result->heads.size() < 8)
      result->heads.push_back(h);
  return result;
}

RaceDetector::Access RaceDetector::begin(const void *op, uint32_t block, AccessOrder order,
                                         AccessScope scope, const TokenPtr &after,
                                         OrderTrace trace) {
  Access access;
  if (records.size() >= maxRecords || (after && after->clock->size() > maxClock))
    exhausted = true;
  if (exhausted) {
    access.off = true;
    return access;
  }
  // Positions count from 1, so that 0 means "not reached".
  std::optional<uint32_t> chain;
  if (after)
    for (const ChainPosition &head : after->heads)
      if (chainLengths[head.chain] == head.position)
        chain = head.chain;
  if (!chain) {
    chain = static_cast<uint32_t>(chainLengths.size());
    chainLengths.push_back(0);
  }
  ChainPosition at{*chain, ++chainLengths[*chain]};
  auto own = std::make_shared<Clock>(Clock{at});
  access.clock = after ? joinClocks(after->clock, own) : own;
  access.record = static_cast<uint32_t>(records.size());
  records.push_back({op, block, order, scope, at, access.clock, trace});
  return access;
}

TokenPtr RaceDetector::end(const Access &access) {
  if (access.off)
    return nullptr;
  auto token = std::make_shared<TokenClock>();
  token->clock = joinClocks(access.clock, access.acquired);
  token->heads.push_back(records[access.record].at);
  return token;
}

bool RaceDetector::orderedBefore(const Record &earlier, const Clock &later) const {
  return positionOn(later, earlier.at.chain) >= earlier.at.position;
}

bool RaceDetector::morallyStrong(const Entry &a, const Entry &b) const {
  const Record &x = records[a.record], &y = records[b.record];
  bool inScope =
      x.block == y.block || (x.scope != AccessScope::Block && y.scope != AccessScope::Block);
  return x.strong() && y.strong() && inScope && a.start == b.start && a.size == b.size;
}

RaceDetector::Cell &RaceDetector::Shadow::cell(uint64_t index, bool &isNew) {
  uint64_t number = index / kChunk;
  isNew = false;
  if (!last || number != lastNumber) {
    std::unique_ptr<Chunk> &chunk = chunks[number];
    isNew = !chunk;
    if (isNew)
      chunk = std::make_unique<Chunk>();
    last = chunk.get();
    lastNumber = number;
  }
  return (*last)[index % kChunk];
}

RaceDetector::Shadow &RaceDetector::shadowFor(uint64_t allocation, uint64_t address,
                                              unsigned size) {
  Shadow &shadow = shadows[allocation];
  // The granule divides every address and size seen so far, so cells never straddle an access.
  unsigned wanted = size;
  while ((address - allocation) % wanted)
    wanted /= 2;
  if (shadow.granule == 0) {
    shadow.granule = wanted;
  } else if (wanted < shadow.granule) {
    Shadow finer;
    finer.granule = wanted;
    unsigned parts = shadow.granule / wanted;
    bool isNew;
    for (auto &[number, chunk] : shadow.chunks)
      for (auto [i, cell] : llvm::enumerate(*chunk))
        for (unsigned p = 0; p < parts; ++p)
          finer.cell((number * Shadow::kChunk + i) * parts + p, isNew) = cell;
    shadow = std::move(finer);
    cellCount *= parts;
  }
  return shadow;
}

void RaceDetector::meet(const Entry &a, const Entry &b) {
  if (open || (!a.writes && !b.writes))
    return;
  const Record &x = records[a.record], &y = records[b.record];
  bool seen = (a.reads && x.trace.valueUsed) || (b.reads && y.trace.valueUsed);
  bool commutes = x.trace.update != 0 && x.trace.update == y.trace.update;
  if (seen || (a.writes && b.writes && !commutes))
    open = {x.op, y.op};
}

std::optional<Race> RaceDetector::visit(Cell &cell, const Access &access, const Entry &now) {
  const Record &record = records[access.record];
  bool alreadyThere = false;
  // In place: what is kept moves to the front, so that what is read here may not be a reference.
  size_t kept = 0;
  for (size_t i = 0; i < cell.entries.size(); ++i) {
    const Entry old = cell.entries[i];
    if (old.record == now.record) {
      alreadyThere |= old.writes == now.writes && old.start == now.start;
      if (old.start == now.start)
        meet(old, now); // two elements of one op
      cell.entries[kept++] = old;
      continue;
    }
    const Record &earlier = records[old.record];
    bool ordered = orderedBefore(earlier, *access.clock);
    if ((old.writes || now.writes) && !ordered && !morallyStrong(old, now))
      return Race{earlier.op, earlier.block, old.writes, now.start};
    if (!ordered)
      meet(old, now);
    // What is ordered before this access, and conflicts with no more than this access does, need
    // not be remembered.
    bool covered =
        ordered && (now.writes || !old.writes) &&
        (!record.strong() || (earlier.strong() && old.start == now.start && old.size == now.size));
    if (!covered)
      cell.entries[kept++] = old;
  }
  cell.entries.truncate(kept);
  if (!alreadyThere)
    cell.entries.push_back(now);
  if (cell.entries.size() > maxEntries) {
    cell.unchecked = true;
    cell.entries.clear();
  }
  return std::nullopt;
}

void RaceDetector::publish(Cell &cell, const Access &access, const Entry &now, bool reads) {
  const Record &record = records[access.record];
  ClockPtr own = record.releases() ? access.clock : nullptr;
  // A read-modify-write carries a release sequence on.
  bool continues = reads && record.strong() && cell.release;
  cell.release = continues ? joinClocks(cell.release, own) : own;
  if (!continues)
    cell.releaser = now;
}

std::optional<Race> RaceDetector::touch(Access &access, uint64_t allocation, uint64_t address,
                                        unsigned size, bool reads, bool writes) {
  if (access.off || exhausted)
    return std::nullopt;
  Shadow &shadow = shadowFor(allocation, address, size);
  Entry now{address, access.record, static_cast<uint8_t>(size), reads, writes};
  uint64_t first = (address - allocation) / shadow.granule;
  for (uint64_t i = first; i < first + size / shadow.granule; ++i) {
    bool isNew;
    Cell &cell = shadow.cell(i, isNew);
    if (isNew && (cellCount += Shadow::kChunk) > maxCells) {
      exhausted = true;
      shadows.clear();
      return std::nullopt;
    }
    if (reads && records[access.record].acquires() && cell.release &&
        morallyStrong(cell.releaser, now))
      access.acquired = joinClocks(access.acquired, cell.release);
    if (!cell.unchecked) {
      if (auto race = visit(cell, access, now))
        return race;
    } else if (writes && !open) { // against many accesses that are no longer known
      open = {records[access.record].op, records[access.record].op};
    }
    if (writes)
      publish(cell, access, now, reads);
  }
  return std::nullopt;
}
