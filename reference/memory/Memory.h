//===- Memory.h - device memory as the language sees it ---------------------------------------===//
//
// Allocations in an address space of their own: bases are aligned to 256 bytes and far apart, so no
// small mistake in an index leads from one allocation into another, and address 0 is never used.
// Every byte carries a state beside its value.
//
// Rules of an access: the address is a multiple of the element size, the bytes lie
// inside one live allocation, a store does not hit a constant one, a load finds no byte that was
// never written.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_MEMORY_MEMORY_H
#define REFERENCE_MEMORY_MEMORY_H

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

#include "reference/value/Enclosure.h"
#include "reference/value/Tile.h"

namespace tilesmith::reference {

enum class ByteState : uint8_t {
  Known = 0,
  NaN = 1,           ///< part of a NaN whose payload is unspecified
  Unknown = 2,       ///< any value is legal here; not compared
  Uninitialised = 3, ///< never written; reading it is undefined
  Enclosed = 4,      ///< part of a float known within bounds (Allocation::spreadAt)
};

/// The floats of an allocation that are known within bounds. One entry stands at the first byte of
/// such a float; it counts as long as every byte of the float is in state Enclosed and no other
/// entry begins inside.
class StoredSpreads {
public:
  bool empty() const { return types.empty(); }
  /// `size`: bytes of the allocation. `at` is a multiple of the type's size.
  void put(uint64_t size, uint64_t at, ElementType type, const Spread &spread);
  /// Whether a float of that type begins at `at` and no other one inside it.
  const PackedSpread *find(uint64_t at, ElementType type) const;

private:
  std::vector<uint8_t> types; ///< per byte: 0, or 1 + the type of the float that begins there
  std::vector<PackedSpread> spreads; ///< one per `granule` bytes
  unsigned granule = 8;              ///< size of the smallest float stored so far
};

/// What atomic additions to one float have summed up, in an order that another run need not keep.
struct AtomicSum {
  SumEnclosure terms;
  uint64_t updates = 0;
  Element last; ///< the result left in memory; anything else there starts a new sum
};

struct Allocation {
  std::string name; ///< "buffer 2", "@table", "alloca" for messages
  uint64_t base = 0;
  bool readOnly = false;
  std::vector<uint8_t> bytes;
  std::vector<ByteState> states;
  std::vector<uint32_t> lastStore; ///< per byte the stamp of the last store and the halves it wrote
  StoredSpreads spreads;
  llvm::DenseMap<uint64_t, AtomicSum> sums; ///< by offset of the first byte

  uint64_t size() const { return bytes.size(); }
  /// The spread of the float at an offset, if all of it is known within bounds.
  const PackedSpread *spreadAt(uint64_t at, ElementType type) const;
};

/// Why an access is undefined.
struct Fault {
  enum class Kind { Null, OutOfBounds, Misaligned, ReadOnly, Uninitialised };
  Kind kind;
  std::string message; ///< what and where, without the op
};

/// A word such as "out-of-bounds" for reports.
llvm::StringRef spelling(Fault::Kind kind);

class Memory {
public:
  /// `limit`: most bytes that live allocations may have together.
  explicit Memory(uint64_t limit = uint64_t(1) << 32) : limit(limit) {}

  /// New allocation. `contents` shorter than `size` leaves the rest uninitialised.
  /// Fails when the limit is exceeded.
  llvm::Expected<uint64_t> allocate(uint64_t size, uint64_t alignment, std::string name,
                                    llvm::ArrayRef<uint8_t> contents = {}, bool readOnly = false);
  /// The same at an address that somebody else chose; contents fill it. Fails as well when it is
  /// null or overlaps a live allocation.
  llvm::Error allocateAt(uint64_t base, std::string name, llvm::ArrayRef<uint8_t> contents,
                         bool readOnly = false);
  void release(uint64_t base);

  /// The live allocation that contains the address, or null.
  Allocation *find(uint64_t address);
  const Allocation *find(uint64_t address) const {
    return const_cast<Memory *>(this)->find(address);
  }
  const std::map<uint64_t, Allocation> &allocations() const { return live; }

  /// Checks an access of `size` bytes.
  std::optional<Fault> check(uint64_t address, unsigned size, bool isStore);

  /// Loads one element; 4-bit types take the nibble chosen by `highNibble`.
  std::optional<Fault> load(ElementType type, uint64_t address, Element &result,
                            bool highNibble = false);
  /// Stores one element.
  std::optional<Fault> store(ElementType type, uint64_t address, Element value,
                             bool highNibble = false);

  /// The sum at an address that holds `current`; starts with it if there was none. The address must
  /// have passed check().
  AtomicSum &atomicSum(ElementType type, uint64_t address, const Element &current);

  /// A fresh number for markStored.
  uint32_t newStamp() { return ++stamp; }
  /// Notes that the store with this stamp writes here; returns true if the same store wrote one of
  /// the bytes before. `halves`: 1 low, 2 high half of a byte, 3 whole bytes.
  bool markStored(uint64_t address, unsigned size, uint32_t storeStamp, unsigned halves = 3);

private:
  void fill(uint64_t base, uint64_t size, std::string name, llvm::ArrayRef<uint8_t> contents,
            bool readOnly);
  Fault describe(Fault::Kind kind, uint64_t address, unsigned size, bool isStore);

  uint64_t limit;
  uint64_t used = 0;
  uint64_t next = uint64_t(1) << 32;
  uint32_t stamp = 0;
  std::map<uint64_t, Allocation> live; ///< by base
  Allocation *lastFound = nullptr;
};

} // namespace tilesmith::reference

#endif // REFERENCE_MEMORY_MEMORY_H
