//===- Memory.cpp - device memory as the language sees it -------------------------------------===//
#include "reference/memory/Memory.h"

#include <cstring>

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tilesmith::reference;

llvm::StringRef tilesmith::reference::spelling(Fault::Kind kind) {
  switch (kind) {
  case Fault::Kind::Null:
    return "null-access";
  case Fault::Kind::OutOfBounds:
    return "out-of-bounds";
  case Fault::Kind::Misaligned:
    return "misaligned";
  case Fault::Kind::ReadOnly:
    return "write-to-constant";
  case Fault::Kind::Uninitialised:
    return "uninitialised-read";
  }
  return "";
}

void StoredSpreads::put(uint64_t size, uint64_t at, ElementType type, const Spread &spread) {
  types.resize(size, 0);
  unsigned width = bytesOf(type);
  if (spreads.empty()) {
    granule = width;
    spreads.resize(size / granule + 1);
  } else if (width < granule) { // entries of larger floats keep their place in bytes
    std::vector<PackedSpread> finer(size / width + 1);
    for (uint64_t i = 0; i * granule < size; ++i)
      finer[i * (granule / width)] = spreads[i];
    spreads = std::move(finer);
    granule = width;
  }
  std::fill_n(types.begin() + at, width, 0);
  types[at] = static_cast<uint8_t>(type) + 1;
  spreads[at / granule] = spread;
}

const PackedSpread *StoredSpreads::find(uint64_t at, ElementType type) const {
  if (types.empty() || types[at] != static_cast<uint8_t>(type) + 1)
    return nullptr;
  for (unsigned i = 1; i < bytesOf(type); ++i)
    if (types[at + i] != 0)
      return nullptr;
  return &spreads[at / granule];
}

const PackedSpread *Allocation::spreadAt(uint64_t at, ElementType type) const {
  for (unsigned i = 0; i < bytesOf(type); ++i)
    if (states[at + i] != ByteState::Enclosed)
      return nullptr;
  return spreads.find(at, type);
}

llvm::Expected<uint64_t> Memory::allocate(uint64_t size, uint64_t alignment, std::string name,
                                          llvm::ArrayRef<uint8_t> contents, bool readOnly) {
  if (size > limit - std::min(limit, used))
    return llvm::createStringError(
        llvm::formatv("expected at most {0} bytes of memory, {1} in use and {2} requested", limit,
                      used, size)
            .str());
  alignment = std::max<uint64_t>(alignment, 256);
  uint64_t base = llvm::alignTo(next, alignment);
  next = base + size + (uint64_t(1) << 26); // the guard gap
  fill(base, size, std::move(name), contents, readOnly);
  return base;
}

llvm::Error Memory::allocateAt(uint64_t base, std::string name, llvm::ArrayRef<uint8_t> contents,
                               bool readOnly) {
  uint64_t size = contents.size();
  if (size > limit - std::min(limit, used))
    return llvm::createStringError(
        llvm::formatv("expected at most {0} bytes of memory, {1} in use and {2} requested", limit,
                      used, size)
            .str());
  auto after = live.lower_bound(base);
  bool overlaps =
      (after != live.end() && after->first - base < size) ||
      (after != live.begin() && base - std::prev(after)->first < std::prev(after)->second.size());
  if (base == 0 || base + size < base || overlaps)
    return llvm::createStringError(
        llvm::formatv("expected {0} bytes at {1:x} to be free", size, base).str());
  fill(base, size, std::move(name), contents, readOnly);
  return llvm::Error::success();
}

void Memory::fill(uint64_t base, uint64_t size, std::string name, llvm::ArrayRef<uint8_t> contents,
                  bool readOnly) {
  used += size;
  Allocation &a = live[base];
  lastFound = nullptr;
  a.name = std::move(name);
  a.base = base;
  a.readOnly = readOnly;
  a.bytes.assign(size, 0);
  a.states.assign(size, ByteState::Uninitialised);
  size_t given = std::min<size_t>(contents.size(), size);
  if (given) {
    std::memcpy(a.bytes.data(), contents.data(), given);
    std::fill_n(a.states.begin(), given, ByteState::Known);
  }
}

void Memory::release(uint64_t base) {
  auto it = live.find(base);
  if (it == live.end())
    return;
  used -= it->second.size();
  live.erase(it);
  lastFound = nullptr;
}

Allocation *Memory::find(uint64_t address) {
  if (lastFound && address - lastFound->base < lastFound->size())
    return lastFound;
  auto it = live.upper_bound(address);
  if (it == live.begin())
    return nullptr;
  --it;
  Allocation &a = it->second;
  if (address - a.base >= a.size())
    return nullptr;
  return lastFound = &a;
}

Fault Memory::describe(Fault::Kind kind, uint64_t address, unsigned size, bool isStore) {
  const char *verb = isStore ? "store to" : "load from";
  switch (kind) {
  case Fault::Kind::Null:
    return {kind, llvm::formatv("{0} the null address", verb).str()};
  case Fault::Kind::Misaligned:
    return {kind,
            llvm::formatv("{0} address {1:x}, which is not a multiple of {2}", verb, address, size)
                .str()};
  case Fault::Kind::ReadOnly:
    return {kind, llvm::formatv("store to constant {0}", find(address)->name).str()};
  case Fault::Kind::Uninitialised: {
    Allocation *a = find(address);
    return {kind, llvm::formatv("load from byte {0} of {1}, which was never written",
                                address - a->base, a->name)
                      .str()};
  }
  case Fault::Kind::OutOfBounds:
    break;
  }
  // Name the allocation in front, if one is near.
  auto it = live.upper_bound(address);
  if (it != live.begin() &&
      address - std::prev(it)->first < (uint64_t(1) << 26) + std::prev(it)->second.size()) {
    const Allocation &a = std::prev(it)->second;
    return {kind, llvm::formatv("{0} bytes {1} to {2} of {3}, which has {4} bytes", verb,
                                address - a.base, address - a.base + size - 1, a.name, a.size())
                      .str()};
  }
  if (it != live.end() && it->first - address < (uint64_t(1) << 26))
    return {kind, llvm::formatv("{0} an address {1} bytes before {2}", verb, it->first - address,
                                it->second.name)
                      .str()};
  return {kind,
          llvm::formatv("{0} address {1:x}, which belongs to no allocation", verb, address).str()};
}

/// [spec: mem-alignment, mem-bounds, mem-null]
std::optional<Fault> Memory::check(uint64_t address, unsigned size, bool isStore) {
  if (address == 0)
    return describe(Fault::Kind::Null, address, size, isStore);
  if (address % size != 0)
    return describe(Fault::Kind::Misaligned, address, size, isStore);
  Allocation *a = find(address);
  if (!a || a->size() - (address - a->base) < size)
    return describe(Fault::Kind::OutOfBounds, address, size, isStore);
  if (isStore && a->readOnly)
    return describe(Fault::Kind::ReadOnly, address, size, isStore);
  return std::nullopt;
}

/// [spec: type-i1, mem-uninitialised, state-memory]
std::optional<Fault> Memory::load(ElementType type, uint64_t address, Element &result,
                                  bool highNibble) {
  unsigned size = bytesOf(type);
  if (auto fault = check(address, size, false))
    return fault;
  Allocation &a = *find(address);
  uint64_t at = address - a.base;
  uint64_t bits = 0;
  std::memcpy(&bits, a.bytes.data() + at, size);
  bool anyNaN = false, allNaN = true, unknown = false, enclosed = false;
  for (unsigned i = 0; i < size; ++i) {
    ByteState s = a.states[at + i];
    if (s == ByteState::Uninitialised)
      return describe(Fault::Kind::Uninitialised, address + i, size, false);
    unknown |= s == ByteState::Unknown;
    anyNaN |= s == ByteState::NaN;
    allNaN &= s == ByteState::NaN;
    enclosed |= s == ByteState::Enclosed;
  }
  if (isPackedNibble(type))
    bits = highNibble ? bits >> 4 : bits & 15;
  else if (type == ElementType::I1)
    bits = bits != 0;
  else if (type == ElementType::TF32)
    bits &= ~uint64_t(0x1fff); // [spec: type-tf32]
  // Half a NaN, or a NaN read as something else, has no known bits.
  if (anyNaN && (!allNaN || !isFloat(type) || !isNaN(type, bits)))
    unknown = true;
  if (enclosed && !unknown) {
    if (const PackedSpread *spread = a.spreadAt(at, type)) {
      result = {bits, State::Enclosed, *spread};
      return std::nullopt;
    }
    unknown = true; // part of it, or read as something else
  }
  result = {bits, unknown ? State::Unknown : anyNaN ? State::NaN : State::Known};
  return std::nullopt;
}

/// [spec: type-i4, state-memory]
std::optional<Fault> Memory::store(ElementType type, uint64_t address, Element value,
                                   bool highNibble) {
  unsigned size = bytesOf(type);
  if (auto fault = check(address, size, true))
    return fault;
  Allocation &a = *find(address);
  uint64_t at = address - a.base;
  auto state = static_cast<ByteState>(value.state);
  if (isPackedNibble(type) && value.state == State::Enclosed)
    state = ByteState::Unknown;
  if (isPackedNibble(type)) { // the other half keeps its value; its state can only get worse
    uint8_t &byte = a.bytes[at];
    byte = highNibble ? (byte & 15) | value.bits << 4 : (byte & 0xf0) | (value.bits & 15);
    if (a.states[at] == ByteState::Uninitialised || state == ByteState::Known)
      state = a.states[at] == ByteState::Unknown ? ByteState::Unknown : state;
    a.states[at] = state;
    return std::nullopt;
  }
  std::memcpy(a.bytes.data() + at, &value.bits, size);
  std::fill_n(a.states.begin() + at, size, state);
  if (value.state == State::Enclosed)
    a.spreads.put(a.size(), at, type, value.spread);
  return std::nullopt;
}

AtomicSum &Memory::atomicSum(ElementType type, uint64_t address, const Element &current) {
  Allocation &a = *find(address);
  auto [it, isNew] = a.sums.try_emplace(address - a.base);
  AtomicSum &sum = it->second;
  if (isNew || sum.last.bits != current.bits || sum.last.state != current.state ||
      PackedSpread(sum.last.spread).word != PackedSpread(current.spread).word) {
    sum = {};
    sum.terms.add(type, current);
  }
  return sum;
}

/// [spec: mem-duplicate-store]
bool Memory::markStored(uint64_t address, unsigned size, uint32_t storeStamp, unsigned halves) {
  Allocation *a = find(address);
  if (!a)
    return false;
  if (a->lastStore.empty())
    a->lastStore.assign(a->size(), 0);
  bool repeated = false;
  for (unsigned i = 0; i < size; ++i) {
    uint32_t &last = a->lastStore[address - a->base + i];
    bool again = last >> 2 == storeStamp;
    repeated |= again && (last & halves);
    last = storeStamp << 2 | halves | (again ? last & 3 : 0);
  }
  return repeated;
}
